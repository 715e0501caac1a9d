/* SPDX-License-Identifier: Apache-2.0 */
/* What the switches of a lab are asked while flows run, when, and in which order: the failures of an experiment, and for
 * their status. A server of the test's own stands for the switches. */
#include "live/lab/timetable.h"

#include "base/memory.h"
#include "live/control.h"

#include "unit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH "lab-failures.sock"
#define MS (1000 * PS_PER_US)

/* ---- the switches ---- */

#define ASKED_MAX 64
struct asked {
    char request[160];
    int64_t at_ns; /* after time 0 of the flows */
};

struct switches {
    struct control *control;
    pthread_t thread;
    atomic_bool ends;
    struct timespec zero;
    pthread_mutex_t lock;
    struct asked asked[ASKED_MAX];
    size_t n;
    const char *refused; /* this request is answered with an error; NULL: none */
};

static int64_t since(const struct timespec *zero) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - zero->tv_sec) * 1000000000 + now.tv_nsec - zero->tv_nsec;
}

static char *answer(void *to, const char *request, struct diag *d) {
    struct switches *s = to;
    pthread_mutex_lock(&s->lock);
    if (s->n < ASKED_MAX) {
        snprintf(s->asked[s->n].request, sizeof s->asked->request, "%s", request);
        s->asked[s->n++].at_ns = since(&s->zero);
    }
    pthread_mutex_unlock(&s->lock);
    char *reply = NULL;
    if (!s->refused || strcmp(request, s->refused) != 0)
        return asprintf(&reply, "answer to %s", request) < 0 ? NULL : reply;
    diag_fail(d, "", 0, 0, "not now");
    return NULL;
}

static void *serve(void *to) {
    struct switches *s = to;
    while (!atomic_load(&s->ends)) control_serve(s->control, 5);
    return NULL;
}

static size_t asked_count(struct switches *s) {
    pthread_mutex_lock(&s->lock);
    size_t n = s->n;
    pthread_mutex_unlock(&s->lock);
    return n;
}

static void switches_start(struct switches *s, struct diag *d) {
    pthread_mutex_init(&s->lock, NULL);
    s->control = control_open(PATH, answer, s, d);
    assert_non_null(s->control);
    assert_int_equal(pthread_create(&s->thread, NULL, serve, s), 0);
    clock_gettime(CLOCK_MONOTONIC, &s->zero);
}

static void switches_stop(struct switches *s) {
    atomic_store(&s->ends, true);
    pthread_join(s->thread, NULL);
    control_close(s->control);
}

static void asked_await(struct switches *s, size_t least) {
    for (int waited = 0; asked_count(s) < least && waited < 2000; waited++)
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

/* ---- an experiment ---- */

static struct fabric *leaf_spine(const struct link_failure *failed, size_t n, const struct random_failures *random) {
    struct diag d = {0};
    struct fabric_spec spec = {.kind = fabric_find("leaf-spine"),
                               .tors = 2,
                               .aggs = 3,
                               .hosts = 1,
                               .host_bps = 1000000000,
                               .uplink_bps = 1000000000,
                               .host_delay = PS_PER_US,
                               .uplink_delay = PS_PER_US,
                               .failed = failed,
                               .n_failed = n,
                               .fail_random = random,
                               .n_fail_random = random != NULL,
                               .seed = 1};
    struct fabric *f = fabric_create(&spec, &d);
    if (!f) fail_msg("%s", d.text);
    return f;
}

/* Carries out the failures of the fabric, which it destroys, until `least` requests have come. Returns what
 * lab_timetable_end says. */
static bool carry_out(struct switches *s, struct fabric *f, size_t at_zero, size_t least, struct diag *d) {
    switches_start(s, d);
    struct lab_timetable *t = lab_timetable_create(PATH);
    lab_timetable_add_failures(t, f);
    lab_timetable_begin(t, &s->zero);
    assert_int_equal(asked_count(s), at_zero);
    asked_await(s, least);
    bool good = lab_timetable_end(t, d);
    switches_stop(s);
    fabric_destroy(f);
    return good;
}

static void assert_asked(const struct switches *s, size_t i, const char *request, time_ps at) {
    assert_true(i < s->n);
    assert_string_equal(s->asked[i].request, request);
    assert_true(s->asked[i].at_ns >= at / PS_PER_NS);
}

/* ---- tests ---- */

/* What is due at time 0 has been done when lab_timetable_begin returns, so the first frame already finds it. The rest
 * follows by time, and links that fail together by their nodes. */
static void failures__are_asked_for_in_the_order_of_time(void **state) {
    (void)state;
    static struct switches s;
    struct diag d = {0};
    const struct link_failure failed[] = {
        {.link = "leaf1-spine2", .at = 20 * MS, .repair_at = 60 * MS},
        {.link = "leaf0-spine0", .at = 0, .repair_at = TIME_NONE},
        {.link = "spine1-leaf0", .at = 20 * MS, .repair_at = 40 * MS},
        {.link = "leaf1-spine0", .at = 0, .repair_at = 50 * MS, .loss_ppb = 2500000},
    };
    assert_true(carry_out(&s, leaf_spine(failed, 4, NULL), 2, 7, &d));
    assert_int_equal(s.n, 7);
    assert_asked(&s, 0, "link down leaf0-spine0", 0);
    assert_asked(&s, 1, "impair leaf1-spine0 loss=0.2500000%", 0);
    assert_asked(&s, 2, "link down leaf0-spine1", 20 * MS);
    assert_asked(&s, 3, "link down leaf1-spine2", 20 * MS);
    assert_asked(&s, 4, "link up leaf0-spine1", 40 * MS);
    assert_asked(&s, 5, "impair leaf1-spine0 loss=0.0000000%", 50 * MS);
    assert_asked(&s, 6, "link up leaf1-spine2", 60 * MS);
}

/* The links that the simulation of the same run draws. */
static void failures__that_are_drawn(void **state) {
    (void)state;
    static struct switches s;
    struct diag d = {0};
    const struct random_failures random = {
        .link_tier = 1, .pod = -1, .links = 2, .at = 10 * MS, .repair_at = 20 * MS, .detect = MS};
    struct fabric *f = leaf_spine(NULL, 0, &random);
    char down[2][160];
    size_t n = 0;
    for (size_t i = 0; i < f->n_events; i++) {
        const struct fabric_event *e = &f->event[i];
        if (e->kind != EVENT_LINK_DOWN || f->node[e->node].leaf == NODE_NONE) continue;
        assert_true(n < 2);
        char link[100];
        fabric_port_link(f, e->node, e->port, link, sizeof link);
        snprintf(down[n++], sizeof down[0], "link down %s", link);
    }
    assert_int_equal(n, 2);
    assert_true(carry_out(&s, f, 0, 4, &d));
    assert_int_equal(s.n, 4);
    for (size_t i = 0; i < 2; i++) {
        assert_asked(&s, i, down[i], 10 * MS);
        assert_memory_equal(s.asked[2 + i].request, "link up ", 8);
        assert_string_equal(s.asked[2 + i].request + 8, down[i] + 10);
        assert_true(s.asked[2 + i].at_ns >= 20 * MS / PS_PER_NS);
    }
}

/* A reply is kept for who asked for it; that of a request which the run did not reach is NULL. */
static void timetable__keeps_replies(void **state) {
    (void)state;
    static struct switches s = {.refused = "refused"};
    struct diag d = {0};
    char *first, *second, *never, *refused;
    switches_start(&s, &d);
    struct lab_timetable *t = lab_timetable_create(PATH);
    lab_timetable_add(t, 3600 * PS_PER_S, "later", &never);
    lab_timetable_add(t, 10 * MS, "second", &second);
    lab_timetable_add(t, 10 * MS, "refused", &refused);
    lab_timetable_add(t, 0, "first", &first);
    assert_null(first);
    lab_timetable_begin(t, &s.zero);
    assert_string_equal(first, "answer to first");
    asked_await(&s, 3);
    assert_false(lab_timetable_end(t, &d));
    switches_stop(&s);
    assert_string_equal(second, "answer to second");
    assert_null(never);
    assert_null(refused);
    assert_non_null(strstr(d.text, "not now"));
    free(first);
    free(second);
}

/* A run that ends does not wait for failures of a later time. */
static void failures__later_than_the_run_are_left_out(void **state) {
    (void)state;
    static struct switches s;
    struct diag d = {0};
    const struct link_failure failed[] = {
        {.link = "leaf0-spine0", .at = 0, .repair_at = 3600 * PS_PER_S},
        {.link = "leaf1-spine1", .at = 1800 * PS_PER_S, .repair_at = TIME_NONE},
    };
    assert_true(carry_out(&s, leaf_spine(failed, 2, NULL), 1, 1, &d));
    assert_int_equal(s.n, 1);
    assert_true(since(&s.zero) < 60 * 1000000000ll);
}

/* A switch that refuses is told, the first one by name; what follows is asked for all the same. */
static void failures__that_a_switch_refuses_are_told(void **state) {
    (void)state;
    static struct switches s = {.refused = "link down leaf0-spine0"};
    struct diag d = {0};
    const struct link_failure failed[] = {
        {.link = "leaf0-spine0", .at = 0, .repair_at = 10 * MS},
    };
    assert_false(carry_out(&s, leaf_spine(failed, 1, NULL), 1, 2, &d));
    assert_non_null(strstr(d.text, "not now"));
    assert_asked(&s, 1, "link up leaf0-spine0", 10 * MS);
}

static void detect__is_that_of_the_first_failure(void **state) {
    (void)state;
    const struct link_failure failed = {.link = "leaf0-spine0", .detect = 3 * MS};
    const struct random_failures random = {.link_tier = 1, .detect = 5 * MS};
    assert_int_equal(lab_failures_detect(&(struct fabric_spec){.failed = &failed, .n_failed = 1}), 3 * MS);
    assert_int_equal(lab_failures_detect(&(struct fabric_spec){.fail_random = &random, .n_fail_random = 1}), 5 * MS);
    assert_int_equal(lab_failures_detect(&(struct fabric_spec){0}), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(failures__are_asked_for_in_the_order_of_time),
        UNIT(failures__that_are_drawn),
        UNIT(timetable__keeps_replies),
        UNIT(failures__later_than_the_run_are_left_out),
        UNIT(failures__that_a_switch_refuses_are_told),
        UNIT(detect__is_that_of_the_first_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
