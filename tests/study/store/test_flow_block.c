/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of packed flows: they unpack to what was packed, take no more than their form says, and damage is refused. */
#include "study/store/flow_block.h"

#include "study/store/store_reader.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

struct blocks {
    struct flow_block packed, unpacked;
    uint8_t bytes[FLOW_BLOCK_BYTES_MOST + 8];
};

static struct blocks *blocks_new(uint32_t n) {
    struct blocks *x = calloc(1, sizeof *x);
    assert_non_null(x);
    x->packed.n = n;
    return x;
}

static uint64_t drawn(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 20;
}

/* Fills column c with numbers of up to so many bits, some of them NULL. */
static void column_draw(struct flow_block *b, int c, unsigned bits, unsigned one_null_in, uint64_t *state) {
    for (uint32_t i = 0; i < b->n; i++) {
        b->value[c][i] = (int64_t)(drawn(state) * drawn(state) & ((1ull << bits) - 1));
        if (one_null_in && drawn(state) % one_null_in == 0) b->value[c][i] = STORE_NULL;
    }
}

static void assert_same(const struct flow_block *a, const struct flow_block *b) {
    assert_int_equal(a->n, b->n);
    for (int c = 0; c < FLOW_COLUMNS; c++)
        for (uint32_t i = 0; i < a->n; i++)
            if (a->value[c][i] != b->value[c][i]) fail_msg("column %d of row %u differs", c, i);
}

static void block__unpacks_to_what_was_packed(void **state) {
    (void)state;
    static const uint32_t sizes[] = {1, 2, 7, 8, 9, 1000, FLOW_BLOCK};
    uint64_t random = 7;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct blocks *x = blocks_new(sizes[k]);
        for (int c = 0; c < FLOW_COLUMNS; c++)
            column_draw(&x->packed, c, (unsigned)(drawn(&random) % 61), (unsigned)(drawn(&random) % 4), &random);
        size_t size = flow_block_pack(&x->packed, x->bytes);
        assert_true(size <= FLOW_BLOCK_BYTES_MOST);
        assert_true(flow_block_unpack(&x->unpacked, sizes[k], x->bytes, size));
        assert_same(&x->packed, &x->unpacked);
        free(x);
    }
}

/* Fills a block of flows that are alike: each starts 10 ps after the one before, and ends, and has all that it was to have. */
static void alike_fill(struct flow_block *b) {
    for (uint32_t i = 0; i < b->n; i++) {
        for (int c = 0; c < FLOW_COLUMNS; c++) b->value[c][i] = 100 + c;
        b->value[FLOW_AT_FLOW][i] = 5000000000ll + i;
        b->value[FLOW_AT_START][i] = 70000000000ll + 10 * i;
        b->value[FLOW_AT_FINISHED][i] = b->value[FLOW_AT_START][i] + b->value[FLOW_AT_FCT][i];
        b->value[FLOW_AT_RECEIVED][i] = b->value[FLOW_AT_BYTES][i];
        b->value[FLOW_AT_FIRST_DATA][i] = b->value[FLOW_AT_START][i] + 33;
        b->value[FLOW_COLUMNS - 1][i] = STORE_NULL;
    }
}

/* What is the same, or follows, takes no bytes a flow: only starts do, which reach over 40,950 ps, so 2 bytes each. */
static void block__what_follows_takes_nothing(void **state) {
    (void)state;
    struct blocks *x = blocks_new(FLOW_BLOCK);
    alike_fill(&x->packed);
    assert_int_equal(flow_block_pack(&x->packed, x->bytes), 1 + (FLOW_COLUMNS - 1) * 10 + 1 + 2 * FLOW_BLOCK);
    x->packed.value[FLOW_AT_FCT][3] += 256; /* and so does the end, which follows; the FCT needs 2 bytes now */
    x->packed.value[FLOW_AT_FINISHED][3] += 256;
    assert_int_equal(flow_block_pack(&x->packed, x->bytes), 1 + (FLOW_COLUMNS - 1) * 10 + 1 + 4 * FLOW_BLOCK);
    free(x);
}

static void block__of_impossible_bytes_is_refused(void **state) {
    (void)state;
    struct blocks *x = blocks_new(9);
    uint64_t random = 11;
    for (int c = 0; c < FLOW_COLUMNS; c++) column_draw(&x->packed, c, 20, 3, &random);
    size_t size = flow_block_pack(&x->packed, x->bytes);
    for (size_t less = 0; less < size; less++) {
        uint8_t *exact = malloc(less + 1); /* so that a sanitizer sees what is read behind */
        memcpy(exact, x->bytes, less);
        assert_false(flow_block_unpack(&x->unpacked, 9, exact, less));
        free(exact);
    }
    assert_false(flow_block_unpack(&x->unpacked, 9, x->bytes, size + 1));
    assert_false(flow_block_unpack(&x->unpacked, 8, x->bytes, size));
    assert_false(flow_block_unpack(&x->unpacked, 0, x->bytes, size));
    assert_false(flow_block_unpack(&x->unpacked, FLOW_BLOCK + 1, x->bytes, size));
    static const struct {
        size_t at;
        uint8_t byte;
    } damage[] = {{0, 0}, {0, 2}, {1, 3}, {2, 9}};
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        uint8_t was = x->bytes[damage[i].at];
        x->bytes[damage[i].at] = damage[i].byte;
        assert_false(flow_block_unpack(&x->unpacked, 9, x->bytes, size));
        x->bytes[damage[i].at] = was;
    }
    assert_true(flow_block_unpack(&x->unpacked, 9, x->bytes, size));
    free(x);
}

/* Any bytes either are a block or are refused; nothing outside of them is read or written. */
static void block__of_any_bytes_does_no_harm(void **state) {
    (void)state;
    struct blocks *x = blocks_new(40);
    uint64_t random = 13;
    for (int c = 0; c < FLOW_COLUMNS; c++) column_draw(&x->packed, c, 30, 2, &random);
    size_t size = flow_block_pack(&x->packed, x->bytes);
    unsigned refused = 0;
    for (int round = 0; round < 3000; round++) {
        uint8_t *bytes = malloc(size);
        memcpy(bytes, x->bytes, size);
        for (int i = 0; i < 3; i++) bytes[drawn(&random) % size] = (uint8_t)drawn(&random);
        refused += !flow_block_unpack(&x->unpacked, 40, bytes, size);
        free(bytes);
    }
    assert_in_range(refused, 10, 2990);
    free(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(block__unpacks_to_what_was_packed),
        UNIT(block__what_follows_takes_nothing),
        UNIT(block__of_impossible_bytes_is_refused),
        UNIT(block__of_any_bytes_does_no_harm),
    };
    return RUN_UNITS(tests);
}
