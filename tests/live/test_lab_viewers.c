/* SPDX-License-Identifier: Apache-2.0 */
/* Connections that are late or too many are shut down, the oldest first; served ones stay. */
#include "live/lab/viewers.h"

#include "unit.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST 4

struct connection {
    int ours, theirs;
    struct viewer *viewer;
};

static struct connection connect_to(struct viewers *v) {
    int end[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, end), 0);
    return (struct connection){end[0], end[1], viewers_add(v, end[0])};
}

/* Returns whether the connection has been shut down, waiting for it as long as that. */
static bool is_shut(const struct connection *c, int ms) {
    struct pollfd p = {.fd = c->theirs, .events = POLLIN};
    char byte;
    return poll(&p, 1, ms) == 1 && read(c->theirs, &byte, 1) == 0;
}

static void leave(struct viewers *v, struct connection *c) {
    viewers_remove(v, c->viewer);
    close(c->ours);
    close(c->theirs);
}

/* The client beyond the most that there may be takes the place of the one that has waited longest. */
static void add__shuts_down_the_oldest(void **state) {
    (void)state;
    struct viewers *v = viewers_create(MOST, 3600 * PS_PER_S);
    struct connection c[MOST + 2];
    assert_non_null(v);
    for (int i = 0; i < MOST; i++) c[i] = connect_to(v);
    for (int i = 0; i < MOST; i++) assert_false(is_shut(&c[i], 0));
    viewers_served(v, c[0].viewer); /* so the second has waited longest */
    c[MOST] = connect_to(v);
    assert_true(is_shut(&c[1], 0));
    assert_false(is_shut(&c[0], 0));
    leave(v, &c[1]);
    c[MOST + 1] = connect_to(v); /* MOST are there again */
    assert_true(is_shut(&c[2], 0));
    leave(v, &c[3]);
    c[1] = connect_to(v); /* one has left, so there is room */
    for (int i = 0; i < 2; i++) assert_false(is_shut(&c[i], 0));
    c[3] = connect_to(v);
    assert_true(is_shut(&c[0], 0));
    for (int i = 0; i < MOST + 2; i++) leave(v, &c[i]);
    viewers_destroy(v);
}

/* A client that has not ended a request in time is shut down, also after earlier ones; one that has stays. */
static void deadline__is_from_one_request_to_the_next(void **state) {
    (void)state;
    struct viewers *v = viewers_create(MOST, 2 * PS_PER_S / 5);
    assert_non_null(v);
    struct connection idle = connect_to(v), asks = connect_to(v);
    for (int i = 0; i < 20; i++) {
        assert_false(is_shut(&asks, 50));
        viewers_served(v, asks.viewer);
    }
    assert_true(is_shut(&idle, 0));
    assert_true(is_shut(&asks, 2000));
    leave(v, &idle);
    leave(v, &asks);
    viewers_destroy(v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(add__shuts_down_the_oldest),
        UNIT(deadline__is_from_one_request_to_the_next),
    };
    return RUN_UNITS(tests);
}
