/* SPDX-License-Identifier: Apache-2.0 */
/* Rewriting a frame of heddle's equals building it anew; a foreign frame keeps all bytes that a switch does not
 * change. */
#include "wire/frame.h"

#include "frames.h"

#include "wire/bytes.h"
#include "wire/checksum.h"

static const uint8_t mac_c[6] = {2, 0, 0, 0, 3, 7}, mac_d[6] = {2, 0, 0, 0, 4, 9};

/* Changes the descriptor as a switch does: one hop, perhaps a mark, tags added, resized or removed. */
static void pass_switch(struct random_stream *r, struct packet *p, struct packet_ext *ext) {
    uint32_t before = packet_tag_bytes(p->shape, ext->tag.entries);
    if (p->ttl > 1) p->ttl--;
    if (random_below(r, 2)) p->tos |= ECN_CE;
    if (p->proto == PROTO_CREDIT && random_below(r, 2)) p->path = (uint16_t)random_u32(r);
    if (random_below(r, 2)) {
        p->shape ^= SHAPE_EXPEDITUS;
        random_tag(r, ext);
    }
    if (random_below(r, 2)) p->shape = (p->shape ^ SHAPE_CONGA) & (uint8_t)~SHAPE_CORE_LOADS;
    if (random_below(r, 4) == 0) p->shape = (p->shape ^ SHAPE_CORE_LOADS) & (uint8_t)~SHAPE_CONGA;
    p->overlay = (p->shape & SHAPE_CONGA) ? (uint16_t)(random_u32(r) & 0xfffe) : 0;
    if (p->shape & SHAPE_CORE_LOADS) p->overlay = core_loads_pack((uint8_t)random_below(r, 8), 3);
    packet_retag(p, before, packet_tag_bytes(p->shape, ext->tag.entries));
}

static void rewrite__equals_build(void **state) {
    (void)state;
    struct random_stream r;
    random_init(&r, 4, RANDOM_HASH, 0);
    for (int i = 0; i < 10000; i++) {
        uint8_t frame[2048], rewritten[2048], built[2048];
        struct packet_ext ext;
        struct frame_info info;
        struct packet p = random_packet(&r, &ext);
        size_t written, n = frame_build(&p, &ext, mac_a, mac_b, frame, sizeof frame);
        assert_int_equal(frame_parse(frame, n, n, &p, &ext, &info), FRAME_OK);
        pass_switch(&r, &p, &ext);
        size_t length = frame_rewrite(frame, &info, &p, &ext, mac_c, mac_d, rewritten, sizeof rewritten, &written);
        assert_int_equal(length, frame_build(&p, &ext, mac_c, mac_d, built, sizeof built));
        assert_int_equal(written, length);
        assert_int_equal(length, packet_ethernet_bytes(&p, &ext) - FRAME_UNSEEN_BYTES);
        assert_memory_equal(rewritten, built, length);
    }
}

/* Rewriting in place uses the headroom for tags; snaps, trailers and padding come out as in a copy. */
static void rewrite__in_place_is_the_same(void **state) {
    (void)state;
    struct random_stream r;
    random_init(&r, 6, RANDOM_HASH, 0);
    for (int i = 0; i < 20000; i++) {
        uint8_t cell[FRAME_HEADROOM + 2048] = {0}, *frame = cell + FRAME_HEADROOM, copy[2048], *begin;
        struct packet_ext ext;
        struct frame_info info;
        struct packet p = random_packet(&r, &ext);
        size_t n = frame_build(&p, &ext, mac_a, mac_b, frame, 2048), trailer = random_below(&r, 3);
        size_t captured = n + trailer - (random_below(&r, 2) ? random_below(&r, 50) : 0);
        memset(frame + n, 0x5a, trailer);
        if (frame_parse(frame, captured, n + trailer, &p, &ext, &info) != FRAME_OK) continue;
        pass_switch(&r, &p, &ext);
        size_t written, here, length = frame_rewrite(frame, &info, &p, &ext, mac_c, mac_d, copy, sizeof copy, &written);
        assert_int_equal(frame_rewrite_in_place(frame, &info, &p, &ext, mac_c, mac_d, &begin, &here), length);
        assert_int_equal(here, written);
        assert_true(begin >= cell && begin + here <= cell + sizeof cell);
        assert_memory_equal(begin, copy, written);
    }
}

static void rewrite__of_a_snap_is_the_start_of_the_whole(void **state) {
    (void)state;
    struct random_stream r;
    random_init(&r, 5, RANDOM_HASH, 0);
    for (int i = 0; i < 10000; i++) {
        uint8_t frame[2048], rewritten[2048], built[2048];
        struct packet_ext ext;
        struct frame_info info;
        struct packet p = random_packet(&r, &ext);
        size_t written, n = frame_build(&p, &ext, mac_a, mac_b, frame, sizeof frame);
        size_t captured = n - random_below(&r, 60);
        if (frame_parse(frame, captured, n, &p, &ext, &info) != FRAME_OK) continue;
        int change = (int)info.l2_bytes;
        pass_switch(&r, &p, &ext);
        change = ETHERNET_BYTES + (int)packet_tag_bytes(p.shape, ext.tag.entries) - change;
        size_t length = frame_rewrite(frame, &info, &p, &ext, mac_c, mac_d, rewritten, sizeof rewritten, &written);
        p.seq = get_be32(frame + info.l2_bytes + IPV4_BYTES + (p.proto == PROTO_UDP ? 8 : 4)); /* if cut */
        assert_int_equal(length, frame_build(&p, &ext, mac_c, mac_d, built, sizeof built));
        assert_true(written == length || (int)written == (int)captured + change);
        assert_memory_equal(rewritten, built, written);
    }
}

static void rewrite__small_buffer_makes_a_snap(void **state) {
    (void)state;
    uint8_t frame[512], whole[512], snap[512];
    struct packet p = blank_packet(PROTO_TCP);
    struct packet_ext ext = {.tag = {.entries = 3, .load = {1, 2, 3}}};
    struct frame_info info;
    p.payload_bytes = 100;
    size_t written, n = frame_build(&p, NULL, mac_a, mac_b, frame, sizeof frame);
    assert_int_equal(frame_parse(frame, n, n, &p, &(struct packet_ext){0}, &info), FRAME_OK);
    p.shape = SHAPE_EXPEDITUS;
    assert_int_equal(frame_rewrite(frame, &info, &p, &ext, mac_c, mac_d, whole, sizeof whole, &written), n + 5);
    for (size_t size = 0; size < n + 5; size++) {
        memset(snap, 0xee, sizeof snap);
        assert_int_equal(frame_rewrite(frame, &info, &p, &ext, mac_c, mac_d, snap, size, &written), n + 5);
        assert_int_equal(written, size);
        assert_memory_equal(snap, whole, size);
        assert_int_equal(snap[size], 0xee);
    }
}

/* A foreign frame: timestamps, payload, IP-ID, no DF, and three bytes behind the packet. */
static const char foreign[] = "020000000200 020000000100 0800"
                              "| 4500 003c b1e6 0000 4006 0000 0a000001 0a000102"
                              "| 9c40 0050 00000001 00000002 8018 01f6 1234 0000"
                              "| 0101 080a 11111111 22222222 | 6865 6464 6c65 2121"
                              "| cafe42";

static size_t foreign_frame(uint8_t *frame) {
    size_t n = from_hex(foreign, frame);
    put_be16(frame + 24, checksum_finish(checksum_add(0, frame + 14, 20)));
    return n;
}

static void rewrite__foreign_frame_keeps_its_own(void **state) {
    (void)state;
    uint8_t frame[256], out[256];
    struct packet p, again;
    struct packet_ext ext;
    struct frame_info info;
    size_t written, n = foreign_frame(frame);
    assert_int_equal(n, 77);
    assert_int_equal(frame_parse(frame, n, n, &p, &ext, &info), FRAME_OK);
    assert_int_equal(info.check, L4_BAD);
    p.ttl--;
    p.tos |= ECN_CE;
    p.shape = SHAPE_EXPEDITUS;
    ext.tag = (struct expeditus_tag){.entries = 4, .load = {1, 2, 3, 4}};
    packet_retag(&p, 0, packet_tag_bytes(p.shape, 4));
    assert_int_equal(frame_rewrite(frame, &info, &p, &ext, mac_c, mac_d, out, sizeof out, &written), n + 5);
    assert_int_equal(written, n + 5);
    assert_int_equal(p.wire_bytes, n + 5 + FRAME_UNSEEN_BYTES);
    assert_memory_equal(out + 19 + 20, frame + 14 + 20, n - 34); /* TCP, payload and trailer */
    assert_memory_equal(out + 19 + 2, frame + 14 + 2, 6);        /* length, ID, flags */
    assert_int_equal(out[20], ECN_CE);
    assert_int_equal(out[27], 63);
    assert_int_equal(checksum_finish(checksum_add(0, out + 19, 20)), 0);
    assert_memory_equal(out, mac_d, 6);
    assert_memory_equal(out + 6, mac_c, 6);

    assert_int_equal(frame_parse(out, written, written, &again, &ext, &info), FRAME_OK);
    assert_memory_equal(&again, &p, sizeof p);
}

static void rewrite__tag_off_again_gives_the_same_frame(void **state) {
    (void)state;
    uint8_t frame[256], tagged[256], out[256];
    struct packet p;
    struct packet_ext ext;
    struct frame_info info;
    size_t written, n = foreign_frame(frame);
    assert_int_equal(frame_parse(frame, n, n, &p, &ext, &info), FRAME_OK);
    p.shape = SHAPE_EXPEDITUS;
    ext.tag = (struct expeditus_tag){.entries = 127};
    size_t tagged_bytes = frame_rewrite(frame, &info, &p, &ext, mac_a, mac_b, tagged, sizeof tagged, &written);
    assert_int_equal(frame_parse(tagged, tagged_bytes, tagged_bytes, &p, &ext, &info), FRAME_OK);
    p.shape = 0;
    assert_int_equal(frame_rewrite(tagged, &info, &p, &ext, mac_a, mac_b, out, sizeof out, &written), n);
    assert_memory_equal(out, frame, n);
}

/* Padding is written as zeros: bytes that a sender leaked into it are not forwarded. */
static void rewrite__padding_is_zero(void **state) {
    (void)state;
    uint8_t frame[64], out[64];
    struct packet p = blank_packet(PROTO_TCP);
    struct packet_ext ext;
    struct frame_info info;
    size_t written, n = frame_build(&p, NULL, mac_a, mac_b, frame, sizeof frame);
    uint8_t clean[64];
    memcpy(clean, frame, n);
    memset(frame + 54, 0xaa, 6);
    assert_int_equal(frame_parse(frame, n, n, &p, &ext, &info), FRAME_OK);
    assert_int_equal(frame_rewrite(frame, &info, &p, &ext, mac_a, mac_b, out, sizeof out, &written), 60);
    assert_memory_equal(out, clean, 60);
}

static void rewrite__refuses_bad_tag(void **state) {
    (void)state;
    uint8_t frame[64], out[256];
    struct packet p = blank_packet(PROTO_TCP);
    struct packet_ext ext;
    struct frame_info info;
    size_t written = 1, n = frame_build(&p, NULL, mac_a, mac_b, frame, sizeof frame);
    assert_int_equal(frame_parse(frame, n, n, &p, &ext, &info), FRAME_OK);
    p.shape = SHAPE_EXPEDITUS;
    ext.tag = (struct expeditus_tag){.entries = 1, .load = {9}};
    assert_int_equal(frame_rewrite(frame, &info, &p, &ext, mac_a, mac_b, out, sizeof out, &written), 0);
    assert_int_equal(written, 0);
}

/* A leaf records its choice in a credit and a queue marks the credit: both checksums follow, all else is unchanged. */
static void rewrite__credit_gets_a_path_and_a_mark(void **state) {
    (void)state;
    uint8_t frame[64], out[64];
    struct packet p = blank_packet(PROTO_CREDIT), again;
    struct packet_ext ext;
    struct frame_info info;
    p.tcp_flags = CREDIT_GRANT;
    p.shape = SHAPE_CREDIT;
    p.tos = ECN_ECT0;
    p.ack = 77;
    size_t written, n = frame_build(&p, NULL, mac_a, mac_b, frame, sizeof frame);
    assert_int_equal(frame_parse(frame, n, n, &p, &ext, &info), FRAME_OK);
    assert_int_equal(p.path, PATH_NONE);
    p.path = 0x0304;
    p.tos |= ECN_CE;
    p.ttl--;
    assert_int_equal(frame_rewrite(frame, &info, &p, &ext, mac_c, mac_d, out, sizeof out, &written), 60);
    assert_int_equal(frame_parse(out, written, written, &again, &ext, &info), FRAME_OK);
    assert_memory_equal(&again, &p, sizeof p);
    assert_int_equal(info.check, L4_GOOD);
    assert_memory_equal(out + 34, frame + 34, 14); /* ports, sequences, kind */
    assert_int_equal(get_be16(out + 34 + 14), 0x0304);
}

/* Foreign data behind our header stays covered by the checksum. A wrong checksum is not corrected by the update. */
static void rewrite__credit_checksum_keeps_its_worth(void **state) {
    (void)state;
    uint8_t frame[128], out[128];
    struct packet p = blank_packet(PROTO_CREDIT);
    struct packet_ext ext;
    struct frame_info info;
    p.tcp_flags = CREDIT_DATA;
    p.payload_bytes = 21;
    size_t written, n = frame_build(&p, NULL, mac_a, mac_b, frame, sizeof frame);
    memset(frame + 54, 0xa5, 21);
    put_be16(frame + 50, 0);
    uint32_t sum = checksum_pseudo(p.src_ip, p.dst_ip, PROTO_CREDIT, 41);
    put_be16(frame + 50, checksum_finish(checksum_add(sum, frame + 34, 41)));
    for (int wrong = 0; wrong < 2; wrong++) {
        frame[74] ^= (uint8_t)wrong;
        assert_int_equal(frame_parse(frame, n, n, &p, &ext, &info), FRAME_OK);
        assert_int_equal(info.check, wrong ? L4_BAD : L4_GOOD);
        p.path = 0x00ff;
        assert_int_equal(frame_rewrite(frame, &info, &p, &ext, mac_c, mac_d, out, sizeof out, &written), n);
        assert_memory_equal(out + 54, frame + 54, 21);
        assert_int_equal(frame_parse(out, n, n, &p, &ext, &info), FRAME_OK);
        assert_int_equal(p.path, 0x00ff);
        assert_int_equal(info.check, wrong ? L4_BAD : L4_GOOD);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(rewrite__equals_build),
        UNIT(rewrite__in_place_is_the_same),
        UNIT(rewrite__of_a_snap_is_the_start_of_the_whole),
        UNIT(rewrite__small_buffer_makes_a_snap),
        UNIT(rewrite__foreign_frame_keeps_its_own),
        UNIT(rewrite__tag_off_again_gives_the_same_frame),
        UNIT(rewrite__padding_is_zero),
        UNIT(rewrite__refuses_bad_tag),
        UNIT(rewrite__credit_gets_a_path_and_a_mark),
        UNIT(rewrite__credit_checksum_keeps_its_worth),
    };
    return RUN_UNITS(tests);
}
