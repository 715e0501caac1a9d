/* SPDX-License-Identifier: Apache-2.0 */
/* The socket on which switches and NICs answer: who may have it, and what is said on it. */
#include "live/control.h"

#include "unit.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define PATH "control-test.sock"
#define BIG (8u << 20) /* bytes; more than a socket holds */

static struct control *serving; /* the socket of the test */
static atomic_int held_ended;

static bool ended(void *to, void *what, struct diag *d) {
    (void)to;
    atomic_fetch_add(&held_ended, 1);
    return what == NULL || diag_fail(d, "", 0, 0, "%s", (const char *)what);
}

/* Answers "echo X" with X, "metrics" with a number, holds the connection of "hold" and "hold badly", and knows nothing else. */
static char *answer(void *to, const char *request, struct diag *d) {
    (*(int *)to)++;
    if (strncmp(request, "hold", 4) == 0) {
        control_hold(serving, ended, request[4] ? "it ended badly" : NULL);
        return strdup("");
    }
    if (strncmp(request, "echo ", 5) == 0) return strdup(request + 5);
    if (strcmp(request, "metrics") == 0) return strdup("up 1\n");
    if (strcmp(request, "slow") == 0) sleep(CONTROL_ANSWER_MAX_S + 1);
    if (strcmp(request, "big") == 0) return memset(calloc(1, BIG + 1), 'x', BIG);
    diag_fail(d, "", 0, 0, "no request '%s'", request);
    return NULL;
}

static atomic_bool ends;

static void *serve(void *control) {
    while (!atomic_load(&ends)) control_serve(control, 10);
    return NULL;
}

struct server {
    struct control *control;
    pthread_t thread;
    int asked;
};

static void server_start(struct server *s) {
    struct diag d = {0};
    *s = (struct server){0};
    s->control = control_open(PATH, answer, &s->asked, &d);
    assert_non_null(s->control);
    serving = s->control;
    atomic_store(&held_ended, 0);
    atomic_store(&ends, false);
    assert_int_equal(pthread_create(&s->thread, NULL, serve, s->control), 0);
}

static void server_stop(struct server *s) {
    atomic_store(&ends, true);
    pthread_join(s->thread, NULL);
    control_close(s->control);
}

static struct sockaddr_un place(void) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    snprintf(a.sun_path, sizeof a.sun_path, "%s", PATH);
    return a;
}

/* Sends bytes, ends that direction, and returns what comes back, which the caller frees. */
static char *raw(const char *bytes, size_t n) {
    struct sockaddr_un a = place();
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    char *said = calloc(1, 4096);
    size_t got = 0;
    assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
    assert_int_equal(send(fd, bytes, n, MSG_NOSIGNAL), n);
    shutdown(fd, SHUT_WR);
    for (ssize_t more; (more = read(fd, said + got, 4095 - got)) > 0;) got += (size_t)more;
    close(fd);
    return said;
}

static void control_ask__answers_and_errors(void **state) {
    (void)state;
    struct server s;
    struct diag d = {0};
    server_start(&s);
    char *reply = control_ask(PATH, "echo two words", &d);
    assert_string_equal(reply, "two words");
    free(reply);
    assert_null(control_ask(PATH, "other", &d));
    assert_string_equal(d.text, "no request 'other'");
    struct stat st;
    assert_int_equal(stat(PATH, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600); /* its owner alone */
    server_stop(&s);
    assert_int_equal(s.asked, 2);
    assert_int_equal(access(PATH, F_OK), -1);
    assert_null(control_ask(PATH, "echo", &d));
}

static void control_serve__http_gets_a_header(void **state) {
    (void)state;
    static const char get[] = "GET /metrics?x=1 HTTP/1.1\r\nHost: x\r\n\r\n", other[] = "GET /none HTTP/1.1\r\n\r\n";
    struct server s;
    server_start(&s);
    char *said = raw(get, sizeof get - 1), *none = raw(other, sizeof other - 1);
    assert_string_equal(
        said, "HTTP/1.0 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: 5\r\n\r\nup 1\n");
    assert_non_null(strstr(none, "404 Not Found"));
    free(said);
    free(none);
    server_stop(&s);
}

/* Bytes without the end of a line are no request, however many. */
static void control_serve__no_line_no_answer(void **state) {
    (void)state;
    static char many[1 << 16];
    struct server s;
    memset(many, 'x', sizeof many);
    server_start(&s);
    char *said = raw("metrics", 7), *more;
    assert_string_equal(said, "");
    free(said);
    struct sockaddr_un a = place();
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    char byte;
    assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
    send(fd, many, sizeof many, MSG_NOSIGNAL | MSG_DONTWAIT); /* perhaps not all are taken */
    assert_true(read(fd, &byte, 1) <= 0);
    close(fd);
    more = raw("metrics\n", 8); /* it goes on */
    assert_string_equal(more, ".+up 1\n");
    free(more);
    server_stop(&s);
    assert_int_equal(s.asked, 1);
}

/* ---- clients that wait, or are waited for ---- */

static int connected(void) {
    struct sockaddr_un a = place();
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
    return fd;
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Clients that say nothing, say half a line, or do not read a long reply are no hindrance to others. */
static void control_serve__clients_that_wait_block_nobody(void **state) {
    (void)state;
    enum { IDLE = 12 };
    struct server s;
    struct diag d = {0};
    int idle[IDLE];
    server_start(&s);
    for (int i = 0; i < IDLE; i++) {
        idle[i] = connected();
        if (i % 3 == 1) assert_int_equal(send(idle[i], "met", 3, 0), 3);
        if (i % 3 == 2) assert_int_equal(send(idle[i], "big\n", 4, 0), 4);
    }
    double begin = seconds();
    char *reply = control_ask(PATH, "echo at once", &d);
    assert_non_null(reply);
    assert_string_equal(reply, "at once");
    assert_true(seconds() - begin < 3); /* each of them is cut off after a second */
    free(reply);
    char byte;
    assert_true(read(idle[0], &byte, 1) <= 0); /* it is cut off after a while */
    assert_true(seconds() - begin < 10);
    for (int i = 0; i < IDLE; i++) close(idle[i]);
    server_stop(&s);
}

static void control_ask__a_long_reply_comes_whole(void **state) {
    (void)state;
    struct server s;
    struct diag d = {0};
    server_start(&s);
    char *reply = control_ask(PATH, "big", &d);
    assert_non_null(reply);
    assert_int_equal(strlen(reply), BIG);
    free(reply);
    server_stop(&s);
}

/* A server that hangs and goes on later carries out nothing for a client that has been told that nothing was carried out. */
static void control_ask__what_is_not_begun_in_time_is_not_carried_out(void **state) {
    (void)state;
    int asked = 0;
    struct diag d = {0};
    struct control *c = control_open(PATH, answer, &asked, &d);
    assert_null(control_ask(PATH, "echo late", &d));
    assert_string_equal(d.text, "no answer within 5 s; nothing was carried out");
    assert_int_equal(control_begin(PATH, "hold", &d), -1);
    assert_string_equal(d.text, "no answer within 5 s; nothing was carried out");
    for (int i = 0; i < 20; i++) control_serve(c, 5);
    assert_int_equal(asked, 0);
    control_close(c);
}

static void control_ask__what_was_begun_may_have_been_carried_out(void **state) {
    (void)state;
    struct server s;
    struct diag d = {0};
    server_start(&s);
    assert_null(control_ask(PATH, "slow", &d));
    assert_string_equal(d.text,
                        "no answer within 5 s, but it was begun and may be carried out yet; ask for the status");
    server_stop(&s);
    assert_int_equal(s.asked, 1);
}

/* ---- held connections ---- */

static void control_end__gets_what_came_of_it(void **state) {
    (void)state;
    struct server s;
    struct diag d = {0};
    server_start(&s);
    int good = control_begin(PATH, "hold", &d), bad = control_begin(PATH, "hold badly", &d);
    assert_true(good >= 0 && bad >= 0);
    char *reply = control_ask(PATH, "echo meanwhile", &d); /* others are answered */
    assert_string_equal(reply, "meanwhile");
    free(reply);
    assert_int_equal(atomic_load(&held_ended), 0);
    assert_true(control_end(good, &d));
    assert_false(control_end(bad, &d));
    assert_string_equal(d.text, "it ended badly");
    assert_int_equal(atomic_load(&held_ended), 2);
    assert_int_equal(control_begin(PATH, "other", &d), -1);
    assert_string_equal(d.text, "no request 'other'");
    server_stop(&s);
}

/* A client that is killed closes its connection and says nothing. */
static void control_hold__ends_with_its_client(void **state) {
    (void)state;
    struct server s;
    struct diag d = {0};
    server_start(&s);
    int first = control_begin(PATH, "hold", &d), second = control_begin(PATH, "hold", &d);
    close(first);
    for (int i = 0; i < 500 && atomic_load(&held_ended) == 0; i++) usleep(10000);
    assert_int_equal(atomic_load(&held_ended), 1);
    assert_true(control_end(second, &d));
    assert_int_equal(atomic_load(&held_ended), 2);
    server_stop(&s);
}

static void control_close__ends_what_is_held(void **state) {
    (void)state;
    struct server s;
    struct diag d = {0};
    server_start(&s);
    int held = control_begin(PATH, "hold", &d);
    server_stop(&s);
    assert_int_equal(atomic_load(&held_ended), 1);
    assert_true(control_end(held, &d)); /* the reply is there already */
}

/* ---- requests ---- */

static void control_ask__the_end_of_a_line_is_refused(void **state) {
    (void)state;
    struct server s;
    struct diag d = {0};
    server_start(&s);
    assert_null(control_ask(PATH, "echo one\nline", &d));
    assert_string_equal(d.text, "a name must not have the end of a line in it");
    assert_null(control_ask(PATH, "echo one\rline", &d));
    server_stop(&s);
    assert_int_equal(s.asked, 0);
}

static void control_word__any_text_is_a_word(void **state) {
    (void)state;
    static const char *const text[] = {"/a/b.pcapng", "two\nlines \r\t", "100%0a%", "\xc3\xa4", "", "%"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        char *word = control_word(text[i]);
        assert_int_equal(strcspn(word, " \r\n\t"), strlen(word));
        control_word_read(word);
        assert_string_equal(word, text[i]);
        free(word);
    }
    char raw_word[] = "50%off%4"; /* not written by control_word: stays */
    control_word_read(raw_word);
    assert_string_equal(raw_word, "50%off%4");
}

static void control_open__a_served_socket_is_left_alone(void **state) {
    (void)state;
    struct server s;
    struct diag d = {0};
    int none = 0;
    server_start(&s);
    assert_null(control_open(PATH, answer, &none, &d));
    assert_non_null(strstr(d.text, "another process serves it"));
    char *reply = control_ask(PATH, "echo still", &d);
    assert_string_equal(reply, "still");
    free(reply);
    server_stop(&s);
}

static void control_open__a_socket_that_nobody_serves_is_replaced(void **state) {
    (void)state;
    struct sockaddr_un a = place();
    int left = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(left, (struct sockaddr *)&a, sizeof a), 0);
    close(left); /* the file stays, as after kill -9 */
    assert_int_equal(access(PATH, F_OK), 0);
    struct server s;
    server_start(&s);
    server_stop(&s);
}

static void control_open__what_is_no_socket_stays(void **state) {
    (void)state;
    struct diag d = {0};
    int none = 0;
    close(open(PATH, O_CREAT | O_WRONLY, 0600));
    assert_null(control_open(PATH, answer, &none, &d));
    assert_non_null(strstr(d.text, "exists and is no socket"));
    assert_int_equal(access(PATH, F_OK), 0);
    unlink(PATH);
}

static int cases(void) {
    const struct CMUnitTest tests[] = {
        UNIT(control_ask__answers_and_errors),
        UNIT(control_serve__http_gets_a_header),
        UNIT(control_serve__no_line_no_answer),
        UNIT(control_serve__clients_that_wait_block_nobody),
        UNIT(control_ask__a_long_reply_comes_whole),
        UNIT(control_end__gets_what_came_of_it),
        UNIT(control_hold__ends_with_its_client),
        UNIT(control_close__ends_what_is_held),
        UNIT(control_ask__the_end_of_a_line_is_refused),
        UNIT(control_word__any_text_is_a_word),
        UNIT(control_open__a_served_socket_is_left_alone),
        UNIT(control_open__a_socket_that_nobody_serves_is_replaced),
        UNIT(control_open__what_is_no_socket_stays),
    };
    return RUN_UNITS(tests);
}

/* Cases in which a client waits until its patience ends. */
static int cases_of_patience(void) {
    const struct CMUnitTest tests[] = {
        UNIT(control_ask__what_is_not_begun_in_time_is_not_carried_out),
        UNIT(control_ask__what_was_begun_may_have_been_carried_out),
    };
    return RUN_UNITS(tests);
}

int main(int argc, char **argv) {
    char folder[] = "/tmp/heddle-control-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0) return 1;
    bool is_patient = argc > 1 && strcmp(argv[1], "patience") == 0;
    int failed = is_patient ? cases_of_patience() : cases();
    unlink(PATH);
    rmdir(folder);
    return failed;
}
