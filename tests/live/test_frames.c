/* SPDX-License-Identifier: Apache-2.0 */
/* Frames between ports and a switch: a frame leaves its cell with the changes of the switch and no others. */
#include "live/frames.h"

#include "unit.h"
#include "wire/frames.h"

#include <string.h>

static const uint8_t mine[6] = {2, 0, 0, 0, 0, 1}, theirs[6] = {2, 0, 0, 0, 0, 2};

static uint32_t put(struct frames *f, const uint8_t *bytes, size_t n) {
    uint8_t *at;
    uint32_t index = frames_take(f, n, &at);
    memcpy(at, bytes, n);
    return index;
}

static void frames__leave_as_a_copy_would(void **state) {
    (void)state;
    struct random_stream r;
    struct frames f;
    random_init(&r, 7, RANDOM_HASH, 0);
    frames_init(&f);
    for (int i = 0; i < 5000; i++) {
        uint8_t frame[2048], copy[2048];
        struct packet_ext ext;
        struct frame_info info;
        struct packet p = random_packet(&r, &ext), parsed;
        size_t written, n = frame_build(&p, &ext, mine, theirs, frame, sizeof frame);
        uint32_t index = put(&f, frame, n);
        assert_int_equal(frames_parse(&f, index, n, n), FRAME_OK);
        assert_int_equal(frames_info(&f, index)->original, n);
        assert_int_equal(frame_parse(frame, n, n, &parsed, &ext, &info), FRAME_OK);
        packet_at(&f.pool, index)->ttl--;
        parsed.ttl--;
        size_t length = frame_rewrite(frame, &info, &parsed, &ext, theirs, mine, copy, sizeof copy, &written);
        struct frame_bytes b = frames_emit(&f, index, theirs, mine);
        assert_int_equal(b.length, length);
        assert_int_equal(b.captured, written);
        assert_memory_equal(b.at, copy, written);
        frames_release(&f, index);
    }
    assert_int_equal(f.pool.in_use, 0);
    assert_int_equal(f.pool.ext_in_use, 0);
    assert_true(f.pool.peak == 1);
    frames_fini(&f);
}

/* A process has all memory from the start that it will need for 4,096 frames, but for their bytes: a block of extensions is
 * 700 KB, and the first frame that has one may come after hours. */
static void frames__memory_does_not_wait_for_the_first_frame(void **state) {
    (void)state;
    struct frames f;
    struct random_stream r;
    uint32_t index[100];
    frames_init(&f);
    random_init(&r, 9, RANDOM_HASH, 0);
    uint64_t before = packet_pool_bytes(&f.pool);
    assert_int_equal(f.n_cells, POOL_BLOCK);
    assert_int_equal(f.pool.in_use + f.pool.ext_in_use, 0);
    for (int i = 0; i < 100; i++) {
        uint8_t frame[2048];
        struct packet_ext ext;
        struct packet p = random_packet(&r, &ext);
        size_t n = frame_build(&p, &ext, mine, theirs, frame, sizeof frame);
        index[i] = put(&f, frame, n);
        assert_int_equal(frames_parse(&f, index[i], n, n), FRAME_OK);
    }
    assert_true(f.pool.ext_in_use > 0);
    assert_int_equal(packet_pool_bytes(&f.pool), before);
    assert_int_equal(f.n_cells, POOL_BLOCK);
    for (int i = 0; i < 100; i++) frames_release(&f, index[i]);
    frames_fini(&f);
}

/* A frame that the switch creates gets its bytes only when it leaves. */
static void frames__that_a_switch_made_are_built(void **state) {
    (void)state;
    struct random_stream r;
    struct frames f;
    random_init(&r, 8, RANDOM_HASH, 0);
    frames_init(&f);
    for (int i = 0; i < 1000; i++) {
        uint8_t built[2048];
        struct packet_ext ext;
        struct packet p = random_packet(&r, &ext);
        uint32_t index = packet_get(&f.pool);
        p.ext = packet_ext_get_wide(&f.pool);
        *packet_ext_at(&f.pool, p.ext) = ext;
        *packet_at(&f.pool, index) = p;
        assert_null(frames_info(&f, index));
        struct frame_bytes b = frames_emit(&f, index, mine, theirs);
        assert_int_equal(b.length, frame_build(&p, &ext, mine, theirs, built, sizeof built));
        assert_int_equal(b.captured, b.length);
        assert_memory_equal(b.at, built, b.length);
        frames_release(&f, index);
    }
    frames_fini(&f);
}

static void frames__of_any_length(void **state) {
    (void)state;
    static uint8_t jumbo[9018], tiny[1];
    struct frames f;
    struct packet_ext ext = {.n_sack = 0};
    frames_init(&f);
    struct packet p = blank_packet(PROTO_TCP);
    p.payload_bytes = 9018 - ETHERNET_BYTES - IPV4_BYTES - TCP_BASE_BYTES;
    size_t n = frame_build(&p, &ext, mine, theirs, jumbo, sizeof jumbo);
    uint32_t index = put(&f, jumbo, n);
    assert_int_equal(frames_parse(&f, index, n, n), FRAME_OK);
    assert_memory_equal(frames_emit(&f, index, mine, theirs).at, jumbo, n);
    frames_release(&f, index);
    index = put(&f, tiny, 1); /* the same cell */
    assert_int_equal(frames_parse(&f, index, 1, 1), FRAME_TRUNCATED);
    assert_null(frames_info(&f, index));
    frames_release(&f, index);
    frames_fini(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(frames__memory_does_not_wait_for_the_first_frame),
                                       UNIT(frames__leave_as_a_copy_would), UNIT(frames__that_a_switch_made_are_built),
                                       UNIT(frames__of_any_length)};
    return RUN_UNITS(tests);
}
