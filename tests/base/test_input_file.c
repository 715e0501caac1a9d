/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void refused(const char *path, const char *why, int error) {
    const char *said = NULL;
    errno = 0;
    alarm(10); /* a test that hangs has failed */
    assert_null(input_open(path, &said));
    assert_int_equal(errno, error);
    assert_string_equal(said, why);
    assert_null(input_open(path, NULL));
    alarm(0);
}

static void open__reads_a_plain_file_and_through_a_link(void **state) {
    (void)state;
    const char *why = "not set";
    FILE *out = fopen("plain", "w");
    fputs("text", out);
    fclose(out);
    assert_int_equal(symlink("plain", "link"), 0);
    FILE *in = input_open("link", &why);
    char text[8] = "";
    assert_non_null(in);
    assert_null(why);
    assert_int_equal(fread(text, 1, sizeof text - 1, in), 4);
    assert_string_equal(text, "text");
    assert_int_equal(fcntl(fileno(in), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    assert_int_equal(fcntl(fileno(in), F_GETFL) & O_NONBLOCK, 0);
    fclose(in);
}

static void open__refuses_what_has_no_end_or_blocks(void **state) {
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(symlink("pipe", "to-pipe"), 0);
    refused("pipe", "it is no plain file", EINVAL);
    refused("to-pipe", "it is no plain file", EINVAL);
    refused("/dev/zero", "it is no plain file", EINVAL);
    refused("/dev/tty", "it is no plain file", EINVAL);
    refused(".", "Is a directory", EISDIR);
    refused("none", "No such file or directory", ENOENT);
}

/* `<(...)` and `... |`: the shell has opened the other end. */
static void open__reads_a_pipe_that_the_process_holds(void **state) {
    (void)state;
    const char *why = NULL;
    int ends[2];
    char path[32], text[8] = "";
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "piped", 5), 5);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    FILE *in = input_open(path, &why);
    assert_non_null(in);
    assert_int_equal(fread(text, 1, sizeof text - 1, in), 5);
    assert_string_equal(text, "piped");
    fclose(in);
    close(ends[0]);
    int zero = open("/dev/zero", O_RDONLY);
    snprintf(path, sizeof path, "/dev/fd/%d", zero);
    refused(path, "it is no plain file", EINVAL);
    close(zero);
}

static void file_write(const char *path, size_t bytes) {
    FILE *out = fopen(path, "w");
    for (size_t i = 0; i < bytes; i++) fputc('a' + (int)(i % 26), out);
    fclose(out);
}

static void read__returns_all_bytes_and_no_more_than_asked(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 8191, 8192, 8193, 16384, 16385, 40000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t bytes = sizes[k], n = 77;
        const char *why = "not set";
        file_write("bytes", bytes);
        char *text = input_read("bytes", bytes, &n, &why);
        assert_non_null(text);
        assert_null(why);
        assert_int_equal(n, bytes);
        assert_int_equal(text[n], 0);
        for (size_t i = 0; i < n; i++) assert_int_equal(text[i], 'a' + (int)(i % 26));
        free(text);
        if (bytes == 0) continue;
        errno = 0;
        assert_null(input_read("bytes", bytes - 1, &n, &why));
        assert_int_equal(errno, EFBIG);
        assert_string_equal(why, "File too large");
    }
}

static void read__refuses_what_open_refuses_and_ends_early(void **state) {
    (void)state;
    size_t n;
    const char *why = NULL;
    alarm(10);
    assert_null(input_read("pipe", 100, &n, &why));
    assert_string_equal(why, "it is no plain file");
    assert_null(input_read("none", 100, &n, &why));
    assert_int_equal(errno, ENOENT);
    assert_null(input_read("none", 100, &n, NULL));
    file_write("hole", 1);
    assert_int_equal(truncate("hole", (off_t)1 << 40), 0); /* takes no room, and more than any memory */
    assert_null(input_read("hole", 1 << 20, &n, &why));
    assert_int_equal(errno, EFBIG);
    alarm(0);
}

static void plain_or_absent__knows_the_three_cases(void **state) {
    (void)state;
    assert_int_equal(mkfifo("another", 0600), 0);
    assert_true(input_is_plain_or_absent("nothing"));
    assert_true(input_is_plain_or_absent("plain"));
    assert_false(input_is_plain_or_absent("another"));
    assert_false(input_is_plain_or_absent("."));
}

static void numbered__in_place_of_the_last_zero(void **state) {
    (void)state;
    static const char *const row[][2] = {
        {"step.0.et", "step.17.et"},
        {"a.0.b/step.0.et", "a.0.b/step.17.et"},
        {"x.0.0.et", "x.0.17.et"},
        {".0.et", ".17.et"},
        {"step.0", NULL},
        {"a.0.b/step.et", NULL},
        {"step.00.et", NULL},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char *path = input_numbered(row[i][0], 17);
        if (row[i][1])
            assert_string_equal(path, row[i][1]);
        else
            assert_null(path);
        free(path);
    }
}

int main(void) {
    char folder[] = "/tmp/heddle-input-XXXXXX", command[64];
    if (!mkdtemp(folder) || chdir(folder) != 0) return 1;
    const struct CMUnitTest tests[] = {
        UNIT(open__reads_a_plain_file_and_through_a_link),
        UNIT(open__refuses_what_has_no_end_or_blocks),
        UNIT(open__reads_a_pipe_that_the_process_holds),
        UNIT(read__returns_all_bytes_and_no_more_than_asked),
        UNIT(read__refuses_what_open_refuses_and_ends_early),
        UNIT(plain_or_absent__knows_the_three_cases),
        UNIT(numbered__in_place_of_the_last_zero),
    };
    int failed = RUN_UNITS(tests);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 ? failed : 1;
}
