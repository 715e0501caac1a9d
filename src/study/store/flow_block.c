/* SPDX-License-Identifier: Apache-2.0 */
#include "study/store/flow_block.h"

#include "study/store/store_reader.h"

#include <string.h>

#define BLOCK_VERSION 1
#define COLUMN_HEAD 10 /* bytes before the values: nulls, width, least distance */

enum nulls { NULLS_NONE, NULLS_ALL, NULLS_SOME };

/* ---- numbers of w bytes ---- */

static void put(uint8_t *at, unsigned w, uint64_t value) {
    for (unsigned i = 0; i < w; i++) at[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get(const uint8_t *at, unsigned w) {
    uint64_t value = 0;
    for (unsigned i = 0; i < w; i++) value |= (uint64_t)at[i] << 8 * i;
    return value;
}

static unsigned width_of(uint64_t most) {
    unsigned w = 0;
    while (w < 8 && most >> 8 * w) w++;
    return w;
}

/* ---- guesses ---- */

static uint64_t known(const struct flow_block *b, int column, uint32_t row) {
    int64_t value = b->value[column][row];
    return value == STORE_NULL ? 0 : (uint64_t)value;
}

/* Returns what a value should be by the others of its row. */
static uint64_t guess(const struct flow_block *b, int column, uint32_t row) {
    switch (column) {
    case FLOW_AT_FLOW: return row;
    case FLOW_AT_FINISHED: return known(b, FLOW_AT_START, row) + known(b, FLOW_AT_FCT, row);
    case FLOW_AT_RECEIVED: return known(b, FLOW_AT_BYTES, row);
    case FLOW_AT_FIRST_DATA: return known(b, FLOW_AT_START, row);
    default: return 0;
    }
}

/* ---- packing ---- */

static int64_t distance(const struct flow_block *b, int column, uint32_t row) {
    return (int64_t)((uint64_t)b->value[column][row] - guess(b, column, row));
}

static enum nulls nulls_of(const struct flow_block *b, int column) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n; i++) n += b->value[column][i] == STORE_NULL;
    return n == 0 ? NULLS_NONE : n == b->n ? NULLS_ALL : NULLS_SOME;
}

/* Sets the least distance of a column that has one, and returns by how much the largest exceeds it. */
static uint64_t range_of(const struct flow_block *b, int column, int64_t *least) {
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (uint32_t i = 0; i < b->n; i++) {
        if (b->value[column][i] == STORE_NULL) continue;
        int64_t d = distance(b, column, i);
        if (d < low) low = d;
        if (d > high) high = d;
    }
    *least = low;
    return (uint64_t)high - (uint64_t)low;
}

static uint8_t *column_pack(const struct flow_block *b, int column, uint8_t *at) {
    enum nulls nulls = nulls_of(b, column);
    int64_t least;
    *at++ = (uint8_t)nulls;
    if (nulls == NULLS_ALL) return at;
    unsigned w = width_of(range_of(b, column, &least));
    *at++ = (uint8_t)w;
    put(at, 8, (uint64_t)least);
    at += 8;
    if (nulls == NULLS_SOME) {
        memset(at, 0, (b->n + 7) / 8);
        for (uint32_t i = 0; i < b->n; i++) at[i / 8] |= (uint8_t)((b->value[column][i] == STORE_NULL) << i % 8);
        at += (b->n + 7) / 8;
    }
    for (uint32_t i = 0; i < b->n; i++, at += w) {
        bool is_null = b->value[column][i] == STORE_NULL;
        put(at, w, is_null ? 0 : (uint64_t)distance(b, column, i) - (uint64_t)least);
    }
    return at;
}

size_t flow_block_pack(const struct flow_block *b, uint8_t *bytes) {
    uint8_t *at = bytes;
    *at++ = BLOCK_VERSION;
    for (int c = 0; c < FLOW_COLUMNS; c++) at = column_pack(b, c, at);
    return (size_t)(at - bytes);
}

/* ---- unpacking ---- */

/* The bytes of a block that have not been read yet. */
struct left {
    const uint8_t *at, *end;
};

static size_t room(const struct left *l) { return (size_t)(l->end - l->at); }

/* Fills a column with its distances, and NULL where there is none. A guess needs columns that stand behind it, so the values
 * are made of them last. */
static bool distances_unpack(struct flow_block *b, int column, struct left *l) {
    if (room(l) < 1) return false;
    unsigned nulls = *l->at;
    for (uint32_t i = 0; i < b->n; i++) b->value[column][i] = STORE_NULL;
    if (nulls == NULLS_ALL) return l->at++, true;
    if (nulls > NULLS_SOME || room(l) < COLUMN_HEAD || l->at[1] > 8) return false;
    unsigned w = l->at[1];
    uint64_t least = get(l->at + 2, 8);
    const uint8_t *is_null = nulls == NULLS_SOME ? l->at + COLUMN_HEAD : NULL;
    size_t before = COLUMN_HEAD + (is_null ? (b->n + 7) / 8 : 0);
    if (room(l) < before + (size_t)b->n * w) return false;
    l->at += before;
    for (uint32_t i = 0; i < b->n; i++, l->at += w)
        if (!is_null || !(is_null[i / 8] >> i % 8 & 1)) b->value[column][i] = (int64_t)(least + get(l->at, w));
    return true;
}

static void guesses_add(struct flow_block *b, int column) {
    for (uint32_t i = 0; i < b->n; i++)
        if (b->value[column][i] != STORE_NULL)
            b->value[column][i] = (int64_t)((uint64_t)b->value[column][i] + guess(b, column, i));
}

bool flow_block_unpack(struct flow_block *b, uint32_t n, const uint8_t *bytes, size_t size) {
    static const int guessed[] = {FLOW_AT_FLOW, FLOW_AT_FINISHED, FLOW_AT_RECEIVED, FLOW_AT_FIRST_DATA};
    struct left l = {bytes, bytes + size};
    if (n == 0 || n > FLOW_BLOCK || size == 0 || *l.at++ != BLOCK_VERSION) return false;
    b->n = n;
    for (int c = 0; c < FLOW_COLUMNS; c++)
        if (!distances_unpack(b, c, &l)) return false;
    for (size_t i = 0; i < sizeof guessed / sizeof *guessed; i++) guesses_add(b, guessed[i]);
    return l.at == l.end;
}
