/* SPDX-License-Identifier: Apache-2.0 */
/* Storage of route rows: each distinct row once, and rows that differ only by the position of their own rack or pod as
 * windows on one array.
 *
 * In a Clos without failures the row of every ToR is "own rack: none, every other rack: set 0". Counted from the own
 * rack these rows are one array of 2 n_leaves entries, of which each ToR sees n_leaves; the aggs of all pods share
 * another array. So a fabric of 4608 racks needs a few tens of KB instead of 46 MB, and the rows stay in the cache.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/fabric_build.h"

#define WINDOWS_PER_TIER 4

struct row_window {
    uint16_t *entry; /* [2 * n_leaves]; the anchor is entry n_leaves */
};

struct row_store {
    struct fabric *f;
    uint32_t n_leaves;
    struct row_window window[TIER_COUNT][WINDOWS_PER_TIER];
    uint32_t n_windows[TIER_COUNT];
    const uint16_t **slot; /* hash table of whole rows, a power of two, at most half full */
    size_t n_slots, n_rows;
};

struct row_store *row_store_create(struct fabric *f) {
    struct row_store *rows = memory_get(1, sizeof *rows);
    rows->f = f;
    rows->n_leaves = f->n_leaves;
    rows->n_slots = 64;
    rows->slot = memory_get(rows->n_slots, sizeof *rows->slot);
    return rows;
}

void row_store_destroy(struct row_store *rows) {
    free(rows->slot);
    free(rows);
}

static bool window_agrees(const uint16_t *seen, const uint16_t *row, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (seen[i] != row[i] && seen[i] != ROW_UNSET) return false;
    }
    return true;
}

static uint16_t *window_new(struct row_store *rows) {
    uint16_t *entry = fabric_own(rows->f, 2 * (size_t)rows->n_leaves, sizeof *entry);
    for (uint32_t i = 0; i < 2 * rows->n_leaves; i++) entry[i] = ROW_UNSET;
    return entry;
}

/* Returns the row as a window on an array of its tier that agrees with it, or NULL. Entries of the array that are not
 * yet set take the values of the row. */
static const uint16_t *row_on_window(struct row_store *rows, const uint16_t *row, uint8_t tier, uint32_t anchor) {
    uint32_t n = rows->n_leaves;
    for (uint32_t w = 0; w < rows->n_windows[tier]; w++) {
        uint16_t *seen = rows->window[tier][w].entry + (n - anchor);
        if (!window_agrees(seen, row, n)) continue;
        memcpy(seen, row, n * sizeof *row);
        return seen;
    }
    return NULL;
}

static size_t row_hash(const uint16_t *row, uint32_t n) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < n; i++) hash = (hash ^ row[i]) * 0x100000001b3u;
    return (size_t)(hash ^ hash >> 32);
}

/* Returns the slot of the row, or the free slot in which it belongs. */
static size_t row_slot(const struct row_store *rows, const uint16_t *row) {
    size_t i = row_hash(row, rows->n_leaves) & (rows->n_slots - 1);
    while (rows->slot[i] && memcmp(rows->slot[i], row, rows->n_leaves * sizeof *row) != 0)
        i = (i + 1) & (rows->n_slots - 1);
    return i;
}

static void row_slots_double(struct row_store *rows) {
    const uint16_t **old = rows->slot;
    size_t n_old = rows->n_slots;
    rows->n_slots *= 2;
    rows->slot = memory_get(rows->n_slots, sizeof *rows->slot);
    for (size_t i = 0; i < n_old; i++) {
        if (old[i]) rows->slot[row_slot(rows, old[i])] = old[i];
    }
    free(old);
}

const uint16_t *row_keep(struct row_store *rows, const uint16_t *row, uint8_t tier, uint32_t anchor) {
    const uint16_t *kept = row_on_window(rows, row, tier, anchor);
    if (kept) return kept;
    size_t i = row_slot(rows, row);
    if (rows->slot[i]) return rows->slot[i];
    if (rows->n_windows[tier] < WINDOWS_PER_TIER) {
        rows->window[tier][rows->n_windows[tier]++].entry = window_new(rows);
        return row_on_window(rows, row, tier, anchor);
    }
    if (rows->n_rows * 2 >= rows->n_slots) {
        row_slots_double(rows);
        i = row_slot(rows, row);
    }
    uint16_t *copy = fabric_own(rows->f, rows->n_leaves, sizeof *copy);
    memcpy(copy, row, rows->n_leaves * sizeof *row);
    rows->n_rows++;
    return rows->slot[i] = copy;
}
