/* SPDX-License-Identifier: Apache-2.0 */
/* Captures of other TCP stacks through a switch: it changes only what it must, and counts frames that it refuses. */
#include "live/replaying.h"

#include "mech/admit/admissions.h"

#define HOST(leaf, i) (0x0a000000u | (leaf) << 8 | ((i) + 1))
#define LAN 0xc0a80001u /* 192.168.0.1 */
#define BYTE_PS 800     /* at 10 Gbps */

/* ---- frames pass ---- */

static void replay__foreign_frame_keeps_its_bytes(void **state) {
    (void)state;
    uint8_t in[128], expected[128];
    struct bench *b = bench_new(spec_leaf_spine(2, 1, 2), "ecmp", "leaf0", "host0.0");
    size_t n = stranger(in, HOST(0, 0), HOST(1, 1), 64);
    assert_int_equal(n, STRANGER_BYTES);
    bench_frame(b, 25, in, n);
    struct records out = bench_run_done(b);
    assert_int_equal(out.n, 1);
    memcpy(expected, in, n);
    stranger_forwarded(expected, b->fabric, b->config.node, 2);
    assert_int_equal(out.record[0].original, n);
    assert_int_equal(out.record[0].captured, n);
    assert_memory_equal(out.record[0].bytes, expected, n);
    assert_string_equal(out.record[0].if_name, "spine0");
    assert_int_equal(out.record[0].at, 25 * US + (STRANGER_BYTES + 24) * BYTE_PS); /* t = 0 is the first second */
    assert_int_equal(b->r.first_at, 25 * US);
    records_free(&out);
    bench_end(b);
}

/* A frame that the capture has cut leaves as cut, between hosts of one rack. */
static void replay__cut_frame_leaves_cut(void **state) {
    (void)state;
    uint8_t in[128], expected[128];
    struct bench *b = bench_new(spec_leaf_spine(2, 1, 2), "ecmp", "leaf0", "host0.0");
    size_t n = stranger(in, HOST(0, 0), HOST(0, 1), 9);
    pcap_put(b->pcap, BENCH_SECOND, 0, in, 70, n);
    struct records out = bench_run_done(b);
    assert_int_equal(out.n, 1);
    memcpy(expected, in, n);
    stranger_forwarded(expected, b->fabric, b->config.node, 1);
    assert_int_equal(out.record[0].original, n);
    assert_int_equal(out.record[0].captured, 70);
    assert_memory_equal(out.record[0].bytes, expected, 70);
    assert_string_equal(out.record[0].if_name, "host0.1");
    records_free(&out);
    bench_end(b);
}

static void replay__snap_cuts_what_leaves(void **state) {
    (void)state;
    uint8_t in[128];
    struct bench *b = bench_new(spec_leaf_spine(2, 1, 2), "ecmp", "leaf0", "host0.0");
    bench_frame(b, 0, in, stranger(in, HOST(0, 0), HOST(0, 1), 9));
    b->config.snap_bytes = 60;
    struct records out = bench_run_done(b);
    assert_int_equal(out.n, 1);
    assert_int_equal(out.record[0].captured, 60);
    assert_int_equal(out.record[0].original, STRANGER_BYTES);
    records_free(&out);
    bench_end(b);
}

/* Writes a frame of a credit transport from one host to another, as it leaves the sender. Returns its length. */
static size_t credit_frame(uint8_t *b, uint32_t src_ip, uint32_t dst_ip, struct packet p) {
    p.src_ip = src_ip;
    p.dst_ip = dst_ip;
    p.src_port = 40000;
    p.dst_port = 5001;
    p.proto = PROTO_CREDIT;
    p.ttl = 64;
    p.wire_bytes = 84;
    size_t n = frame_build(&p, NULL, mac_a, mac_b, b, 2048);
    assert_true(n >= 60);
    return n;
}

/* On its last hop, a credit carries its recorded path and its mark to the sender of data. */
static void replay__credit_keeps_path_and_mark(void **state) {
    (void)state;
    uint8_t in[2048], expected[2048];
    struct bench *b = bench_new(spec_leaf_spine(2, 1, 2), "ecmp", "leaf0", "spine0");
    size_t n = credit_frame(
        in, HOST(1, 1), HOST(0, 0),
        (struct packet){
            .tcp_flags = CREDIT_GRANT, .shape = SHAPE_CREDIT, .ack = 77, .seq = 12, .path = 0x0102, .tos = ECN_CE});
    bench_frame(b, 0, in, n);
    struct records out = bench_run_done(b);
    assert_int_equal(out.n, 1);
    memcpy(expected, in, n);
    stranger_forwarded(expected, b->fabric, b->config.node, 0);
    assert_int_equal(out.record[0].captured, n);
    assert_memory_equal(out.record[0].bytes, expected, n);
    records_free(&out);
    bench_end(b);
}

/* Data that meets a queue is marked: TOS and IPv4 checksum change, the credit header does not. */
static void replay__credit_data_is_marked(void **state) {
    (void)state;
    uint8_t in[2048];
    uint32_t marked = 0;
    struct bench *b = bench_new(spec_leaf_spine(2, 1, 2), "ecmp", "leaf0", "host0.0");
    size_t n = credit_frame(in, HOST(0, 0), HOST(0, 1),
                            (struct packet){.tcp_flags = CREDIT_DATA | CREDIT_MARKED,
                                            .payload_bytes = 1460,
                                            .seq = 5,
                                            .ack = 9,
                                            .path = 0x0203,
                                            .tos = ECN_ECT0});
    for (int i = 0; i < 8; i++) bench_frame(b, 0, in, n);
    b->config.switches.admit = (struct admit_config){.ops = &admit_ecn, .ecn_bytes = 4 * 1518};
    struct records out = bench_run_done(b);
    assert_int_equal(out.n, 8);
    for (size_t i = 0; i < out.n; i++) {
        const struct record *r = &out.record[i];
        struct packet p;
        struct packet_ext ext;
        struct frame_info info;
        assert_int_equal(frame_parse(r->bytes, r->captured, r->original, &p, &ext, &info), FRAME_OK);
        assert_int_equal(info.check, L4_GOOD);
        assert_memory_equal(r->bytes + 34, in + 34, n - 34);
        marked += (p.tos & ECN_MASK) == ECN_CE;
    }
    assert_in_range(marked, 2, 6);
    records_free(&out);
    bench_end(b);
}

static void replay__malformed_credits_are_counted(void **state) {
    (void)state;
    uint8_t in[2048];
    struct bench *b = bench_new(spec_leaf_spine(2, 1, 2), "ecmp", "leaf0", "host0.0");
    size_t n = credit_frame(in, HOST(0, 0), HOST(0, 1), (struct packet){.tcp_flags = CREDIT_DATA, .payload_bytes = 8});
    bench_frame(b, 0, in, n);
    in[34 + CREDIT_AT_KIND] = CREDIT_DONE;
    bench_frame(b, 1, in, n);
    in[34 + CREDIT_AT_KIND] = 7;
    bench_frame(b, 2, in, n);
    struct records out = bench_run_done(b);
    assert_int_equal(out.n, 1);
    assert_int_equal(b->r.count.refused[FRAME_OK], 1);
    assert_int_equal(b->r.count.refused[FRAME_CREDIT_PAYLOAD], 1);
    assert_int_equal(b->r.count.refused[FRAME_CREDIT_KIND], 1);
    records_free(&out);
    bench_end(b);
}

/* At its first ToR, Expeditus inserts the request's tag between MACs and EtherType; the rest is unchanged. */
static void replay__request_gains_a_tag(void **state) {
    (void)state;
    uint8_t in[128], expected[128];
    struct bench *b = bench_new(spec_leaf_spine(2, 1, 2), "expeditus", "leaf0", "host0.0");
    size_t n = stranger(in, HOST(0, 0), HOST(1, 1), 64);
    bench_frame(b, 0, in, n);
    struct records out = bench_run_done(b);
    assert_int_equal(out.n, 1);
    const struct record *r = &out.record[0];
    uint16_t tag = expeditus_tag_bytes(1); /* one uplink */
    memcpy(expected, in, n);
    stranger_forwarded(expected, b->fabric, b->config.node, 2);
    assert_int_equal(r->original, n + tag);
    assert_memory_equal(r->bytes, expected, 12);
    assert_int_equal(get_be16(r->bytes + 12), EXPEDITUS_TPID);
    assert_memory_equal(r->bytes + 12 + tag, expected + 12, n - 12);
    assert_int_equal(r->at, (STRANGER_BYTES + tag + 24) * BYTE_PS);
    records_free(&out);
    bench_end(b);
}

/* Inserts an Exp-request into a frame, between MACs and EtherType. Returns the new length. */
static size_t with_request(uint8_t *b, size_t n, uint8_t entries) {
    struct expeditus_tag tag = {.stage = 0, .entries = entries};
    uint16_t bytes = expeditus_tag_bytes(entries);
    memmove(b + 12 + bytes, b + 12, n - 12);
    assert_int_equal(expeditus_tag_encode(&tag, b + 12, bytes), bytes);
    return n + bytes;
}

/* At its last ToR, the tag is removed, and the switch sends an Exp-response back through the only spine. */
static void replay__request_is_answered(void **state) {
    (void)state;
    uint8_t in[160], expected[128];
    struct bench *b = bench_new(spec_leaf_spine(2, 1, 2), "expeditus", "leaf1", "spine0");
    size_t n = stranger(in, HOST(0, 0), HOST(1, 1), 63);
    memcpy(expected, in, n);
    stranger_forwarded(expected, b->fabric, b->config.node, 1);
    bench_frame(b, 0, in, with_request(in, n, 1));
    struct records out = bench_run_done(b);
    assert_int_equal(out.n, 2);
    assert_int_equal(b->r.created, 1);
    const struct record *answer = &out.record[0], *data = &out.record[1];
    assert_string_equal(answer->if_name, "spine0");
    assert_string_equal(data->if_name, "host1.1");
    assert_int_equal(data->original, n);
    assert_memory_equal(data->bytes, expected, n);
    struct packet p;
    struct packet_ext ext;
    struct frame_info info;
    assert_int_equal(frame_parse(answer->bytes, answer->captured, answer->original, &p, &ext, &info), FRAME_OK);
    assert_int_equal(p.src_ip, HOST(1, 1));
    assert_int_equal(p.dst_ip, HOST(0, 0));
    assert_int_equal(p.src_port, 0xc001);
    assert_int_equal(p.payload_bytes, 0);
    assert_int_equal(ext.tag.stage, 1);
    assert_int_equal(info.check, L4_GOOD);
    records_free(&out);
    bench_end(b);
}

/* ---- frames that cannot be taken ---- */

static void replay__malformed_frames_are_counted(void **state) {
    (void)state;
    struct bench *b = bench_new(spec_leaf_spine(2, 1, 2), "expeditus", "leaf0", "host0.0");
    uint8_t good[160], bad[160];
    size_t n = stranger(good, HOST(0, 0), HOST(1, 1), 64);
    bench_frame(b, 0, good, n);
    bench_frame(b, 1, good, 13); /* shorter than an Ethernet header */
    memcpy(bad, good, n);
    bad[STRANGER_IP] = 0x44; /* header length 16 */
    bench_frame(b, 2, bad, n);
    memcpy(bad, good, n);
    bad[STRANGER_IP + 32] = 0x40; /* TCP header length 16 */
    bench_frame(b, 3, bad, n);
    memcpy(bad, good, n);
    bad[STRANGER_IP + 11] ^= 1; /* checksum */
    bench_frame(b, 4, bad, n);
    memcpy(bad, good, n);
    size_t tagged = with_request(bad, n, 3);
    bad[14] |= 0x7f; /* NoE 127: more entries than the frame holds */
    assert_true(tagged > 70);
    bench_frame(b, 5, bad, 70);
    memcpy(bad, good, n);
    put_be16(bad + 12, 0x0806); /* ARP */
    bench_frame(b, 6, bad, n);
    pcap_put(b->pcap, BENCH_SECOND, 7, good, 40, n); /* the capture cut the TCP header */
    bench_frame(b, 8, good, n);
    struct records out = bench_run_done(b);
    assert_int_equal(out.n, 2);
    assert_int_equal(b->r.count.received, 9);
    assert_int_equal(b->r.count.refused[FRAME_OK], 2);
    assert_int_equal(b->r.count.refused[FRAME_TRUNCATED], 1);
    assert_int_equal(b->r.count.refused[FRAME_IP_HEADER_LENGTH], 1);
    assert_int_equal(b->r.count.refused[FRAME_TCP_HEADER_LENGTH], 1);
    assert_int_equal(b->r.count.refused[FRAME_IP_CHECKSUM], 1);
    assert_int_equal(b->r.count.refused[FRAME_TAG_NOE], 1);
    assert_int_equal(b->r.count.refused[FRAME_NOT_IPV4], 1);
    assert_int_equal(b->r.count.refused[FRAME_SNAPPED], 1);
    records_free(&out);
    bench_end(b);
}

/* A frame with TTL 1 ends here (RFC 1812). TTL 0 should not occur, and does not become 255. */
static void replay__ttl_ends(void **state) {
    (void)state;
    uint8_t in[128];
    struct bench *b = bench_new(spec_leaf_spine(2, 1, 2), "ecmp", "leaf0", "host0.0");
    for (uint8_t ttl = 0; ttl < 3; ttl++) bench_frame(b, ttl, in, stranger(in, HOST(0, 0), HOST(1, 1), ttl));
    struct records out = bench_run_done(b);
    assert_int_equal(out.n, 1);
    assert_int_equal(out.record[0].bytes[STRANGER_IP + 8], 1);
    assert_int_equal(b->r.count.dropped[DROP_TTL], 2);
    records_free(&out);
    bench_end(b);
}

/* Addresses outside 10/8 are not in the fabric, whatever their lower 24 bits. */
static void replay__unknown_destinations_have_no_route(void **state) {
    (void)state;
    const uint32_t nowhere[] = {LAN,        0x0b000101, 0x09000101, 0x00000101,
                                0x0a000201, 0x0a00ff01, 0x0affffff, HOST(1, 2)};
    uint8_t in[128];
    struct bench *b = bench_new(spec_leaf_spine(2, 1, 2), "expeditus", "leaf1", "spine0");
    size_t n = sizeof nowhere / sizeof *nowhere;
    for (size_t i = 0; i < n; i++) bench_frame(b, (uint32_t)i, in, stranger(in, HOST(0, 0), nowhere[i], 64));
    struct records out = bench_run_done(b);
    assert_int_equal(out.n, 0);
    assert_int_equal(b->r.count.dropped[DROP_NO_ROUTE], n);
    records_free(&out);
    bench_end(b);
}

/* ---- frames from unknown sources: forwarded, but nobody is there to be answered ---- */

static void replay__request_of_unknown_source(void **state) {
    (void)state;
    uint8_t in[160], expected[128];
    struct bench *b = bench_new(spec_clos(2, 1, 1, 1, 2), "expeditus", "tor1.0", "agg1.0");
    size_t n = stranger(in, LAN, HOST(1, 1), 64);
    memcpy(expected, in, n);
    stranger_forwarded(expected, b->fabric, b->config.node, 1);
    bench_frame(b, 0, in, with_request(in, n, 1));
    struct records out = bench_run_done(b);
    assert_int_equal(out.n, 1);
    assert_int_equal(b->r.created, 0);
    assert_int_equal(out.record[0].original, n);
    assert_memory_equal(out.record[0].bytes, expected, n);
    records_free(&out);
    bench_end(b);
}

/* The first ToR does not know the pod of the source either. */
static void replay__unknown_source_goes_up(void **state) {
    (void)state;
    uint8_t in[160];
    struct bench *b = bench_new(spec_clos(2, 1, 1, 1, 2), "expeditus", "tor0.0", "host0.0.0");
    bench_frame(b, 0, in, stranger(in, LAN, HOST(1, 1), 64));
    struct records out = bench_run_done(b);
    assert_int_equal(out.n, 1);
    assert_string_equal(out.record[0].if_name, "agg0.0");
    records_free(&out);
    bench_end(b);
}

static void replay__overlay_of_unknown_source(void **state) {
    (void)state;
    uint8_t in[160], expected[128];
    struct bench *b = bench_new(spec_leaf_spine(2, 1, 2), "conga-flow", "leaf1", "spine0");
    size_t n = stranger(in, LAN, HOST(1, 1), 64);
    memcpy(expected, in, n);
    stranger_forwarded(expected, b->fabric, b->config.node, 1);
    memmove(in + 16, in + 12, n - 12);
    put_be16(in + 12, CONGA_TPID);
    put_be16(in + 14, conga_overlay_pack((struct conga_overlay){.lbtag = 3, .ce = 5, .fb_valid = true}));
    bench_frame(b, 0, in, n + 4);
    struct records out = bench_run_done(b);
    assert_int_equal(out.n, 1);
    assert_int_equal(out.record[0].original, n);
    assert_memory_equal(out.record[0].bytes, expected, n);
    records_free(&out);
    bench_end(b);
}

/* ---- what is refused before anything is written ---- */

static void assert_refused_run(struct bench *b, const char *text) {
    assert_int_equal(bench_run(b), REPLAY_REFUSED);
    assert_string_equal(b->d.text, text);
    assert_int_equal(access(b->out_path, F_OK), -1);
    bench_end(b);
}

static void refuse__clairvoyant(void **state) {
    (void)state;
    assert_refused_run(bench_new(spec_leaf_spine(2, 1, 2), "clairvoyant", "leaf0", "host0.0"),
                       "clairvoyant sees the links of the whole fabric, which one switch does not; choose "
                       "another balancer");
}

static void refuse__host(void **state) {
    (void)state;
    assert_refused_run(bench_new(spec_leaf_spine(2, 1, 2), "ecmp", "host0.1", "leaf0"),
                       "host0.1 is a host; name a switch");
}

static void refuse__unknown_port(void **state) {
    (void)state;
    assert_refused_run(bench_new(spec_leaf_spine(2, 1, 2), "ecmp", "leaf0", "spine1"),
                       "leaf0 has no port 'spine1'; its ports are host0.0, host0.1, spine0");
}

static void refuse__missing_file(void **state) {
    (void)state;
    struct bench *b = bench_new(spec_leaf_spine(2, 1, 2), "ecmp", "leaf0", "spine0");
    unlink(b->in_path);
    assert_refused_run(b, "cannot open the capture: No such file or directory");
}

static void refuse__overwriting_an_input(void **state) {
    (void)state;
    struct bench *b = bench_new(spec_leaf_spine(2, 1, 2), "ecmp", "leaf0", "spine0");
    char kept[64];
    snprintf(kept, sizeof kept, "%s", folder_file(&b->folder, "leaf0.pcapng"));
    assert_int_equal(rename(b->in_path, kept), 0);
    b->in[0].path = kept;
    b->config.out_dir = b->folder.path;
    assert_int_equal(bench_run(b), REPLAY_REFUSED);
    assert_non_null(strstr(b->d.text, "leaf0.pcapng, which is read; name another file for a capture of heddle replay"));
    assert_int_equal(access(kept, F_OK), 0);
    bench_end(b); /* unlinks r.path, which is `kept` */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(replay__foreign_frame_keeps_its_bytes),
        UNIT(replay__cut_frame_leaves_cut),
        UNIT(replay__snap_cuts_what_leaves),
        UNIT(replay__credit_keeps_path_and_mark),
        UNIT(replay__credit_data_is_marked),
        UNIT(replay__malformed_credits_are_counted),
        UNIT(replay__request_gains_a_tag),
        UNIT(replay__request_is_answered),
        UNIT(replay__malformed_frames_are_counted),
        UNIT(replay__ttl_ends),
        UNIT(replay__unknown_destinations_have_no_route),
        UNIT(replay__request_of_unknown_source),
        UNIT(replay__unknown_source_goes_up),
        UNIT(replay__overlay_of_unknown_source),
        UNIT(refuse__clairvoyant),
        UNIT(refuse__host),
        UNIT(refuse__unknown_port),
        UNIT(refuse__missing_file),
        UNIT(refuse__overwriting_an_input),
    };
    return RUN_UNITS(tests);
}
