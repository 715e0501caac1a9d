#include "measure/timeline.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_MAX 1000000
#define NAME_MAX_BYTES 64

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
    size_t order; /* of adding, list after list */
};

/* A node lives in one thread, so at one instant its entries keep the order in which they came about. */
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

/* ---- Text ---- */

const char *timeline_kind_name(enum timeline_kind kind) {
    static const char *const name[] = {
        [TIMELINE_SENT] = "sent",       [TIMELINE_ENQUEUED] = "enqueued", [TIMELINE_DEQUEUED] = "dequeued",
        [TIMELINE_DROPPED] = "dropped", [TIMELINE_MARKED] = "marked",     [TIMELINE_DELIVERED] = "delivered",
        [TIMELINE_CWND] = "window",     [TIMELINE_TIMEOUT] = "timeout",   [TIMELINE_FINISHED] = "finished",
    };
    return (unsigned)kind < sizeof name / sizeof name[0] ? name[kind] : "unknown";
}

static bool has_frame(enum timeline_kind kind) { return kind <= TIMELINE_DELIVERED; }

static bool has_port(enum timeline_kind kind) { return kind >= TIMELINE_ENQUEUED && kind <= TIMELINE_MARKED; }

static void place_text(const struct timeline_entry *e, const struct timeline_names *names, char *buf, size_t size) {
    char node[NAME_MAX_BYTES], port[NAME_MAX_BYTES];
    const char *at = names->node(names->context, e->node, node, sizeof node);
    if (names->port && has_port(e->kind)) {
        snprintf(buf, size, "%s to %s", at, names->port(names->context, e->node, e->port, port, sizeof port));
    } else {
        snprintf(buf, size, "%s", at);
    }
}

static void frame_text(const struct timeline_entry *e, char *buf, size_t size) {
    buf[0] = '\0';
    if (e->kind == TIMELINE_CWND) {
        snprintf(buf, size, "%" PRIu32 " B", e->size);
    } else if (has_frame(e->kind) && e->is_ack) {
        snprintf(buf, size, "ack %" PRIu32, e->seq_offset);
    } else if (has_frame(e->kind)) {
        snprintf(buf, size, "data %" PRIu32 "+%" PRIu32, e->seq_offset, e->size);
    }
}

const char *timeline_line(const struct timeline_entry *e, const struct timeline_names *names, char *buf, size_t size) {
    char place[2 * NAME_MAX_BYTES + 8], frame[48], backlog[48] = "";
    place_text(e, names, place, sizeof place);
    frame_text(e, frame, sizeof frame);
    if (has_port(e->kind)) snprintf(backlog, sizeof backlog, "  backlog %" PRId64 " B", e->backlog_bytes);
    int n = snprintf(buf, size, "%8lld.%06lld us  %-24s  %-9s  %s%s", e->at / PS_PER_US, e->at % PS_PER_US, place,
                     timeline_kind_name(e->kind), frame, backlog);
    for (size_t end = n < 0 ? 0 : strlen(buf); end > 0 && buf[end - 1] == ' '; end--) buf[end - 1] = '\0';
    return buf;
}
