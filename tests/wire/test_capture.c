/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/capture.h"

#include "frames.h"

#include <stdlib.h>

#include "wire/capture_reader.h"

/* A capture file in memory, put together from hex. */
static struct capture *open_hex(const char *hex, struct diag *d) {
    static uint8_t bytes[4096];
    size_t n = from_hex(hex, bytes);
    FILE *file = fmemopen(bytes, n ? n : 1, "rb");
    assert_non_null(file);
    return capture_open_file(file, "in.pcapng", d);
}

#define SECTION "0a0d0d0a 1c000000 4d3c2b1a 0100 0000 ffffffff ffffffff 1c000000 "
#define SECTION_BIG "0a0d0d0a 0000001c 1a2b3c4d 0001 0000 ffffffff ffffffff 0000001c "
#define ETHERNET "01000000 14000000 0100 0000 00000000 14000000 "
#define FRAME "06000000 28000000 00000000 00000000 40420f00 08000000 10000000 0102030405060708 28000000 "

/* Returns the first frame of the file; fails if there is none. */
static struct capture_frame first_frame(const char *hex, uint8_t *bytes) {
    struct diag d = {0};
    struct capture_frame f;
    struct capture *c = open_hex(hex, &d);
    assert_non_null(c);
    assert_int_equal(capture_next(c, &f, &d), CAPTURE_FRAME);
    memcpy(bytes, f.bytes, f.captured);
    assert_int_equal(capture_next(c, &f, &d) == CAPTURE_FAILED, false);
    capture_close(c);
    c = open_hex(hex, &d);
    capture_next(c, &f, &d);
    f.if_name = "";
    f.bytes = bytes;
    capture_close(c);
    return f;
}

/* Reads the file to its end. Returns the text of the error, or "" if there was none. */
static const char *read_all(const char *hex, unsigned *frames) {
    static struct diag d;
    struct capture_frame f;
    enum capture_result result;
    d.text[0] = '\0';
    *frames = 0;
    struct capture *c = open_hex(hex, &d);
    if (!c) return d.text;
    while ((result = capture_next(c, &f, &d)) == CAPTURE_FRAME) ++*frames;
    assert_int_equal(capture_next(c, &f, &d), result); /* every further call returns the same */
    assert_int_equal(result, d.text[0] ? CAPTURE_FAILED : CAPTURE_END);
    capture_close(c);
    return d.text;
}

static void assert_reads(const char *hex, unsigned expected_frames) {
    unsigned frames;
    assert_string_equal(read_all(hex, &frames), "");
    assert_int_equal(frames, expected_frames);
}

static void assert_fails(const char *hex, unsigned frames_before, const char *part_of_error) {
    unsigned frames;
    const char *text = read_all(hex, &frames);
    if (!strstr(text, part_of_error)) fail_msg("\"%s\" does not say \"%s\"", text, part_of_error);
    assert_int_equal(frames, frames_before);
}

static void next__little_endian_microseconds(void **state) {
    (void)state;
    uint8_t bytes[8];
    struct capture_frame f = first_frame(SECTION ETHERNET FRAME, bytes);
    assert_int_equal(f.second, 1);
    assert_int_equal(f.ps, 0);
    assert_int_equal(f.captured, 8);
    assert_int_equal(f.original, 16);
    assert_int_equal(f.direction, CAPTURE_UNKNOWN);
    assert_int_equal(bytes[7], 8);
}

static void next__big_endian(void **state) {
    (void)state;
    uint8_t bytes[8];
    struct capture_frame f =
        first_frame(SECTION_BIG "00000001 00000014 0001 0000 00000000 00000014"
                                "00000006 00000034 00000000 00000000 000f4241 00000005 00000005 0102030405 000000"
                                "0002 0004 00000001 0000 0000 00000034",
                    bytes);
    assert_int_equal(f.second, 1);
    assert_int_equal(f.ps, 1000000);
    assert_int_equal(f.captured, 5);
    assert_int_equal(f.direction, CAPTURE_INBOUND);
}

static void next__obsolete_packet_block(void **state) {
    (void)state;
    uint8_t bytes[8];
    struct capture_frame f = first_frame(SECTION ETHERNET "02000000 24000000 0000 ffff 00000000 40420f00 04000000"
                                                          "04000000 01020304 24000000",
                                         bytes);
    assert_int_equal(f.second, 1);
    assert_int_equal(f.captured, 4);
}

/* Interfaces count from 0 in each section, and through the whole file for the reader. */
static void next__sections_and_interfaces(void **state) {
    (void)state;
    struct diag d = {0};
    struct capture_frame f;
    struct capture *c =
        open_hex(SECTION ETHERNET "01000000 1c000000 0100 0000 00000000 0200 0200 6131 0000 1c000000"
                                  "06000000 24000000 01000000 00000000 00000000 04000000 04000000 01020304 24000000"
                                  "99000000 10000000 ffffffff 10000000" /* unknown block */
                 SECTION ETHERNET FRAME,
                 &d);
    assert_int_equal(capture_next(c, &f, &d), CAPTURE_FRAME);
    assert_int_equal(f.interface, 1);
    assert_string_equal(f.if_name, "a1");
    const char *name = f.if_name;
    assert_int_equal(capture_next(c, &f, &d), CAPTURE_FRAME);
    assert_int_equal(f.interface, 2);
    assert_string_equal(f.if_name, "");
    assert_string_equal(name, "a1");
    assert_int_equal(capture_next(c, &f, &d), CAPTURE_END);
    capture_close(c);
}

/* if_tsresol 12, if_tsoffset -1: 10^12 + 1 units are 1 ps. */
static void next__offset_and_resolution(void **state) {
    (void)state;
    uint8_t bytes[8];
    struct capture_frame f =
        first_frame(SECTION "01000000 2c000000 0100 0000 00000000 0900 0100 0c 000000"
                            "0e00 0800 ffffffffffffffff 00000000 2c000000"
                            "06000000 24000000 00000000 e8000000 0110a5d4 04000000 04000000 01020304 24000000",
                    bytes);
    assert_int_equal(f.second, 0);
    assert_int_equal(f.ps, 1);
}

/* A frame of a big-endian capture at 1 s + 42 units of 100 ps, with an option of these 12 octets. */
#define STAMPED(option)                                                                                                \
    SECTION_BIG "00000001 00000020 0001 0000 00000000 0009 0001 0a 000000 00000000 00000020"                           \
                "00000006 00000038 00000000 00000002 540be42a 00000004 00000004 01020304"                              \
                "0bad 000c " option "00000000 00000038"

/* Our option counts from the nanosecond, so it may not be added to a stamp of 200 ps. Options of others stay unread. */
static void next__picoseconds_below_the_nanosecond(void **state) {
    (void)state;
    static const struct {
        const char *hex;
        int64_t ps;
    } cases[] = {
        {STAMPED("00007ed9 686564646c65 5901"), 4345}, {STAMPED("00007ed9 686564646c65 0000"), 4000},
        {STAMPED("00007ed9 686564646c65 e703"), 4999}, {STAMPED("00007ed9 686564646c65 e803"), 4200},
        {STAMPED("00007ed9 686564646c78 5901"), 4200}, {STAMPED("00007eda 686564646c65 5901"), 4200},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t bytes[8];
        struct capture_frame f = first_frame(cases[i].hex, bytes);
        assert_int_equal(f.second, 1);
        assert_int_equal(f.ps, cases[i].ps);
    }
}

static void assert_stamp(uint64_t units, uint8_t tsresol, int64_t second, int64_t ps) {
    int64_t got_second, got_ps;
    assert_true(pcapng_stamp(units, tsresol, 0, &got_second, &got_ps));
    assert_int_equal(got_second, second);
    assert_int_equal(got_ps, ps);
}

static void stamp__powers_of_ten(void **state) {
    (void)state;
    assert_stamp(7, 0, 7, 0);
    assert_stamp(1700000000123456, 6, 1700000000, 123456000000);
    assert_stamp(1700000000123456789, 9, 1700000000, 123456789000);
    assert_stamp(1000000000001, 12, 1, 1);
    assert_stamp(2500000000000999, 15, 2, 500000000000);
    assert_stamp(UINT64_MAX, 19, 1, 844674407370);
    assert_stamp(UINT64_MAX, 24, 0, 18446744);
    assert_stamp(UINT64_MAX, 31, 0, 1);
    assert_stamp(UINT64_MAX, 32, 0, 0);
    assert_stamp(UINT64_MAX, 127, 0, 0);
}

static void stamp__powers_of_two(void **state) {
    (void)state;
    assert_stamp(7, 0x80, 7, 0);
    assert_stamp(3, 0x81, 1, 500000000000);
    assert_stamp((5ull << 32) + (1u << 30), 0x80 | 32, 5, 250000000000);
    assert_stamp(UINT64_MAX, 0x80 | 63, 1, 999999999999);
    assert_stamp(1ull << 63, 0x80 | 64, 0, 500000000000);
    assert_stamp(UINT64_MAX, 0xff, 0, 0);
}

static void stamp__refuses_what_does_not_fit(void **state) {
    (void)state;
    int64_t second, ps;
    assert_false(pcapng_stamp(UINT64_MAX, 0, 0, &second, &ps));
    assert_false(pcapng_stamp(1, 0, INT64_MAX, &second, &ps));
    assert_true(pcapng_stamp(1, 0, INT64_MIN, &second, &ps));
}

static void open__neither_kind(void **state) {
    (void)state;
    assert_fails("0a0d", 0, "neither pcapng nor pcap: it has 2 bytes");
    assert_fails("476966383961 0000 0000 0000 0000 0000 0000 0000 0000 0000", 0, "neither pcapng nor pcap");
    struct diag d;
    assert_null(capture_open("no/such/file.pcapng", &d));
    assert_string_equal(d.text, "cannot open the capture: No such file or directory");
    assert_string_equal(d.file, "no/such/file.pcapng");
}

static void next__empty_capture_ends(void **state) {
    (void)state;
    assert_reads(SECTION, 0);
    assert_reads(SECTION ETHERNET, 0);
    assert_reads(SECTION ETHERNET FRAME FRAME, 2);
}

static void next__bad_sections(void **state) {
    (void)state;
    assert_fails("0a0d0d0a 1c000000 4d3c2b1b 0100 0000 ffffffff ffffffff 1c000000", 0, "byte-order magic wrong");
    assert_fails("0a0d0d0a 1c000000 4d3c2b1a 0200 0000 ffffffff ffffffff 1c000000", 0, "version other than 1");
    assert_fails("0a0d0d0a 18000000 4d3c2b1a 0100 0000 ffffffff 18000000", 0, "its length is no multiple of 4");
}

static void next__bad_lengths(void **state) {
    (void)state;
    assert_fails(SECTION ETHERNET FRAME "06000000 00000000 00000000", 1, "block at byte 88: its length is no multiple");
    assert_fails(SECTION "01000000 0b000000 000000", 0, "its length is no multiple of 4");
    assert_fails(SECTION "01000000 04000001 000000", 0, "over 16 MiB");
    assert_fails(SECTION "01000000 fcffffff 000000", 0, "over 16 MiB");
    assert_fails(SECTION "01000000 14000000 0100 0000 00000000 18000000", 0, "its two lengths differ");
    assert_fails(SECTION "01000000 14000000 0100", 0, "the file ends inside it");
    assert_fails(SECTION "01000000", 0, "the file ends inside it");
    assert_fails(SECTION "01000000 10000000 01000000 10000000", 0, "interface description too short");
    assert_fails(SECTION ETHERNET "06000000 10000000 00000000 10000000", 0, "packet block too short");
}

static void next__bad_options(void **state) {
    (void)state;
    assert_fails(SECTION "01000000 18000000 0100 0000 00000000 0200 0100 18000000", 0, "an option reaches beyond");
    assert_fails(SECTION "01000000 1c000000 0100 0000 00000000 0200 ffff 61310000 1c000000", 0,
                 "an option reaches beyond");
    assert_fails(SECTION ETHERNET "06000000 28000000 00000000 00000000 00000000 04000000 04000000 01020304"
                                  "0200 0400 28000000",
                 0, "an option reaches beyond");
}

static void next__bad_frames(void **state) {
    (void)state;
    assert_fails(SECTION ETHERNET "06000000 24000000 01000000 00000000 00000000 04000000 04000000 01020304 24000000", 0,
                 "an interface that was not described");
    assert_fails(SECTION ETHERNET "06000000 24000000 00000000 00000000 00000000 05000000 05000000 01020304 24000000", 0,
                 "captured length beyond it");
    assert_fails(SECTION ETHERNET "06000000 24000000 00000000 00000000 00000000 ffffffff ffffffff 01020304 24000000", 0,
                 "captured length beyond it");
    assert_fails(SECTION ETHERNET "06000000 24000000 00000000 00000000 00000000 04000000 03000000 01020304 24000000", 0,
                 "captured length above original");
    assert_fails(SECTION ETHERNET "03000000 14000000 04000000 01020304 14000000", 0, "carry no time");
    /* sections do not inherit interfaces */
    assert_fails(SECTION ETHERNET FRAME SECTION FRAME, 1, "an interface that was not described");
}

static void next__other_link_type(void **state) {
    (void)state;
    assert_reads(SECTION "01000000 14000000 7100 0000 00000000 14000000", 0); /* allowed as long as no frame names it */
    assert_fails(SECTION "01000000 14000000 7100 0000 00000000 14000000" FRAME, 0,
                 "interface 0 () has link type 113; only Ethernet (1) is read");
}

/* Classic pcap, both precisions, and what is wrong with one. */
#define PCAP_MICRO "d4c3b2a1 0200 0400 00000000 00000000 ffff0000 01000000 "
#define PCAP_NANO_BIG "a1b23c4d 0002 0004 00000000 00000000 0000ffff 00000001 "

static void next__classic_pcap(void **state) {
    (void)state;
    uint8_t bytes[8];
    struct capture_frame f = first_frame(
        PCAP_MICRO "00f15365 01000000 04000000 3c000000 01020304 01f15365 00000000 04000000 04000000 00000000", bytes);
    assert_int_equal(f.second, 1700000000);
    assert_int_equal(f.ps, 1000000);
    assert_int_equal(f.captured, 4);
    assert_int_equal(f.original, 60);
    assert_int_equal(f.interface, 0);
    f = first_frame(PCAP_NANO_BIG "00000001 00000005 00000004 00000004 01020304", bytes);
    assert_int_equal(f.second, 1);
    assert_int_equal(f.ps, 5000);
    assert_int_equal(bytes[3], 4);
}

static void next__bad_classic_pcap(void **state) {
    (void)state;
    assert_fails(PCAP_MICRO "00000000 00000000 04000000 04000000 0102", 0, "malformed pcap: truncated");
    assert_fails(PCAP_MICRO "00000000 00000000 04000000 03000000 01020304", 0, "captured length above original");
    assert_fails(PCAP_MICRO "00000000 ffffff7f 04000000 04000000 01020304", 0, "more than a second");
    assert_fails("d4c3b2a1 0200 0400 00000000 00000000 ffff0000 71000000", 0, "link type 113; only Ethernet");
}

/* The reader gets back what the writer wrote: times to the picosecond, interfaces, directions, lengths, bytes. */
static void assert_round_trip(enum pcapng_unit unit) {
    const struct pcapng_origin origin = {"heddle", unit};
    enum { FRAMES = 500 };
    static struct {
        time_ps at;
        uint32_t interface, captured, original;
        enum capture_direction direction;
        uint8_t bytes[600];
    } sent[FRAMES];
    struct random_stream r;
    random_init(&r, 6, RANDOM_HASH, 0);
    char *bytes;
    size_t n;
    struct pcapng_writer w;
    struct diag d = {0};
    FILE *file = open_memstream(&bytes, &n);
    assert_true(pcapng_begin_as(&w, file, "out", &origin, 0, &d));
    assert_true(pcapng_add_interface(&w, "host0.0.0", 10000000000, &d));
    assert_true(pcapng_add_interface(&w, "agg0.1", 0, &d));
    for (int i = 0; i < FRAMES; i++) {
        sent[i].at = (time_ps)(random_u64(&r) >> 1);
        sent[i].interface = (uint32_t)random_below(&r, 2);
        sent[i].direction = (enum capture_direction)random_below(&r, 3);
        sent[i].captured = (uint32_t)random_below(&r, 600);
        sent[i].original = sent[i].captured + (uint32_t)random_below(&r, 1000);
        for (uint32_t k = 0; k < sent[i].captured; k++) sent[i].bytes[k] = (uint8_t)random_u32(&r);
        assert_true(pcapng_write(&w, sent[i].interface, sent[i].at, sent[i].direction, sent[i].bytes, sent[i].captured,
                                 sent[i].original, &d));
    }
    assert_true(pcapng_finish(&w, &d));
    fclose(file);

    struct capture *c = capture_open_file(fmemopen(bytes, n, "rb"), "out", &d);
    struct capture_frame f;
    for (int i = 0; i < FRAMES; i++) {
        assert_int_equal(capture_next(c, &f, &d), CAPTURE_FRAME);
        assert_true(capture_time(&f, 0) == sent[i].at);
        assert_int_equal(f.interface, sent[i].interface);
        assert_string_equal(f.if_name, f.interface ? "agg0.1" : "host0.0.0");
        assert_int_equal(f.direction, sent[i].direction);
        assert_int_equal(f.captured, sent[i].captured);
        assert_int_equal(f.original, sent[i].original);
        assert_memory_equal(f.bytes, sent[i].bytes, f.captured);
    }
    assert_int_equal(capture_next(c, &f, &d), CAPTURE_END);
    capture_close(c);
    free(bytes);
}

static void next__reads_what_pcapng_writes(void **state) {
    (void)state;
    assert_round_trip(PCAPNG_100_PS);
    assert_round_trip(PCAPNG_NANOSECOND);
}

static void time__relative_to_base(void **state) {
    (void)state;
    struct capture_frame f = {.second = 1700000001, .ps = 5};
    assert_true(capture_time(&f, 0) == TIME_NONE);
    assert_true(capture_time(&f, 1700000000) == PS_PER_S + 5);
    assert_true(capture_time(&f, 1700000002) == 5 - PS_PER_S);
    f.second = INT64_MIN;
    assert_true(capture_time(&f, 1) == TIME_NONE);
    assert_int_equal(capture_base(0), 0);
    assert_int_equal(capture_base(3600), 0);
    assert_int_equal(capture_base(1700000001), 1700000001);
    assert_int_equal(capture_base(-5), -5);
}

/* The two low bits of the flags give the direction: 1 inbound, 2 outbound; 3 is reserved and means unknown. Other bits
 * are ignored. */
static void next__direction_is_in_the_low_bits_of_the_flags(void **state) {
    (void)state;
    static const struct {
        const char *flags;
        enum capture_direction direction;
    } rows[] = {{"00000000", CAPTURE_UNKNOWN},
                {"01000000", CAPTURE_INBOUND},
                {"02000000", CAPTURE_OUTBOUND},
                {"03000000", CAPTURE_UNKNOWN},
                {"06010000", CAPTURE_OUTBOUND}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char hex[512];
        uint8_t bytes[8];
        snprintf(hex, sizeof hex,
                 SECTION ETHERNET "06000000 30000000 00000000 00000000 40420f00 04000000 04000000 01020304"
                                  "0200 0400 %s 0000 0000 30000000",
                 rows[i].flags);
        assert_int_equal(first_frame(hex, bytes).direction, rows[i].direction);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(next__little_endian_microseconds),
        UNIT(next__big_endian),
        UNIT(next__obsolete_packet_block),
        UNIT(next__sections_and_interfaces),
        UNIT(next__offset_and_resolution),
        UNIT(next__picoseconds_below_the_nanosecond),
        UNIT(stamp__powers_of_ten),
        UNIT(stamp__powers_of_two),
        UNIT(stamp__refuses_what_does_not_fit),
        UNIT(open__neither_kind),
        UNIT(next__empty_capture_ends),
        UNIT(next__bad_sections),
        UNIT(next__bad_lengths),
        UNIT(next__bad_options),
        UNIT(next__bad_frames),
        UNIT(next__other_link_type),
        UNIT(next__classic_pcap),
        UNIT(next__bad_classic_pcap),
        UNIT(next__reads_what_pcapng_writes),
        UNIT(time__relative_to_base),
        UNIT(next__direction_is_in_the_low_bits_of_the_flags),
    };
    return RUN_UNITS(tests);
}
