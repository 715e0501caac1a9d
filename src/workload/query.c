/* SPDX-License-Identifier: Apache-2.0 */
/* Queries: a request to a server and its response; alone, in sequential sets, or in parallel sets.
 *
 * Each client sends queries (or sets) at the rates of the schedule, whether or not earlier ones have ended: arrivals
 * are open loop. A response waits for its request, and in a sequential set a request waits for the response before it.
 * The server of every query is drawn at random.
 */
#include "workload/fields.h"
#include "workload/generate.h"

#include "base/heap.h"
#include "base/memory.h"

#include <stdlib.h>

static const struct web_sequential_fields *web_sequential_fields(const struct workload_spec *spec) {
    return spec->fields;
}
static const struct web_partition_fields *web_partition_fields(const struct workload_spec *spec) {
    return spec->fields;
}

#define START_MAX (INT64_MAX / 2)

/* The random streams of one client. */
struct client {
    struct random_stream arrivals, sizes, pairs, classes;
};

struct asking {
    struct generator *g;
    bool (*ask)(struct asking *a, uint32_t client, time_ps at);
    struct roles roles;
    struct schedule schedule;
    struct client *client;
    uint32_t *others; /* web-partition: all servers; those drawn for the current set come first (draw_another) */
};

/* ---- one arrival ---- */

static struct query_plan plan_query(struct asking *a, uint32_t i) {
    const struct workload_spec *spec = a->g->spec;
    struct client *c = &a->client[i];
    struct query_plan q = {.client = a->roles.client[i], .priority = spec->priority, .set = FLOW_NONE};
    if (spec->n_priorities) q.priority = spec->priorities[random_below(&c->classes, spec->n_priorities)];
    return q;
}

static uint64_t draw_response(const struct asking *a, struct client *c) {
    const struct workload_spec *spec = a->g->spec;
    return spec->response[random_below(&c->sizes, spec->n_responses)];
}

static bool ask_once(struct asking *a, uint32_t i, time_ps at) {
    struct query_plan q = plan_query(a, i);
    struct query made;
    q.start = at;
    q.server = role_draw_server(&a->roles, q.client, &a->client[i].pairs);
    q.bytes = draw_response(a, &a->client[i]);
    return generator_query(a->g, &q, &made);
}

/* Adds a sequential set: each query waits for the response to the one before it. */
static bool ask_in_turn(struct asking *a, uint32_t i, time_ps at) {
    struct query_plan q = plan_query(a, i);
    struct query made, before;
    q.set = generator_set(a->g);
    for (uint32_t k = 0; k < web_sequential_fields(a->g->spec)->length; k++) {
        q.start = k ? TIME_NONE : at;
        q.server = role_draw_server(&a->roles, q.client, &a->client[i].pairs);
        q.bytes = draw_response(a, &a->client[i]);
        if (!generator_query(a->g, &q, &made)) return false;
        if (k > 0)
            generator_feed_received(a->g, before.response, generator_gate(a->g, q.client, 1, 0, made.request, 1, 1));
        before = made;
    }
    return true;
}

/* Draws the k-th server of a set and moves it to others[k]. Never draws the client, or a server already drawn. */
static uint32_t draw_another(struct asking *a, uint32_t k, uint32_t client, struct random_stream *r) {
    uint32_t n = a->roles.n_servers;
    for (;;) {
        uint32_t at = k + (uint32_t)random_below(r, n - k), host = a->others[at];
        if (host == client) continue;
        a->others[at] = a->others[k];
        a->others[k] = host;
        return host;
    }
}

/* Adds a parallel set: all queries start at once. */
static bool ask_at_once(struct asking *a, uint32_t i, time_ps at) {
    const struct workload_spec *spec = a->g->spec;
    struct client *c = &a->client[i];
    struct query_plan q = plan_query(a, i);
    struct query made;
    uint32_t n = web_partition_fields(spec)->fanout[random_below(&c->sizes, web_partition_fields(spec)->n_fanouts)];
    q.set = generator_set(a->g);
    q.start = at;
    for (uint32_t k = 0; k < n; k++) {
        q.server = draw_another(a, k, q.client, &c->pairs);
        q.bytes = draw_response(a, c);
        if (!generator_query(a->g, &q, &made)) return false;
    }
    return true;
}

/* ---- all arrivals ---- */

static bool is_enough(const struct workload_spec *spec, uint64_t made, time_ps next) {
    if (spec->queries > 0 && made == spec->queries) return true;
    return next > spec->until || (spec->stop != TIME_NONE && next >= spec->stop);
}

/* Merges the clients' arrivals in the order of time and adds the flows of each. */
static bool merge(struct asking *a) {
    const struct workload_spec *spec = a->g->spec;
    struct heap next;
    bool ok = true;
    heap_init(&next);
    for (uint32_t i = 0; i < a->roles.n_clients; i++)
        heap_push(&next, schedule_next(&a->schedule, 0, &a->client[i].arrivals), i);
    for (uint64_t made = 0; ok && heap_top(&next); made++) {
        struct heap_entry e = heap_pop(&next);
        time_ps at = e.key > START_MAX - spec->start ? TIME_NONE : spec->start + e.key;
        if (is_enough(spec, made, at)) break;
        if (at == TIME_NONE) {
            ok =
                generator_fail(a->g, "queries would start after more than 53 days; raise the rates or lower `queries`");
            break;
        }
        ok = a->ask(a, e.id, at);
        heap_push(&next, schedule_next(&a->schedule, e.key, &a->client[e.id].arrivals), e.id);
    }
    heap_fini(&next);
    return ok;
}

/* ---- checks ---- */

/* Returns whether some client is a server too, so that it can use one server less. */
static bool roles_overlap(const struct asking *a) {
    bool *asks = memory_get(a->g->p->n_hosts, sizeof *asks), overlap = false;
    for (uint32_t i = 0; i < a->roles.n_clients; i++) asks[a->roles.client[i]] = true;
    for (uint32_t k = 0; k < a->roles.n_servers; k++) overlap = overlap || asks[a->roles.server[k]];
    free(asks);
    return overlap;
}

static bool fanouts_check(const struct asking *a) {
    const struct workload_spec *spec = a->g->spec;
    uint32_t most = a->roles.n_servers - roles_overlap(a);
    for (uint32_t i = 0; i < web_partition_fields(spec)->n_fanouts; i++) {
        if (web_partition_fields(spec)->fanout[i] <= most) continue;
        return generator_fail(a->g, "fanout: %u, but a client has only %u servers; write at most %u, or place more",
                              web_partition_fields(spec)->fanout[i], most, most);
    }
    return web_partition_fields(spec)->n_fanouts > 0 ||
           generator_fail(a->g, "fanout: it is missing; give fanout: [10, 20, 40], say");
}

static bool asking_check(const struct asking *a) {
    const struct workload_spec *spec = a->g->spec;
    if (spec->queries == 0 && spec->until == TIME_NONE && spec->stop == TIME_NONE)
        return generator_fail(a->g, "these queries never end; give queries: N or stop here, or run.until");
    if (spec->n_responses == 0)
        return generator_fail(a->g, "responses: it is missing; give responses: [2KB, 8KB, 32KB], say");
    if (a->ask == ask_in_turn && web_sequential_fields(spec)->length == 0)
        return generator_fail(a->g, "length: a set has at least one query; give length: 10, say");
    return a->ask != ask_at_once || fanouts_check(a);
}

static void clients_init(struct asking *a) {
    a->client = memory_get(a->roles.n_clients, sizeof *a->client);
    for (uint32_t i = 0; i < a->roles.n_clients; i++) {
        struct client *c = &a->client[i];
        generator_stream(a->g, &c->arrivals, RANDOM_ARRIVALS, a->roles.client[i]);
        generator_stream(a->g, &c->sizes, RANDOM_SIZES, a->roles.client[i]);
        generator_stream(a->g, &c->pairs, RANDOM_PAIRS, a->roles.client[i]);
        generator_stream(a->g, &c->classes, RANDOM_CLASS, a->roles.client[i]);
    }
    a->others = memory_get(a->roles.n_servers, sizeof *a->others);
    for (uint32_t k = 0; k < a->roles.n_servers; k++) a->others[k] = a->roles.server[k];
}

static bool asking_generate(struct generator *g, bool (*ask)(struct asking *a, uint32_t client, time_ps at)) {
    struct asking a = {.g = g, .ask = ask};
    bool ok =
        roles_init(&a.roles, g->spec, g->p, g->d) && schedule_init(&a.schedule, g->spec, g->d) && asking_check(&a);
    if (ok) {
        clients_init(&a);
        ok = merge(&a);
    }
    roles_fini(&a.roles);
    free(a.client);
    free(a.others);
    return ok;
}

static bool query_generate(struct generator *g) { return asking_generate(g, ask_once); }
static bool web_sequential_generate(struct generator *g) { return asking_generate(g, ask_in_turn); }
static bool web_partition_generate(struct generator *g) { return asking_generate(g, ask_at_once); }

/* ---- the tables ---- */

static int64_t query_each_milli(const struct workload_spec *spec) {
    (void)spec;
    return 1000;
}

static int64_t web_sequential_each_milli(const struct workload_spec *spec) {
    return 1000LL * web_sequential_fields(spec)->length;
}

static int64_t web_partition_each_milli(const struct workload_spec *spec) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < web_partition_fields(spec)->n_fanouts; i++) sum += web_partition_fields(spec)->fanout[i];
    return web_partition_fields(spec)->n_fanouts ? sum * 1000 / web_partition_fields(spec)->n_fanouts : 0;
}

/* Counts two flows per query: a request and a response. */
static uint64_t query_foresee(const struct workload_spec *spec, const struct population *p) {
    struct query_rate r;
    struct diag d;
    flow_count each = 2 * (flow_count)spec->kind->queries_each_milli(spec);
    if (spec->queries > 0) return count_limited(spec->queries * (each / 1000));
    if (!query_rate(spec, p, &r, &d)) return 0;
    return count_limited(2 * (flow_count)r.per_1000_s * open_time(spec, true) / (1000 * (flow_count)PS_PER_S));
}

static const struct param schedule_items[] = {
    {.name = "for",
     .type = PARAM_TIME,
     .text = PARAM_REQUIRED,
     .min = 1,
     .max = WORKLOAD_TIME_MAX,
     .doc = "how long the phase lasts",
     PARAM_IN(struct rate_phase, span)},
    {.name = "rate",
     .type = PARAM_FREQUENCY,
     .text = PARAM_REQUIRED,
     .max = 1000000000000LL,
     .doc = "queries (or sets of them) of each client per second, as a Poisson process",
     PARAM_IN(struct rate_phase, per_1000_s)},
};
static const struct param query_schedule = {
    .name = "schedule",
    .type = PARAM_LIST,
    .doc = "rates of each client, phase after phase, repeated",
    PARAM_LIST_IN(struct workload_spec, schedule, n_phases, schedule_items),
};
static const struct param response_items[] = {
    {.type = PARAM_BYTES, .text = PARAM_REQUIRED, .min = 1, .max = 1LL << 40, .doc = "a size"}};
static const struct param query_responses = {
    .name = "responses",
    .type = PARAM_LIST,
    .doc = "sizes of a response, equally likely",
    PARAM_LIST_IN(struct workload_spec, response, n_responses, response_items),
};
static const struct param query_request = {
    .name = "request",
    .type = PARAM_BYTES,
    .text = "none",
    .without = 1460, /* DT-SIM */
    .min = 1,
    .max = 1LL << 40,
    .doc = "bytes of a request; none: 1460B",
    PARAM_IN(struct workload_spec, request_bytes),
};
static const struct param query_queries = {
    .name = "queries",
    .type = PARAM_COUNT,
    .text = "none",
    .min = 1,
    .max = UINT32_MAX / 2,
    .doc = "number of queries (or sets of them); none: until `stop` or the run's end",
    PARAM_IN(struct workload_spec, queries),
};
static const struct param web_length = {
    .name = "length",
    .type = PARAM_COUNT,
    .def = 10,
    .min = 1,
    .max = WORKLOAD_COUNT_MAX,
    .doc = "queries of a set, one after the other",
    PARAM_OWN_IN(struct web_sequential_fields, length),
};
static const struct param fanout_items[] = {
    {.type = PARAM_COUNT, .text = PARAM_REQUIRED, .min = 1, .max = WORKLOAD_COUNT_MAX, .doc = "a number"}};
static const struct param web_fanout = {
    .name = "fanout",
    .type = PARAM_LIST,
    .doc = "numbers of queries in a set, equally likely; they start together and go to different servers",
    .own = true,
    PARAM_LIST_IN(struct web_partition_fields, fanout, n_fanouts, fanout_items),
};
#define CONNECTIONS(X) X(CONNECTIONS_PER_QUERY, "per-query") X(CONNECTIONS_PERSISTENT, "persistent")
enum connections { CONNECTIONS(PARAM_ENUM) };
static const struct param query_connections = {
    .name = "connections",
    .type = PARAM_CHOICE,
    .def = CONNECTIONS_PER_QUERY,
    .choices = PARAM_CHOICES(CONNECTIONS),
    .doc = "per-query: each request opens a connection for itself and its response; persistent: all connections are "
           "open from the start",
    PARAM_IN(struct workload_spec, persistent),
};
static const struct param web_placement = {
    .name = "placement",
    .type = PARAM_CHOICE,
    .text = "none",
    .without = PLACEMENT_ALTERNATE, /* front-ends and back-ends (AM-7) */
    .choices = PARAM_CHOICES(PLACEMENTS),
    .doc = "which hosts ask and which answer; none: alternate",
    PARAM_IN(struct workload_spec, placement),
};
static const struct param priority_items[] = {
    {.type = PARAM_COUNT, .text = PARAM_REQUIRED, .max = 7, .doc = "a class"}};
static const struct param query_priorities = {
    .name = "priorities",
    .type = PARAM_LIST,
    .doc = "classes, equally likely, drawn for every query or set; instead of priority",
    PARAM_LIST_IN(struct workload_spec, priorities, n_priorities, priority_items),
};

#define ASKS &workload_among, &query_schedule, &query_responses, &query_request, &query_queries
#define ASKED &workload_clients, &workload_servers, &query_priorities, &workload_start, &workload_stop
static const struct param *const query_keys[] = {ASKS, &query_connections, &workload_placement, ASKED, NULL};
static const struct param *const web_sequential_keys[] = {ASKS,           &web_length, &query_connections,
                                                          &web_placement, ASKED,       NULL};
static const struct param *const web_partition_keys[] = {ASKS,           &web_fanout, &query_connections,
                                                         &web_placement, ASKED,       NULL};

const struct workload_ops workload_query = {
    .name = "query",
    .paper = "DeTail, Figures 5 to 10",
    .doc = "a request to a random server and its response",
    .keys = query_keys,
    .generate = query_generate,
    .foresee = query_foresee,
    .queries_each_milli = query_each_milli,
    .load = LOAD_QUERIES,
};

const struct workload_ops workload_web_sequential = {
    .name = "web-sequential",
    .paper = "DeTail, Figure 11",
    .doc = "sets of queries, one after the other",
    .keys = web_sequential_keys,
    .fields_size = sizeof(struct web_sequential_fields),
    .generate = web_sequential_generate,
    .foresee = query_foresee,
    .queries_each_milli = web_sequential_each_milli,
    .load = LOAD_QUERIES,
};

const struct workload_ops workload_web_partition = {
    .name = "web-partition",
    .paper = "DeTail, Figure 12",
    .doc = "sets of queries, all at once, to servers all different",
    .keys = web_partition_keys,
    .fields_size = sizeof(struct web_partition_fields),
    .generate = web_partition_generate,
    .foresee = query_foresee,
    .queries_each_milli = web_partition_each_milli,
    .load = LOAD_QUERIES,
};
