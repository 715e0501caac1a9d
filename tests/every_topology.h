/* SPDX-License-Identifier: Apache-2.0 */
/* A small fabric of each row of the table of topologies, for tests that walk the table and so cover new rows. */
#ifndef HEDDLE_TESTS_EVERY_TOPOLOGY_H
#define HEDDLE_TESTS_EVERY_TOPOLOGY_H

#include "fabric/fabric_test.h"
#include "unit_file.h"

#define EVERY_COUNT 4 /* value of each count that a topology requires, if its range allows it */

/* Returns the path of a fabric file with two leaves, two aggs and two hosts on each leaf. */
static inline const char *every_topology_file(void) {
    return unit_file(".yaml", "nodes: [{name: s0, tier: agg}, {name: s1, tier: agg}, {name: l0}, {name: l1},\n"
                              "        {name: a0}, {name: a1}, {name: b0}, {name: b1}]\n"
                              "links: [{a: a0, b: l0}, {a: a1, b: l0}, {a: b0, b: l1}, {a: b1, b: l1},\n"
                              "        {a: l0, b: s0}, {a: l0, b: s1}, {a: l1, b: s0}, {a: l1, b: s1}]\n");
}

static inline bool every_topology_requires(const struct param *p) { return p->text && p->text[0] == '\0'; }

static inline int64_t every_topology_count(const struct param *p) {
    return p->min > EVERY_COUNT ? p->min : p->max < EVERY_COUNT ? p->max : EVERY_COUNT;
}

/* Gives the field of a key its value; rates and delays have theirs already. */
static inline void every_topology_set(struct fabric_spec *s, const struct param *p, int64_t count) {
    void *field = (char *)s + p->at;
    if (!every_topology_requires(p)) return;
    if (p->type == PARAM_FILE)
        *(const char **)field = every_topology_file();
    else if (p->type == PARAM_COUNT && p->bytes == sizeof(uint32_t))
        *(uint32_t *)field = (uint32_t)count;
    else
        fail_msg("%s requires %s: say here what a small fabric of it has", s->kind->name, p->name);
}

/* Returns the spec of a small fabric of the topology: what its row requires is EVERY_COUNT, all else is the default. */
static inline struct fabric_spec spec_of_row(const struct fabric_ops *kind) {
    static int64_t own[8][16];
    static int turn;
    struct fabric_spec s = spec_of(kind->name);
    turn = (turn + 1) % 8;
    assert_true(kind->n_params <= 16);
    for (const struct param *const *p = kind->keys; p && *p; p++) every_topology_set(&s, *p, every_topology_count(*p));
    for (size_t i = 0; i < kind->n_params; i++) {
        const struct param *p = &kind->params[i];
        own[turn][i] = every_topology_requires(p) ? every_topology_count(p) : p->def;
    }
    s.own = own[turn];
    return s;
}

static inline bool topology_has_key(const struct fabric_ops *kind, const struct param *key) {
    for (const struct param *const *p = kind->keys; p && *p; p++)
        if (*p == key) return true;
    return false;
}

#endif
