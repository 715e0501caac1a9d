/* SPDX-License-Identifier: Apache-2.0 */
/* A host with two NICs, by hand: ports and serials of its frames, whose event is next, and ends that move to another NIC. */
#include "node/host_nics.h"

#include "node/lan.h"

#define FLOWS 24

/* Host 0 of a rack with two ToRs, and the flows that it sends to host 1. */
struct stand {
    struct lan *lan; /* its parts; hosts are those below */
    struct host *first;
    struct host_out out;
};

static void stand_nic(struct stand *s, uint16_t number) {
    struct lan *lan = s->lan;
    struct host *h = &s->first[number];
    struct port_setup nic = {.rate_bps = 10 * GBPS, .global = number, .seed = 1, .dead_from = TIME_NONE};
    host_nic_setup(&lan->config, &nic);
    h->nic = number;
    h->nics = 2;
    h->port = &lan->port[number];
    h->view = &lan->view[number];
    h->extra = &lan->extra[number];
    h->event = lan->fabric->event + lan->fabric->first_event[0];
    h->event_end = lan->fabric->event + lan->fabric->first_event[1];
    if (number == 0) h->next_flow = lan->order, h->end_flow = lan->order + lan->n_flows;
    host_init(h, 0, &lan->shared, &nic);
}

static struct stand stand_new(const struct link_failure *failed, uint32_t n_failed) {
    static const int64_t own[2] = {1, 0};
    struct fabric_spec spec = spec_of("dual-tor");
    spec.own = own;
    spec.aggs = 1;
    spec.hosts = 2;
    spec.failed = failed;
    spec.n_failed = n_failed;
    struct stand s = {.lan = lan_new(2, "newreno")};
    fabric_destroy(s.lan->fabric);
    s.lan->fabric = made(spec);
    for (uint32_t i = 0; i < FLOWS; i++) lan_flow(s.lan, 0, 1, 100000, 0);
    lan_start(s.lan);
    s.lan->shared.chain = lan_lines(2 * LAN_FLOWS, sizeof *s.lan->shared.chain);
    s.first = lan_lines(2, sizeof *s.first);
    for (uint32_t f = 0; f < FLOWS; f++) s.lan->order[f] = f;
    for (uint16_t i = 0; i < 2; i++) stand_nic(&s, i);
    return s;
}

static void stand_end(struct stand *s) {
    for (uint32_t f = 0; f < FLOWS; f++)
        if (s->lan->sender[f]) host_close(host_nic_of(s->first, s->lan->sender[f]), s->lan->sender[f]);
    assert_int_equal(s->first->first_end, FLOW_NONE);
    for (int i = 0; i < 2; i++) host_fini(&s->first[i]);
    free(s->first);
    free(s->lan->shared.chain);
    s->lan->shared.chain = NULL;
    lan_end(s->lan);
}

typedef void see_frame(struct stand *s, const struct emission *e, const struct packet *p, void *to);

/* Runs the events up to `until`, and shows each frame. */
static void stand_run(struct stand *s, time_ps until, see_frame *see, void *to) {
    for (time_ps at; (at = host_nics_next_timer(s->first)) <= until;) {
        host_nics_timer(s->first, at, &s->out);
        for (uint32_t i = 0; i < s->out.n; i++) {
            see(s, &s->out.e[i], packet_at(&s->lan->pool, s->out.e[i].packet), to);
            packet_put(&s->lan->pool, s->out.e[i].packet);
        }
    }
}

struct seen {
    uint32_t of_port[2], serials[2 * FLOWS + 8], n;
};

static void note(struct stand *s, const struct emission *e, const struct packet *p, void *to) {
    struct seen *seen = to;
    assert_in_range(e->port, 0, 1);
    assert_int_equal(p->src_ip, fabric_nic_ip(s->lan->fabric, e->port));
    assert_int_equal(fabric_leaf_of_ip(8, p->dst_ip), e->port); /* the nearest pair: one ToR */
    assert_int_equal(p->origin, 0);
    for (uint32_t i = 0; i < seen->n; i++) assert_int_not_equal(seen->serials[i], p->serial);
    seen->serials[seen->n++] = p->serial;
    seen->of_port[e->port]++;
}

static void frames__have_port_address_and_serial_of_their_nic(void **state) {
    (void)state;
    struct seen seen = {0};
    struct stand s = stand_new(NULL, 0);
    stand_run(&s, US * 50, note, &seen);
    assert_int_equal(seen.n, FLOWS); /* a SYN each */
    assert_in_range(seen.of_port[0], 4, 20);
    assert_int_equal(s.first[0].created, seen.of_port[0]);
    assert_int_equal(s.first[1].created, seen.of_port[1]);
    stand_end(&s);
}

struct departures {
    time_ps last;
    uint64_t wire_bytes[2];
};

static void note_departure(struct stand *s, const struct emission *e, const struct packet *p, void *to) {
    (void)s;
    struct departures *d = to;
    d->last = max_i64(d->last, e->depart);
    d->wire_bytes[e->port] += p->wire_bytes;
}

/* The last frame has left when the busier NIC has sent its own. */
static void nics__send_side_by_side(void **state) {
    (void)state;
    struct departures d = {0};
    struct stand s = stand_new(NULL, 0);
    stand_run(&s, 50 * US, note_departure, &d);
    assert_true(d.wire_bytes[0] > 0 && d.wire_bytes[1] > 0);
    assert_int_equal(d.last, max_i64((int64_t)d.wire_bytes[0], (int64_t)d.wire_bytes[1]) * BYTE_PS);
    stand_end(&s);
}

static void timer__is_that_of_the_nic_that_is_first(void **state) {
    (void)state;
    struct stand s = stand_new(NULL, 0);
    struct seen seen = {0};
    stand_run(&s, 50 * US, note, &seen);
    time_ps each[2] = {host_next_timer(&s.first[0]), host_next_timer(&s.first[1])};
    assert_int_equal(host_nics_next_timer(s.first), min_i64(each[0], each[1]));
    s.first[1].nic_wake = 60 * US;
    assert_int_equal(host_nics_next_timer(s.first), 60 * US);
    stand_end(&s);
}

static void failure__moves_ends_and_their_timers(void **state) {
    (void)state;
    const struct link_failure one[] = {{.link = "host0.0-leaf0", .at = 1 * MS, .repair_at = TIME_NONE, .detect = MS}};
    struct stand s = stand_new(one, 1);
    struct seen seen = {0};
    stand_run(&s, 2 * MS - 1, note, &seen);
    assert_true(seen.of_port[0] > 0 && seen.of_port[1] > 0);
    stand_run(&s, 2 * MS, note, &seen);
    for (uint32_t f = 0; f < FLOWS; f++) assert_ptr_equal(host_nic_of(s.first, s.lan->sender[f]), &s.first[1]);
    assert_int_equal(s.first[0].deadlines.n, 0);
    assert_int_equal(s.first[1].deadlines.n, FLOWS);
    memset(&seen, 0, sizeof seen);
    time_ps again = host_nics_next_timer(s.first); /* the SYNs are repeated, over the other NIC */
    stand_run(&s, again + 100 * US, note, &seen);
    assert_int_equal(seen.of_port[0], 0);
    assert_int_equal(seen.of_port[1], FLOWS);
    stand_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames__have_port_address_and_serial_of_their_nic),
        cmocka_unit_test(nics__send_side_by_side),
        cmocka_unit_test(timer__is_that_of_the_nic_that_is_first),
        cmocka_unit_test(failure__moves_ends_and_their_timers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
