/* SPDX-License-Identifier: Apache-2.0 */
/* Says what a fabric needs in which two racks have no up-down path to each other.
 *
 * Either they are not connected, or every path between them descends and then climbs again. The shortest path shows the
 * switch at which it climbs: the switches before and after it need a link of their own, or a switch above both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "fabric/fabric_build.h"

#define NOWHERE UINT32_MAX
#define SHOWN_MAX 6 /* switches of a path that are named */

/* Returns for each switch the one after it on a shortest path to rack `to`; NOWHERE: there is none. */
static uint32_t *next_towards(const struct fabric *f, const uint32_t *towards, uint32_t to) {
    uint32_t *next = memory_get(f->n_switches, sizeof *next), *queue = memory_get(f->n_switches, sizeof *queue), n = 0;
    for (uint32_t s = 0; s < f->n_switches; s++) next[s] = NOWHERE;
    next[to] = to;
    queue[n++] = to;
    for (uint32_t head = 0; head < n; head++) {
        uint32_t node = f->n_hosts + queue[head];
        for (uint32_t g = f->paths.first_port[node]; g < f->paths.first_port[node + 1]; g++) {
            if (towards[g] == NOWHERE || next[towards[g]] != NOWHERE) continue;
            next[towards[g]] = queue[head];
            queue[n++] = towards[g];
        }
    }
    free(queue);
    return next;
}

static int tier_of(const struct fabric *f, uint32_t s) { return f->node[f->n_hosts + s].tier; }

/* Where a path climbs after it has descended. */
struct valley {
    uint32_t left, bottom, right; /* switch from which it descends last, at which it climbs, to which */
};

/* Returns whether the path has a valley; sets *v to the first. */
static bool valley_find(const struct fabric *f, const uint32_t *next, uint32_t from, uint32_t to, struct valley *v) {
    v->left = NOWHERE;
    for (uint32_t s = from; s != to; s = next[s]) {
        if (v->left != NOWHERE && tier_of(f, next[s]) > tier_of(f, s)) {
            v->bottom = s;
            v->right = next[s];
            return true;
        }
        if (tier_of(f, next[s]) < tier_of(f, s)) v->left = s;
    }
    return false;
}

static const char *switch_name(const struct fabric *f, uint32_t s, char buf[FABRIC_NODE_NAME_MAX]) {
    return fabric_node_name(f, f->n_hosts + s, buf, FABRIC_NODE_NAME_MAX);
}

/* Writes "l3 b l2 a l1", at most SHOWN_MAX names and the last. */
static void path_write(FILE *out, const struct fabric *f, const uint32_t *next, uint32_t from, uint32_t to) {
    char name[FABRIC_NODE_NAME_MAX];
    uint32_t shown = 0;
    for (uint32_t s = from; s != to; s = next[s])
        if (++shown <= SHOWN_MAX)
            fprintf(out, "%s ", switch_name(f, s, name));
        else if (shown == SHOWN_MAX + 1)
            fprintf(out, ".. ");
    fprintf(out, "%s", switch_name(f, to, name));
}

void no_way_explain(const struct fabric *f, const uint32_t *towards, uint32_t from, uint32_t to, char *why,
                    size_t size) {
    uint32_t *next = next_towards(f, towards, to);
    char a[FABRIC_NODE_NAME_MAX], b[FABRIC_NODE_NAME_MAX], low[FABRIC_NODE_NAME_MAX];
    FILE *out = text_stream_into(why, size);
    fprintf(out, "there is no up-down path from host %s to host %s",
            fabric_node_name(f, f->place[from].port[0].neighbour, a, sizeof a),
            fabric_node_name(f, f->place[to].port[0].neighbour, b, sizeof b));
    struct valley v;
    if (next[from] == NOWHERE || !valley_find(f, next, from, to, &v)) {
        fprintf(out, ", nor any other; link the parts of the fabric");
    } else {
        fprintf(out, ": a path goes up, then down, and ");
        path_write(out, f, next, from, to);
        fprintf(out,
                " goes up again at %s; link %s and %s, or both to a switch above them, "
                "or write fabric.routing: shortest",
                switch_name(f, v.bottom, low), switch_name(f, v.left, a), switch_name(f, v.right, b));
    }
    fclose(out);
    free(next);
}
