/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/timeline.h"

#include "base/memory.h"

#include <stdlib.h>

#define DEFAULT_MAX 1000000

void timeline_init(struct timeline *t, size_t max) { *t = (struct timeline){.max = max ? max : DEFAULT_MAX}; }

void timeline_fini(struct timeline *t) {
    free(t->entry);
    t->entry = NULL;
    t->n = t->room = 0;
}

void timeline_add(struct timeline *t, const struct timeline_entry *e) {
    if (t->n == t->max) {
        t->left_out++;
        return;
    }
    if (t->n == t->room) {
        t->room = t->room ? 2 * t->room : 256;
        t->entry = memory_grow(t->entry, t->room, sizeof *t->entry);
    }
    t->entry[t->n++] = *e;
}

struct ordered {
    struct timeline_entry entry;
    size_t order; /* index in the lists, one list after the other */
};

/* One thread records all entries of a node, so its entries of one instant keep the order in which they occurred. */
static int ordered_compare(const void *a, const void *b) {
    const struct ordered *x = a, *y = b;
    if (x->entry.at != y->entry.at) return x->entry.at < y->entry.at ? -1 : 1;
    if (x->entry.node != y->entry.node) return x->entry.node < y->entry.node ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

uint64_t timeline_merge(struct timeline *t, size_t n, struct run_result *r) {
    size_t all = 0, at = 0;
    uint64_t left_out = 0;
    for (size_t i = 0; i < n; i++) {
        all += t[i].n;
        left_out += t[i].left_out;
    }
    struct ordered *sorted = memory_get(all, sizeof *sorted);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < t[i].n; j++, at++) sorted[at] = (struct ordered){t[i].entry[j], at};
        timeline_fini(&t[i]);
    }
    if (all > 1) qsort(sorted, all, sizeof *sorted, ordered_compare);
    size_t kept = n > 0 && all > t[0].max ? t[0].max : all;
    r->timeline = memory_get(kept, sizeof *r->timeline);
    r->n_timeline = kept;
    for (size_t i = 0; i < kept; i++) r->timeline[i] = sorted[i].entry;
    free(sorted);
    return left_out + all - kept;
}

const char *timeline_kind_name(enum timeline_kind kind) {
    static const char *const name[] = {
        [TIMELINE_SENT] = "sent",       [TIMELINE_ENQUEUED] = "enqueued", [TIMELINE_DEQUEUED] = "dequeued",
        [TIMELINE_DROPPED] = "dropped", [TIMELINE_MARKED] = "marked",     [TIMELINE_DELIVERED] = "delivered",
        [TIMELINE_CWND] = "cwnd",       [TIMELINE_TIMEOUT] = "timeout",   [TIMELINE_FINISHED] = "finished",
    };
    return (unsigned)kind < sizeof name / sizeof name[0] ? name[kind] : "unknown";
}

const char *timeline_frame_name(enum timeline_frame frame) {
    static const char *const names[TIMELINE_N_FRAMES] = {"data", "ack", "switch", "request", "credit", "stop", "done"};
    return frame < TIMELINE_N_FRAMES ? names[frame] : "unknown";
}
