/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

#include "unit.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char *program;
static char folder[] = "/tmp/heddle-test-XXXXXX";

bool program_enter(int argc, char **argv) {
    program = argc > 1 ? realpath(argv[1], NULL) : NULL;
    if (program && mkdtemp(folder) && chdir(folder) == 0) return true;
    fprintf(stderr, "usage: %s PROGRAM\n", argv[0]);
    return false;
}

void program_leave(void) {
    char line[64];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    if (chdir("/") != 0 || system(line) != 0) fprintf(stderr, "%s remains\n", folder);
}

#define MAX_WORDS 64

static void words_split(const char *line, char *copy, char **word) {
    strcpy(copy, line);
    int n = 0;
    word[n++] = (char *)program;
    for (char *at = copy; *at && n < MAX_WORDS - 1;) {
        at += strspn(at, " ");
        if (!*at) break;
        char end = *at == '\'' ? '\'' : ' ';
        if (end == '\'') at++;
        word[n++] = at;
        at += strcspn(at, end == '\'' ? "'" : " ");
        if (*at) *at++ = '\0';
    }
    word[n] = NULL;
}

/* What fcntl() refuses to the program; error 0: nothing. */
static struct { int command, error; } denied;

/* From now on, and in the program, fcntl() fails as `denied` says. The filter reads the system call's number, then the low
 * half of its second argument. */
static void denial_begin(void) {
    const struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_fcntl, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)denied.command, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)denied.error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog all = {sizeof filter / sizeof *filter, (struct sock_filter *)filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all)) _exit(97);
}

static pid_t start(const char *line, const char *out, const char *err, int resource, long limit_bytes) {
    pid_t pid = fork();
    if (pid != 0) return pid;
    char copy[8192], *word[MAX_WORDS];
    words_split(line, copy, word);
    if (!freopen(out, "w", stdout) || !freopen(err, "w", stderr)) _exit(99);
    if (limit_bytes >= 0) {
        struct rlimit limit = {(rlim_t)limit_bytes, (rlim_t)limit_bytes};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit((__rlimit_resource_t)resource, &limit);
    }
    if (denied.error) denial_begin();
    execv(program, word);
    _exit(98);
}

int heddle_wait(pid_t pid) {
    int status;
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static void file_read(const char *path, char *buf, size_t size) {
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(buf, 1, size - 1, f) : 0;
    buf[n] = '\0';
    if (f) fclose(f);
}

const struct ended *heddle_within(const char *line, int resource, long limit_bytes) {
    static struct ended e;
    e.code = heddle_wait(start(line, "program.out", "program.err", resource, limit_bytes));
    file_read("program.out", e.out, sizeof e.out);
    file_read("program.err", e.err, sizeof e.err);
    unlink("program.out");
    unlink("program.err");
    return &e;
}

const struct ended *heddle_limited(const char *line, long limit_bytes) {
    return heddle_within(line, RLIMIT_FSIZE, limit_bytes);
}

const struct ended *heddle_without_locks(const char *line, int command, int error) {
    denied.command = command;
    denied.error = error;
    const struct ended *e = heddle_limited(line, -1);
    denied.error = 0;
    return e;
}

const struct ended *heddle(const char *line) { return heddle_limited(line, -1); }

pid_t heddle_start_into(const char *line, const char *out, const char *err) {
    return start(line, out, err, RLIMIT_FSIZE, -1);
}

pid_t heddle_start(const char *line) { return heddle_start_into(line, "/dev/null", "/dev/null"); }

void file_write(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    if (!f) abort();
    fputs(text, f);
    fclose(f);
}

long long store_number(const char *path, const char *sql) {
    sqlite3 *db;
    sqlite3_stmt *q = NULL;
    long long value = -1;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK) {
        sqlite3_busy_timeout(db, 2000);
        if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW)
            value = sqlite3_column_int64(q, 0);
        sqlite3_finalize(q);
    }
    sqlite3_close(db);
    return value;
}

void store_await(const char *path, const char *sql, long long wanted) {
    const struct timespec moment = {0, 10000000};
    for (int i = 0; i < 1000 && store_number(path, sql) < wanted; i++) nanosleep(&moment, NULL);
}

const char *line_of(const char *text, int i) {
    static char line[1 << 16];
    for (; i > 0 && strchr(text, '\n'); i--) text = strchr(text, '\n') + 1;
    size_t length = strcspn(text, "\n");
    if (length >= sizeof line) length = sizeof line - 1;
    memcpy(line, text, length);
    line[length] = '\0';
    return line;
}

int lines_in(const char *text) {
    int n = 0;
    for (; *text; text++) n += *text == '\n';
    return n;
}

const char *file_text(const char *path) {
    static char text[1 << 18];
    file_read(path, text, sizeof text);
    return text;
}

void heddle_refuses(const char *line, const char *expected, const char *unmade) {
    const struct ended *e = heddle(line);
    assert_int_equal(e->code, 2);
    assert_string_equal(line_of(e->err, 0), expected);
    assert_int_equal(lines_in(e->err), 1);
    assert_string_equal(e->out, "");
    assert_int_equal(access(unmade, F_OK), -1);
}
