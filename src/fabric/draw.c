/* SPDX-License-Identifier: Apache-2.0 */
/* Links that fail at random: a seeded draw without replacement that respects a limit per switch.
 *
 * Each draw is uniform among the links that may still fail. If the limits stop the draw although another choice would
 * allow more links, drawn links are exchanged along an alternating path. When no such path is left, the number drawn is
 * the largest possible (a maximum flow), and the error names it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "fabric/fabric_build.h"

#define NO_LINK UINT32_MAX

struct draw {
    const struct fabric *f;
    const struct fabric_link *link;
    uint32_t *candidate; /* links of the tier and pod that may fail, in link order */
    uint32_t n_candidates;
    bool *drawn;        /* per candidate */
    uint32_t *failures; /* per node: number of its links that are drawn */
    uint32_t limit;     /* most drawn links of a node */
    uint32_t n_drawn;
    uint32_t *by_lower;                  /* candidates sorted by their lower end */
    uint32_t *by_upper;                  /* candidates sorted by their upper end */
    uint32_t *first_lower, *first_upper; /* [n_nodes + 1]: each node's slice of by_lower, of by_upper */
    bool *visited;                       /* per node, for draw_search */
};

static bool draw_may_fail(const struct fabric *f, const struct fabric_link *link, const struct random_failures *r) {
    const struct fabric_node *lower = &f->node[link->lower];
    if (link->tier != r->link_tier || lower->tier == f->node[link->upper].tier) return false;
    return r->pod < 0 || lower->pod == (uint32_t)r->pod;
}

static void draw_begin(struct draw *w, const struct fabric *f, const struct random_failures *entry, const bool *taken) {
    const struct fabric_store *store = f->store;
    *w = (struct draw){.f = f, .link = store->link};
    w->limit = entry->max_per_switch ? entry->max_per_switch : UINT32_MAX;
    w->candidate = memory_get(store->n_links, sizeof *w->candidate);
    w->failures = memory_get(f->n_nodes, sizeof *w->failures);
    for (uint32_t i = 0; i < store->n_links; i++) {
        if (!taken[i] && draw_may_fail(f, &store->link[i], entry)) w->candidate[w->n_candidates++] = i;
    }
    w->drawn = memory_get((size_t)w->n_candidates + 1, sizeof *w->drawn);
}

static void draw_end(struct draw *w) {
    free(w->candidate);
    free(w->drawn);
    free(w->failures);
    free(w->by_lower);
    free(w->by_upper);
    free(w->first_lower);
    free(w->first_upper);
    free(w->visited);
}

static void draw_set(struct draw *w, uint32_t c, bool drawn) {
    const struct fabric_link *link = &w->link[w->candidate[c]];
    int step = drawn ? 1 : -1;
    w->drawn[c] = drawn;
    w->failures[link->lower] += (uint32_t)step;
    w->failures[link->upper] += (uint32_t)step;
    w->n_drawn += (uint32_t)step;
}

static bool draw_has_room(const struct draw *w, uint32_t node) { return w->failures[node] < w->limit; }

/* Draws links uniformly among those with both ends below the limit. An end at its limit stays there, so a link drawn in
 * vain is not tried again. */
static void draw_at_random(struct draw *w, struct random_stream *stream, uint32_t wanted) {
    uint32_t *left = memory_get((size_t)w->n_candidates + 1, sizeof *left), n = w->n_candidates;
    for (uint32_t i = 0; i < n; i++) left[i] = i;
    while (w->n_drawn < wanted && n > 0) {
        uint32_t at = (uint32_t)random_below(stream, n), c = left[at];
        left[at] = left[--n];
        const struct fabric_link *link = &w->link[w->candidate[c]];
        if (draw_has_room(w, link->lower) && draw_has_room(w, link->upper)) draw_set(w, c, true);
    }
    free(left);
}

/* ---- exchange of links, if the random draw finds too few ---- */

static uint32_t draw_end_of(const struct draw *w, uint32_t c, bool upper) {
    const struct fabric_link *link = &w->link[w->candidate[c]];
    return upper ? link->upper : link->lower;
}

/* Groups the candidates by their upper or lower end (counting sort). */
static void draw_group(const struct draw *w, bool upper, uint32_t **by, uint32_t **first) {
    *by = memory_get((size_t)w->n_candidates + 1, sizeof **by);
    *first = memory_get((size_t)w->f->n_nodes + 2, sizeof **first);
    uint32_t *count = *first + 1;
    for (uint32_t c = 0; c < w->n_candidates; c++) count[draw_end_of(w, c, upper) + 1]++;
    for (uint32_t i = 1; i <= w->f->n_nodes; i++) count[i] += count[i - 1];
    for (uint32_t c = 0; c < w->n_candidates; c++) (*by)[count[draw_end_of(w, c, upper)]++] = c;
}

/* Searches an alternating path breadth first: from lower nodes below the limit, up over undrawn links, down over drawn
 * ones, to an upper node below the limit. Returns that node or NODE_NONE; via[] has the link to each node. */
static uint32_t draw_search(struct draw *w, uint32_t *via, uint32_t *queue) {
    uint32_t n = 0;
    memset(w->visited, 0, w->f->n_nodes * sizeof *w->visited);
    for (uint32_t c = 0; c < w->n_candidates; c++) {
        uint32_t lower = draw_end_of(w, c, false);
        if (w->visited[lower] || !draw_has_room(w, lower)) continue;
        w->visited[lower] = true;
        via[lower] = NO_LINK;
        queue[n++] = lower;
    }
    for (uint32_t head = 0; head < n; head++) {
        uint32_t node = queue[head];
        bool lower = (via[node] == NO_LINK) || draw_end_of(w, via[node], false) == node;
        const uint32_t *first = lower ? w->first_lower : w->first_upper, *by = lower ? w->by_lower : w->by_upper;
        for (uint32_t i = first[node]; i < first[node + 1]; i++) {
            uint32_t next = draw_end_of(w, by[i], lower);
            if (w->drawn[by[i]] == lower || w->visited[next]) continue;
            w->visited[next] = true;
            via[next] = by[i];
            if (lower && draw_has_room(w, next)) return next;
            queue[n++] = next;
        }
    }
    return NODE_NONE;
}

/* Draws the undrawn links of the path and releases the drawn ones; this adds one link in total. */
static void draw_exchange(struct draw *w, const uint32_t *via, uint32_t node) {
    bool upper = true;
    while (via[node] != NO_LINK) {
        uint32_t c = via[node];
        draw_set(w, c, upper);
        node = draw_end_of(w, c, !upper);
        upper = !upper;
    }
}

static void draw_complete(struct draw *w, uint32_t wanted) {
    uint32_t *via = memory_get(w->f->n_nodes, sizeof *via), *queue = memory_get(w->f->n_nodes, sizeof *queue);
    w->visited = memory_get(w->f->n_nodes, sizeof *w->visited);
    draw_group(w, false, &w->by_lower, &w->first_lower);
    draw_group(w, true, &w->by_upper, &w->first_upper);
    while (w->n_drawn < wanted) {
        uint32_t end = draw_search(w, via, queue);
        if (end == NODE_NONE) break;
        draw_exchange(w, via, end);
    }
    free(via);
    free(queue);
}

/* ---- one entry of fail_random ---- */

static bool draw_no_tier(const struct fabric *f, const struct random_failures *e, struct diag *d) {
    bool pods = f->kind->naming == NAMES_PODS;
    const char *has = f->tiers == 1   ? "leave fail_random out"
                      : f->tiers == 3 ? "it has: tor-agg, agg-core"
                      : pods          ? "it has: tor-agg"
                                      : "it has: leaf-spine";
    return diag_fail(d, e->where.file, e->where.line, e->where.col,
                     "this fabric has no %s links that could fail at random; %s",
                     e->link_tier == TIER_AGG ? "agg-core" : "tor-agg", has);
}

static bool draw_entry_sane(const struct fabric *f, const struct random_failures *e, struct diag *d) {
    const struct diag *w = &e->where;
    bool has_tier = e->link_tier == TIER_LEAF ? f->tiers >= 2 : e->link_tier == TIER_AGG ? f->tiers == 3 : false;
    if (!has_tier) return draw_no_tier(f, e, d);
    if (e->pod >= 0 && (uint32_t)e->pod >= f->n_pods)
        return diag_fail(d, w->file, w->line, w->col, "there is no pod %d; pods are 0 to %u", e->pod, f->n_pods - 1);
    if (e->links == 0)
        return diag_fail(d, w->file, w->line, w->col, "links is 0; say how many links fail, or leave the entry out");
    return true;
}

bool failures_draw(const struct fabric *f, const struct fabric_spec *spec, size_t entry, const bool *taken,
                   uint32_t *chosen, struct diag *d) {
    const struct random_failures *e = &spec->fail_random[entry];
    if (!draw_entry_sane(f, e, d)) return false;
    struct draw w;
    struct random_stream stream;
    draw_begin(&w, f, e, taken);
    random_init(&stream, spec->seed, RANDOM_FAILURES, entry);
    draw_at_random(&w, &stream, e->links);
    if (w.n_drawn < e->links) draw_complete(&w, e->links);
    uint32_t n = 0;
    for (uint32_t c = 0; c < w.n_candidates && n < e->links; c++) {
        if (w.drawn[c]) chosen[n++] = w.candidate[c];
    }
    draw_end(&w);
    if (n == e->links) return true;
    if (n == 0)
        return diag_fail(d, e->where.file, e->where.line, e->where.col,
                         "links: none can fail at random within these limits; leave the entry out");
    return diag_fail(d, e->where.file, e->where.line, e->where.col,
                     "links: %u cannot fail at random within these limits; write at most %u", e->links, n);
}
