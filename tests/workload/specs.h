/* SPDX-License-Identifier: Apache-2.0 */
/* A workload entry with the defaults of an experiment file. */
#ifndef HEDDLE_TESTS_SPECS_H
#define HEDDLE_TESTS_SPECS_H

#include "workload/fields.h"
#include "workload/kinds.h"

#include "unit.h"

#include "made_population.h"

#include <stddef.h>
#include <string.h>

static inline struct sizes *sizes_of(const char *name) {
    struct diag d;
    struct sizes *s = sizes_create(name, NULL, 0, &d);
    assert_non_null(s);
    return s;
}

/* The own fields of a spec that spec_of made, for a test to set. */
#define FIELDS(spec, kind) ((struct kind##_fields *)(spec).fields)

static inline void *fields_new(const struct workload_ops *kind) {
    static _Alignas(max_align_t) char pool[32][160];
    static int turn;
    turn = (turn + 1) % 32;
    assert_true(kind->fields_size <= sizeof pool[turn]);
    return memset(pool[turn], 0, sizeof pool[turn]);
}

static inline struct workload_spec spec_of(const struct workload_ops *kind, struct sizes *sizes) {
    void *fields = fields_new(kind);
    if (kind == &workload_poisson)
        *(struct poisson_fields *)fields = (struct poisson_fields){.load_ppb = PPB / 2, .load_at = TIER_HOST};
    return (struct workload_spec){
        .kind = kind,
        .fields = fields,
        .where = {.file = "a.yaml", .line = 7, .col = 5},
        .sizes = sizes,
        .wire_full_bytes = 1538,
        .payload_full_bytes = 1460,
        .until = TIME_NONE,
        .stop = TIME_NONE,
        .src = NODE_NONE,
        .dst = NODE_NONE,
    };
}

/* Sets how many queries a set has: all kinds but web-sequential and web-partition have no sets. */
static inline void spec_sets(struct workload_spec *s, const uint32_t *fanout, uint32_t n_fanouts, uint32_t length) {
    if (s->kind == &workload_web_partition)
        *FIELDS(*s, web_partition) = (struct web_partition_fields){fanout, n_fanouts};
    if (s->kind == &workload_web_sequential) FIELDS(*s, web_sequential)->length = length;
}

static inline struct flow_list generate(const struct workload_spec *spec, size_t n, const struct population *p,
                                        uint64_t seed) {
    struct flow_list list;
    struct diag d;
    if (!workload_generate(spec, n, p, seed, &list, &d)) fail_msg("%s", d.text);
    return list;
}

/* Asserts that generation fails with an empty list and an error at the entry that contains `part`. */
static inline void generate_fails(const struct workload_spec *spec, const struct population *p, const char *part) {
    struct flow_list list;
    struct diag d;
    assert_false(workload_generate(spec, 1, p, 1, &list, &d));
    assert_null(list.flow);
    assert_int_equal(list.n, 0);
    assert_string_equal(d.file, "a.yaml");
    assert_int_equal(d.line, 7);
    if (!strstr(d.text, part)) fail_msg("'%s' lacks '%s'", d.text, part);
}

static inline uint32_t pod_of(const struct population *p, uint32_t host) { return p->leaf_pod[p->host_leaf[host]]; }

#endif
