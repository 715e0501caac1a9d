/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/pcapng.h"

#include "frames.h"

#include <stdlib.h>

/* The bytes that a writer put into memory. */
struct written {
    char *bytes;
    size_t n;
    FILE *file;
    struct pcapng_writer w;
    struct diag d;
};

static void begin(struct written *out, uint32_t snap_bytes) {
    memset(out, 0, sizeof *out);
    out->file = open_memstream(&out->bytes, &out->n);
    assert_non_null(out->file);
    assert_true(pcapng_begin(&out->w, out->file, "out.pcapng", snap_bytes, &out->d));
}

static void assert_written(struct written *out, const char *hex) {
    uint8_t expected[1024];
    size_t n = from_hex(hex, expected);
    assert_true(pcapng_finish(&out->w, &out->d));
    fclose(out->file);
    assert_int_equal(out->n, n);
    assert_memory_equal(out->bytes, expected, n);
    free(out->bytes);
}

/* Our option with these picoseconds below the nanosecond, and the end of the options. */
#define PICOSECONDS(hex) "ad0b 0c00 d97e0000 686564646c65 " hex "00000000"

#define SECTION                                                                                                        \
    "0a0d0d0a 2c000000 4d3c2b1a 0100 0000 ffffffff ffffffff"                                                           \
    "0400 0600 686564646c65 0000 00000000 2c000000"

static void write__section(void **state) {
    (void)state;
    struct written out;
    begin(&out, 0);
    assert_written(&out, SECTION);
}

/* Ethernet, snap length 96, if_name agg0.1, if_speed 10^10, if_tsresol 10. */
static void write__interface(void **state) {
    (void)state;
    struct written out;
    begin(&out, 96);
    assert_true(pcapng_add_interface(&out.w, "agg0.1", 10000000000, &out.d));
    assert_int_equal(out.w.n_interfaces, 1);
    assert_written(&out, SECTION "01000000 38000000 0100 0000 60000000"
                                 "0200 0600 616767302e31 0000"
                                 "0800 0800 00e40b54 02000000"
                                 "0900 0100 0a 000000 00000000"
                                 "38000000");
}

/* A clock of this machine has nanoseconds: if_tsresol 9, and the same instant in that unit. */
static void write__stamps_of_a_live_clock(void **state) {
    (void)state;
    static const struct pcapng_origin live = {"heddle", PCAPNG_NANOSECOND};
    struct written out = {0};
    out.file = open_memstream(&out.bytes, &out.n);
    assert_true(pcapng_begin_as(&out.w, out.file, "out.pcapng", &live, 0, &out.d));
    assert_true(pcapng_add_interface(&out.w, "a", 0, &out.d));
    assert_true(pcapng_write(&out.w, 0, 4294967297345, CAPTURE_UNKNOWN, (const uint8_t *)"loom", 4, 4, &out.d));
    assert_written(&out, SECTION "01000000 28000000 0100 0000 00000000"
                                 "0200 0100 61 000000 0900 0100 09 000000 00000000 28000000"
                                 "06000000 38000000 00000000 01000000 01000000 04000000 04000000"
                                 "6c6f6f6d" PICOSECONDS("5901") "38000000");
}

/* Replacing a capture without --force rests on this. */
static void is_by__tells_the_application_that_wrote(void **state) {
    (void)state;
    static const char *const writers[] = {"heddle", "heddle replay", "heddlx"};
    for (int w = 0; w < 3; w++) {
        struct written out = {0};
        out.file = open_memstream(&out.bytes, &out.n);
        const struct pcapng_origin origin = {writers[w], PCAPNG_100_PS};
        assert_true(pcapng_begin_as(&out.w, out.file, "out.pcapng", &origin, 0, &out.d));
        assert_true(pcapng_finish(&out.w, &out.d));
        fclose(out.file);
        for (int k = 0; k < 3; k++) {
            FILE *in = fmemopen(out.bytes, out.n, "rb");
            assert_int_equal(pcapng_is_by(in, writers[k]), w == k);
            fclose(in);
        }
        FILE *cut = fmemopen(out.bytes, 20, "rb");
        assert_false(pcapng_is_by(cut, writers[w]));
        fclose(cut);
        out.bytes[0] = 0;
        FILE *other = fmemopen(out.bytes, out.n, "rb");
        assert_false(pcapng_is_by(other, writers[w]));
        fclose(other);
        free(out.bytes);
    }
}

/* A sent frame at 2^32 + 1 hundreds of picoseconds and 83 ps, so 783 ps after a
 * nanosecond: 5 captured bytes of 1,514, padded to 8. The option counts
 * from the nanosecond, not from the stamp. */
static void write__frame(void **state) {
    (void)state;
    struct written out;
    begin(&out, 5);
    assert_true(pcapng_write(&out.w, 3, 429496729783, CAPTURE_OUTBOUND, (const uint8_t *)"heddle", 6, 1514, &out.d));
    assert_written(&out, SECTION "06000000 44000000 03000000 01000000 01000000 05000000 ea050000"
                                 "6865 6464 6c 000000"
                                 "0200 0400 02000000" PICOSECONDS("0f03") "44000000");
}

static void write__frame_without_direction_has_no_flags(void **state) {
    (void)state;
    struct written out;
    begin(&out, 0);
    assert_true(pcapng_write(&out.w, 0, 7, CAPTURE_UNKNOWN, (const uint8_t *)"loom", 4, 4, &out.d));
    assert_written(&out, SECTION "06000000 38000000 00000000 00000000 00000000 04000000 04000000"
                                 "6c6f6f6d" PICOSECONDS("0700") "38000000");
}

/* /dev/full refuses every write: the error is reported at the latest when the file is finished. */
static void finish__full_disk_is_an_error(void **state) {
    (void)state;
    struct pcapng_writer w;
    struct diag d = {0};
    FILE *full = fopen("/dev/full", "wb");
    if (!full) skip();
    assert_true(pcapng_begin(&w, full, "tor0.0.pcapng", 0, &d));
    assert_false(pcapng_finish(&w, &d));
    assert_string_equal(d.file, "tor0.0.pcapng");
    assert_string_equal(d.text, "cannot write the capture: No space left on device; "
                                "free some space or capture fewer nodes");
    fclose(full);
}

static void write__full_disk_is_an_error_at_once_without_buffer(void **state) {
    (void)state;
    struct pcapng_writer w;
    struct diag d = {0};
    FILE *full = fopen("/dev/full", "wb");
    if (!full) skip();
    setvbuf(full, NULL, _IONBF, 0);
    assert_false(pcapng_begin(&w, full, "tor0.0.pcapng", 0, &d));
    assert_false(pcapng_write(&w, 0, 0, CAPTURE_INBOUND, (const uint8_t *)"loom", 4, 4, &d));
    fclose(full);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(write__section),
        UNIT(write__interface),
        UNIT(is_by__tells_the_application_that_wrote),
        UNIT(write__frame),
        UNIT(write__frame_without_direction_has_no_flags),
        UNIT(write__stamps_of_a_live_clock),
        UNIT(finish__full_disk_is_an_error),
        UNIT(write__full_disk_is_an_error_at_once_without_buffer),
    };
    return RUN_UNITS(tests);
}
