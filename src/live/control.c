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

#define REQUEST_MAX 16384 /* a path of 4,096 bytes as a word, and more */
#define ANSWER_MAX_S 5    /* timeout for a peer that sends nothing */

/* A connection that an answer holds. */
struct held {
    int fd;
    control_ended *ended;
    void *what;
};

struct control {
    char *path;
    int fd;
    control_answer *answer;
    void *to;
    struct held next;  /* what the present answer asks for; ended NULL: nothing */
    struct held *held; /* [n] */
    size_t n;
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

bool control_is_served(const char *path) {
    struct sockaddr_un a;
    struct diag none = {0};
    if (!address_of(path, &a, &none)) return false;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool is_served = fd >= 0 && connect(fd, (const struct sockaddr *)&a, sizeof a) == 0;
    if (fd >= 0) close(fd);
    return is_served;
}

/* Removes a socket that no process serves. */
static bool place_is_free(const char *path, struct diag *d) {
    struct stat s;
    if (lstat(path, &s) != 0) return true;
    if (!S_ISSOCK(s.st_mode)) return diag_fail(d, path, 0, 0, "exists and is no socket; name another --socket");
    if (control_is_served(path))
        return diag_fail(d, path, 0, 0, "another process serves it; end that process or name another --socket");
    unlink(path);
    return true;
}

struct control *control_open(const char *path, control_answer *answer, void *to, struct diag *d) {
    struct sockaddr_un a;
    if (!address_of(path, &a, d) || !place_is_free(path, d)) return NULL;
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
    *c = (struct control){.path = text_copy(path), .fd = fd, .answer = answer, .to = to};
    return c;
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

/* ---- held connections ---- */

void control_hold(struct control *c, control_ended *ended, void *what) {
    c->next = (struct held){.ended = ended, .what = what};
}

/* Ends what the connection began, and tells the client, if it is still there. */
static void held_end(struct control *c, size_t at) {
    struct held h = c->held[at];
    struct diag d = {0};
    c->held[at] = c->held[--c->n];
    bool good = h.ended(c->to, h.what, &d);
    reply_line(h.fd, good ? "" : NULL, &d);
    close(h.fd);
}

/* Keeps the connection, and says so by a line. */
static void held_add(struct control *c, int fd, const char *reply) {
    c->held = memory_grow(c->held, c->n + 1, sizeof *c->held);
    c->next.fd = fd;
    c->held[c->n++] = c->next;
    c->next = (struct held){0};
    write_all(fd, "+", 1);
    write_all(fd, reply, strlen(reply));
    write_all(fd, "\n", 1);
}

/* ---- serving ---- */

/* Answers a request. Returns whether the connection is held. */
static bool control_one(struct control *c, int fd) {
    char line[REQUEST_MAX];
    limit_time(fd, 1);
    if (!read_line(fd, line)) return false;
    char *path = http_path(line);
    struct diag d = {0};
    char *reply = c->answer(c->to, path ? path : line, &d);
    bool is_held = reply && c->next.ended;
    if (is_held)
        held_add(c, fd, reply);
    else if (path)
        reply_http(fd, reply);
    else
        reply_line(fd, reply, &d);
    free(reply);
    return is_held;
}

static void control_accept(struct control *c) {
    int fd = accept4(c->fd, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0 || control_one(c, fd)) return;
    shutdown(fd, SHUT_WR);
    close(fd);
}

/* A client says nothing while its connection is held, so a connection that is readable has ended. */
void control_serve(struct control *c, int wait_ms) {
    size_t n = c->n;
    struct pollfd *p = memory_get(n + 1, sizeof *p);
    p[n] = (struct pollfd){.fd = c->fd, .events = POLLIN};
    for (size_t i = 0; i < n; i++) p[i] = (struct pollfd){.fd = c->held[i].fd, .events = POLLIN};
    if (poll(p, n + 1, wait_ms) > 0) {
        for (size_t i = n; i-- > 0;) /* downwards: held_end moves the last one to the place of the ended one */
            if (p[i].revents) held_end(c, i);
        if (p[n].revents) control_accept(c);
    }
    free(p);
}

void control_close(struct control *c) {
    if (!c) return;
    while (c->n > 0) held_end(c, c->n - 1);
    unlink(c->path);
    close(c->fd);
    free(c->held);
    free(c->path);
    free(c);
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

/* Connects and sends a request. Returns -1 after filling *d. */
static int request_send(const char *path, const char *request, struct diag *d) {
    struct sockaddr_un a;
    if (!address_of(path, &a, d)) return -1;
    if (strpbrk(request, "\r\n")) {
        diag_fail(d, "", 0, 0, "a name must not have the end of a line in it");
        return -1;
    }
    if (strlen(request) + 2 > REQUEST_MAX) {
        diag_fail(d, "", 0, 0, "a request of %zu bytes is too long", strlen(request));
        return -1;
    }
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    limit_time(fd, ANSWER_MAX_S);
    if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof a) != 0) {
        diag_fail(d, path, 0, 0, "no switch answers at its socket: %s", strerror(errno));
        if (fd >= 0) close(fd);
        return -1;
    }
    write_all(fd, request, strlen(request));
    write_all(fd, "\n", 1);
    return fd;
}

/* Returns the text of a good reply, in its own memory. NULL after filling *d and freeing it. */
static char *reply_of(char *reply, struct diag *d) {
    if (reply[0] == '+') {
        memmove(reply, reply + 1, strlen(reply));
        return reply;
    }
    diag_fail(d, "", 0, 0, "%s", reply[0] ? reply + 1 : "the switch gave no answer");
    free(reply);
    return NULL;
}

char *control_ask(const char *path, const char *request, struct diag *d) {
    int fd = request_send(path, request, d);
    if (fd < 0) return NULL;
    char *reply = read_all(fd);
    close(fd);
    return reply_of(reply, d);
}

int control_begin(const char *path, const char *request, struct diag *d) {
    int fd = request_send(path, request, d);
    char first = 0;
    if (fd < 0) return -1;
    if (recv(fd, &first, 1, MSG_PEEK) == 1 && first == '+') {
        while (read(fd, &first, 1) == 1 && first != '\n') continue;
        return fd;
    }
    char *reply = read_all(fd);
    close(fd);
    free(reply_of(reply, d));
    return -1;
}

bool control_end(int held, struct diag *d) {
    shutdown(held, SHUT_WR);
    char *reply = read_all(held);
    close(held);
    char *good = reply_of(reply, d);
    bool ended = good != NULL;
    free(good);
    return ended;
}

/* ---- words ---- */

char *control_word(const char *text) {
    char *word = memory_get(3 * strlen(text) + 1, 1), *to = word;
    for (; *text; text++)
        to += (unsigned char)*text <= ' ' || *text == '%' ? sprintf(to, "%%%02x", (unsigned)*text)
                                                          : sprintf(to, "%c", *text);
    return word;
}

static int digit_of(char c) {
    const char digits[] = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

void control_word_read(char *word) {
    char *to = word;
    for (; *word; word++) {
        int high = *word == '%' ? digit_of(word[1]) : -1, low = high >= 0 ? digit_of(word[2]) : -1;
        *to++ = low >= 0 ? (char)(high << 4 | low) : *word;
        if (low >= 0) word += 2;
    }
    *to = 0;
}
