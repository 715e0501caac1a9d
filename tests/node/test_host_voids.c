/* SPDX-License-Identifier: Apache-2.0 */
/* Void credits, which a host sends for data without a credit (XP-23). */
#include "node/lan.h"

#include "mech/flowctl/flowctls.h"

/* Runs a flow from host 0 to 1 that ends within 1 ms; a flow of `back` bytes in reverse starts after that. */
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

/* Puts a frame of the flow without a credit in flight, due at host 1 at `at`. */
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

/* A late frame of a finished flow also causes a void credit, which its sender ignores. */
static void void__for_a_flow_that_has_ended(void **state) {
    (void)state;
    for (uint32_t on = 0; on < 2; on++) {
        struct lan *lan = lan_void(on, 0);
        uint32_t before = lan->n_sent;
        uint64_t wasted = lan->tally[0].credits_wasted;
        lan_uncredited(lan, MS + US);
        lan_run(lan, 2 * MS);
        assert_int_equal(lan_voids(lan, before), on);
        assert_int_equal(lan->n_sent - before, 1 + on); /* DONE beside it */
        assert_int_equal(lan->host[1].voids_sent, on);
        assert_int_equal(lan->host[0].voids_received, on);
        assert_int_equal(lan->tally[0].credits_wasted, wasted);
        lan_end(lan);
    }
}

/* No void credit leaves during a pause of credits, though the NIC sends a request. */
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
        UNIT(void__for_a_flow_that_has_ended),
        UNIT(void__waits_for_the_end_of_a_pause),
    };
    return RUN_UNITS(tests);
}
