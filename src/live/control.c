/* SPDX-License-Identifier: Apache-2.0 */
#include "live/control.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define REQUEST_MAX 4096
#define ANSWER_MAX_S 5 /* timeout for a peer that sends nothing */

struct control {
    char *path;
    int fd;
    control_answer *answer;
    void *to;
};

static bool address_of(const char *path, struct sockaddr_un *a, struct diag *d) {
    *a = (struct sockaddr_un){.sun_family = AF_UNIX};
    _Static_assert(CONTROL_PATH_MAX + 1 == sizeof a->sun_path, "with its end");
    if (strlen(path) > CONTROL_PATH_MAX)
        return diag_fail(d, path, 0, 0, "too long for a socket; at most %d characters", CONTROL_PATH_MAX);
    memcpy(a->sun_path, path, strlen(path));
    return true;
}

static void limit_time(int fd, time_t seconds) {
    struct timeval t = {.tv_sec = seconds};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof t);
}

/* ---- server ---- */

/* Removes a socket that no process serves. */
static bool place_is_free(const struct sockaddr_un *a, const char *path, struct diag *d) {
    struct stat s;
    if (lstat(path, &s) != 0) return true;
    if (!S_ISSOCK(s.st_mode)) return diag_fail(d, path, 0, 0, "exists and is no socket; name another --socket");
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool served = connect(fd, (const struct sockaddr *)a, sizeof *a) == 0;
    close(fd);
    if (served) return diag_fail(d, path, 0, 0, "another process serves it; end that process or name another --socket");
    unlink(path);
    return true;
}

struct control *control_open(const char *path, control_answer *answer, void *to, struct diag *d) {
    struct sockaddr_un a;
    if (!address_of(path, &a, d) || !place_is_free(&a, path, d)) return NULL;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    mode_t mask = umask(0177);
    bool bound = fd >= 0 && bind(fd, (const struct sockaddr *)&a, sizeof a) == 0 && listen(fd, 16) == 0;
    umask(mask);
    if (!bound) {
        diag_fail(d, path, 0, 0, "%s; name another --socket", strerror(errno));
        if (fd >= 0) close(fd);
        return NULL;
    }
    struct control *c = memory_get(1, sizeof *c);
    *c = (struct control){text_copy(path), fd, answer, to};
    return c;
}

void control_close(struct control *c) {
    if (!c) return;
    unlink(c->path);
    close(c->fd);
    free(c->path);
    free(c);
}

/* Reads a line and ends it with a zero in place of the newline. Returns false if there is none. */
static bool read_line(int fd, char line[REQUEST_MAX]) {
    for (size_t n = 0; n + 1 < REQUEST_MAX;) {
        ssize_t got = read(fd, line + n, REQUEST_MAX - 1 - n);
        if (got <= 0) return false;
        n += (size_t)got;
        line[n] = 0;
        char *end = strpbrk(line, "\r\n");
        if (!end) continue;
        *end = 0;
        return true;
    }
    return false;
}

static void write_all(int fd, const char *bytes, size_t n) {
    for (ssize_t put; n > 0; bytes += put, n -= (size_t)put)
        if ((put = send(fd, bytes, n, MSG_NOSIGNAL)) <= 0) return;
}

/* Cuts the path out of "GET /metrics HTTP/1.1", in place. Returns NULL if the line is no HTTP. */
static char *http_path(char *line) {
    if (strncmp(line, "GET /", 5) != 0) return NULL;
    line[5 + strcspn(line + 5, " ?")] = 0;
    return line + 5;
}

static void reply_http(int fd, const char *reply) {
    char head[160];
    int n = snprintf(head, sizeof head,
                     "HTTP/1.0 %s\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: %zu\r\n\r\n",
                     reply ? "200 OK" : "404 Not Found", reply ? strlen(reply) : 0);
    write_all(fd, head, (size_t)n);
    if (reply) write_all(fd, reply, strlen(reply));
}

/* Sends the reply behind a first byte that says whether it is an answer or an error. */
static void reply_line(int fd, const char *reply, const struct diag *d) {
    const char *text = reply ? reply : d->text;
    write_all(fd, reply ? "+" : "-", 1);
    write_all(fd, text, strlen(text));
}

static void control_one(struct control *c, int fd) {
    char line[REQUEST_MAX];
    limit_time(fd, 1);
    if (!read_line(fd, line)) return;
    char *path = http_path(line);
    struct diag d = {0};
    char *reply = c->answer(c->to, path ? path : line, &d);
    if (path)
        reply_http(fd, reply);
    else
        reply_line(fd, reply, &d);
    free(reply);
}

void control_serve(struct control *c, int wait_ms) {
    struct pollfd p = {.fd = c->fd, .events = POLLIN};
    if (poll(&p, 1, wait_ms) <= 0) return;
    int fd = accept4(c->fd, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0) return;
    control_one(c, fd);
    shutdown(fd, SHUT_WR);
    close(fd);
}

/* ---- client ---- */

/* Reads all bytes. Returns "" if the reply is incomplete. */
static char *read_all(int fd) {
    char *text = NULL;
    size_t n = 0;
    ssize_t got;
    do {
        text = memory_grow(text, n + 65536, 1);
        got = read(fd, text + n, 65535);
        n = got < 0 ? 0 : n + (size_t)got;
    } while (got > 0);
    text[n] = 0;
    return text;
}

char *control_ask(const char *path, const char *request, struct diag *d) {
    struct sockaddr_un a;
    if (!address_of(path, &a, d)) return NULL;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    limit_time(fd, ANSWER_MAX_S);
    if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof a) != 0) {
        diag_fail(d, path, 0, 0, "no switch answers at its socket: %s", strerror(errno));
        if (fd >= 0) close(fd);
        return NULL;
    }
    write_all(fd, request, strlen(request));
    write_all(fd, "\n", 1);
    char *reply = read_all(fd);
    close(fd);
    if (reply[0] == '+') {
        memmove(reply, reply + 1, strlen(reply));
        return reply;
    }
    diag_fail(d, "", 0, 0, "%s", reply[0] ? reply + 1 : "the switch gave no answer");
    free(reply);
    return NULL;
}
