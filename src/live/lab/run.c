/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/run.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Text that grows. */
struct text {
    char *at;
    size_t n;
};

static bool text_read(struct text *t, int fd) {
    t->at = memory_grow(t->at, t->n + 4097, 1);
    ssize_t got = read(fd, t->at + t->n, 4096);
    if (got > 0) t->n += (size_t)got;
    t->at[t->n] = 0;
    return got > 0;
}

/* Returns 0 if the file can be executed. */
static int lookup_at(const char *path) {
    struct stat s;
    if (stat(path, &s) != 0) return errno;
    return S_ISREG(s.st_mode) && access(path, X_OK) == 0 ? 0 : EACCES;
}

int program_lookup(const char *name) {
    const char *folder = getenv("PATH");
    int code = ENOENT;
    if (strchr(name, '/')) return lookup_at(name);
    if (!folder) folder = "/usr/bin:/bin";
    for (bool more = *name != 0; more && code != 0; folder += more) {
        int length = (int)strcspn(folder, ":");
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%.*s/%s", length ? length : 1, length ? folder : ".", name);
        int here = lookup_at(path);
        if (here == 0 || here == EACCES) code = here;
        folder += length;
        more = *folder != 0;
    }
    return code;
}

/* Becomes the program in the child. Its standard files are the pipes' ends; exec closes all others. */
static void become(char *const argv[], int in, int out, int err) {
    dup2(in, 0);
    dup2(out, 1);
    dup2(err, 2);
    signal(SIGPIPE, SIG_DFL);
    execvp(argv[0], argv);
    dprintf(2, "%s: %s", argv[0], strerror(errno));
    _exit(127);
}

/* Writes the input and collects both outputs until the program has closed them. A pipe that is ready takes PIPE_BUF bytes
 * at once; a longer write would wait for a program that waits until its output is read. */
static void exchange(int in, const char *input, int out, int err, struct text *said, struct text *complained) {
    struct pollfd p[3] = {{.fd = in, .events = POLLOUT}, {.fd = out, .events = POLLIN}, {.fd = err, .events = POLLIN}};
    size_t left = input ? strlen(input) : 0;
    signal(SIGPIPE, SIG_IGN); /* a program may end before it has read all input */
    while (p[1].fd >= 0 || p[2].fd >= 0) {
        if (p[0].fd >= 0 && left == 0) close(p[0].fd), p[0].fd = -1;
        if (poll(p, 3, -1) < 0 && errno != EINTR) return;
        if (p[0].fd >= 0 && p[0].revents) {
            ssize_t put = write(p[0].fd, input, left < PIPE_BUF ? left : PIPE_BUF);
            if (put <= 0) left = 0;
            if (put > 0) left -= (size_t)put, input += put;
        }
        if (p[1].revents && !text_read(said, out)) p[1].fd = -1;
        if (p[2].revents && !text_read(complained, err)) p[2].fd = -1;
    }
    if (p[0].fd >= 0) close(p[0].fd);
}

/* Fills *d with the first line of standard error, or with the exit status. */
static bool complain(const char *program, const struct text *t, int status, struct diag *d) {
    int length = t->n ? (int)strcspn(t->at, "\n") : 0;
    if (length > 0) return diag_say(d, "%s: %.*s", program, length > 300 ? 300 : length, t->at);
    return diag_say(d, "%s failed with status %d", program, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

/* Waits for the end of the program. Returns whether it ended well; *status is its status. */
static bool await_end(pid_t child, int *status) {
    pid_t ended;
    do ended = waitpid(child, status, 0);
    while (ended < 0 && errno == EINTR);
    return ended == child && *status == 0;
}

/* Becomes a process that runs the program without this process's files, and ends with its status. */
static void become_apart(char *const argv[], int in, int out, int err) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
        become(argv, in, out, err);
    }
    bool ended = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status);
    _exit(ended ? WEXITSTATUS(status) : 1);
}

static bool program_carry(char *const argv[], const char *input, char **output, bool is_apart, struct diag *d) {
    int in[2], out[2], err[2], status = 0;
    struct text said = {0}, complained = {0};
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
        return diag_say(d, "no pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0) (is_apart ? become_apart : become)(argv, in[0], out[1], err[1]);
    close(in[0]);
    close(out[1]);
    close(err[1]);
    exchange(in[1], input, out[0], err[0], &said, &complained);
    close(out[0]);
    close(err[0]);
    bool good = child > 0 && await_end(child, &status);
    if (!good) complain(argv[0], &complained, status, d);
    free(complained.at);
    if (output && good)
        *output = said.at ? said.at : strdup("");
    else
        free(said.at);
    return good;
}

bool run_program(char *const argv[], const char *input, char **output, struct diag *d) {
    return program_carry(argv, input, output, false, d);
}

bool run_program_apart(char *const argv[], char **output, struct diag *d) {
    return program_carry(argv, NULL, output, true, d);
}

/* Opens the log to append to it. A FIFO in its place, whose reader might never come, blocks nobody. */
static int log_open(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
    struct stat at;
    if (fd < 0 || (fstat(fd, &at) == 0 && S_ISREG(at.st_mode))) return fd;
    close(fd);
    errno = EINVAL;
    return -1;
}

pid_t run_in_background(char *const argv[], const char *log, const char *variable, const char *value, struct diag *d) {
    int fd = log_open(log), null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    pid_t child = fd >= 0 && null >= 0 ? fork() : -1;
    if (child == 0) {
        setsid();
        setenv(variable, value, 1);
        close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
        become(argv, null, fd, fd);
    }
    if (child < 0) diag_fail_in(d, log, "%s", strerror(errno));
    if (fd >= 0) close(fd);
    if (null >= 0) close(null);
    return child;
}
