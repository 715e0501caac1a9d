/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/balance/path_table.h"

#include "base/memory.h"

#include <stdlib.h>

#define PATH_TABLE_LEAST 16u

/* The flat store is written here: else the first flow of each page waits for the kernel to find memory. */
static void path_table_allocate(struct path_table *t, uint32_t slots) {
    t->entry = t->taken ? memory_get_lines(slots, sizeof *t->entry) : memory_get(slots, sizeof *t->entry);
    t->mask = slots - 1;
    t->used = 0;
}

void path_table_init(struct path_table *t, span_ps timeout, enum path_age age, bool flat, uint64_t *lost) {
    *t = (struct path_table){.age = age, .timeout = timeout};
    if (flat) t->taken = memory_get(PATH_TABLE_IDS / 64, sizeof *t->taken);
    t->lost = lost ? lost : &t->lost_unseen;
    t->limit = INT64_MIN;
    path_table_allocate(t, flat ? PATH_TABLE_IDS : PATH_TABLE_LEAST);
}

void path_table_fini(struct path_table *t) {
    free(t->entry);
    free(t->taken);
    t->entry = NULL;
    t->taken = NULL;
}

uint64_t path_table_foreseen(span_ps timeout, const struct balance_crowd *crowd) {
    uint64_t entries = balance_crowd_held(crowd, timeout, PATH_SWEEP_LEAST);
    uint64_t slots = PATH_TABLE_LEAST;
    while (slots < 2 * entries && slots < PATH_TABLE_IDS) slots *= 2; /* path_table_is_full */
    return slots * sizeof(struct path_entry);
}

uint64_t path_table_bytes(const struct path_table *t) {
    return ((uint64_t)t->mask + 1) * sizeof *t->entry + (t->taken ? PATH_TABLE_IDS / 8 : 0);
}

/* Clears the valid bit; a selection that has not finished by now counts as lost. */
void path_table_expire(struct path_table *t, struct path_entry *e) {
    if (!(e->flags & PATH_PSS)) ++*t->lost;
    e->flags = PATH_EXISTS | PATH_PSS;
}

/* Moves every entry into a new array of `slots` slots. */
static void path_table_resize(struct path_table *t, uint32_t slots) {
    struct path_entry *old = t->entry;
    uint32_t n = t->mask + 1;
    path_table_allocate(t, slots);
    for (uint32_t i = 0; i < n; i++) {
        if (!old[i].flags) continue;
        *path_table_slot(t, old[i].id) = old[i];
        t->used++;
    }
    free(old);
}

/* Empties a slot if its entry has expired; returns whether it did. */
static bool path_table_delete(struct path_table *t, uint32_t slot, time_ps now) {
    struct path_entry *e = &t->entry[slot];
    if (!e->flags || !path_table_expired(t, e, now)) return false;
    path_table_expire(t, e);
    e->flags = 0;
    if (t->taken) t->taken[slot / 64] &= ~(1ull << slot % 64);
    return true;
}

/* Empties the slots of expired entries. Leaves probe chains of the hashed store broken until path_table_resize. */
static uint32_t path_table_delete_expired(struct path_table *t, time_ps now) {
    uint32_t deleted = 0;
    for (uint32_t i = 0; !t->taken && i <= t->mask; i++) deleted += path_table_delete(t, i, now);
    for (uint32_t w = 0; t->taken && w < PATH_TABLE_IDS / 64; w++)
        for (uint64_t left = t->taken[w]; left; left &= left - 1)
            deleted += path_table_delete(t, 64 * w + (uint32_t)__builtin_ctzll(left), now);
    return deleted;
}

static uint32_t path_table_slots_for(uint32_t used) {
    uint32_t slots = PATH_TABLE_LEAST;
    while (slots < 3 * used && slots < PATH_TABLE_IDS) slots *= 2;
    return slots;
}

static void path_table_sweep(struct path_table *t, time_ps now) {
    uint32_t deleted = path_table_delete_expired(t, now);
    t->used -= deleted;
    if (deleted && !t->taken) path_table_resize(t, path_table_slots_for(t->used));
}

void path_table_turn(struct path_table *t, time_ps now) {
    time_ps tick = now - now % t->timeout;
    t->limit = tick - t->timeout;
    if (now >= t->next_sweep) {
        path_table_sweep(t, now);
        span_ps period = max_i64(t->timeout, PATH_SWEEP_LEAST);
        t->next_sweep = (now / period + 1) * period;
    }
    t->next_turn = t->age == PATH_AGE_EXACT ? t->next_sweep : min_i64(t->next_sweep, tick + t->timeout);
}

static bool path_table_is_full(const struct path_table *t) {
    return t->mask + 1 < PATH_TABLE_IDS && 2 * (t->used + 1) > t->mask + 1;
}

struct path_entry *path_table_put(struct path_table *t, uint32_t key, time_ps now) {
    if (now >= t->next_turn) path_table_turn(t, now);
    struct path_entry *e = path_table_slot(t, key);
    if (e->flags && path_table_expired(t, e, now)) path_table_expire(t, e);
    if (!e->flags) {
        if (path_table_is_full(t)) path_table_resize(t, 2 * (t->mask + 1));
        e = path_table_slot(t, key);
        if (t->taken) t->taken[(key & t->mask) / 64] |= 1ull << key % 64;
        t->used++;
    }
    e->id = (uint16_t)key;
    e->check = (uint16_t)(key >> 16);
    e->last_used = now;
    return e;
}

uint32_t path_table_live(const struct path_table *t, time_ps now) {
    uint32_t live = 0;
    for (uint32_t i = 0; i <= t->mask; i++) live += t->entry[i].flags && !path_table_expired(t, &t->entry[i], now);
    return live;
}

void path_table_rows(const struct path_table *t, time_ps now, const struct balance_rows *rows) {
    for (uint32_t i = 0; i <= t->mask; i++) {
        const struct path_entry *e = &t->entry[i];
        if (!e->flags || path_table_expired(t, e, now)) continue;
        const struct balance_cell cell[] = {{"id", e->id},
                                            {"port", e->port},
                                            {"valid", (e->flags & PATH_VALID) != 0},
                                            {"settled", (e->flags & PATH_PSS) != 0},
                                            {"idle_us", (now - e->last_used) / PS_PER_US}};
        rows->row(rows->to, "paths", cell, sizeof cell / sizeof *cell);
    }
}
