/* SPDX-License-Identifier: Apache-2.0 */
/* What a TCP connection keeps for its next flow, by hand: estimates, and a window that is one. */
#include "mech/transport/dctcp.h"
#include "mech/transport/transports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#define MSS 1460u
#define ROW(id) &transport_##id,

struct rig {
    struct tcp_sender s;
    struct flow_env env;
    struct flow_tally tally;
    int64_t params[24];
};

static void rig_open(struct rig *r, const struct transport_ops *row) {
    memset(r, 0, sizeof *r);
    transport_defaults(row, r->params);
    r->env = (struct flow_env){.bytes = 100 * MSS,
                               .params = r->params,
                               .row = row,
                               .tally = &r->tally,
                               .established = true,
                               .stays_open = true};
    row->sender->open(&r->s, &r->env, 0);
}

/* Of a window of 30 segments with 20 in flight, 10 are spare; 8 acknowledged ones give 8 more. Nothing is lost or made. */
static void yield__gives_what_is_not_in_flight(void **state) {
    (void)state;
    struct rig r;
    rig_open(&r, &transport_newreno);
    r.s.cwnd_bytes = 30 * MSS;
    r.s.snd_nxt = 20 * MSS;
    assert_int_equal(tcp_sender_yield(&r.s), 10 * MSS);
    assert_int_equal(tcp_sender_yield(&r.s), 0);
    r.s.snd_una = 8 * MSS;
    assert_int_equal(tcp_sender_yield(&r.s), 8 * MSS);
    assert_int_equal(r.s.cwnd_bytes, 12 * MSS);
    r.s.cwnd_bytes = MSS; /* after a timeout it has less than is in flight */
    assert_int_equal(tcp_sender_yield(&r.s), 0);
    assert_int_equal(r.s.cwnd_bytes, MSS);
}

static void widen__adds_up_to_the_largest_window(void **state) {
    (void)state;
    struct rig r;
    rig_open(&r, &transport_newreno);
    r.s.cwnd_bytes = 3 * MSS;
    tcp_sender_widen(&r.s, 4 * MSS);
    assert_int_equal(r.s.cwnd_bytes, 7 * MSS);
    tcp_sender_widen(&r.s, UINT32_MAX);
    assert_int_equal(r.s.cwnd_bytes, TCP_CWND_MAX);
}

static void recall__begins_with_estimates_and_window(void **state) {
    (void)state;
    struct rig a, b;
    char memory[TCP_MEMORY_BYTES];
    rig_open(&a, &transport_dctcp);
    tcp_rtt_sample(&a.s.rtt, 40000000);
    a.s.ssthresh_bytes = 25 * MSS;
    dctcp_of(&a.s)->alpha_ppb = 123456789;
    dctcp_of(&a.s)->window_end = 77 * MSS;
    dctcp_of(&a.s)->acked_bytes = 5 * MSS;
    dctcp_of(&a.s)->marked_bytes = 3 * MSS;
    tcp_sender_remember(&a.s, memory);
    rig_open(&b, &transport_dctcp);
    b.params[TCP_PARAM_MIN_RTO] = 1;
    tcp_sender_recall(&b.s, &b.env, memory, 33 * MSS);
    assert_int_equal(b.s.cwnd_bytes, 33 * MSS);
    assert_int_equal(b.s.ssthresh_bytes, 25 * MSS);
    assert_int_equal(b.s.rtt.srtt_ps, 40000000);
    assert_int_equal(b.s.rto_ps, 120000000); /* srtt + 4 * srtt / 2 */
    assert_int_equal(dctcp_of(&b.s)->alpha_ppb, 123456789);
    assert_int_equal(dctcp_of(&b.s)->window_end, 0); /* an offset of the flow before */
    assert_int_equal(dctcp_of(&b.s)->acked_bytes, 0);
    assert_int_equal(dctcp_of(&b.s)->marked_bytes, 0);
}

/* Even if all of the window is in flight: else nothing would ever ask for the rest. */
static void recall__begins_with_a_segment_at_least(void **state) {
    (void)state;
    struct rig a, b;
    char memory[TCP_MEMORY_BYTES];
    rig_open(&a, &transport_cubic);
    tcp_sender_remember(&a.s, memory);
    rig_open(&b, &transport_cubic);
    span_ps before = b.s.rto_ps;
    tcp_sender_recall(&b.s, &b.env, memory, 0);
    assert_int_equal(b.s.cwnd_bytes, MSS);
    assert_int_equal(b.s.rto_ps, before); /* nothing was measured */
}

static void every_transport__keeps_all_or_nothing(void **state) {
    (void)state;
    static const struct transport_ops *const row[] = {TRANSPORTS(ROW)};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct transport_end *s = row[i]->sender;
        assert_non_null(s->has_sent);
        bool keeps = s->memory_bytes > 0;
        assert_int_equal(keeps, row[i]->congestion != NULL);
        assert_true(!!s->remember == keeps && !!s->recall == keeps && !!s->yield == keeps && !!s->widen == keeps);
        if (keeps) assert_non_null(row[i]->congestion->resume);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(yield__gives_what_is_not_in_flight),
        cmocka_unit_test(widen__adds_up_to_the_largest_window),
        cmocka_unit_test(recall__begins_with_estimates_and_window),
        cmocka_unit_test(recall__begins_with_a_segment_at_least),
        cmocka_unit_test(every_transport__keeps_all_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
