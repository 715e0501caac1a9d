/* SPDX-License-Identifier: Apache-2.0 */
/* The queue holds frames back until their time, so that the file is in the order of time. */
#include "wire/pcapng_queue.h"

#include "frames.h"
#include "wire/capture.h"

struct queue_file {
    char *bytes;
    size_t n;
    FILE *file;
    struct pcapng_writer w;
    struct pcapng_queue q;
    struct diag d;
};

static void begin(struct queue_file *f) {
    memset(f, 0, sizeof *f);
    f->file = open_memstream(&f->bytes, &f->n);
    assert_non_null(f->file);
    assert_true(pcapng_begin(&f->w, f->file, "out.pcapng", 0, &f->d));
    assert_true(pcapng_add_interface(&f->w, "a", 0, &f->d));
    pcapng_queue_init(&f->q, &f->w);
}

/* Queues a frame whose four bytes are its number. */
static void put(struct queue_file *f, time_ps at, uint32_t number) {
    uint8_t *bytes = malloc(4);
    assert_non_null(bytes);
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(number >> 8 * i);
    pcapng_queue_put(&f->q, 0, at, CAPTURE_OUTBOUND, bytes, 4, 4);
}

/* Ends the file and reads back the frames' numbers, whose times never go back. Returns how many there are. */
static size_t finish(struct queue_file *f, uint32_t *number, size_t most) {
    assert_true(pcapng_queue_finish(&f->q, &f->d));
    fclose(f->file);
    FILE *in = fmemopen(f->bytes, f->n, "rb");
    struct capture *c = capture_open_file(in, "out.pcapng", &f->d);
    struct capture_frame x;
    time_ps last = 0;
    size_t n = 0;
    for (; capture_next(c, &x, &f->d) == CAPTURE_FRAME; n++) {
        assert_true(n < most);
        assert_true(x.ps >= last);
        last = x.ps;
        number[n] = x.bytes[0] | (uint32_t)x.bytes[1] << 8 | (uint32_t)x.bytes[2] << 16;
    }
    capture_close(c);
    free(f->bytes);
    return n;
}

static void queue__writes_in_the_order_of_time(void **state) {
    (void)state;
    struct queue_file f;
    uint32_t number[8];
    begin(&f);
    put(&f, 30, 0);
    put(&f, 10, 1);
    put(&f, 30, 2); /* equal times: in the order of arrival */
    put(&f, 20, 3);
    pcapng_queue_flush(&f.q, 20); /* writes frame 1 only */
    put(&f, 20, 4);
    put(&f, 40, 5);
    assert_int_equal(finish(&f, number, 8), 6);
    const uint32_t expected[] = {1, 3, 4, 0, 2, 5};
    assert_memory_equal(number, expected, sizeof expected);
}

static void queue__empty(void **state) {
    (void)state;
    struct queue_file f;
    uint32_t number[1];
    begin(&f);
    pcapng_queue_flush(&f.q, 100);
    assert_int_equal(finish(&f, number, 1), 0);
}

/* One frame is held while thousands pass: the ring grows around it. */
static void queue__holds_one_for_long(void **state) {
    (void)state;
    struct queue_file f;
    static uint32_t number[5001];
    begin(&f);
    put(&f, 1000000, 77777);
    for (uint32_t i = 0; i < 5000; i++) {
        put(&f, 100 + i, i);
        pcapng_queue_flush(&f.q, 100 + i - i % 7);
    }
    assert_int_equal(finish(&f, number, 5001), 5001);
    for (uint32_t i = 0; i < 5000; i++) assert_int_equal(number[i], i);
    assert_int_equal(number[5000], 77777);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(queue__writes_in_the_order_of_time),
        UNIT(queue__empty),
        UNIT(queue__holds_one_for_long),
    };
    return RUN_UNITS(tests);
}
