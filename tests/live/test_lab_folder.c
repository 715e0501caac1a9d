/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a lab: its lock, its record and what is removed of it. */
#include "live/lab/folder.h"

#include "live/lab/description.h"

#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct lab lab;

static bool is_there(const char *name) {
    char path[LAB_PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s", lab.folder, name);
    return access(path, F_OK) == 0;
}

static void put(const char *name) {
    char path[LAB_PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s", lab.folder, name);
    close(open(path, O_CREAT | O_WRONLY, 0600));
}

static bool can_lock(void) {
    int fd = open(lab.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool can = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (fd >= 0) close(fd);
    return can;
}

static void folder_lock__makes_the_folder_and_unlock_removes_it(void **state) {
    (void)state;
    struct diag d = {0};
    int lock = folder_lock(&lab, "state", &d);
    assert_true(lock >= 0);
    assert_true(is_there("."));
    assert_false(can_lock());
    folder_unlock(&lab, lock);
    assert_false(is_there("."));
}

/* What the maker of a lab has started goes on after its end; the lab is locked until then. */
static void folder_lock__programs_share_it(void **state) {
    (void)state;
    struct diag d = {0};
    int lock = folder_lock(&lab, "state", &d), begun[2];
    char byte;
    assert_int_equal(pipe2(begun, O_CLOEXEC), 0);
    pid_t program = fork();
    if (program == 0) {
        execlp("sleep", "sleep", "100", NULL);
        _exit(1);
    }
    close(begun[1]);
    assert_int_equal(read(begun[0], &byte, 1), 0); /* the program has begun: it closed its end of the pipe */
    close(begun[0]);
    close(lock); /* as at the end of the maker */
    assert_false(can_lock());
    kill(program, SIGKILL);
    waitpid(program, NULL, 0);
    assert_true(can_lock());
    rmdir(lab.folder);
}

static void folder_put_record__whole_or_not_at_all(void **state) {
    (void)state;
    struct diag d = {0};
    int lock = folder_lock(&lab, "state", &d);
    assert_false(folder_has_record(&lab));
    assert_true(folder_put_record(&lab, "first", &d));
    assert_true(folder_has_record(&lab));
    assert_int_equal(mkdir("state/x/" RECORD ".new", 0700), 0); /* the next cannot be written */
    assert_false(folder_put_record(&lab, "second", &d));
    assert_int_equal(rmdir("state/x/" RECORD ".new"), 0);
    char text[16] = "";
    FILE *in = fopen("state/x/" RECORD, "r");
    assert_non_null(fgets(text, sizeof text, in));
    fclose(in);
    assert_string_equal(text, "first");
    folder_unlock(&lab, lock);
    assert_true(folder_has_record(&lab)); /* unlocking removes an empty folder only */
    unlink("state/x/" RECORD);
    rmdir(lab.folder);
}

static void count_stays(void *to, const char *path) {
    (*(int *)to)++;
    assert_non_null(strstr(path, "notes"));
}

static void folder_clear__what_is_not_the_labs_stays(void **state) {
    (void)state;
    static const char *const made[] = {RECORD,         RECORD ".new", "switches.sock", "switches.log",
                                       "host0.0.sock", "host0.0.log", DCTCP_OBJECT};
    struct diag d = {0};
    int stays = 0, lock = folder_lock(&lab, "state", &d);
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) put(made[i]);
    put("notes");
    folder_clear(&lab, count_stays, &stays);
    assert_int_equal(stays, 1);
    assert_true(is_there("notes"));
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) assert_false(is_there(made[i]));
    unlink("state/x/notes");
    folder_unlock(&lab, lock);
    assert_false(is_there("."));
}

int main(void) {
    char folder[] = "/tmp/heddle-folder-XXXXXX";
    struct diag d = {0};
    if (!mkdtemp(folder) || chdir(folder) != 0 || !lab_place(&lab, "state", "x", &d)) return 1;
    const struct CMUnitTest tests[] = {
        UNIT(folder_lock__makes_the_folder_and_unlock_removes_it),
        UNIT(folder_lock__programs_share_it),
        UNIT(folder_put_record__whole_or_not_at_all),
        UNIT(folder_clear__what_is_not_the_labs_stays),
    };
    int failed = RUN_UNITS(tests);
    rmdir("state");
    rmdir(folder);
    return failed;
}
