/* SPDX-License-Identifier: Apache-2.0 */
/* What a switch believes: kinds of credits, tags beside options, keys of reasons. */
#include "live/trust.h"

#include "wire/frames.h"

static void credits__of_hosts_stay(void **state) {
    (void)state;
    const struct trust t = {.routes = true};
    const struct frame_info info = {.ether_type = ETHERTYPE_IPV4};
    for (uint8_t kind = CREDIT_REQUEST; kind <= CREDIT_ANSWER; kind++) {
        struct packet p = blank_packet(PROTO_CREDIT);
        p.tcp_flags = kind;
        int said = trust_frame(&t, true, &p, NULL, &info);
        assert_int_equal(said, kind == CREDIT_ANSWER ? REFUSED_SWITCH_ANSWER : FRAME_OK);
        assert_int_equal(trust_frame(&t, false, &p, NULL, &info), FRAME_OK);
        p.shape = SHAPE_OPAQUE; /* a fragment: the kind is not there */
        assert_int_equal(trust_frame(&t, true, &p, NULL, &info), FRAME_OK);
    }
}

/* Only a router refuses frames to a group, and only IPv4. */
static void group__depends_on_the_switch_and_the_frame(void **state) {
    (void)state;
    for (int routes = 0; routes < 2; routes++)
        for (int ipv4 = 0; ipv4 < 2; ipv4++)
            for (uint8_t first = 0; first < 4; first++) {
                const struct trust t = {.routes = routes};
                const struct frame_info info = {.dst_mac = {first}, .ether_type = ipv4 ? ETHERTYPE_IPV4 : 0x86dd};
                struct packet p = blank_packet(PROTO_UDP);
                bool refused = routes && ipv4 && first & 1;
                assert_int_equal(trust_frame(&t, false, &p, NULL, &info), refused ? REFUSED_GROUP_MAC : FRAME_OK);
            }
}

/* Tags go and options stay. The cell of the tag stays with them, or goes too. */
static void strip__leaves_options_alone(void **state) {
    (void)state;
    struct packet_pool pool;
    packet_pool_init(&pool);
    for (uint8_t options = 0; options < 2; options++)
        for (uint8_t entries = 0; entries < 9; entries++) {
            uint32_t index = packet_get(&pool), ext = packet_ext_get_wide(&pool);
            struct packet *p = packet_at(&pool, index), bare = blank_packet(PROTO_TCP);
            struct packet_ext *e = packet_ext_at(&pool, ext);
            bare.tcp_flags = TCP_ACK;
            bare.shape = options ? SHAPE_SACK : 0;
            *e = (struct packet_ext){.n_sack = options, .sack = {{5, 9}}, .tag = {.stage = 1, .entries = entries}};
            bare.wire_bytes = packet_computed_wire_bytes(&bare, e);
            *p = bare;
            p->ext = ext;
            p->shape |= SHAPE_EXPEDITUS | SHAPE_CONGA;
            p->wire_bytes = packet_computed_wire_bytes(p, e);
            assert_int_equal(trust_tags(&pool, p), 1u << STRIPPED_EXP_RESPONSE | 1u << STRIPPED_CONGA);
            trust_strip(&pool, p);
            assert_int_equal(p->shape, bare.shape);
            assert_int_equal(p->wire_bytes, bare.wire_bytes);
            assert_int_equal(p->ext, options ? ext : EXT_NONE);
            if (options) assert_int_equal(packet_ext_at(&pool, p->ext)->sack[0].end, 9);
            assert_int_equal(trust_tags(&pool, p), 0);
            packet_put(&pool, index);
            assert_int_equal(pool.ext_in_use, 0);
        }
    packet_pool_fini(&pool);
}

static void reasons__have_keys(void **state) {
    (void)state;
    assert_string_equal(refusal_key(FRAME_IP_LENGTH), "ip_length");
    assert_string_equal(refusal_key(REFUSED_GROUP_MAC), "group_mac");
    assert_string_equal(refusal_key(REFUSAL_COUNT - 1), "pause_kind");
    assert_string_equal(refusal_name(FRAME_NOT_IPV4), "not IPv4");
    assert_string_equal(refusal_name(REFUSED_SWITCH_ANSWER), "Exp-response of a switch, from a host");
    assert_string_equal(stripped_key(STRIPPED_COUNT - 1), "core_loads");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(credits__of_hosts_stay),
        UNIT(group__depends_on_the_switch_and_the_frame),
        UNIT(strip__leaves_options_alone),
        UNIT(reasons__have_keys),
    };
    return RUN_UNITS(tests);
}
