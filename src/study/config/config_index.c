/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/config_index.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define FEW 512 /* settings that are looked through as fast */

struct slot {
    const char *path; /* of a setting, which owns it; NULL: the slot is free */
    uint32_t length;  /* of the block in it */
    struct config_range range;
};

struct config_index {
    struct slot *slot;
    size_t mask; /* number of slots, a power of two, less one */
    size_t used;
};

static uint64_t hash_of(const char *path, size_t length) {
    uint64_t h = 1469598103934665603u; /* FNV-1a */
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)path[i]) * 1099511628211u;
    return h ^ h >> 32;
}

/* Returns the slot of a path, or the free one in which it belongs. */
static struct slot *slot_of(const struct config_index *x, const char *path, size_t length) {
    size_t at = hash_of(path, length) & x->mask;
    for (;; at = (at + 1) & x->mask) {
        struct slot *s = &x->slot[at];
        if (!s->path || (s->length == length && memcmp(s->path, path, length) == 0)) return s;
    }
}

static void index_enlarge(struct config_index *x) {
    struct config_index larger = {.mask = 2 * x->mask + 1, .used = x->used};
    larger.slot = memory_get(larger.mask + 1, sizeof *larger.slot);
    for (size_t i = 0; i <= x->mask; i++)
        if (x->slot[i].path) *slot_of(&larger, x->slot[i].path, x->slot[i].length) = x->slot[i];
    free(x->slot);
    *x = larger;
}

static void index_add(struct config_index *x, const char *path, size_t length, size_t setting) {
    if (2 * x->used > x->mask) index_enlarge(x);
    struct slot *s = slot_of(x, path, length);
    if (!s->path) {
        *s = (struct slot){path, (uint32_t)length, {setting, setting}};
        x->used++;
    }
    s->range.end = setting + 1;
}

struct config_index *config_index_make(const struct config *c) {
    if (c->n <= FEW) return NULL;
    struct config_index *x = memory_get(1, sizeof *x);
    *x = (struct config_index){.mask = 4095, .slot = memory_get(4096, sizeof *x->slot)};
    for (size_t i = 0; i < c->n; i++) {
        const char *path = c->setting[i].path;
        for (size_t n = strcspn(path, "."); path[n]; n += 1 + strcspn(path + n + 1, ".")) index_add(x, path, n, i);
        index_add(x, path, strlen(path), i);
    }
    return x;
}

void config_index_free(struct config_index *x) {
    if (x) free(x->slot);
    free(x);
}

struct config_range config_range(const struct config *c, const char *path) {
    size_t length = strcspn(path, "*");
    if (path[length] && length) length--; /* the dot before it */
    if (!c->index || length == 0) return (struct config_range){0, c->n};
    const struct slot *s = slot_of(c->index, path, length);
    return s->path ? s->range : (struct config_range){0, 0};
}
