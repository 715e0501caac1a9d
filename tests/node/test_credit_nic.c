/* SPDX-License-Identifier: Apache-2.0 */
/* The credit limiter of a NIC: fair picks, and refused credits without cost (AM-10). */
#include "node/ports.h"

#include "node/credit_nic.h"
#include "node/host.h"

#define GAP (1622 * BYTE_PS)
#define FLOWS_MAX 64

static const struct credit_config paper = {.on = true, .queue = 16, .share_ppb = 51787916, .burst_bytes = 168};
static const struct credit_config drawn = {
    .on = true, .queue = 16, .share_ppb = 51787916, .burst_bytes = 168, .spread = 8};

/* A receiver that makes credits at its own rate. A jitter of 50 % of the gap mixes the phases within the test. Drop
 * tail favours a credit that comes just after another has left; with 1 % jitter it does so for thousands of gaps. */
struct maker {
    struct connection c;
    span_ps gap;
    time_ps next;
    uint64_t made, sent;
};

static time_ps maker_step(struct maker *m, struct random_stream *s) {
    span_ps jitter = (span_ps)((uint64_t)m->gap / 2 * random_fraction_q32(s) >> 32) - m->gap / 4;
    m->made++;
    return m->next += m->gap + jitter;
}

static void makers_init(struct maker *m, uint32_t n, uint32_t slower) {
    for (uint32_t i = 0; i < n; i++)
        m[i] = (struct maker){.c = {.flow = i}, .gap = GAP * (i % 2 ? slower : 1), .next = (time_ps)i * GAP / n};
}

/* Runs the model in which every credit is an event: a queue of 16 before the limiter, drop tail. */
static void run_each(struct maker *m, uint32_t n, const struct credit_config *config, time_ps end) {
    struct random_stream s;
    uint32_t queue[16], bytes[16], waiting = 0;
    struct credit_limiter l = {0};
    credit_limiter_set(&l, config, 10 * GBPS);
    random_init(&s, 1, RANDOM_HOST, 0);
    for (;;) {
        uint32_t first = 0;
        for (uint32_t i = 1; i < n; i++)
            if (m[i].next < m[first].next) first = i;
        time_ps now = m[first].next;
        while (waiting && credit_limiter_ready_at(&l) <= now) {
            m[queue[0]].sent++;
            credit_limiter_spend(&l, credit_limiter_ready_at(&l) > 0 ? credit_limiter_ready_at(&l) : now);
            memmove(queue, queue + 1, --waiting * sizeof *queue);
            memmove(bytes, bytes + 1, waiting * sizeof *bytes);
            if (waiting) credit_limiter_ask(&l, bytes[0]);
        }
        if (now >= end) return;
        if (waiting < 16) {
            bytes[waiting] = 84 - config->spread + (uint32_t)random_below(&s, 2 * config->spread + 1);
            if (waiting == 0) credit_limiter_ask(&l, bytes[0]);
            queue[waiting++] = first;
        }
        maker_step(&m[first], &s);
    }
}

/* Runs credit_nic, in which only credits that leave are events. */
static void run_picked(struct maker *m, uint32_t n, const struct credit_config *config, time_ps end) {
    struct random_stream s;
    struct credit_nic *nic = credit_nic_create(config, 10 * GBPS, 1, 0, 0);
    random_init(&s, 1, RANDOM_HOST, 0);
    for (uint32_t i = 0; i < n; i++) credit_nic_arm(nic, &m[i].c, m[i].next);
    for (time_ps now; (now = credit_nic_next(nic)) < end;) {
        struct connection *c = credit_nic_pick(nic, now);
        assert_non_null(c);
        struct maker *one = &m[c->flow];
        struct packet p = {0};
        uint64_t refused = (uint64_t)((now - one->next) / one->gap);
        one->made += refused;
        one->next += (time_ps)refused * one->gap;
        one->sent++;
        credit_nic_sent(nic, &p, refused, now);
        credit_nic_arm(nic, c, maker_step(one, &s));
    }
    credit_nic_destroy(nic);
}

static double jain(const struct maker *m, uint32_t n) {
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += (double)m[i].sent;
        squares += (double)m[i].sent * (double)m[i].sent;
    }
    return sum * sum / (n * squares);
}

static void assert_agree(uint32_t n, uint32_t slower, const struct credit_config *config) {
    static struct maker each[FLOWS_MAX], picked[FLOWS_MAX];
    const time_ps end = 100000 * (time_ps)GAP;
    makers_init(each, n, slower);
    makers_init(picked, n, slower);
    run_each(each, n, config, end);
    run_picked(picked, n, config, end);
    for (uint32_t i = 0; i < n; i++) {
        double lost_each = 1 - (double)each[i].sent / (double)each[i].made;
        double lost_picked = 1 - (double)picked[i].sent / (double)picked[i].made;
        if (lost_each - lost_picked > 0.02 || lost_picked - lost_each > 0.02)
            fail_msg("%u flows, flow %u: loses %.3f, by every credit %.3f", n, i, lost_picked, lost_each);
    }
    double apart = jain(each, n) - jain(picked, n);
    assert_true(apart < 0.02 && apart > -0.02);
}

/* AM-10, T: agreement with the model of every credit for 2 to 64 flows: the loss of each flow within 2 %, Jain's index
 * within 0.02. */
static void refused__as_if_every_credit_had_been_made(void **state) {
    (void)state;
    for (uint32_t n = 2; n <= FLOWS_MAX; n *= 2) assert_agree(n, 1, &paper);
}

static void refused__with_drawn_sizes(void **state) {
    (void)state;
    for (uint32_t n = 2; n <= FLOWS_MAX; n *= 2) assert_agree(n, 1, &drawn);
}

/* AM-20: sizes from 76 to 92 are equally likely and charged by the limiter, void credits included. */
static void sizes__drawn_and_paid_for(void **state) {
    (void)state;
    struct credit_nic *nic = credit_nic_create(&drawn, 10 * GBPS, 1, 0, 0);
    struct connection c = {.flow = 1};
    struct packet p = {0}, udp = {.wire_bytes = 1538, .proto = PROTO_UDP};
    uint32_t seen[256] = {0};
    const uint32_t n = 17000;
    time_ps now = 0, before = 0;
    for (uint32_t i = 0; i < n; i++) {
        before = now;
        if (i % 2) {
            credit_nic_arm(nic, &c, now);
            now = credit_nic_next(nic);
            assert_ptr_equal(credit_nic_pick(nic, now), &c);
            credit_nic_sent(nic, &p, 0, now);
        } else {
            credit_nic_owe(nic, &udp);
            now = credit_nic_next(nic);
            if (i > 4) assert_false(credit_nic_void(nic, &p, now - 1)); /* the bucket is empty */
            assert_true(credit_nic_void(nic, &p, now));
        }
        assert_in_range(p.wire_bytes, 76, 92);
        seen[p.wire_bytes]++;
        if (i > 4) assert_int_equal(now - before, (int64_t)GAP * p.wire_bytes / 84);
    }
    for (uint32_t size = 76; size <= 92; size++) assert_in_range(seen[size], 850, 1150);
    credit_nic_destroy(nic);
}

/* Below the limit nothing is refused, even when receivers are due together. */
static void pick__nothing_is_refused_below_the_limit(void **state) {
    (void)state;
    static struct maker m[4];
    makers_init(m, 4, 1);
    for (uint32_t i = 0; i < 4; i++) m[i].gap = 5 * GAP;
    run_picked(m, 4, &paper, 10000 * (time_ps)GAP);
    for (uint32_t i = 0; i < 4; i++) assert_in_range(m[i].made - m[i].sent, 0, 1);
}

static void pick__the_limiter_says_when(void **state) {
    (void)state;
    struct credit_nic *nic = credit_nic_create(&paper, 10 * GBPS, 1, 0, 0);
    struct connection a = {.flow = 1}, b = {.flow = 2};
    struct packet p = {0};
    credit_nic_arm(nic, &a, 5);
    credit_nic_arm(nic, &b, 5);
    assert_null(credit_nic_pick(nic, 4));
    for (int i = 0; i < 2; i++) { /* a full bucket holds two */
        assert_int_equal(credit_nic_next(nic) > 5, false);
        assert_non_null(credit_nic_pick(nic, 5));
        credit_nic_sent(nic, &p, 0, 5);
    }
    credit_nic_arm(nic, &a, 6);
    assert_int_equal(credit_nic_next(nic), 5 + GAP - 0);
    assert_null(credit_nic_pick(nic, 5 + GAP - 1));
    assert_ptr_equal(credit_nic_pick(nic, 5 + GAP), &a);
    credit_nic_destroy(nic);
}

static void pick__higher_classes_first(void **state) {
    (void)state;
    struct credit_nic *nic = credit_nic_create(&paper, 10 * GBPS, 1, 0, 0);
    struct connection low = {.flow = 1}, high = {.flow = 2, .priority = 3};
    credit_nic_arm(nic, &low, 0);
    credit_nic_arm(nic, &high, 0);
    assert_ptr_equal(credit_nic_pick(nic, 0), &high);
    assert_ptr_equal(credit_nic_pick(nic, 0), &low);
    assert_null(credit_nic_pick(nic, 0));
    credit_nic_destroy(nic);
}

static void arm__later_earlier_and_never(void **state) {
    (void)state;
    struct credit_nic *nic = credit_nic_create(&paper, 10 * GBPS, 1, 0, 0);
    struct connection c[3] = {{.flow = 0}, {.flow = 1}, {.flow = 2}};
    for (uint32_t i = 0; i < 3; i++) credit_nic_arm(nic, &c[i], 100 + i);
    credit_nic_arm(nic, &c[0], 200);       /* later */
    credit_nic_arm(nic, &c[2], 50);        /* earlier */
    credit_nic_arm(nic, &c[1], TIME_NONE); /* never */
    assert_int_equal(credit_nic_next(nic), 50);
    assert_ptr_equal(credit_nic_pick(nic, 60), &c[2]);
    credit_nic_arm(nic, &c[2], TIME_NONE);
    assert_int_equal(credit_nic_next(nic), 200);
    assert_ptr_equal(credit_nic_pick(nic, 200), &c[0]);
    credit_nic_arm(nic, &c[0], TIME_NONE);
    assert_int_equal(credit_nic_next(nic), TIME_NONE);
    credit_nic_destroy(nic);
}

/* A connection that alone is due is armed from where it stands: again at once, among others, or not at all. */
static void arm__the_only_one_that_was_due(void **state) {
    (void)state;
    struct credit_nic *nic = credit_nic_create(&paper, 10 * GBPS, 1, 0, 0);
    struct connection a = {.flow = 1}, b = {.flow = 2}, c = {.flow = 3};
    credit_nic_arm(nic, &a, 100);
    credit_nic_arm(nic, &b, 300);
    credit_nic_arm(nic, &c, 400);
    assert_ptr_equal(credit_nic_pick(nic, 150), &a);
    credit_nic_arm(nic, &a, 100);
    assert_int_equal(credit_nic_next(nic), 100);
    assert_ptr_equal(credit_nic_pick(nic, 150), &a);
    credit_nic_arm(nic, &a, 350);
    assert_int_equal(credit_nic_next(nic), 300);
    assert_ptr_equal(credit_nic_pick(nic, 320), &b);
    credit_nic_arm(nic, &b, TIME_NONE);
    assert_int_equal(credit_nic_next(nic), 350);
    struct connection *first = credit_nic_pick(nic, 400), *second = credit_nic_pick(nic, 400); /* a choice of two */
    assert_true((first == &a && second == &c) || (first == &c && second == &a));
    assert_int_equal(credit_nic_next(nic), TIME_NONE);
    credit_nic_destroy(nic);
}

/* ---- void credits (XP-23) ---- */

static struct packet came(uint8_t proto, uint8_t kind, uint16_t wire_bytes) {
    return (struct packet){.src_ip = 1,
                           .dst_ip = 2,
                           .src_port = 3,
                           .dst_port = 4,
                           .wire_bytes = wire_bytes,
                           .proto = proto,
                           .tcp_flags = kind,
                           .tos = 5 << 5 | ECN_CE,
                           .path = 7,
                           .flow = 6};
}

static void void__what_came_without_a_credit(void **state) {
    (void)state;
    struct packet credit = came(PROTO_CREDIT, CREDIT_GRANT, 84);
    credit.shape = SHAPE_CREDIT;
    const struct packet with[] = {came(PROTO_CREDIT, CREDIT_DATA, 1538),
                                  came(PROTO_CREDIT, CREDIT_DATA | CREDIT_LAST, 90), credit};
    const struct packet without[] = {
        came(PROTO_CREDIT, CREDIT_REQUEST, 84), came(PROTO_CREDIT, CREDIT_DATA | CREDIT_UNSCHEDULED, 1538),
        came(PROTO_CREDIT, CREDIT_STOP, 84),    came(PROTO_CREDIT, CREDIT_DONE, 84),
        came(PROTO_TCP, TCP_ACK, 84),           came(PROTO_UDP, 0, 1538)};
    for (size_t i = 0; i < sizeof with / sizeof *with; i++) assert_false(credit_is_missing(&with[i]));
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) assert_true(credit_is_missing(&without[i]));
}

static void void__one_for_1538_bytes_back_to_the_last(void **state) {
    (void)state;
    struct credit_nic *nic = credit_nic_create(&paper, 10 * GBPS, 1, 0, 0);
    struct packet p, ack = came(PROTO_TCP, TCP_ACK, 769), udp = came(PROTO_UDP, 0, 768);
    credit_nic_owe(nic, &ack);
    credit_nic_owe(nic, &udp);
    assert_false(credit_nic_void(nic, &p, 0));
    assert_int_equal(credit_nic_next(nic), TIME_NONE);
    ack.wire_bytes = 1;
    credit_nic_owe(nic, &ack);
    assert_int_equal(credit_nic_next(nic), 0);
    assert_true(credit_nic_void(nic, &p, 0));
    assert_false(credit_nic_void(nic, &p, GAP));
    assert_true(p.src_ip == ack.dst_ip && p.dst_ip == ack.src_ip);
    assert_true(p.src_port == ack.dst_port && p.dst_port == ack.src_port);
    assert_int_equal(p.flow, ack.flow ^ FLOW_REVERSE);
    assert_int_equal(p.tos, 7 << 5 | ECN_ECT0); /* before other credits */
    assert_int_equal(p.path, PATH_NONE);
    assert_int_equal(p.wire_bytes, 84);
    assert_int_equal(p.shape, SHAPE_CREDIT);
    assert_true(credit_kind_is_sound(&p) && credit_kind(&p) == CREDIT_GRANT && p.tcp_flags & CREDIT_VOID);
    credit_nic_destroy(nic);
}

/* Void credits take tokens of the limiter like any credit. */
static void void__the_limiter_says_when(void **state) {
    (void)state;
    struct credit_nic *nic = credit_nic_create(&paper, 10 * GBPS, 1, 0, 0);
    struct packet p, udp = came(PROTO_UDP, 0, 1538);
    struct connection c = {.flow = 0};
    uint32_t sent = 0;
    for (int i = 0; i < 10; i++) credit_nic_owe(nic, &udp);
    while (credit_nic_void(nic, &p, 0)) sent++;
    assert_int_equal(sent, 2); /* a burst of 168 B */
    credit_nic_arm(nic, &c, 0);
    assert_null(credit_nic_pick(nic, 0));
    assert_int_equal(credit_nic_next(nic), GAP);
    while (sent < 10 && credit_nic_void(nic, &p, credit_nic_next(nic))) sent++;
    assert_int_equal(sent, 10);
    assert_int_equal(credit_nic_next(nic), 9 * GAP);
    assert_ptr_equal(credit_nic_pick(nic, 9 * GAP), &c);
    credit_nic_destroy(nic);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused__as_if_every_credit_had_been_made),
        cmocka_unit_test(refused__with_drawn_sizes),
        cmocka_unit_test(sizes__drawn_and_paid_for),
        cmocka_unit_test(pick__nothing_is_refused_below_the_limit),
        cmocka_unit_test(pick__the_limiter_says_when),
        cmocka_unit_test(pick__higher_classes_first),
        cmocka_unit_test(arm__later_earlier_and_never),
        cmocka_unit_test(arm__the_only_one_that_was_due),
        cmocka_unit_test(void__what_came_without_a_credit),
        cmocka_unit_test(void__one_for_1538_bytes_back_to_the_last),
        cmocka_unit_test(void__the_limiter_says_when),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
