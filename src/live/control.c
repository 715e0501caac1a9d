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
#include <time.h>
#include <unistd.h>

#define REQUEST_MAX 16384  /* a path of 4,096 bytes as a word, and more */
#define CLIENT_MAX_MS 1000 /* how long a client may send nothing, or not read */
#define CLIENTS_MAX 64     /* side by side; others wait until they are accepted */

/* A connection that an answer holds. */
struct held {
    int fd;
    control_ended *ended;
    void *what;
};

/* A connection whose request is being read, and then its reply written. */
struct client {
    int fd;
    char *line; /* [n] what there is of the request */
    size_t n;
    char *reply; /* [size] written up to `at`; NULL: the request is not whole yet */
    size_t size, at;
    int64_t until_ms; /* it is cut off then */
};

struct control {
    char *path;
    int fd;
    control_answer *answer;
    void *to;
    struct held next;  /* what the present answer asks for; ended NULL: nothing */
    struct held *held; /* [n] */
    size_t n;
    struct client client[CLIENTS_MAX]; /* [n_clients] */
    size_t n_clients;
};

static bool address_of(const char *path, struct sockaddr_un *a, struct diag *d) {
    *a = (struct sockaddr_un){.sun_family = AF_UNIX};
    _Static_assert(CONTROL_PATH_MAX + 1 == sizeof a->sun_path, "with its end");
    if (strlen(path) > CONTROL_PATH_MAX)
        return diag_fail_in(d, path, "too long for a socket; at most %d characters", CONTROL_PATH_MAX);
    memcpy(a->sun_path, path, strlen(path));
    return true;
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
    if (!S_ISSOCK(s.st_mode)) return diag_fail_in(d, path, "exists and is no socket; name another --socket");
    if (control_is_served(path))
        return diag_fail_in(d, path, "another process serves it; end that process or name another --socket");
    unlink(path);
    return true;
}

struct control *control_open(const char *path, control_answer *answer, void *to, struct diag *d) {
    struct sockaddr_un a;
    if (!address_of(path, &a, d) || !place_is_free(path, d)) return NULL;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    mode_t mask = umask(0177);
    bool bound = fd >= 0 && bind(fd, (const struct sockaddr *)&a, sizeof a) == 0 && listen(fd, 128) == 0;
    umask(mask);
    if (!bound) {
        diag_fail_in(d, path, "%s; name another --socket", strerror(errno));
        if (fd >= 0) close(fd);
        return NULL;
    }
    struct control *c = memory_one(sizeof *c);
    *c = (struct control){.path = text_copy(path), .fd = fd, .answer = answer, .to = to};
    return c;
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

/* Returns the bytes that answer HTTP, which the caller frees. */
static char *http_bytes(const char *reply, size_t *size) {
    char *bytes;
    int n = asprintf(&bytes, "HTTP/1.0 %s\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: %zu\r\n\r\n%s",
                     reply ? "200 OK" : "404 Not Found", reply ? strlen(reply) : 0, reply ? reply : "");
    if (n < 0) abort();
    *size = (size_t)n;
    return bytes;
}

/* Returns the reply behind a byte that says whether it is an answer or an error; the caller frees it. */
static char *line_bytes(const char *reply, const struct diag *d, size_t *size) {
    char *bytes;
    int n = asprintf(&bytes, "%c%s", reply ? '+' : '-', reply ? reply : d->text);
    if (n < 0) abort();
    *size = (size_t)n;
    return bytes;
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
    size_t size;
    bool good = h.ended(c->to, h.what, &d);
    char *bytes = line_bytes(good ? "" : NULL, &d, &size);
    write_all(h.fd, bytes, size);
    free(bytes);
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

/* ---- clients ---- */

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Forgets a client; the last one takes its place. */
static void client_drop(struct control *c, size_t at, bool closes) {
    struct client *k = &c->client[at];
    free(k->line);
    free(k->reply);
    if (closes) {
        shutdown(k->fd, SHUT_WR);
        close(k->fd);
    }
    *k = c->client[--c->n_clients];
}

/* Carries out the request of a client, unless it has gone, and puts the reply into place. Returns false if there is nothing more
 * to do for the client: it has gone, or its connection is held. */
static bool client_answer(struct control *c, struct client *k, bool *is_held) {
    char *path = http_path(k->line);
    struct diag d = {0};
    if (!path && send(k->fd, ".", 1, MSG_NOSIGNAL) != 1) return false;
    char *reply = c->answer(c->to, path ? path : k->line, &d);
    *is_held = reply && c->next.ended;
    if (*is_held)
        held_add(c, k->fd, reply);
    else
        k->reply = path ? http_bytes(reply, &k->size) : line_bytes(reply, &d, &k->size);
    free(reply);
    k->until_ms = now_ms() + CLIENT_MAX_MS;
    return !*is_held;
}

/* Reads more of a request. Returns false if there will be no more. */
static bool client_read(struct client *k) {
    if (!k->line) k->line = memory_get(REQUEST_MAX, 1);
    ssize_t got = read(k->fd, k->line + k->n, REQUEST_MAX - 1 - k->n);
    if (got <= 0) return got < 0 && errno == EAGAIN;
    k->n += (size_t)got;
    k->line[k->n] = 0;
    return true;
}

/* Writes more of a reply. Returns false when all is written, or nobody reads it. */
static bool client_write(struct client *k) {
    ssize_t put = send(k->fd, k->reply + k->at, k->size - k->at, MSG_NOSIGNAL);
    if (put < 0) return errno == EAGAIN;
    k->at += (size_t)put;
    k->until_ms = now_ms() + CLIENT_MAX_MS;
    return k->at < k->size;
}

/* Goes on with a client whose socket is ready. Returns whether it stays. */
static bool client_go_on(struct control *c, struct client *k, bool *is_held) {
    if (k->reply) return client_write(k);
    if (!client_read(k)) return false;
    char *end = strpbrk(k->line, "\r\n");
    if (!end) return k->n + 1 < REQUEST_MAX;
    *end = 0;
    return client_answer(c, k, is_held) && client_write(k);
}

static void clients_accept(struct control *c) {
    while (c->n_clients < CLIENTS_MAX) {
        int fd = accept4(c->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0) return;
        c->client[c->n_clients++] = (struct client){.fd = fd, .until_ms = now_ms() + CLIENT_MAX_MS};
    }
}

/* ---- serving ---- */

/* Fills p with what is waited for: held connections, clients, and the socket unless there are clients enough. */
static void polls_fill(const struct control *c, struct pollfd *p) {
    for (size_t i = 0; i < c->n; i++) *p++ = (struct pollfd){.fd = c->held[i].fd, .events = POLLIN};
    for (size_t i = 0; i < c->n_clients; i++)
        *p++ = (struct pollfd){.fd = c->client[i].fd, .events = c->client[i].reply ? POLLOUT : POLLIN};
    *p = (struct pollfd){.fd = c->n_clients < CLIENTS_MAX ? c->fd : -1, .events = POLLIN};
}

/* Goes on with the clients that are ready, and cuts off silent ones in time. Downwards: the last client takes the
 * place of one that is dropped. */
static void clients_serve(struct control *c, const struct pollfd *p) {
    for (size_t i = c->n_clients; i-- > 0;) {
        bool is_held = false;
        bool stays = (!p[i].revents || client_go_on(c, &c->client[i], &is_held)) && now_ms() < c->client[i].until_ms;
        if (!stays) client_drop(c, i, !is_held);
    }
}

/* A client says nothing while its connection is held, so a held connection that is readable has ended. */
void control_serve(struct control *c, int wait_ms) {
    size_t n = c->n;
    struct pollfd *p = memory_get(n + c->n_clients + 1, sizeof *p);
    polls_fill(c, p);
    bool accepts = poll(p, n + c->n_clients + 1, wait_ms) > 0 && p[n + c->n_clients].revents;
    for (size_t i = n; i-- > 0;) /* downwards: held_end moves the last one to the place of the ended one */
        if (p[i].revents) held_end(c, i);
    clients_serve(c, p + n);
    if (accepts) clients_accept(c);
    free(p);
}

void control_close(struct control *c) {
    if (!c) return;
    while (c->n > 0) held_end(c, c->n - 1);
    while (c->n_clients > 0) client_drop(c, 0, true);
    unlink(c->path);
    close(c->fd);
    free(c->held);
    free(c->path);
    free(c);
}

/* ---- client ---- */

static void limit_time(int fd, time_t seconds) {
    struct timeval t = {.tv_sec = seconds};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof t);
}

/* What came of a request. */
struct outcome {
    char *reply; /* with the byte that says whether it is an answer; "": none came */
    bool begun, is_late;
};

/* Reads the byte that says that the request is begun, and what follows up to the end, or up to the end of the line. If nothing
 * comes for too long it ends the receiving direction, and takes what was sent before that. */
static struct outcome outcome_read(int fd, bool is_line) {
    struct outcome o = {.reply = memory_get(2, 1)};
    size_t n = 0;
    for (bool more = true; more;) {
        char *to = o.reply = memory_grow(o.reply, n + 65536, 1);
        ssize_t got = read(fd, to + n, is_line ? 1 : 65535);
        if (got < 0 && errno == EAGAIN && !o.is_late) {
            o.is_late = true;
            shutdown(fd, SHUT_RD);
            continue;
        }
        if (got > 0 && n == 0 && !o.begun && to[0] == '.') {
            o.begun = true;
            memmove(to, to + 1, (size_t)--got);
            n = (size_t)got;
            continue;
        }
        more = got > 0 && !(is_line && to[0] == '+' && to[n] == '\n');
        if (got > 0) n += (size_t)got;
    }
    o.reply[n] = 0;
    return o;
}

/* Connects and sends a request. Returns -1 after filling *d. */
static int request_send(const char *path, const char *request, struct diag *d) {
    struct sockaddr_un a;
    if (!address_of(path, &a, d)) return -1;
    if (strpbrk(request, "\r\n")) {
        diag_say(d, "a name must not have the end of a line in it");
        return -1;
    }
    if (strlen(request) + 2 > REQUEST_MAX) {
        diag_say(d, "a request of %zu bytes is too long", strlen(request));
        return -1;
    }
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    limit_time(fd, CONTROL_ANSWER_MAX_S);
    if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof a) != 0) {
        diag_fail_in(d, path, "no switch answers at its socket: %s", strerror(errno));
        if (fd >= 0) close(fd);
        return -1;
    }
    write_all(fd, request, strlen(request));
    write_all(fd, "\n", 1);
    return fd;
}

/* Fills *d with why there is no answer. */
static void refusal_fill(const struct outcome *o, struct diag *d) {
    if (o->reply[0] == '-' && !o->is_late)
        diag_say(d, "%s", o->reply + 1);
    else if (!o->is_late)
        diag_say(d, CONTROL_NO_ANSWER);
    else if (o->begun)
        diag_say(d, "no answer within %d s, but it was begun and may be carried out yet; ask for the status",
                 CONTROL_ANSWER_MAX_S);
    else
        diag_say(d, "no answer within %d s; nothing was carried out", CONTROL_ANSWER_MAX_S);
}

/* Returns the text of a good reply, in its own memory. NULL after filling *d and freeing it. */
static char *reply_of(struct outcome o, struct diag *d) {
    if (o.reply[0] == '+' && !o.is_late) return memmove(o.reply, o.reply + 1, strlen(o.reply));
    refusal_fill(&o, d);
    free(o.reply);
    return NULL;
}

char *control_ask(const char *path, const char *request, struct diag *d) {
    int fd = request_send(path, request, d);
    if (fd < 0) return NULL;
    char *reply = reply_of(outcome_read(fd, false), d);
    close(fd);
    return reply;
}

int control_begin(const char *path, const char *request, struct diag *d) {
    int fd = request_send(path, request, d);
    if (fd < 0) return -1;
    char *reply = reply_of(outcome_read(fd, true), d);
    if (!reply) close(fd);
    free(reply);
    return reply ? fd : -1;
}

bool control_end(int held, struct diag *d) {
    shutdown(held, SHUT_WR);
    struct outcome o = outcome_read(held, false);
    o.begun = true;
    char *reply = reply_of(o, d);
    close(held);
    free(reply);
    return reply != NULL;
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
