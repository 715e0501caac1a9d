/* SPDX-License-Identifier: Apache-2.0 */
/* A host: when flows start and stop, whose turn it is at the NIC, deadlines, and what comes after the end. */
#include "node/lan.h"

#include "mech/transport/tcp.h"

#define MS PS_PER_MS

/* ---- start ---- */

static void start__at_its_time(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "newreno");
    lan_flow(lan, 0, 1, 1460, 123456);
    lan_flow(lan, 0, 1, 1460, 50 * US);
    lan_start(lan);
    assert_int_equal(host_next_timer(&lan->host[0]), 123456);
    assert_true(host_next_timer(&lan->host[1]) == TIME_NONE);
    lan_run(lan, MS);
    assert_int_equal(lan_frame(lan, 0, 0)->depart, 123456 + 90 * BYTE_PS); /* a SYN */
    assert_int_equal(lan_frame(lan, 1, 0)->depart, 50 * US + 90 * BYTE_PS);
    /* a SYN there, its answer back */
    assert_true(lan->tally[0].first_data_at > 123456 + 2 * 90 * BYTE_PS);
    assert_true(lan->tally[0].first_data_at < lan->tally[0].finished_at);
    assert_int_equal(lan->shared.flows_done, 2);
    lan_end(lan);
}

static void start__two_at_one_instant(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "newreno");
    lan_flow(lan, 0, 1, 1460, US);
    lan_flow(lan, 0, 1, 1460, US);
    lan_start(lan);
    lan_run(lan, MS);
    assert_int_equal(lan_frame(lan, 0, 0)->depart, US + 90 * BYTE_PS);
    assert_int_equal(lan_frame(lan, 1, 0)->depart, US + 2 * 90 * BYTE_PS);
    lan_end(lan);
}

/* Identity: serials count the frames of the host, whatever their flow. */
static void frames__carry_addresses_class_and_identity(void **state) {
    (void)state;
    struct lan *lan = lan_new(3, "udp");
    lan_flow(lan, 0, 2, 1000, 0)->priority = 5;
    lan_start(lan);
    struct host_out out;
    host_timer(&lan->host[0], 0, &out);
    assert_int_equal(out.n, 1);
    const struct packet *p = packet_at(&lan->pool, out.e[0].packet);
    assert_int_equal(p->src_ip, fabric_host_ip(lan->fabric, 0));
    assert_int_equal(p->dst_ip, fabric_host_ip(lan->fabric, 2));
    assert_int_equal(p->src_port, lan->flow[0].src_port);
    assert_int_equal(p->dst_port, 80);
    assert_int_equal(p->proto, PROTO_UDP);
    assert_int_equal(p->tos >> 5, 5);
    assert_int_equal(p->origin, 0);
    assert_int_equal(p->serial, 0);
    assert_int_equal(p->payload_bytes, 1000);
    assert_int_equal(p->ext, EXT_NONE);
    assert_int_equal(p->path, PATH_NONE);
    assert_true(p->ttl >= 16);
    assert_int_equal(lan->host[0].serial, 1);
    packet_put(&lan->pool, out.e[0].packet);
    lan_end(lan);
}

/* ---- the NIC pulls ---- */

static void pull__round_robin(void **state) {
    (void)state;
    struct lan *lan = lan_new(4, "udp");
    for (uint32_t f = 0; f < 3; f++) lan_flow(lan, 0, 1 + f, 100 * 1472, 0);
    lan_start(lan);
    lan_run(lan, 10 * MS);
    assert_int_equal(lan->n_sent, 300);
    /* The first found the NIC idle and then stood in line with the others. */
    for (uint32_t i = 1; i < 298; i++) assert_int_equal(lan->sent[i].flow, (i - 1) % 3);
    for (uint32_t i = 0; i < 300; i++) assert_int_equal(lan->sent[i].depart, (i + 1) * FULL * BYTE_PS); /* never idle */
    lan_end(lan);
}

static span_ps mouse_waits(struct lan *lan) {
    const time_ps start = 300 * US;
    lan_flow(lan, 0, 1, 3000000, 0);
    lan_flow(lan, 0, 2, 1000, start);
    lan_start(lan);
    lan_run(lan, 5 * MS);
    span_ps waited = lan_frame(lan, 1, 0)->depart - start;
    lan_end(lan);
    return waited;
}

/* An elephant with a large window holds up a mouse by no more than the frame on the wire and one more. */
static void pull__mice_do_not_wait_behind_a_window(void **state) {
    (void)state;
    assert_true(mouse_waits(lan_new(3, "newreno")) <= (2 * FULL + 90) * BYTE_PS);
}

static void pull__wakes_only_while_more_is_waiting(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "udp");
    lan_flow(lan, 0, 1, 1472, 0);
    lan_start(lan);
    struct host_out out;
    host_timer(&lan->host[0], 0, &out);
    assert_true(host_next_timer(&lan->host[0]) == TIME_NONE);
    packet_put(&lan->pool, out.e[0].packet);
    lan_end(lan);
}

/* ---- the NIC as a queue ---- */

static struct lan *lan_fifo(uint32_t hosts, const char *transport, int64_t frames) {
    struct lan *lan = lan_new(hosts, transport);
    lan->config.nic = NIC_FIFO;
    lan->config.nic_queue_bytes = frames * 1518;
    return lan;
}

/* What the elephant's window has put into the queue goes first. */
static void fifo__mice_wait_behind_what_is_queued(void **state) {
    (void)state;
    span_ps waited = mouse_waits(lan_fifo(3, "udp", 100));
    assert_true(waited >= 99 * FULL * BYTE_PS && waited <= 102 * FULL * BYTE_PS);
}

static void fifo__holds_no_more_than_its_queue_and_drops_nothing(void **state) {
    (void)state;
    struct lan *lan = lan_fifo(2, "udp", 10);
    lan_flow(lan, 0, 1, 200 * 1472, 0);
    lan_start(lan);
    lan_run(lan, 1);
    assert_int_equal(lan->n_sent, 10);
    lan_run(lan, 10 * MS);
    assert_int_equal(lan->n_sent, 200);
    for (uint32_t i = 0; i < 200; i++) {
        assert_int_equal(lan->sent[i].drop, DROP_NONE);
        assert_int_equal(lan->sent[i].depart, (i + 1) * FULL * BYTE_PS);
    }
    assert_true(port_max_queue_bytes(&lan->port[0], &lan->view[0], &lan->extra[0]) <= 10 * 1518);
    lan_end(lan);
}

static uint32_t lan_waiting(const struct lan *lan, time_ps now) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < lan->n_sent; i++) n += lan->sent[i].depart > now;
    return n;
}

/* The queue holds as many frames when its link is slower, and no more when it is fast again. */
static void fifo__the_same_queue_at_another_rate(void **state) {
    (void)state;
    const struct fabric_event events[] = {{.at = 50 * US, .kind = EVENT_RATE, .value = GBPS},
                                          {.at = 500 * US, .kind = EVENT_RATE, .value = 10 * GBPS}};
    struct lan *lan = lan_fifo(2, "udp", 10);
    lan_flow(lan, 0, 1, 200 * 1472, 0);
    lan_start(lan);
    lan->host[0].event = events;
    lan->host[0].event_end = events + 2;
    lan_run(lan, 40 * US);
    assert_int_equal(lan_waiting(lan, 40 * US), 10);
    lan_run(lan, 450 * US);
    assert_int_equal(lan_waiting(lan, 450 * US), 10);
    lan_run(lan, 10 * MS);
    assert_int_equal(lan->n_sent, 200);
    for (uint32_t i = 0; i < 200; i++) assert_int_equal(lan->sent[i].drop, DROP_NONE);
    lan_end(lan);
}

/* ---- classes ---- */

static void priority__the_highest_class_first(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "udp");
    lan_flow(lan, 0, 1, 100 * 1472, 0)->priority = 1;
    lan_flow(lan, 0, 1, 30 * 1472, 20 * US)->priority = 7;
    lan_flow(lan, 0, 1, 30 * 1472, 20 * US)->priority = 3;
    lan_start(lan);
    lan_run(lan, 10 * MS);
    uint32_t first = 0;
    while (lan->sent[first].flow == 0) first++;
    assert_true(lan->sent[first].depart <= 20 * US + 2 * FULL * BYTE_PS);
    for (uint32_t i = 0; i < 30; i++) {
        assert_int_equal(lan->sent[first + i].flow, 1);
        assert_int_equal(lan->sent[first + 30 + i].flow, 2);
    }
    assert_int_equal(lan->sent[first + 60].flow, 0);
    lan_end(lan);
}

/* ---- stacks take time ---- */

static void processing_delay__down_and_up(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "newreno");
    lan->config.processing_delay = 1 * US;
    lan_flow(lan, 0, 1, 1460, 0);
    lan_start(lan);
    lan_run(lan, MS);
    span_ps trip = 90 * BYTE_PS + lan->delay + 2 * US;
    assert_int_equal(lan_frame(lan, 0, 0)->depart, 1 * US + 90 * BYTE_PS);
    assert_int_equal(lan_frame(lan, FLOW_REVERSE, 0)->depart, trip + 1 * US + 90 * BYTE_PS);
    assert_int_equal(lan->tally[0].finished_at, 2 * trip + FULL * BYTE_PS + lan->delay + 2 * US);
    lan_end(lan);
}

/* The NIC is asked early enough that a delay costs no rate. */
static void processing_delay__full_rate(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "udp");
    lan->config.processing_delay = 10 * US;
    lan_flow(lan, 0, 1, 50 * 1472, 0);
    lan_start(lan);
    lan_run(lan, MS);
    for (uint32_t i = 0; i < 50; i++) assert_int_equal(lan->sent[i].depart, 10 * US + (i + 1) * FULL * BYTE_PS);
    lan_end(lan);
}

/* ---- stop ---- */

static void stop__long_flow(void **state) {
    (void)state;
    static const char *const names[] = {"udp", "newreno"};
    for (int i = 0; i < 2; i++) {
        struct lan *lan = lan_new(2, names[i]);
        lan_flow(lan, 0, 1, UINT64_MAX, 0)->stop = 500 * US;
        lan_start(lan);
        lan_run(lan, 499 * US);
        assert_non_null(lan->sender[0]);
        assert_int_equal(lan->shared.flows_done, 0);
        lan_run(lan, 500 * US);
        assert_null(lan->sender[0]);
        assert_int_equal(lan->shared.flows_done, 1);
        uint32_t frames = lan_frames(lan, 0);
        assert_true(frames > 300);
        lan_run(lan, 20 * MS);
        assert_int_equal(lan_frames(lan, 0), frames); /* silent since */
        assert_true(lan_frame(lan, 0, frames - 1)->depart <= 500 * US + FULL * BYTE_PS);
        assert_int_equal(lan->shared.flows_done, 1);
        lan_end(lan);
    }
}

/* ---- after the end ---- */

static uint32_t to_lose;

static bool loses_last_ack(struct lan *lan, const struct packet *p) {
    bool after = lan->tally[p->flow & FLOW_MASK].finished_at != TIME_NONE && p->flow & FLOW_REVERSE;
    if (!after || to_lose == 0) return false;
    to_lose--;
    return true;
}

/* The receiver has gone; its last ACK was lost; the sender asks again and is answered. */
static void after_end__what_comes_again_is_answered(void **state) {
    (void)state;
    for (uint32_t lost = 1; lost <= 3; lost++) {
        struct lan *lan = lan_new(2, "newreno");
        lan->loses = loses_last_ack;
        to_lose = lost;
        lan_flow(lan, 0, 1, 1460, 0);
        lan_start(lan);
        lan_run(lan, 1 * MS);
        assert_null(lan->receiver[0]);
        assert_non_null(lan->sender[0]);
        assert_false(lan_run(lan, PS_PER_S)); /* and then there is peace */
        assert_null(lan->sender[0]);
        assert_true(lan->tally[0].acked_at != TIME_NONE);
        assert_int_equal(lan->tally[0].data_timeouts, lost);
        assert_int_equal(lan->host[1].unclaimed, lost);
        assert_int_equal(lan->shared.flows_done, 1);
        lan_end(lan);
    }
}

/* ---- deadlines ---- */

static void deadlines__moved_later_do_nothing_when_they_come(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "newreno");
    lan_flow(lan, 0, 1, 20000000, 0); /* 17 ms: longer than its first deadline of 10 ms */
    lan_start(lan);
    while (lan->tally[0].finished_at == TIME_NONE) {
        lan_run(lan, lan->now + 100 * US);
        assert_true(lan->host[0].deadlines.n <= 1); /* one entry an end, however often it moves */
    }
    assert_true(lan->now > 15 * MS);
    assert_int_equal(lan->tally[0].data_timeouts, 0);
    lan_end(lan);
}

static bool loses_all(struct lan *lan, const struct packet *p) {
    (void)lan;
    (void)p;
    return true;
}

static void deadlines__come_when_due(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "newreno");
    lan->loses = loses_all;
    lan_flow(lan, 0, 1, 1460, 0);
    lan_flow(lan, 0, 1, 1460, 3 * MS);
    lan_start(lan);
    lan_run(lan, 100 * MS);
    static const int64_t at_ms[] = {0, 10, 30, 70}; /* 10 ms, doubled each time */
    for (uint32_t n = 0; n < 4; n++)
        for (uint32_t f = 0; f < 2; f++)
            assert_int_equal(lan_frame(lan, f, n)->depart, lan->flow[f].start + at_ms[n] * MS + 90 * BYTE_PS);
    lan_end(lan);
}

/* ---- many ---- */

static bool loses_some(struct lan *lan, const struct packet *p) { return (lan->n_sent * 31 + p->seq) % 61 == 0; }

static void many__all_finish_and_give_everything_back(void **state) {
    (void)state;
    size_t n;
    const struct transport_ops *const *row = transports(&n);
    for (size_t i = 0; i < n; i++) {
        if (row[i]->base != &tcp_base) continue;
        struct lan *lan = lan_new(8, row[i]->name);
        struct random_stream r;
        random_init(&r, 2, RANDOM_HOST, 0);
        lan->loses = loses_some;
        for (uint32_t f = 0; f < 200; f++) {
            uint32_t src = (uint32_t)random_below(&r, 8), dst = (uint32_t)((src + 1 + random_below(&r, 7)) % 8);
            lan_flow(lan, src, dst, 1 + random_below(&r, 60000), f * 5 * US)->priority = (uint8_t)random_below(&r, 8);
        }
        lan_start(lan);
        assert_false(lan_run(lan, 10 * PS_PER_S));
        assert_int_equal(lan->shared.flows_started, 200);
        assert_int_equal(lan->shared.flows_done, 200);
        for (uint32_t f = 0; f < 200; f++) {
            assert_true(lan->tally[f].finished_at != TIME_NONE);
            assert_int_equal(lan->tally[f].received_bytes, lan->flow[f].bytes);
            assert_null(lan->sender[f]);
            assert_null(lan->receiver[f]);
        }
        for (uint32_t h = 0; h < 8; h++) assert_int_equal(lan->host[h].deadlines.n, 0);
        assert_int_equal(lan->pool.in_use, 0);
        assert_int_equal(lan->pool.ext_in_use, 0);
        for (int k = 0; k < 2; k++) assert_int_equal(lan->shared.ends[k].in_use, 0);
        assert_int_equal(lan->shared.cells[0].in_use, 0);
        lan_end(lan);
    }
}

/* ---- the host's own link ---- */

static void link__down_up_and_slow(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "udp");
    const struct fabric_event events[] = {{.at = 100 * US, .kind = EVENT_LINK_DOWN},
                                          {.at = 200 * US, .kind = EVENT_LINK_UP},
                                          {.at = 300 * US, .kind = EVENT_RATE, .value = GBPS}};
    lan_flow(lan, 0, 1, UINT64_MAX, 0)->stop = 400 * US;
    lan_start(lan);
    port_set_failure(&lan->port[0], &lan->extra[0], 100 * US);
    lan->host[0].event = events;
    lan->host[0].event_end = events + 3;
    lan_run(lan, 10 * MS);
    uint32_t lost = 0, slow = 0;
    for (uint32_t i = 0; i < lan->n_sent; i++) {
        const struct lan_sent *s = &lan->sent[i];
        bool down = s->depart > 100 * US && s->depart - FULL * BYTE_PS < 200 * US;
        assert_int_equal(s->drop, down ? DROP_LINK_DOWN : DROP_NONE);
        lost += down;
        slow += s->depart > 302 * US;
    }
    assert_true(lost > 75 && lost < 85);
    assert_true(slow >= 7 && slow <= 9); /* 12.3 us each */
    lan_end(lan);
}

/* A flow that stops while it stands in line, first, in the middle or last, leaves the others their turns; one that
 * joins afterwards gets its own. 50 us are 40 frames, for three; 150 us are 122, for three too. */
static void stop__in_line_for_the_nic(void **state) {
    (void)state;
    for (uint32_t stopped = 0; stopped < 3; stopped++) {
        struct lan *lan = lan_new(2, "udp");
        for (uint32_t f = 0; f < 3; f++) lan_flow(lan, 0, 1, UINT64_MAX, 0)->stop = f == stopped ? 50 * US : 200 * US;
        lan_flow(lan, 0, 1, UINT64_MAX, 50 * US + 1)->stop = 200 * US;
        lan_start(lan);
        lan_run(lan, MS);
        for (uint32_t f = 0; f < 4; f++) {
            uint32_t fair = f == stopped ? 13 : f == 3 ? 40 : 54;
            assert_in_range(lan_frames(lan, f), fair - 2, fair + 2);
        }
        lan_end(lan);
    }
}

/* Flows of few datagrams that end long before their stop: their deadlines are taken out of the midst of the heap, and
 * all others still come when due. */
static void deadlines__taken_out_of_the_midst(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "udp");
    struct random_stream r;
    random_init(&r, 7, RANDOM_HOST, 0);
    lan->params[0][0] = 100; /* payload */
    for (uint32_t f = 0; f < 300; f++) {
        struct flow *flow = lan_flow(lan, 0, 1, 100 * (1 + random_below(&r, 20)), f * 3 * US);
        flow->rate_bps = 800000000 / (int64_t)(50 + random_below(&r, 500)); /* a datagram every 50 to 550 us */
        flow->stop = 20 * MS + (time_ps)random_below(&r, 20 * MS);
    }
    lan_start(lan);
    lan_run(lan, 50 * MS);
    for (uint32_t f = 0; f < 300; f++) {
        const struct flow *flow = &lan->flow[f];
        uint32_t n = (uint32_t)(flow->bytes / 100);
        assert_int_equal(lan_frames(lan, f), n);
        time_ps due = flow->start + (n - 1) * (800 * PS_PER_S / flow->rate_bps);
        assert_in_range(lan_frame(lan, f, n - 1)->depart, due, due + 20 * US);
    }
    assert_int_equal(lan->host[0].deadlines.n, 0);
    lan_end(lan);
}

static void link__dies_again_after_its_repair(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "udp");
    const struct fabric_event events[] = {{.at = 100 * US, .kind = EVENT_LINK_DOWN},
                                          {.at = 200 * US, .kind = EVENT_LINK_UP},
                                          {.at = 300 * US, .kind = EVENT_LINK_DOWN},
                                          {.at = 400 * US, .kind = EVENT_LINK_UP},
                                          {.at = 500 * US, .kind = EVENT_LINK_DOWN}};
    lan_flow(lan, 0, 1, UINT64_MAX, 0)->stop = 600 * US;
    lan_start(lan);
    port_set_failure(&lan->port[0], &lan->extra[0], 100 * US);
    lan->host[0].event = events;
    lan->host[0].event_end = events + 5;
    lan_run(lan, MS);
    for (uint32_t i = 0; i < lan->n_sent; i++) {
        time_ps sent_at = lan->sent[i].depart - FULL * BYTE_PS, hundreds = lan->sent[i].depart / (100 * US);
        if (sent_at / (100 * US) != hundreds) continue; /* on a border */
        assert_int_equal(lan->sent[i].drop, hundreds % 2 ? DROP_LINK_DOWN : DROP_NONE);
    }
    lan_end(lan);
}

/* ---- void credits (XP-23) ---- */

/* A flow from host 0 to 1 that has ended after 1 ms; one of `back` bytes the other way starts then. */
static struct lan *lan_void(bool on, uint64_t back) {
    struct lan *lan = lan_new(2, "expresspass");
    lan->config.flow.ops = &flowctl_pause;
    lan->config.classes = 1;
    lan->config.credit =
        (struct credit_config){.on = true, .queue = 16, .share_ppb = PPB * 84 / 1622, .burst_bytes = 168};
    lan->config.void_credits = on;
    lan_flow(lan, 0, 1, 1460, 0);
    if (back) lan_flow(lan, 1, 0, back, MS + 3 * US);
    lan_start(lan);
    lan_run(lan, MS);
    assert_true(lan->tally[0].finished_at != TIME_NONE);
    return lan;
}

static uint32_t lan_voids(const struct lan *lan, uint32_t from) {
    uint32_t n = 0;
    for (uint32_t i = from; i < lan->n_sent; i++) n += lan->sent[i].flags == (CREDIT_GRANT | CREDIT_VOID);
    return n;
}

/* A frame of the flow without a credit, which reaches host 1 at `at`. */
static void lan_uncredited(struct lan *lan, time_ps at) {
    uint32_t index = packet_get(&lan->pool);
    *packet_at(&lan->pool, index) = (struct packet){.src_ip = fabric_host_ip(lan->fabric, 0),
                                                    .dst_ip = fabric_host_ip(lan->fabric, 1),
                                                    .payload_bytes = 1460,
                                                    .wire_bytes = FULL,
                                                    .tcp_flags = CREDIT_DATA | CREDIT_UNSCHEDULED,
                                                    .proto = PROTO_CREDIT,
                                                    .ext = EXT_NONE,
                                                    .path = PATH_NONE};
    lan->flight[lan->n_flight].at = at;
    lan->flight[lan->n_flight++].packet = index;
}

/* A late frame of a flow that has ended here is owed for as any other; its sender lets the void credit go. */
static void void__for_a_flow_that_has_ended(void **state) {
    (void)state;
    for (uint32_t on = 0; on < 2; on++) {
        struct lan *lan = lan_void(on, 0);
        uint32_t before = lan->n_sent;
        uint64_t wasted = lan->tally[0].credits_wasted;
        lan_uncredited(lan, MS + US);
        lan_run(lan, 2 * MS);
        assert_int_equal(lan_voids(lan, before), on);
        assert_int_equal(lan->n_sent - before, 1 + on); /* and DONE */
        assert_int_equal(lan->host[1].voids_sent, on);
        assert_int_equal(lan->host[0].voids_received, on);
        assert_int_equal(lan->tally[0].credits_wasted, wasted);
        lan_end(lan);
    }
}

/* While credits are paused no void ones leave, though the NIC sends a request meanwhile. */
static void void__waits_for_the_end_of_a_pause(void **state) {
    (void)state;
    struct lan *lan = lan_void(true, 1460);
    uint32_t before = lan->n_sent;
    pause_obey_lane(lan->host[1].pause, PAUSE_CREDIT_LANE, MS, MS, MS + 50 * US);
    lan_uncredited(lan, MS + US);
    lan_uncredited(lan, MS + 2 * US);
    lan_run(lan, 2 * MS);
    assert_int_equal(lan_voids(lan, before), 2);
    for (uint32_t i = before; i < lan->n_sent; i++)
        if (lan->sent[i].flags & CREDIT_VOID) assert_true(lan->sent[i].depart >= MS + 50 * US);
    assert_true(lan_frame(lan, 1, 0)->depart < MS + 10 * US);
    lan_end(lan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(start__at_its_time),
        UNIT(start__two_at_one_instant),
        UNIT(frames__carry_addresses_class_and_identity),
        UNIT(pull__round_robin),
        UNIT(pull__mice_do_not_wait_behind_a_window),
        UNIT(pull__wakes_only_while_more_is_waiting),
        UNIT(fifo__mice_wait_behind_what_is_queued),
        UNIT(fifo__holds_no_more_than_its_queue_and_drops_nothing),
        UNIT(fifo__the_same_queue_at_another_rate),
        UNIT(priority__the_highest_class_first),
        UNIT(processing_delay__down_and_up),
        UNIT(processing_delay__full_rate),
        UNIT(stop__long_flow),
        UNIT(after_end__what_comes_again_is_answered),
        UNIT(deadlines__moved_later_do_nothing_when_they_come),
        UNIT(deadlines__come_when_due),
        UNIT(many__all_finish_and_give_everything_back),
        UNIT(link__down_up_and_slow),
        UNIT(stop__in_line_for_the_nic),
        UNIT(deadlines__taken_out_of_the_midst),
        UNIT(link__dies_again_after_its_repair),
        UNIT(void__for_a_flow_that_has_ended),
        UNIT(void__waits_for_the_end_of_a_pause),
    };
    return RUN_UNITS(tests);
}
