/* SPDX-License-Identifier: Apache-2.0 */
#include "study/run/order.h"

#include "base/memory.h"
#include "base/units.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct place {
    size_t first;            /* index of its run with the first seed */
    uint32_t level, middles; /* the largest and the sum of its values' levels */
    uint64_t numbers, words; /* its values on the axes of numbers and on the others, each as one number */
    uint32_t n_taken;        /* runs taken */
    uint32_t next_seed;      /* index of the first seed whose run is not taken */
};

struct order {
    size_t n_places, n_seeds, seed_stride; /* run of seed k: first + k * seed_stride */
    struct place *place;                   /* in the order of the first seed */
    size_t *place_of;                      /* [n_runs] */
    bool *taken, *open;                    /* [n_runs]; open: by the last pass */
    bool pass_is_open;                     /* the pass is one of open places */
    uint32_t pass_seeds;                   /* seeds that the places of the pass have; 0: no pass yet */
};

/* ---- axes ---- */

#define SEED "run.seed"

/* Reads a value of the axis as a number. False: it is none. */
static bool value_number(const struct axis *a, size_t i, int64_t *number) {
    const struct key *k = schema_find(a->key);
    const struct tree_node *v = a->list->item[i];
    char why[384];
    if (!k || v->kind != TREE_SCALAR) return false;
    if (k->kind == KEY_SIZES) return units_parse(PARAM_BYTES, v->text, number, why, sizeof why);
    bool is_number = k->kind == KEY_VALUE && k->param.type != PARAM_BOOL && k->param.type != PARAM_CHOICE;
    return is_number && param_parse(&k->param, v->text, number, why, sizeof why);
}

struct number {
    int64_t value;
    size_t i; /* of the axis */
};

static int by_value(const void *pa, const void *pb) {
    const struct number *a = pa, *b = pb;
    return a->value < b->value ? -1 : a->value > b->value;
}

/* Gives the values between two a level, that in the middle first. */
static void halve(const struct number *sorted, size_t low, size_t high, uint32_t level, uint32_t *levels) {
    if (high - low < 2) return;
    size_t middle = low + (high - low) / 2;
    levels[sorted[middle].i] = level;
    halve(sorted, low, middle, level + 1, levels);
    halve(sorted, middle, high, level + 1, levels);
}

/* Fills the level of each value. Returns whether any is a number. */
static bool axis_levels(const struct axis *a, uint32_t *levels) {
    struct number *sorted = memory_get(a->list->n, sizeof *sorted);
    size_t n = 0;
    for (size_t i = 0; i < a->list->n; i++) {
        sorted[n].i = i;
        n += value_number(a, i, &sorted[n].value);
    }
    qsort(sorted, n, sizeof *sorted, by_value);
    if (n) halve(sorted, 0, n - 1, 1, levels);
    free(sorted);
    return n > 0;
}

/* ---- places ---- */

static int by_order(const void *pa, const void *pb) {
    const struct place *a = pa, *b = pb;
    if (a->level != b->level) return a->level < b->level ? -1 : 1;
    if (a->middles != b->middles) return a->middles < b->middles ? -1 : 1;
    if (a->numbers != b->numbers) return a->numbers < b->numbers ? -1 : 1;
    return a->words < b->words ? -1 : a->words > b->words;
}

/* Takes the values of one axis into all places. `stride`: runs between two of its values. */
static void axis_add(struct order *o, const struct axis *a, size_t stride) {
    assert(stride > 0);
    uint32_t *levels = memory_get(a->list->n, sizeof *levels);
    bool is_numbers = axis_levels(a, levels);
    for (size_t p = 0; p < o->n_places; p++) {
        struct place *to = &o->place[p];
        size_t i = to->first / stride % a->list->n;
        uint64_t *digits = is_numbers ? &to->numbers : &to->words;
        *digits = *digits * a->list->n + i;
        to->middles += levels[i];
        if (levels[i] > to->level) to->level = levels[i];
    }
    free(levels);
}

/* Finds the axis of seeds: how many there are, and how many runs lie between two. */
static void seeds_find(struct order *o, const struct experiment *e) {
    o->n_seeds = o->seed_stride = 1;
    size_t stride = 1;
    for (size_t i = e->n_axes; i-- > 0; stride *= e->axis[i].list->n) {
        if (strcmp(e->axis[i].key, SEED) != 0) continue;
        o->n_seeds = e->axis[i].list->n;
        o->seed_stride = stride;
    }
}

static void places_fill(struct order *o, const struct experiment *e) {
    o->place = memory_get(e->n_runs / o->n_seeds, sizeof *o->place);
    for (size_t i = 0; i < e->n_runs; i++)
        if (i / o->seed_stride % o->n_seeds == 0) o->place[o->n_places++] = (struct place){.first = i};
    for (size_t i = 0, stride = e->n_runs; i < e->n_axes; i++) {
        stride /= e->axis[i].list->n;
        if (strcmp(e->axis[i].key, SEED) != 0) axis_add(o, &e->axis[i], stride);
    }
    qsort(o->place, o->n_places, sizeof *o->place, by_order);
    for (size_t p = 0; p < o->n_places; p++)
        for (size_t k = 0; k < o->n_seeds; k++) o->place_of[o->place[p].first + k * o->seed_stride] = p;
}

struct order *order_create(const struct experiment *e) {
    struct order *o = memory_get(1, sizeof *o);
    o->place_of = memory_get(e->n_runs, sizeof *o->place_of);
    o->taken = memory_get(e->n_runs, sizeof *o->taken);
    o->open = memory_get(e->n_runs, sizeof *o->open);
    seeds_find(o, e);
    places_fill(o, e);
    return o;
}

void order_free(struct order *o) {
    if (!o) return;
    free(o->place);
    free(o->place_of);
    free(o->taken);
    free(o->open);
    free(o);
}

size_t order_places(const struct order *o) { return o->n_places; }
size_t order_place(const struct order *o, size_t run) { return o->place_of[run]; }

/* ---- what is next ---- */

void order_take(struct order *o, size_t run) {
    struct place *p = &o->place[o->place_of[run]];
    if (o->taken[run]) return;
    o->taken[run] = true;
    p->n_taken++;
    while (p->next_seed < o->n_seeds && o->taken[p->first + p->next_seed * o->seed_stride]) p->next_seed++;
}

/* Returns the next run of a place if it fits; SIZE_MAX otherwise. */
static size_t place_next(const struct order *o, const struct place *p, const struct order_asks *asks) {
    if (p->next_seed == o->n_seeds) return SIZE_MAX;
    size_t run = p->first + p->next_seed * o->seed_stride;
    return asks->fits(asks->context, run) ? run : SIZE_MAX;
}

/* Returns the place whose turn it is among those with the first seed; NULL: no run of theirs fits. */
static const struct place *turn_find(const struct order *o, const struct order_asks *asks, bool *is_open) {
    const struct place *best = NULL;
    *is_open = false;
    for (const struct place *p = o->place; p < o->place + o->n_places; p++) {
        bool open = o->open[p->first];
        bool earlier = !best || (open && !*is_open) || (open == *is_open && p->n_taken < best->n_taken);
        if (p->next_seed == 0 || !earlier || place_next(o, p, asks) == SIZE_MAX) continue;
        best = p;
        *is_open = open;
    }
    return best;
}

/* A place is as open as any of its runs. */
static void pass_begin(struct order *o, const struct order_asks *asks) {
    asks->open(asks->context, o->open);
    for (const struct place *p = o->place; p < o->place + o->n_places; p++)
        for (size_t k = 1; k < o->n_seeds; k++)
            o->open[p->first] = o->open[p->first] || o->open[p->first + k * o->seed_stride];
}

static size_t further_seed(struct order *o, const struct order_asks *asks) {
    bool is_open;
    const struct place *turn = turn_find(o, asks, &is_open);
    if (!turn) return SIZE_MAX;
    if (turn->n_taken != o->pass_seeds || is_open != o->pass_is_open) {
        pass_begin(o, asks);
        turn = turn_find(o, asks, &is_open);
        o->pass_seeds = turn->n_taken;
        o->pass_is_open = is_open;
    }
    return place_next(o, turn, asks);
}

size_t order_next(struct order *o, const struct order_asks *asks) {
    size_t run = SIZE_MAX;
    for (size_t p = 0; p < o->n_places && run == SIZE_MAX; p++)
        if (o->place[p].next_seed == 0) run = place_next(o, &o->place[p], asks);
    if (run == SIZE_MAX) run = further_seed(o, asks);
    if (run != SIZE_MAX) order_take(o, run);
    return run;
}
