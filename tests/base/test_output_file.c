/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/output_file.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool begins_with_mark(FILE *in, const void *context) { return output_holds(in, context, 64); }

static const char *const inputs[] = {"input", "missing"};
static const struct output_rules rules = {
    .kind = "a note", .is_ours = begins_with_mark, .context = "#ours", .input = inputs, .n_input = 2};
static const struct output_rules forced = {
    .kind = "a note", .is_ours = begins_with_mark, .context = "#ours", .input = inputs, .n_input = 2, .force = true};

static void put(const char *path, const char *text) {
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void holds(const char *path, const char *text) {
    char buf[64] = "";
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    buf[fread(buf, 1, sizeof buf - 1, in)] = '\0';
    fclose(in);
    assert_string_equal(buf, text);
}

/* Counts the files of the folder, hidden ones included. */
static int n_files(void) {
    int n = 0;
    DIR *dir = opendir(".");
    for (struct dirent *e; (e = readdir(dir));) n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(dir);
    return n;
}

static bool write_note(const char *path, const struct output_rules *r, struct diag *d) {
    struct output_file f;
    if (!output_begin(&f, path, r, d)) return false;
    fputs("#ours, new", f.out);
    return output_end(&f, d);
}

static void refused(const char *path, const struct output_rules *r, const char *why) {
    struct diag d = {0};
    int before = n_files();
    assert_false(write_note(path, r, &d));
    assert_string_equal(d.text, why);
    assert_false(output_check(path, r, &d));
    assert_string_equal(d.text, why);
    assert_int_equal(n_files(), before);
}

static int folder_new(void **state) {
    static char path[32];
    strcpy(path, "/tmp/heddle-test-XXXXXX");
    *state = path;
    return mkdtemp(path) && chdir(path) == 0 ? 0 : -1;
}

static int folder_end(void **state) {
    char line[64];
    snprintf(line, sizeof line, "rm -r %s", (char *)*state);
    return chdir("/") == 0 && system(line) == 0 ? 0 : -1;
}

/* ---- what may be written ---- */

static void write__a_free_place(void **state) {
    (void)state;
    struct diag d = {0};
    assert_true(write_note("note", &rules, &d));
    holds("note", "#ours, new");
    assert_int_equal(n_files(), 1);
}

static void write__our_own_earlier_output(void **state) {
    (void)state;
    struct diag d = {0};
    put("note", "#ours, old and longer");
    assert_true(write_note("note", &rules, &d));
    holds("note", "#ours, new");
    assert_int_equal(n_files(), 1);
}

static void write__a_stranger_is_refused_unless_forced(void **state) {
    (void)state;
    struct diag d = {0};
    put("note", "of the user");
    refused("note", &rules, "this file is there already and is not a note; name another, or replace it with --force");
    holds("note", "of the user");
    assert_true(write_note("note", &forced, &d));
    holds("note", "#ours, new");
}

static void write__without_a_mark_nothing_is_ours(void **state) {
    (void)state;
    const struct output_rules none = {.kind = "a table", .remedy = "name another folder"};
    put("note", "#ours");
    refused("note", &none, "this file is there already; name another folder");
}

/* ---- inputs, by identity ---- */

static void write__never_an_input_by_any_name(void **state) {
    (void)state;
    put("input", "#ours, read");
    assert_int_equal(link("input", "hard"), 0);
    assert_int_equal(symlink("input", "soft"), 0);
    assert_int_equal(mkdir("folder", 0777), 0);
    static const char *const names[] = {"input", "./input", "folder/../input", "hard", "soft"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        refused(names[i], &rules, "this is input, which is read; name another file for a note");
        refused(names[i], &forced, "this is input, which is read; name another file for a note");
    }
    holds("input", "#ours, read");
}

static void write__no_link_no_folder_no_device(void **state) {
    (void)state;
    put("target", "#ours");
    assert_int_equal(symlink("target", "soft"), 0);
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(mkfifo("pipe", 0666), 0);
    refused("soft", &forced, "this is a link; name the file itself, or another");
    refused("dangling", &forced, "this is a link; name the file itself, or another");
    refused("folder", &forced, "this is no plain file; name another for a note");
    refused("pipe", &forced, "this is no plain file; name another for a note");
    holds("target", "#ours");
}

/* ---- beside and renamed ---- */

static void begin__is_not_there_before_it_is_whole(void **state) {
    (void)state;
    struct diag d = {0};
    struct output_file f;
    put("note", "#ours, old");
    assert_true(output_begin(&f, "note", &rules, &d));
    fputs("half", f.out);
    fflush(f.out);
    holds("note", "#ours, old");
    output_abandon(&f);
    holds("note", "#ours, old");
    assert_int_equal(n_files(), 1);
    output_abandon(&f); /* does nothing */
}

/* If the temporary name exists already, even as a link, the writer chooses another and does not follow the link. */
static void begin__takes_another_name_beside(void **state) {
    (void)state;
    struct diag d = {0};
    struct output_file f;
    put("victim", "of the user");
    assert_true(output_begin(&f, "one", &rules, &d));
    int serial = atoi(strrchr(f.beside, '-') + 1);
    output_abandon(&f);
    for (int i = 1; i <= 3; i++) {
        char name[64];
        snprintf(name, sizeof name, ".heddle-%d-%d", (int)getpid(), serial + i);
        assert_int_equal(symlink("victim", name), 0);
    }
    assert_true(write_note("one", &rules, &d));
    holds("one", "#ours, new");
    holds("victim", "of the user");
    assert_int_equal(n_files(), 5);
}

static void end__a_file_that_came_meanwhile_stays(void **state) {
    (void)state;
    struct diag d = {0};
    struct output_file f;
    assert_true(output_begin(&f, "note", &rules, &d));
    fputs("#ours", f.out);
    put("note", "of the user");
    assert_false(output_end(&f, &d));
    assert_string_equal(d.text, "cannot write it: File exists; check the folder, its permissions and the space left");
    holds("note", "of the user");
    assert_int_equal(n_files(), 1);
}

static void end__no_room_leaves_what_was_there(void **state) {
    (void)state;
    put("note", "#ours, old");
    pid_t pid = fork();
    if (pid == 0) {
        const struct rlimit limit = {1000, 1000};
        struct diag d = {0};
        struct output_file f;
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        bool begun = output_begin(&f, "note", &rules, &d);
        for (int i = 0; begun && i < 100000; i++) fputs("more", f.out);
        bool ended = begun && output_end(&f, &d);
        _exit(!begun || ended || !strstr(d.text, "File too large"));
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    holds("note", "#ours, old");
    assert_int_equal(n_files(), 1);
}

static void begin__no_folder(void **state) {
    (void)state;
    struct diag d = {0};
    assert_false(write_note("no-such-folder/note", &rules, &d));
    assert_string_equal(
        d.text, "cannot write it: No such file or directory; check the folder, its permissions and the space left");
}

static void move__under_the_same_rules(void **state) {
    (void)state;
    struct diag d = {0};
    put("made", "#ours, made");
    put("note", "of the user");
    assert_false(output_move("made", "note", &rules, &d));
    holds("note", "of the user");
    assert_int_equal(n_files(), 1);
    put("made", "#ours, made");
    assert_true(output_move("made", "note", &forced, &d));
    holds("note", "#ours, made");
    assert_int_equal(n_files(), 1);
}

int main(void) {
#define CASE(f) cmocka_unit_test_setup_teardown(f, folder_new, folder_end)
    const struct CMUnitTest tests[] = {
        CASE(write__a_free_place),
        CASE(write__our_own_earlier_output),
        CASE(write__a_stranger_is_refused_unless_forced),
        CASE(write__without_a_mark_nothing_is_ours),
        CASE(write__never_an_input_by_any_name),
        CASE(write__no_link_no_folder_no_device),
        CASE(begin__is_not_there_before_it_is_whole),
        CASE(begin__takes_another_name_beside),
        CASE(begin__no_folder),
        CASE(end__a_file_that_came_meanwhile_stays),
        CASE(end__no_room_leaves_what_was_there),
        CASE(move__under_the_same_rules),
    };
    return RUN_UNITS(tests);
}
