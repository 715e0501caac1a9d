/* SPDX-License-Identifier: Apache-2.0 */
/* The properties of iSlip (AM-5) in slots of one frame, and a comparison with a matcher without bitmaps.
 * test_crossbar_delay.c tests delays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "mech/crossbar/crossbars.h"
#include "mech/crossbar/islip.h"

#define PORTS 16

static const uint64_t all_open[CROSSBAR_CLASSES] = {~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull};

static uint64_t ports_below(uint32_t n) { return n == 64 ? ~0ull : (1ull << n) - 1; }
static bool has(uint64_t set, uint32_t port) { return set >> port & 1; }

static struct random_stream stream(uint64_t number) {
    struct random_stream s;
    random_init(&s, 1, RANDOM_PAIRS, number);
    return s;
}

/* Requests every pair of input and output in a class. */
static void request_all(struct islip *s, uint32_t class) {
    for (uint32_t in = 0; in < s->n_ports; in++)
        for (uint32_t out = 0; out < s->n_ports; out++) islip_request(s, in, out, class);
}

/* ---- slots: virtual output queues of frames of one size ---- */

struct slots {
    struct islip s;
    uint32_t queue[PORTS][PORTS];
    uint64_t served;
};

static void slots_arrive(struct slots *m, uint32_t in, uint32_t out) {
    if (m->queue[in][out]++ == 0) islip_request(&m->s, in, out, 0);
}

static uint32_t slots_serve(struct slots *m, struct crossbar_match *match) {
    uint32_t n = islip_match(&m->s, ports_below(PORTS), ports_below(PORTS), all_open, match);
    for (uint32_t i = 0; i < n; i++) {
        assert_true(m->queue[match[i].in][match[i].out] > 0);
        if (--m->queue[match[i].in][match[i].out] == 0) islip_withdraw(&m->s, match[i].in, match[i].out, 0);
    }
    m->served += n;
    return n;
}

/* With all queues full the pointers diverge within a few slots; after that every port is busy in every slot. */
static void islip_match__pointers_desynchronise(void **state) {
    (void)state;
    struct slots *m = calloc(1, sizeof *m);
    struct crossbar_match match[PORTS];
    islip_init(&m->s, PORTS, 1);
    for (uint32_t in = 0; in < PORTS; in++)
        for (uint32_t out = 0; out < PORTS; out++)
            for (uint32_t k = 0; k < 1000; k++) slots_arrive(m, in, out);
    assert_int_equal(slots_serve(m, match), 1); /* equal pointers: all outputs grant the same input */
    for (uint32_t slot = 1; slot < PORTS; slot++) slots_serve(m, match);
    for (uint32_t slot = 0; slot < 10000; slot++) assert_int_equal(slots_serve(m, match), PORTS);
    for (uint32_t in = 0; in < PORTS; in++) /* all pairs are served equally */
        for (uint32_t out = 0; out < PORTS; out++) assert_in_range(m->queue[in][out], 1000 - 626, 1000 - 624);
    islip_fini(&m->s);
    free(m);
}

/* A frame for a random output arrives at every input in every slot. Once the queues have filled, one iteration serves
 * at least 99 % of the load. */
static void islip_match__uniform_saturated_load_is_carried_with_one_iteration(void **state) {
    (void)state;
    enum { FILLING = 60000, MEASURED = 60000 };
    struct slots *m = calloc(1, sizeof *m);
    struct random_stream random = stream(1);
    struct crossbar_match match[PORTS];
    islip_init(&m->s, PORTS, 1);
    for (uint32_t slot = 0; slot < FILLING + MEASURED; slot++) {
        if (slot == FILLING) m->served = 0;
        for (uint32_t in = 0; in < PORTS; in++) slots_arrive(m, in, (uint32_t)random_below(&random, PORTS));
        slots_serve(m, match);
    }
    assert_true(m->served * 100 >= 99ull * MEASURED * PORTS);
    islip_fini(&m->s);
    free(m);
}

/* A request is served within n^2 slots, for few or many popular outputs and for any number of iterations. */
static void islip_match__nobody_starves(void **state) {
    (void)state;
    struct random_stream random = stream(2);
    for (uint32_t run = 0; run < 24; run++) {
        struct slots *m = calloc(1, sizeof *m);
        struct crossbar_match match[PORTS];
        uint32_t since[PORTS][PORTS] = {{0}}, longest = 0, spread = 1 + run % PORTS;
        islip_init(&m->s, PORTS, 1 + run % 4);
        for (uint32_t slot = 1; slot < 3000; slot++) {
            for (uint32_t k = 0; k < PORTS * 2; k++) {
                uint32_t in = (uint32_t)random_below(&random, PORTS), out = (uint32_t)random_below(&random, spread);
                if (m->queue[in][out] == 0) since[in][out] = slot, slots_arrive(m, in, out);
            }
            uint32_t n = slots_serve(m, match);
            for (uint32_t i = 0; i < n; i++) since[match[i].in][match[i].out] = slot + 1;
            for (uint32_t in = 0; in < PORTS; in++)
                for (uint32_t out = 0; out < spread; out++)
                    if (m->queue[in][out] && slot - since[in][out] > longest) longest = slot - since[in][out];
        }
        assert_in_range(longest, spread == 1 ? PORTS - 2 : 1, PORTS * PORTS);
        islip_fini(&m->s);
        free(m);
    }
}

/* ---- pointers ---- */

/* Two inputs request both of two outputs. In the first iteration both outputs grant input 0, which accepts output 0.
 * The second iteration adds 1 -> 1 and moves no pointer. */
static void islip_match__pointers_move_on_accepts_of_the_first_iteration_only(void **state) {
    (void)state;
    struct islip s;
    struct crossbar_match match[2];
    islip_init(&s, 2, 2);
    request_all(&s, 0);
    assert_int_equal(islip_match(&s, 3, 3, all_open, match), 2);
    assert_memory_equal(match, ((struct crossbar_match[]){{0, 0, 0}, {1, 1, 0}}), sizeof match);
    assert_int_equal(islip_output(&s, 0, 0)->from, 1);
    assert_int_equal(islip_input(&s, 0, 0)->from, 1);
    assert_int_equal(islip_output(&s, 1, 0)->from, 0); /* input 0 declined output 1, which then granted 1 */
    assert_int_equal(islip_input(&s, 1, 0)->from, 0);
    /* In the next match each output grants its own first choice, and both pointers move. */
    assert_int_equal(islip_match(&s, 3, 3, all_open, match), 2);
    assert_memory_equal(match, ((struct crossbar_match[]){{0, 1, 0}, {1, 0, 0}}), sizeof match);
    assert_int_equal(islip_output(&s, 0, 0)->from, 0);
    assert_int_equal(islip_output(&s, 1, 0)->from, 1);
    assert_int_equal(islip_input(&s, 0, 0)->from, 0);
    assert_int_equal(islip_input(&s, 1, 0)->from, 1);
    islip_fini(&s);
}

static void islip_match__an_idle_switch_and_one_without_requests_match_nothing(void **state) {
    (void)state;
    struct islip s;
    struct crossbar_match match[4];
    islip_init(&s, 4, 4);
    assert_int_equal(islip_match(&s, 15, 15, all_open, match), 0);
    request_all(&s, 3);
    assert_int_equal(islip_match(&s, 0, 15, all_open, match), 0);
    assert_int_equal(islip_match(&s, 15, 0, all_open, match), 0);
    for (uint32_t in = 0; in < 4; in++)
        for (uint32_t out = 0; out < 4; out++) islip_withdraw(&s, in, out, 3), islip_withdraw(&s, in, out, 3);
    assert_int_equal(islip_match(&s, 15, 15, all_open, match), 0);
    assert_int_equal(s.classes, 0);
    islip_fini(&s);
}

/* ---- classes ---- */

static void islip_match__an_output_grants_its_highest_class(void **state) {
    (void)state;
    struct islip s;
    struct crossbar_match match[4];
    islip_init(&s, 4, 4);
    islip_request(&s, 0, 2, 0);
    islip_request(&s, 1, 2, 7);
    islip_request(&s, 3, 2, CROSSBAR_CREDIT_CLASS);
    for (int k = 0; k < 10; k++) { /* while the request lasts, whatever the pointers of other classes */
        assert_int_equal(islip_match(&s, 15, 15, all_open, match), 1);
        assert_memory_equal(match, (&(struct crossbar_match){3, 2, CROSSBAR_CREDIT_CLASS}), sizeof *match);
    }
    islip_withdraw(&s, 3, 2, CROSSBAR_CREDIT_CLASS);
    assert_int_equal(islip_match(&s, 15, 15, all_open, match), 1);
    assert_memory_equal(match, (&(struct crossbar_match){1, 2, 7}), sizeof *match);
    assert_int_equal(islip_match(&s, 15 & ~2, 15, all_open, match), 1); /* input 1 is busy */
    assert_memory_equal(match, (&(struct crossbar_match){0, 2, 0}), sizeof *match);
    islip_fini(&s);
}

static void islip_match__an_input_accepts_its_highest_class(void **state) {
    (void)state;
    struct islip s;
    struct crossbar_match match[4];
    islip_init(&s, 4, 4);
    islip_request(&s, 1, 0, 2);
    islip_request(&s, 1, 3, 5);
    for (int k = 0; k < 10; k++) {
        assert_int_equal(islip_match(&s, 15, 15, all_open, match), 1);
        assert_memory_equal(match, (&(struct crossbar_match){1, 3, 5}), sizeof *match);
    }
    /* Input 1 declined output 0; the second iteration finds it another input. */
    islip_request(&s, 2, 0, 1);
    assert_int_equal(islip_match(&s, 15, 15, all_open, match), 2);
    assert_memory_equal(match, ((struct crossbar_match[]){{1, 3, 5}, {2, 0, 1}}), 2 * sizeof *match);
    islip_fini(&s);
}

static void islip_match__closed_for_one_class_is_open_for_another(void **state) {
    (void)state;
    struct islip s;
    struct crossbar_match match[2];
    uint64_t open[CROSSBAR_CLASSES] = {[7] = 2};
    islip_init(&s, 2, 2);
    islip_request(&s, 0, 1, 4);
    assert_int_equal(islip_match(&s, 3, 3, open, match), 0);
    islip_request(&s, 1, 1, 7);
    assert_int_equal(islip_match(&s, 3, 3, open, match), 1);
    assert_memory_equal(match, (&(struct crossbar_match){1, 1, 7}), sizeof *match);
    open[7] = 0, open[4] = 2; /* the higher class does not hold the output */
    assert_int_equal(islip_match(&s, 3, 3, open, match), 1);
    assert_memory_equal(match, (&(struct crossbar_match){0, 1, 4}), sizeof *match);
    islip_fini(&s);
}

/* ---- any requests, any idle ports ---- */

/* The same algorithm on plain arrays. */
struct naive {
    uint32_t n, iterations;
    bool asks[CROSSBAR_CLASSES][PORTS][PORTS]; /* [class][in][out] */
    uint32_t grant_from[CROSSBAR_CLASSES][PORTS], accept_from[CROSSBAR_CLASSES][PORTS];
};

#define NOBODY UINT32_MAX

static void naive_grant(const struct naive *r, uint64_t in_free, uint64_t out_free, const uint64_t *open, uint32_t out,
                        uint32_t *to, uint32_t *class) {
    *to = NOBODY;
    if (!has(out_free, out)) return;
    for (uint32_t k = CROSSBAR_CLASSES; k-- > 0;)
        for (uint32_t step = 0; step < r->n; step++) {
            uint32_t in = (r->grant_from[k][out] + step) % r->n;
            if (!has(open[k], out) || !has(in_free, in) || !r->asks[k][in][out]) continue;
            *to = in, *class = k;
            return;
        }
}

/* Returns the output that the input accepts, or NOBODY. */
static uint32_t naive_accept(const struct naive *r, const uint32_t *to, const uint32_t *class, uint32_t in) {
    for (uint32_t k = CROSSBAR_CLASSES; k-- > 0;)
        for (uint32_t step = 0; step < r->n; step++) {
            uint32_t out = (r->accept_from[k][in] + step) % r->n;
            if (to[out] == in && class[out] == k) return out;
        }
    return NOBODY;
}

static uint32_t naive_match(struct naive *r, uint64_t in_free, uint64_t out_free, const uint64_t *open,
                            struct crossbar_match *match) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->iterations; i++) {
        uint32_t to[PORTS], class[PORTS];
        for (uint32_t out = 0; out < r->n; out++) naive_grant(r, in_free, out_free, open, out, &to[out], &class[out]);
        for (uint32_t in = 0; in < r->n; in++) {
            uint32_t out = naive_accept(r, to, class, in);
            if (out == NOBODY) continue;
            in_free &= ~(1ull << in), out_free &= ~(1ull << out);
            if (i == 0) r->grant_from[class[out]][out] = (in + 1) % r->n;
            if (i == 0) r->accept_from[class[out]][in] = (out + 1) % r->n;
            match[n++] = (struct crossbar_match){(uint8_t)in, (uint8_t)out, (uint8_t) class[out]};
        }
    }
    return n;
}

/* Sets or withdraws random requests in both matchers. */
static void change(struct islip *s, struct naive *r, struct random_stream *random) {
    for (uint32_t k = 0; k < s->n_ports; k++) {
        uint32_t in = (uint32_t)random_below(random, s->n_ports), out = (uint32_t)random_below(random, s->n_ports);
        uint32_t class = (uint32_t)random_below(random, CROSSBAR_CLASSES);
        r->asks[class][in][out] = random_below(random, 2);
        if (r->asks[class][in][out])
            islip_request(s, in, out, class);
        else
            islip_withdraw(s, in, out, class);
    }
}

/* Asserts a legal match: every pair has a request, idle ports and an open output, and every port occurs once. */
static void assert_legal(const struct naive *r, uint64_t idle_in, uint64_t idle_out, const uint64_t *open,
                         const struct crossbar_match *match, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        struct crossbar_match m = match[i];
        assert_true(r->asks[m.class][m.in][m.out]);
        assert_true(has(idle_in, m.in) && has(idle_out, m.out) && has(open[m.class], m.out));
        idle_in &= ~(1ull << m.in);
        idle_out &= ~(1ull << m.out);
    }
}

static void assert_maximal(const struct naive *r, uint64_t idle_in, uint64_t idle_out, const uint64_t *open,
                           const struct crossbar_match *match, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) idle_in &= ~(1ull << match[i].in), idle_out &= ~(1ull << match[i].out);
    for (uint32_t k = 0; k < CROSSBAR_CLASSES; k++)
        for (uint32_t in = 0; in < r->n; in++)
            for (uint32_t out = 0; out < r->n; out++)
                assert_false(r->asks[k][in][out] && has(idle_in, in) && has(idle_out, out) && has(open[k], out));
}

static void islip_match__agrees_with_a_naive_matcher(void **state) {
    (void)state;
    struct random_stream random = stream(3);
    uint64_t matched = 0, closed_out = 0;
    for (uint32_t run = 0; run < 160; run++) {
        struct naive *r = calloc(1, sizeof *r);
        struct islip s;
        r->n = 1 + run % 9 + run % 2 * 7; /* 1 .. 16 ports */
        r->iterations = run % 4 < 2 ? r->n : 1 + run % 3;
        islip_init(&s, r->n, r->iterations);
        for (uint32_t turn = 0; turn < 200; turn++) {
            struct crossbar_match match[PORTS], expected[PORTS];
            uint64_t in = random_u64(&random) & ports_below(r->n), out = random_u64(&random) & ports_below(r->n);
            uint64_t open[CROSSBAR_CLASSES];
            for (uint32_t k = 0; k < CROSSBAR_CLASSES; k++) open[k] = random_u64(&random) | random_u64(&random);
            change(&s, r, &random);
            uint32_t n = islip_match(&s, in, out, open, match), m = naive_match(r, in, out, open, expected);
            assert_int_equal(n, m);
            assert_memory_equal(match, expected, n * sizeof *match);
            assert_legal(r, in, out, open, match, n);
            if (r->iterations == r->n) assert_maximal(r, in, out, open, match, n);
            matched += n;
            closed_out += naive_match(r, in, out, all_open, expected) > n;
            for (uint32_t k = 0; k < CROSSBAR_CLASSES; k++) /* the test for maximality must not move pointers */
                for (uint32_t p = 0; p < r->n; p++) {
                    r->grant_from[k][p] = islip_output(&s, p, k)->from;
                    r->accept_from[k][p] = islip_input(&s, p, k)->from;
                }
        }
        islip_fini(&s);
        free(r);
    }
    assert_true(matched > 40000 && closed_out > 500); /* the cases are worth testing */
}

static void islip_match__one_port_and_sixty_four(void **state) {
    (void)state;
    struct crossbar_match match[CROSSBAR_PORTS];
    struct islip s;
    islip_init(&s, 1, 4);
    request_all(&s, 8);
    assert_int_equal(islip_match(&s, 1, 1, all_open, match), 1);
    assert_int_equal(islip_match(&s, 1, 1, all_open, match), 1);
    islip_fini(&s);
    islip_init(&s, 64, 64);
    request_all(&s, 0);
    assert_int_equal(islip_match(&s, ~0ull, ~0ull, all_open, match), 64);
    uint64_t in = 0, out = 0;
    for (uint32_t i = 0; i < 64; i++) in |= 1ull << match[i].in, out |= 1ull << match[i].out;
    assert_true(in == ~0ull && out == ~0ull);
    islip_fini(&s);
}

/* ---- only where something has changed ---- */

/* A crossbar in packet mode. With `searches` it searches after every event, else only if the event can matter. */
struct packets {
    struct islip s;
    bool searches;
    uint32_t queue[PORTS][PORTS][2];
    uint32_t held[PORTS]; /* by input: output held + 1 */
    uint64_t idle_in, idle_out, open[CROSSBAR_CLASSES];
    uint32_t n_made, n_searches;
    struct crossbar_match made[PORTS]; /* matches of the last event */
};

static struct packets *packets_new(bool searches, uint32_t iterations) {
    struct packets *m = calloc(1, sizeof *m);
    islip_init(&m->s, PORTS, iterations);
    m->searches = searches;
    m->idle_in = m->idle_out = ports_below(PORTS);
    memcpy(m->open, all_open, sizeof m->open);
    return m;
}

static void packets_hold(struct packets *m, struct crossbar_match pair) {
    m->held[pair.in] = pair.out + 1u;
    m->idle_in &= ~(1ull << pair.in);
    m->idle_out &= ~(1ull << pair.out);
    m->made[m->n_made++] = pair;
}

static void packets_cross(struct packets *m, struct crossbar_match pair) {
    uint32_t *queue = &m->queue[pair.in][pair.out][pair.class];
    if (--*queue == 0) islip_withdraw(&m->s, pair.in, pair.out, pair.class);
    packets_hold(m, pair);
}

static void packets_search(struct packets *m) {
    struct crossbar_match match[PORTS];
    uint32_t n = islip_match(&m->s, m->idle_in, m->idle_out, m->open, match);
    m->n_searches++;
    for (uint32_t i = 0; i < n; i++) packets_cross(m, match[i]);
}

static void packets_arrive(struct packets *m, uint8_t in, uint8_t out, uint8_t class) {
    bool clear = has(m->idle_in, in) && has(m->idle_out, out) && has(m->open[class], out);
    if (!m->searches && m->s.maximal && clear) {
        assert_int_equal(m->queue[in][out][class], 0);
        islip_pair(&m->s, in, out, class);
        packets_hold(m, (struct crossbar_match){.in = in, .out = out, .class = class});
        return;
    }
    if (m->queue[in][out][class]++ == 0) islip_request(&m->s, in, out, class);
    if (m->searches || !m->s.maximal) packets_search(m);
}

static void packets_free(struct packets *m, uint32_t in) {
    uint32_t out = m->held[in] - 1;
    m->held[in] = 0;
    m->idle_in |= 1ull << in;
    m->idle_out |= 1ull << out;
    if (m->searches) {
        packets_search(m);
        return;
    }
    struct crossbar_match match[PORTS];
    uint32_t n = islip_match_freed(&m->s, in, out, m->idle_in, m->idle_out, m->open, match);
    m->n_searches += m->s.iterations < 3;
    for (uint32_t i = 0; i < n; i++) packets_cross(m, match[i]);
}

static void packets_open(struct packets *m, uint32_t out, uint32_t class, bool open) {
    m->open[class] = open ? m->open[class] | 1ull << out : m->open[class] & ~(1ull << out);
    bool could = has(m->idle_out, out) && islip_could_pair_output(&m->s, out, m->idle_in, m->open);
    if (m->searches || !m->s.maximal || could) packets_search(m);
}

/* Applies a random event; it depends only on the stream and on who holds the crossbar, so both models get the same. */
static void packets_event(struct packets *m, struct random_stream random) {
    uint32_t kind = (uint32_t)random_below(&random, 8), in = (uint32_t)random_below(&random, PORTS);
    uint32_t out = (uint32_t)random_below(&random, 6), class = (uint32_t)random_below(&random, 2);
    m->n_made = 0;
    if (kind < 3)
        packets_arrive(m, (uint8_t)in, (uint8_t)out, (uint8_t) class);
    else if (kind < 6 && m->held[in])
        packets_free(m, in);
    else if (kind >= 6)
        packets_open(m, out, class, random_below(&random, 3) > 0);
}

static void assert_same_ends(const struct islip_end *a, const struct islip_end *b) {
    for (uint32_t k = 0; k < CROSSBAR_CLASSES * PORTS; k++) {
        assert_int_equal(a[k].partners, b[k].partners);
        assert_int_equal(a[k].from, b[k].from);
    }
}

/* After a maximal match an event leads to the same pairs in the same order, and to the same pointers, as a search of
 * all requests. */
static void islip_pair__and_match_freed_agree_with_a_search(void **state) {
    (void)state;
    for (uint32_t iterations = 1; iterations <= 4; iterations++) {
        struct packets *all = packets_new(true, iterations), *few = packets_new(false, iterations);
        uint32_t made = 0;
        for (uint32_t n = 0; n < 20000; n++) {
            struct random_stream random = stream(1000 + n);
            packets_event(all, random);
            packets_event(few, random);
            assert_int_equal(few->n_made, all->n_made);
            assert_memory_equal(few->made, all->made, all->n_made * sizeof *all->made);
            assert_same_ends(few->s.input, all->s.input);
            assert_same_ends(few->s.output, all->s.output);
            made += all->n_made;
        }
        assert_true(made > 2000);
        if (iterations >= 3) assert_true(few->n_searches < all->n_searches * 2 / 3); /* both cases are common */
        islip_fini(&all->s);
        islip_fini(&few->s);
        free(all);
        free(few);
    }
}

static void crossbars__islip_has_queues(void **state) {
    (void)state;
    assert_ptr_equal(crossbar_find("islip"), &crossbar_islip);
    assert_true(crossbar_has_queues(&(struct crossbar_config){.ops = &crossbar_islip}));
    assert_false(crossbar_has_queues(&(struct crossbar_config){.ops = crossbar_find("output-queued")}));
    assert_false(crossbar_has_queues(&(struct crossbar_config){0}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islip_match__pointers_desynchronise),
        cmocka_unit_test(islip_match__uniform_saturated_load_is_carried_with_one_iteration),
        cmocka_unit_test(islip_match__nobody_starves),
        cmocka_unit_test(islip_match__pointers_move_on_accepts_of_the_first_iteration_only),
        cmocka_unit_test(islip_match__an_idle_switch_and_one_without_requests_match_nothing),
        cmocka_unit_test(islip_match__an_output_grants_its_highest_class),
        cmocka_unit_test(islip_match__an_input_accepts_its_highest_class),
        cmocka_unit_test(islip_match__closed_for_one_class_is_open_for_another),
        cmocka_unit_test(islip_match__agrees_with_a_naive_matcher),
        cmocka_unit_test(islip_match__one_port_and_sixty_four),
        cmocka_unit_test(islip_pair__and_match_freed_agree_with_a_search),
        cmocka_unit_test(crossbars__islip_has_queues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
