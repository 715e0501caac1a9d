/* SPDX-License-Identifier: Apache-2.0 */
/* Wireshark's dissection of our frames and captures: fields, checksums, times. Skipped where tshark is not
 * installed. */
#include "wire/pcapng.h"

#include "frames.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TSHARK                                                                                                         \
    "tshark -n -r %s -o ip.check_checksum:TRUE -o tcp.check_checksum:TRUE -o udp.check_checksum:TRUE -T fields -E "    \
    "separator=, "

struct scene {
    char path[64];
    FILE *file;
    struct pcapng_writer w;
    struct diag d;
    time_ps at;
};

static bool has_tshark(void) { return system("tshark --version >/dev/null 2>&1") == 0; }

static void scene_begin_in(struct scene *s, enum pcapng_unit unit) {
    const struct pcapng_origin origin = {"heddle", unit};
    *s = (struct scene){0};
    snprintf(s->path, sizeof s->path, "%s/heddle-test-XXXXXX", P_tmpdir);
    int fd = mkstemp(s->path);
    assert_true(fd >= 0);
    s->file = fdopen(fd, "wb");
    assert_true(pcapng_begin_as(&s->w, s->file, s->path, &origin, 0, &s->d));
    assert_true(pcapng_add_interface(&s->w, "host0.0.0", 10000000000, &s->d));
    assert_true(pcapng_add_interface(&s->w, "agg0.1", 40000000000, &s->d));
}

static void scene_begin(struct scene *s) { scene_begin_in(s, PCAPNG_100_PS); }

/* 1.234567890123 s apart: the parts below the second run through hundreds of milliseconds. */
static void scene_frame(struct scene *s, uint32_t interface, const struct packet *p, const struct packet_ext *ext) {
    uint8_t buf[2048];
    size_t n = frame_build(p, ext, mac_a, mac_b, buf, sizeof buf);
    s->at += 1234567890123;
    assert_true(
        pcapng_write(&s->w, interface, s->at, interface ? CAPTURE_OUTBOUND : CAPTURE_INBOUND, buf, n, n, &s->d));
}

static void scene_connection(struct scene *s) {
    struct packet p = blank_packet(PROTO_TCP);
    struct packet_ext ext = {.n_sack = 2, .sack = {{3000, 4460}, {5920, 7380}}};
    p.tcp_flags = TCP_SYN;
    p.window = 256;
    scene_frame(s, 0, &p, NULL);
    p.tcp_flags = TCP_ACK;
    p.seq = 1;
    p.window = 8192;
    p.payload_bytes = 1460;
    scene_frame(s, 1, &p, NULL);
    p.payload_bytes = 0;
    scene_frame(s, 0, &p, NULL);
    p.shape = SHAPE_SACK;
    scene_frame(s, 0, &p, &ext);
    p = blank_packet(PROTO_UDP);
    p.payload_bytes = 33;
    p.seq = 77;
    scene_frame(s, 1, &p, NULL);
}

/* Asserts that tshark prints `expected` for these fields. */
static void assert_tshark(struct scene *s, const char *fields, const char *expected) {
    char command[512], out[2048];
    int n = snprintf(command, sizeof command, TSHARK, s->path);
    snprintf(command + n, sizeof command - (size_t)n, "%s 2>/dev/null", fields);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    out[fread(out, 1, sizeof out - 1, pipe)] = '\0';
    assert_int_equal(pclose(pipe), 0);
    assert_string_equal(out, expected);
}

static void scene_end(struct scene *s) {
    fclose(s->file);
    remove(s->path);
}

/* Status 1 is "good". The sixth column is the left edge of the first SACK block, in its own relative numbers. */
static void tshark__dissects_tcp_and_udp_with_good_checksums(void **state) {
    (void)state;
    if (!has_tshark()) {
        print_message("tshark is not installed: skipped\n");
        skip();
    }
    struct scene s;
    scene_begin(&s);
    scene_connection(&s);
    assert_true(pcapng_finish(&s.w, &s.d));
    assert_tshark(&s,
                  "-e ip.checksum.status -e tcp.checksum.status -e udp.checksum.status -e tcp.len -e udp.length "
                  "-e tcp.options.sack_le -e tcp.options.mss_val -e tcp.options.wscale.shift -e tcp.options.sack_perm "
                  "-e tcp.window_size_value -E occurrence=f",
                  "1,1,,0,,,1460,8,0402,65535\n"
                  "1,1,,1460,,,,,,8192\n"
                  "1,1,,0,,,,,,8192\n"
                  "1,1,,0,,3001,,,,8192\n"
                  "1,,1,,41,,,,,\n");
    scene_end(&s);
}

/* tshark prints nanoseconds, rounded down, whichever unit the stamps have. */
static void tshark__sees_times_interfaces_and_directions(void **state) {
    (void)state;
    static const enum pcapng_unit units[] = {PCAPNG_100_PS, PCAPNG_NANOSECOND};
    if (!has_tshark()) skip();
    for (int i = 0; i < 2; i++) {
        struct scene s;
        scene_begin_in(&s, units[i]);
        s.at = -1210000000000; /* the first frame at 24.567 ms */
        scene_connection(&s);
        assert_true(pcapng_finish(&s.w, &s.d));
        assert_tshark(&s, "-e frame.time_epoch -e frame.interface_name -e frame.packet_flags_direction",
                      "0.024567890,host0.0.0,0x00000001\n"
                      "1.259135780,agg0.1,0x00000002\n"
                      "2.493703670,host0.0.0,0x00000001\n"
                      "3.728271560,host0.0.0,0x00000001\n"
                      "4.962839450,agg0.1,0x00000002\n");
        scene_end(&s);
    }
}

/* IPv4 and TCP of a blank segment, and the padding behind the shorter and the longer tag. */
#define REST                                                                                                           \
    "4500002800004000400625ce0a0000010a000102"                                                                         \
    "9c401389000000000000000050000000eb180000"

/* Wireshark alone knows neither tag: it must print our TPID as the EtherType and find nothing malformed. */
static void tshark__sees_the_tags(void **state) {
    (void)state;
    if (!has_tshark()) skip();
    struct scene s;
    struct packet p = blank_packet(PROTO_TCP);
    struct packet_ext ext = {.tag = {.entries = 4, .load = {1, 2, 3, 4}}};
    scene_begin(&s);
    p.shape = SHAPE_EXPEDITUS;
    scene_frame(&s, 0, &p, &ext);
    p.shape = SHAPE_CONGA;
    scene_frame(&s, 1, &p, &ext);
    assert_true(pcapng_finish(&s.w, &s.d));
    assert_tshark(&s, "-e eth.type -e data.data -E occurrence=f -e frame.len -e _ws.malformed",
                  "0x9900,0412340800" REST "00,60,\n"
                  "0x9901,00000800" REST "0000,60,\n");
    scene_end(&s);
}

/* Pause frames of both standards, to the address that both prescribe. */
static void tshark__knows_pause_frames(void **state) {
    (void)state;
    if (!has_tshark()) skip();
    struct scene s;
    struct packet p = pause_packet(EXT_NONE);
    struct packet_ext ext = {.pause = pause_fields_link(0xffff)};
    scene_begin(&s);
    scene_frame(&s, 0, &p, &ext);
    ext.pause = pause_fields_pfc(0x81, 0x02, 4660);
    scene_frame(&s, 1, &p, &ext);
    assert_true(pcapng_finish(&s.w, &s.d));
    assert_tshark(&s,
                  "-e macc.opcode -e macc.pause_time -e macc.cbfc.enbv -e macc.cbfc.pause_time.c0 "
                  "-e macc.cbfc.pause_time.c1 -e macc.cbfc.pause_time.c7 -e frame.len -e _ws.expert.message",
                  "0x0001,65535,,,,,60,\n"
                  "0x0101,,0x0083,4660,0,4660,60,\n");
    scene_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(tshark__dissects_tcp_and_udp_with_good_checksums),
        UNIT(tshark__sees_times_interfaces_and_directions),
        UNIT(tshark__sees_the_tags),
        UNIT(tshark__knows_pause_frames),
    };
    return RUN_UNITS(tests);
}
