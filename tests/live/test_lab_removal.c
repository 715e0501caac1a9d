/* SPDX-License-Identifier: Apache-2.0 */
/* What lab_down removes: all that bears the mark of the lab, and nothing else. Namespaces and processes are real; each case makes
 * the parts of a lab that it needs. */
#include "live/lab/removal.h"

#include "live/lab/description.h"
#include "live/lab/folder.h"
#include "live/lab/spaces.h"
#include "live/own_machine.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ID "0123456789abcdef"
#define OTHER_ID "fedcba9876543210"

static char folder[] = "/tmp/heddle-removal-XXXXXX";
static const char name[] = "demo"; /* of the lab */

/* ---- parts of labs ---- */

static void space_new(const char *host, const char *id) {
    char mark[LAB_MARK_MAX], *space = space_name(name, host);
    struct diag d = {0};
    if (!spaces_make((const char *const *)&space, 1, lab_mark_write(mark, name, id), &d)) fail_msg("%s", d.text);
    free(space);
}

/* Makes a namespace as a stranger does: it has a name of the lab and no mark. */
static void space_of_stranger(const char *host) {
    char command[100];
    snprintf(command, sizeof command, "ip netns add heddle-%s.%s", name, host);
    assert_int_equal(system(command), 0);
}

static bool has_space(const char *host) {
    char *space = space_name(name, host);
    bool is = space_is_taken(space);
    free(space);
    return is;
}

static void space_end(const char *host) {
    char *space = space_name(name, host);
    struct lab_space s = {.kind = SPACE_FOREIGN};
    struct diag d = {0};
    snprintf(s.path, sizeof s.path, SPACES "/%s", space);
    assert_true(space_remove(&s, &d));
    free(space);
}

/* Starts a shell in a namespace of the lab (NULL: in ours), with the mark of a lab of this id in its environment (NULL: none).
 * Returns when the shell runs its command. */
static pid_t shell_start(const char *host, const char *id, const char *command) {
    int begun[2];
    char byte, mark[LAB_MARK_MAX], path[200];
    assert_int_equal(pipe(begun), 0);
    pid_t child = fork();
    if (child == 0) {
        char whole[600];
        setpgid(0, 0);
        snprintf(path, sizeof path, SPACES "/heddle-%s.%s", name, host ? host : "");
        if (host && setns(open(path, O_RDONLY | O_CLOEXEC), CLONE_NEWNET) != 0) _exit(1);
        if (id) setenv(LAB_MARK_ENVIRONMENT, lab_mark_write(mark, name, id), 1);
        snprintf(whole, sizeof whole, "%s & echo >&%d; exec %d>&-; wait", command, begun[1], begun[1]);
        close(begun[0]);
        execl("/bin/sh", "sh", "-c", whole, NULL);
        _exit(1);
    }
    close(begun[1]);
    assert_int_equal(read(begun[0], &byte, 1), 1);
    close(begun[0]);
    return child;
}

/* Returns the signal that ended a process; 0: it runs still. A removal has waited for its end. */
static int ended_by(pid_t child) {
    int status;
    for (int i = 0; i < 10; i++) {
        if (waitpid(child, &status, WNOHANG) == child) return WIFSIGNALED(status) ? WTERMSIG(status) : -1;
        usleep(1000);
    }
    return 0;
}

static void end(pid_t child) {
    kill(-child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* ---- removals ---- */

/* What a removal tells, a line for each part: "stays: TEXT" if it is of the lab. */
static char told[1000];

static void tell(void *to, const struct diag *what, bool is_of_lab) {
    size_t used = strlen(told);
    assert_ptr_equal(to, told);
    snprintf(told + used, sizeof told - used, "%s%s%s%s\n", is_of_lab ? "stays: " : "", what->file,
             what->file[0] ? ": " : "", what->text);
}

static const struct lab_telling telling = {.tell = tell, .to = told};

static enum lab_end down(void) {
    told[0] = 0;
    return lab_down("state", name, &telling);
}

static struct lab *placed(void) {
    struct lab *lab = calloc(1, sizeof *lab);
    struct diag d = {0};
    assert_true(lab_place(lab, "state", name, &d));
    return lab;
}

static void record_put(const char *id) {
    struct lab *lab = placed();
    struct diag d = {0};
    char text[300];
    snprintf(text, sizeof text,
             "{\"id\": \"%s\", \"switches\": \"heddle-%s.switches\", \"hosts\": [{\"name\": \"h1\", \"namespace\": "
             "\"heddle-%s.h1\"}]}",
             id, name, name);
    int lock = folder_lock(lab, "state", &d);
    assert_true(lock >= 0);
    assert_true(folder_put_record(lab, text, &d));
    folder_unlock(lab, lock);
    lab_free(lab);
}

static bool has_folder(void) {
    char path[100];
    snprintf(path, sizeof path, "state/%s", name);
    return access(path, F_OK) == 0;
}

static void down__of_no_lab(void **state) {
    (void)state;
    need_own_machine();
    assert_int_equal(down(), LAB_NOT_THERE);
    assert_string_equal(told, "");
    assert_false(has_folder());
    assert_int_equal(lab_down("state", name, NULL), LAB_NOT_THERE);
    assert_int_equal(lab_down("state", "no name", &telling), LAB_STAYS);
    assert_string_equal(told, "stays: 'no name' is no name for a lab: at most 32 letters, digits, - and _\n");
}

/* A record that is lost loses nothing: the mark says what is the lab's. */
static void down__without_a_record(void **state) {
    (void)state;
    need_own_machine();
    space_new("h1", ID);
    space_new(SPACE_OF_SWITCHES, OTHER_ID); /* of an earlier lab of the name */
    assert_int_equal(down(), LAB_REMOVED);
    assert_string_equal(told, "");
    assert_false(has_space("h1") || has_space(SPACE_OF_SWITCHES));
    assert_int_equal(down(), LAB_NOT_THERE);
}

/* A name whose maker was killed before it had a namespace. */
static void down__of_a_name_without_a_namespace(void **state) {
    (void)state;
    char path[200];
    need_own_machine();
    snprintf(path, sizeof path, SPACES "/heddle-%s.h3", name);
    close(open(path, O_CREAT | O_EXCL | O_WRONLY, 0));
    struct lab *lab = placed();
    bool any = false;
    assert_true(lab_remove(lab, ID, &telling, &any)); /* it may be another's that is being made */
    assert_true(has_space("h3") && !any);
    lab_free(lab);
    assert_int_equal(down(), LAB_REMOVED);
    assert_false(has_space("h3"));
}

/* A namespace without the mark stays, and the user learns why. */
static void down__what_a_stranger_made_stays(void **state) {
    (void)state;
    char expected[300];
    need_own_machine();
    space_of_stranger("h2");
    snprintf(expected, sizeof expected,
             SPACES "/heddle-%s.h2: no lab of heddle made this namespace, so it stays; ip netns del removes it\n",
             name);
    assert_int_equal(down(), LAB_NOT_THERE);
    assert_string_equal(told, expected);
    pid_t inside = shell_start("h2", NULL, "sleep 100");
    space_new("h1", ID);
    assert_int_equal(down(), LAB_REMOVED);
    assert_string_equal(told, expected);
    assert_true(has_space("h2") && !has_space("h1"));
    assert_int_equal(ended_by(inside), 0);
    end(inside);
    space_end("h2");
}

/* ---- processes ---- */

/* Processes in the namespaces of the lab end, whoever started them; so do processes that were started for it. */
static void down__ends_the_processes(void **state) {
    (void)state;
    need_own_machine();
    space_new("h1", ID);
    space_new(SPACE_OF_SWITCHES, ID);
    pid_t in_host = shell_start("h1", NULL, "sleep 100"),
          in_switches = shell_start(SPACE_OF_SWITCHES, NULL, "sleep 100");
    pid_t marked = shell_start(NULL, ID, "sleep 100"), other = shell_start(NULL, NULL, "sleep 100");
    assert_int_equal(down(), LAB_REMOVED);
    assert_string_equal(told, "");
    assert_int_equal(ended_by(in_host), SIGTERM);
    assert_int_equal(ended_by(in_switches), SIGTERM);
    assert_int_equal(ended_by(marked), SIGTERM);
    assert_int_equal(ended_by(other), 0);
    end(other);
    marked = shell_start(NULL, ID, "sleep 100"); /* the last part of a lab */
    assert_int_equal(down(), LAB_REMOVED);
    assert_int_equal(ended_by(marked), SIGTERM);
    assert_int_equal(down(), LAB_NOT_THERE);
}

/* Programs of hosts end while their network exists: the switches run until the last of them is gone. */
static void down__ends_hosts_before_switches(void **state) {
    (void)state;
    char command[400];
    need_own_machine();
    space_new("h1", ID);
    space_new(SPACE_OF_SWITCHES, ID);
    pid_t switches = shell_start(SPACE_OF_SWITCHES, ID, "sleep 100");
    snprintf(command, sizeof command,
             "trap 'sleep 0.1; kill -0 %d && echo there >seen; exit' TERM; while :; do sleep 0.01; done",
             (int)switches);
    pid_t host = shell_start("h1", NULL, command);
    pid_t child = shell_start("h1", NULL, "sleep 100");
    assert_int_equal(down(), LAB_REMOVED);
    ended_by(host);
    assert_int_equal(ended_by(child), SIGTERM);
    assert_int_equal(ended_by(switches), SIGTERM);
    assert_int_equal(unlink("seen"), 0);
}

/* ---- with a record ---- */

static void down__of_a_lab_with_a_record(void **state) {
    (void)state;
    char path[100], expected[200];
    need_own_machine();
    record_put(ID);
    space_new("h1", ID);
    space_new(SPACE_OF_SWITCHES, ID);
    snprintf(path, sizeof path, "state/%s/notes", name);
    close(open(path, O_CREAT | O_WRONLY, 0600));
    assert_int_equal(down(), LAB_REMOVED);
    snprintf(expected, sizeof expected, "%s: this file is not the lab's, so it stays\n", path);
    assert_string_equal(told, expected);
    assert_false(has_space("h1") || has_space(SPACE_OF_SWITCHES));
    assert_true(has_folder());
    unlink(path);
    assert_int_equal(down(), LAB_REMOVED); /* the folder alone */
    assert_false(has_folder());
}

/* Whoever made a lab removes it, unless it has been replaced by another one of the name meanwhile. */
static void down_own__of_this_id_alone(void **state) {
    (void)state;
    need_own_machine();
    record_put(ID);
    space_new("h1", ID);
    assert_true(lab_down_own("state", name, OTHER_ID, NULL));
    assert_true(has_space("h1") && has_folder());
    assert_true(lab_down_own("state", name, ID, NULL));
    assert_false(has_space("h1") || has_folder());
    assert_true(lab_down_own("state", name, ID, NULL)); /* it is gone */
}

/* A lab_up that fails removes what it made itself, not what an earlier lab of the name has left. */
static void remove__of_this_id_alone(void **state) {
    (void)state;
    struct lab *lab = placed();
    bool any = false;
    need_own_machine();
    space_new("h1", ID);
    space_new("h2", OTHER_ID);
    pid_t mine = shell_start(NULL, ID, "sleep 100"), other = shell_start(NULL, OTHER_ID, "sleep 100");
    told[0] = 0;
    assert_true(lab_remove(lab, ID, &telling, &any));
    assert_true(any);
    assert_false(has_space("h1"));
    assert_true(has_space("h2"));
    assert_int_equal(ended_by(mine), SIGTERM);
    assert_int_equal(ended_by(other), 0);
    assert_int_equal(down(), LAB_REMOVED);
    assert_int_equal(ended_by(other), SIGTERM);
    assert_false(has_space("h2"));
    lab_free(lab);
}

/* Labs of an earlier heddle have no mark: the names in their record are all that says what is theirs. */
static void down__of_a_lab_without_marks(void **state) {
    (void)state;
    need_own_machine();
    record_put("");
    space_of_stranger("h1");
    space_of_stranger(SPACE_OF_SWITCHES);
    space_of_stranger("h2"); /* not in the record */
    pid_t inside = shell_start("h1", NULL, "sleep 100");
    assert_int_equal(down(), LAB_REMOVED);
    assert_int_equal(ended_by(inside), SIGTERM);
    assert_false(has_space("h1") || has_space(SPACE_OF_SWITCHES) || has_folder());
    assert_true(has_space("h2"));
    space_end("h2");
}

static int cases(void) {
    const struct CMUnitTest tests[] = {
        UNIT(down__of_no_lab),
        UNIT(down__without_a_record),
        UNIT(down__of_a_name_without_a_namespace),
        UNIT(down__what_a_stranger_made_stays),
        UNIT(down__ends_the_processes),
        UNIT(down__ends_hosts_before_switches),
        UNIT(down__of_a_lab_with_a_record),
        UNIT(down_own__of_this_id_alone),
        UNIT(remove__of_this_id_alone),
        UNIT(down__of_a_lab_without_marks),
    };
    return RUN_UNITS(tests);
}

int main(void) {
    if (!mkdtemp(folder) || chdir(folder) != 0) return 1;
    int failed = on_own_machine(cases);
    rmdir("state");
    return rmdir(folder) != 0 ? 1 : failed;
}
