/* Queries: a request to a server, and its response; alone, in sets one after the other, or in sets at once.
 *
 * Clients ask at the rates of the schedule, each by itself, whatever became of what it asked before: arrivals are open,
 * but a response follows its request, and in a sequential set a request the response before it. Servers are drawn
 * anew for every query.
 */
#include "workload/generate.h"

#include "base/heap.h"
#include "base/memory.h"

#include <stdlib.h>

#define START_MAX (INT64_MAX / 2)

/* A client: its own streams. */
struct client {
    struct random_stream arrivals, sizes, pairs, classes;
};

struct asking {
    struct generator *g;
    struct roles roles;
    struct schedule schedule;
    struct client *client;
    uint32_t *others; /* web-partition: servers in the order in which they are drawn */
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

/* Each query of the set waits for the response to the one before it. */
static bool ask_in_turn(struct asking *a, uint32_t i, time_ps at) {
    struct query_plan q = plan_query(a, i);
    struct query made, before;
    q.set = generator_set(a->g);
    for (uint32_t k = 0; k < a->g->spec->length; k++) {
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

/* The k-th server drawn stands at place k of others[]; those before it are not drawn again, nor is the client. */
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

static bool ask_at_once(struct asking *a, uint32_t i, time_ps at) {
    const struct workload_spec *spec = a->g->spec;
    struct client *c = &a->client[i];
    struct query_plan q = plan_query(a, i);
    struct query made;
    uint32_t n = spec->fanout[random_below(&c->sizes, spec->n_fanouts)];
    q.set = generator_set(a->g);
    q.start = at;
    for (uint32_t k = 0; k < n; k++) {
        q.server = draw_another(a, k, q.client, &c->pairs);
        q.bytes = draw_response(a, c);
        if (!generator_query(a->g, &q, &made)) return false;
    }
    return true;
}

static bool ask(struct asking *a, uint32_t i, time_ps at) {
    switch (a->g->spec->kind) {
    case WORKLOAD_WEB_SEQUENTIAL: return ask_in_turn(a, i, at);
    case WORKLOAD_WEB_PARTITION: return ask_at_once(a, i, at);
    default: return ask_once(a, i, at);
    }
}

/* ---- all arrivals ---- */

static bool is_enough(const struct workload_spec *spec, uint64_t made, time_ps next) {
    if (spec->queries > 0 && made == spec->queries) return true;
    return next > spec->until || next >= spec->stop;
}

/* Merges the clients' arrivals in order of time. */
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
        ok = ask(a, e.id, at);
        heap_push(&next, schedule_next(&a->schedule, e.key, &a->client[e.id].arrivals), e.id);
    }
    heap_fini(&next);
    return ok;
}

/* ---- what must be so ---- */

/* Is some client a server too, so that it has one server less? */
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
    for (uint32_t i = 0; i < spec->n_fanouts; i++) {
        if (spec->fanout[i] <= most) continue;
        return generator_fail(a->g, "fanout: %u, but a client has only %u servers; lower it, or place more",
                              spec->fanout[i], most);
    }
    return spec->n_fanouts > 0 || generator_fail(a->g, "fanout: it is missing; give fanout: [10, 20, 40], say");
}

static bool asking_check(const struct asking *a) {
    const struct workload_spec *spec = a->g->spec;
    if (spec->queries == 0 && spec->until == TIME_NONE && spec->stop == TIME_NONE)
        return generator_fail(a->g, "these queries never end; give queries: N or stop here, or run.until");
    if (spec->n_responses == 0)
        return generator_fail(a->g, "responses: it is missing; give responses: [2KB, 8KB, 32KB], say");
    if (spec->kind == WORKLOAD_WEB_SEQUENTIAL && spec->length == 0)
        return generator_fail(a->g, "length: a set has at least one query; give length: 10, say");
    return spec->kind != WORKLOAD_WEB_PARTITION || fanouts_check(a);
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

bool query_generate(struct generator *g) {
    struct asking a = {.g = g};
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
