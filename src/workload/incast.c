/* SPDX-License-Identifier: Apache-2.0 */
/* Incast: many senders to one receiver, in rounds.
 *
 * Timed rounds start `gap` apart; each flow is delayed by a random time below `within`. With `request_bytes` a round
 * waits for the one before it (DT-F3): the receiver sends a request to all senders at once, and again `gap` after it
 * has the last byte of the last response. With `receiver: each` every host is the receiver in turn; after its last
 * round it starts the next receiver with a flow of a request's size, the handover. With `receiver: all` every host has
 * rounds of its own, which begin together; a host is then a receiver and a sender of all others at once (AM-52, the
 * all-to-all of DeTail's Figure 3).
 */
#include "workload/fields.h"
#include "workload/generate.h"

#include "base/memory.h"

#include <stdlib.h>

static const struct incast_fields *incast_fields(const struct workload_spec *spec) { return spec->fields; }

#define START_MAX (INT64_MAX / 2)

/* Returns whether every host is a receiver, in turn or at once. */
static bool receives_everywhere(const struct workload_spec *spec) {
    return incast_fields(spec)->receiver == RECEIVER_EACH || incast_fields(spec)->receiver == RECEIVER_ALL;
}

/* ---- senders and sizes ---- */

/* Returns the senders: n random members other than the receiver, in the order of their numbers. The caller frees it. */
static uint32_t *incast_senders(const struct members *m, uint32_t receiver, uint32_t n, struct random_stream *r) {
    uint32_t *order = memory_get(m->n, sizeof *order), others = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        if (m->host[i] != receiver) order[others++] = m->host[i];
    }
    /* selection sampling keeps the order: each is taken with probability (still wanted) / (still to be considered) */
    uint32_t taken = 0;
    for (uint32_t i = 0; i < others && taken < n; i++) {
        if (random_below(r, others - i) < n - taken) order[taken++] = order[i];
    }
    return order;
}

/* Returns the flow size of sender i of n. The total is split so that parts differ by one byte at most. */
static uint64_t incast_bytes(const struct generator *g, uint32_t i, uint32_t n, struct random_stream *sizes) {
    uint64_t total = g->spec->total_bytes;
    if (total == 0) return (uint64_t)sizes_draw(g->spec->sizes, sizes);
    return total / n + (i < total % n);
}

/* ---- timed rounds ---- */

struct timed_rounds {
    struct random_stream sizes, pairs, starts;
};

/* Adds the flows of one receiver in one round. */
static bool incast_round(struct generator *g, uint32_t receiver, const uint32_t *sender, uint32_t n, time_ps at,
                         struct timed_rounds *t) {
    const struct workload_spec *spec = g->spec;
    if (at > START_MAX || spec->within > START_MAX - at)
        return generator_fail(g, "flows would start after more than 53 days; lower `gap`, `rounds` or `within`");
    for (uint32_t i = 0; i < n; i++) {
        time_ps start = at;
        if (spec->within > 0) start += (span_ps)random_below(&t->starts, (uint64_t)spec->within);
        if (!generator_add(g, start, sender[i], receiver, incast_bytes(g, i, n, &t->sizes))) return false;
    }
    return true;
}

/* Adds the rounds of one receiver. */
static bool incast_timed_to(struct generator *g, const struct members *m, uint32_t receiver, uint32_t n,
                            struct timed_rounds *t) {
    const struct workload_spec *spec = g->spec;
    uint32_t *sender = incast_senders(m, receiver, n, &t->pairs);
    bool ok = true;
    time_ps at = spec->start;
    for (uint32_t round = 0; ok && round < (spec->rounds ? spec->rounds : 1); round++) {
        ok = incast_round(g, receiver, sender, n, at, t);
        if (__builtin_add_overflow(at, spec->gap, &at)) at = TIME_NONE;
    }
    free(sender);
    return ok;
}

static bool incast_timed(struct generator *g, const struct members *m, uint32_t n) {
    const struct workload_spec *spec = g->spec;
    struct timed_rounds t;
    generator_stream(g, &t.sizes, RANDOM_SIZES, NODE_NONE);
    generator_stream(g, &t.pairs, RANDOM_PAIRS, NODE_NONE);
    generator_stream(g, &t.starts, RANDOM_ARRIVALS, NODE_NONE);
    if (incast_fields(spec)->receiver != RECEIVER_ALL)
        return incast_timed_to(g, m, incast_fields(spec)->receiver, n, &t);
    bool ok = true;
    for (uint32_t i = 0; ok && i < m->n; i++) ok = incast_timed_to(g, m, m->host[i], n, &t);
    return ok;
}

/* ---- rounds that follow each other ---- */

struct asked_rounds {
    struct generator *g;
    uint32_t n; /* senders */
    struct random_stream sizes, pairs;
};

/* Flows of one host that start together: `first` and every `step`-th after it, n in all. */
struct waiting {
    uint32_t host, first, n, step;
    span_ps delay;
};

/* Makes the flows of *w start w->delay after their host has received all flows of `fed`. */
static void wait_for(struct asked_rounds *a, const uint32_t *fed, uint32_t n_fed, const struct waiting *w) {
    uint32_t gate = generator_gate(a->g, w->host, n_fed, w->delay, w->first, w->n, w->step);
    for (uint32_t i = 0; i < n_fed; i++) generator_feed_received(a->g, fed[i], gate);
}

/* Adds the queries of a round; request i is flow first + 2 i, its response is the flow after it. */
static bool round_ask(struct asked_rounds *a, uint32_t receiver, const uint32_t *sender, time_ps start) {
    struct query_plan q = {
        .start = start, .client = receiver, .priority = a->g->spec->priority, .set = generator_set(a->g)};
    struct query made;
    for (uint32_t i = 0; i < a->n; i++) {
        q.server = sender[i];
        q.bytes = incast_bytes(a->g, i, a->n, &a->sizes);
        if (!generator_query(a->g, &q, &made)) return false;
    }
    return true;
}

/* Adds the rounds of one receiver. The first round waits for the handover `word` (FLOW_NONE: it starts at spec->start).
 * Sets `fed` to the responses of the last round. */
static bool receiver_ask(struct asked_rounds *a, const struct members *m, uint32_t receiver, uint32_t word,
                         uint32_t *fed) {
    const struct workload_spec *spec = a->g->spec;
    uint32_t *sender = incast_senders(m, receiver, a->n, &a->pairs);
    bool ok = true, waits = word != FLOW_NONE;
    for (uint32_t round = 0; ok && round < (spec->rounds ? spec->rounds : 1); round++) {
        uint32_t first = a->g->list->n;
        ok = round_ask(a, receiver, sender, waits || round ? TIME_NONE : spec->start);
        if (!ok) break;
        if (round > 0)
            wait_for(a, fed, a->n, &(struct waiting){receiver, first, a->n, 2, spec->gap});
        else if (waits)
            wait_for(a, &word, 1, &(struct waiting){receiver, first, a->n, 2, 0});
        for (uint32_t i = 0; i < a->n; i++) fed[i] = first + 2 * i + 1;
    }
    free(sender);
    return ok;
}

/* Adds the handover *word from one receiver to the next, which waits for the responses `fed` of the first. */
static bool receiver_tell(struct asked_rounds *a, uint32_t from, uint32_t to, const uint32_t *fed, uint32_t *word) {
    *word = a->g->list->n;
    if (!generator_add(a->g, TIME_NONE, from, to, a->g->spec->request_bytes)) return false;
    wait_for(a, fed, a->n, &(struct waiting){from, *word, 1, 1, a->g->spec->gap});
    return true;
}

static bool incast_asked(struct generator *g, const struct members *m, uint32_t n) {
    struct asked_rounds a = {.g = g, .n = n};
    generator_stream(g, &a.sizes, RANDOM_SIZES, NODE_NONE);
    generator_stream(g, &a.pairs, RANDOM_PAIRS, NODE_NONE);
    uint32_t *fed = memory_get(n, sizeof *fed), word = FLOW_NONE;
    bool ok = true, in_turn = incast_fields(g->spec)->receiver == RECEIVER_EACH, many = receives_everywhere(g->spec);
    for (uint32_t i = 0; ok && i < (many ? m->n : 1); i++) {
        uint32_t receiver = many ? m->host[i] : incast_fields(g->spec)->receiver;
        ok = (i == 0 || !in_turn || receiver_tell(&a, m->host[i - 1], receiver, fed, &word)) &&
             receiver_ask(&a, m, receiver, word, fed);
    }
    free(fed);
    return ok;
}

/* ---- both kinds of rounds ---- */

static bool incast_rounds(struct generator *g, const struct members *m, uint32_t others) {
    const struct workload_spec *spec = g->spec;
    uint32_t n = incast_fields(spec)->senders ? incast_fields(spec)->senders : others;
    if (n > others)
        return generator_fail(g, "senders: %u, but only %u other hosts take part; write at most %u", n, others, others);
    if (spec->total_bytes && spec->total_bytes < n)
        return generator_fail(g, "total: less than a byte for each of %u senders; write at least %uB", n, n);
    if (spec->request_bytes > 0 && spec->within > 0)
        return generator_fail(g, "within: a receiver asks all senders at once; leave out `request` or `within`");
    if (spec->request_bytes > 0) return incast_asked(g, m, n);
    if (incast_fields(spec)->receiver == RECEIVER_EACH)
        return generator_fail(g,
                              "receiver: each needs rounds that follow each other; give request: 1460B, or receiver: "
                              "all");
    return incast_timed(g, m, n);
}

static bool incast_generate(struct generator *g) {
    bool every = receives_everywhere(g->spec);
    if (!every && incast_fields(g->spec)->receiver >= g->p->n_hosts) {
        return generator_fail(g, "receiver: there is no host %u; they are numbered 0 to %u",
                              incast_fields(g->spec)->receiver, g->p->n_hosts - 1);
    }
    struct members m;
    bool ok = members_init(&m, g->spec, g->p, PAIRS_ANY, g->d);
    if (ok) {
        uint32_t others = 0;
        for (uint32_t i = 0; i < m.n; i++) others += m.host[i] != incast_fields(g->spec)->receiver;
        ok = incast_rounds(g, &m, every ? m.n - 1 : others);
    }
    members_fini(&m);
    return ok;
}

/* ---- the table ---- */

static uint64_t incast_foresee(const struct workload_spec *spec, const struct population *p) {
    flow_count senders = incast_fields(spec)->senders ? incast_fields(spec)->senders : p->n_hosts - 1,
               rounds = spec->rounds ? spec->rounds : 1;
    flow_count receivers = receives_everywhere(spec) ? p->n_hosts : 1;
    flow_count handovers = incast_fields(spec)->receiver == RECEIVER_EACH ? receivers - 1 : 0;
    return count_limited(senders * rounds * receivers * (spec->request_bytes ? 2 : 1) + handovers);
}

static const struct param incast_request = {
    .name = "request",
    .type = PARAM_BYTES,
    .text = "none",
    .min = 1,
    .max = 1LL << 40,
    .doc = "bytes of a request; none: 1460B. In an incast: the receiver asks, and rounds follow each other; none: the "
           "senders begin by themselves",
    PARAM_IN(struct workload_spec, request_bytes),
};
static const struct param incast_senders_key = {
    .name = "senders",
    .type = PARAM_COUNT,
    .max = WORKLOAD_COUNT_MAX,
    .doc = "how many send; 0: all others",
    PARAM_OWN_IN(struct incast_fields, senders),
};
static const struct param incast_receiver = {
    .name = "receiver",
    .type = PARAM_HOST,
    .text = "0",
    .choices = "each|all",
    .doc = "a host, by name or number; each: all hosts in turn, with request; all: all hosts at once, each with rounds "
           "of its own",
    PARAM_OWN_IN(struct incast_fields, receiver),
};
static const struct param incast_total = {
    .name = "total",
    .type = PARAM_BYTES,
    .text = "none",
    .min = 1,
    .max = 1LL << 40,
    .doc = "of a round, in equal parts from all senders; instead of sizes",
    PARAM_IN(struct workload_spec, total_bytes),
};
static const struct param incast_rounds_key = {
    .name = "rounds",
    .type = PARAM_COUNT,
    .def = 1,
    .min = 1,
    .max = WORKLOAD_COUNT_MAX,
    .doc = "how often",
    PARAM_IN(struct workload_spec, rounds),
};
static const struct param *const incast_keys[] = {
    WORKLOAD_SIZES,      &workload_among,  &workload_gap, &incast_request,
    &incast_senders_key, &incast_receiver, &incast_total, &incast_rounds_key,
    &workload_within,    &workload_start,  NULL};

const struct workload_ops workload_incast = {
    .name = "incast",
    .paper = "DeTail, Figure 3",
    .doc = "many senders to one receiver, in rounds",
    .keys = incast_keys,
    .fields_size = sizeof(struct incast_fields),
    .generate = incast_generate,
    .foresee = incast_foresee,
};
