#include "study/assemble_parts.h"

#include "base/memory.h"
#include "base/units.h"
#include "mech/transport/tcp.h"
#include "study/experiment.h"
#include "wire/packet.h"

#include <stdlib.h>
#include <string.h>

#define ETHERNET_BYTES 18 /* header 14, FCS 4 */
#define SHUFFLE_WITHIN PS_PER_MS
#define REQUEST_BYTES 1460                 /* DT-SIM */
#define HANDSHAKE_BYTES (2 * 90)           /* SYN and SYN-ACK with their options, on the wire */
#define CLOSING_BYTES (3 * WIRE_MIN_BYTES) /* FIN, FIN-ACK, ACK */

/* What one entry is read with. */
struct entry {
    struct assembly *a;
    const struct config *c;
    const char *base_dir;
    size_t number;
    struct workload_spec *spec;
    struct diag *d;
};

static int64_t value_of(const struct entry *e, const char *key, int64_t otherwise) {
    return config_value(e->c, otherwise, "workload.%zu.%s", e->number, key);
}

static const char *text_of(const struct entry *e, const char *key) {
    return config_text(e->c, "workload.%zu.%s", e->number, key);
}

static bool entry_fail(const struct entry *e, const char *key, const char *text) {
    char path[KEY_PATH_MAX], list[KEY_PATH_MAX];
    path_join(path, path_item(list, "workload", e->number), key);
    return config_fail(e->c, e->d, path, "%s: %s", path, text);
}

/* ---- hosts, pods and leaves by name ---- */

/* A host by name or number; NODE_NONE when the key is none. */
static bool host_of(const struct entry *e, const char *key, uint32_t *host) {
    const char *text = text_of(e, key);
    int64_t number;
    *host = NODE_NONE;
    if (!text) return true;
    char why[256];
    const struct fabric *f = e->a->fabric;
    if (units_parse(PARAM_COUNT, text, &number, why, sizeof why)) {
        if (number >= 0 && number < f->n_hosts) *host = (uint32_t)number;
    } else {
        uint32_t node = fabric_node_find(f, text);
        if (node < f->n_hosts) *host = node;
    }
    if (*host != NODE_NONE) return true;
    char first[64], last[64];
    snprintf(why, sizeof why, "there is no host '%s'; they are %s to %s, or 0 to %u", text,
             fabric_node_name(f, 0, first, sizeof first), fabric_node_name(f, f->n_hosts - 1, last, sizeof last),
             f->n_hosts - 1);
    return entry_fail(e, key, why);
}

/* "pod3" in three tiers, "leaf3" in two. */
static bool group_of(const struct entry *e, size_t i, uint32_t *group) {
    const struct fabric *f = e->a->fabric;
    bool pods = f->population.has_tier[TIER_AGG];
    const char *text = config_text(e->c, "workload.%zu.among.%zu", e->number, i), *word = pods ? "pod" : "leaf";
    uint32_t n = pods ? f->n_pods : f->n_leaves;
    int64_t number = -1;
    char why[256];
    size_t length = strlen(word);
    if (text && strncmp(text, word, length) == 0) units_parse(PARAM_COUNT, text + length, &number, why, sizeof why);
    if (number >= 0 && number < n) {
        *group = (uint32_t)number;
        return true;
    }
    char key[32];
    snprintf(why, sizeof why, "there is no '%s' here; they are %s0 to %s%u", text ? text : "", word, word, n - 1);
    snprintf(key, sizeof key, "among.%zu", i);
    return entry_fail(e, key, why);
}

static bool among_fill(const struct entry *e) {
    char path[KEY_PATH_MAX], list[KEY_PATH_MAX];
    size_t n = config_count(e->c, path_join(path, path_item(list, "workload", e->number), "among"));
    uint32_t *among = assembly_own(e->a, n, sizeof *among);
    for (size_t i = 0; i < n; i++) {
        if (!group_of(e, i, &among[i])) return false;
    }
    e->spec->among = among;
    e->spec->n_among = (uint32_t)n;
    return true;
}

static bool hosts_fill(const struct entry *e) {
    struct workload_spec *s = e->spec;
    const char *receiver = text_of(e, "receiver");
    s->every_receiver = receiver && strcmp(receiver, "each") == 0;
    if ((!s->every_receiver && !host_of(e, "receiver", &s->receiver)) || !host_of(e, "src", &s->src) ||
        !host_of(e, "dst", &s->dst))
        return false;
    if ((s->src == NODE_NONE) == (s->dst == NODE_NONE)) return true;
    return entry_fail(e, s->src == NODE_NONE ? "src" : "dst", "give both src and dst, or neither");
}

/* ---- queries ---- */

static bool asks(const struct workload_spec *s) {
    return s->kind == WORKLOAD_QUERY || s->kind == WORKLOAD_WEB_SEQUENTIAL || s->kind == WORKLOAD_WEB_PARTITION;
}

static size_t items_of(const struct entry *e, const char *key) {
    char path[KEY_PATH_MAX], list[KEY_PATH_MAX];
    return config_count(e->c, path_join(path, path_item(list, "workload", e->number), key));
}

static bool roles_fill(const struct entry *e, const char *key, const uint32_t **hosts, uint32_t *n) {
    *n = (uint32_t)items_of(e, key);
    uint32_t *list = assembly_own(e->a, *n, sizeof *list);
    for (uint32_t i = 0; i < *n; i++) {
        char item[64];
        snprintf(item, sizeof item, "%s.%u", key, i);
        if (!host_of(e, item, &list[i])) return false;
    }
    *hosts = list;
    return true;
}

static void schedule_fill(const struct entry *e) {
    struct workload_spec *s = e->spec;
    s->n_phases = (uint32_t)items_of(e, "schedule");
    struct rate_phase *phase = assembly_own(e->a, s->n_phases, sizeof *phase);
    for (uint32_t i = 0; i < s->n_phases; i++) {
        phase[i].span = config_value(e->c, 0, "workload.%zu.schedule.%u.for", e->number, i);
        phase[i].per_1000_s = config_value(e->c, 0, "workload.%zu.schedule.%u.rate", e->number, i);
    }
    s->schedule = phase;
}

static void choices_fill(const struct entry *e) {
    struct workload_spec *s = e->spec;
    s->n_responses = (uint32_t)items_of(e, "responses");
    s->n_fanouts = (uint32_t)items_of(e, "fanout");
    s->n_priorities = (uint32_t)items_of(e, "priorities");
    uint64_t *response = assembly_own(e->a, s->n_responses, sizeof *response);
    uint32_t *fanout = assembly_own(e->a, s->n_fanouts, sizeof *fanout);
    uint8_t *priority = assembly_own(e->a, s->n_priorities, sizeof *priority);
    for (uint32_t i = 0; i < s->n_responses; i++)
        response[i] = (uint64_t)config_value(e->c, 0, "workload.%zu.responses.%u", e->number, i);
    for (uint32_t i = 0; i < s->n_fanouts; i++)
        fanout[i] = (uint32_t)config_value(e->c, 0, "workload.%zu.fanout.%u", e->number, i);
    for (uint32_t i = 0; i < s->n_priorities; i++)
        priority[i] = (uint8_t)config_value(e->c, 0, "workload.%zu.priorities.%u", e->number, i);
    s->response = response;
    s->fanout = fanout;
    s->priorities = priority;
}

/* Web workloads part front-ends from back-ends (AM-7). */
static bool queries_fill(const struct entry *e) {
    struct workload_spec *s = e->spec;
    bool web = s->kind == WORKLOAD_WEB_SEQUENTIAL || s->kind == WORKLOAD_WEB_PARTITION;
    s->queries = (uint64_t)value_of(e, "queries", 0);
    s->request_bytes = (uint64_t)value_of(e, "request", asks(s) ? REQUEST_BYTES : 0);
    s->length = (uint32_t)value_of(e, "length", 0);
    s->persistent = value_of(e, "connections", 0) != 0;
    s->placement = (enum placement)value_of(e, "placement", web ? PLACEMENT_ALTERNATE : PLACEMENT_ALL);
    s->total_bytes = (uint64_t)value_of(e, "total", 0);
    schedule_fill(e);
    choices_fill(e);
    return roles_fill(e, "clients", &s->client, &s->n_clients) && roles_fill(e, "servers", &s->server, &s->n_servers);
}

/* ---- what is sent ---- */

static bool sizes_fill(const struct entry *e) {
    const char *what = text_of(e, "sizes");
    if (what && e->spec->total_bytes)
        return entry_fail(e, "sizes", "`total` says what is sent; leave `sizes` or `total` out");
    if (!what) {
        if (e->spec->kind == WORKLOAD_LONG || e->spec->kind == WORKLOAD_TRACE || asks(e->spec) || e->spec->total_bytes)
            return true;
        return entry_fail(e, "sizes",
                          "it is missing; give a distribution such as web-search, a size such as 1MB, or a file");
    }
    struct diag reason = {0};
    e->spec->sizes = sizes_create(what, e->base_dir, value_of(e, "max_size", 0), &reason);
    if (e->spec->sizes) return true;
    if (!reason.file[0]) return entry_fail(e, "sizes", reason.text);
    *e->d = reason;
    return false;
}

/* A number of the fabric's frames: what a full one carries, and what it costs on the wire. */
static void transport_fill(const struct entry *e) {
    const struct host_settings *h = &e->a->world.hosts;
    const char *name = text_of(e, "transport");
    const struct transport_ops *t = name ? transport_find(name) : NULL;
    struct workload_spec *s = e->spec;
    for (uint32_t i = 0; t && i < h->n_transports; i++) {
        if (h->transport[i] == t) s->transport = (int32_t)i;
    }
    t = h->transport[s->transport];
    s->payload_full_bytes = (uint32_t)h->transport_params[s->transport][t->max_payload_param];
    s->wire_full_bytes = s->payload_full_bytes + t->header_bytes + ETHERNET_BYTES + WIRE_OVERHEAD_BYTES;
    s->handshake_wire_bytes = t->proto == PROTO_TCP ? HANDSHAKE_BYTES : 0;
    if (t->proto == PROTO_TCP && h->transport_params[s->transport][TCP_PARAM_FIN])
        s->handshake_wire_bytes += CLOSING_BYTES;
    s->ack_wire_bytes = t->proto == PROTO_TCP ? WIRE_MIN_BYTES : 0;
    if (t->proto == PROTO_TCP) s->ack_every = (uint32_t)h->transport_params[s->transport][TCP_PARAM_DELAYED_ACK];
}

static bool ends_check(const struct entry *e) {
    const struct workload_spec *s = e->spec;
    bool run_ends = config_value(e->c, TIME_NONE, "run.until") != TIME_NONE;
    if (run_ends) return true;
    if (s->kind == WORKLOAD_POISSON && s->flows == 0) {
        return entry_fail(e, "flows", "these arrivals never end; give flows: N here or run.until");
    }
    if (s->kind == WORKLOAD_LONG && !s->sizes && s->stop == TIME_NONE) {
        return entry_fail(e, "stop", "these flows never end; give stop here or run.until");
    }
    return true;
}

/* For traces: fabric numbers hosts first, so whatever is no host is beyond them. */
static uint32_t host_by_name(void *fabric, const char *name) { return fabric_node_find(fabric, name); }

static enum tier load_tier(int64_t choice) {
    static const enum tier tiers[] = {TIER_HOST, TIER_LEAF, TIER_AGG};
    return tiers[choice];
}

static bool entry_fill(const struct entry *e) {
    struct workload_spec *s = e->spec;
    *s = (struct workload_spec){
        .kind = (enum workload_kind)value_of(e, "kind", 0),
        .entry = (uint32_t)e->number,
        .load_ppb = value_of(e, "load", 0),
        .load_at = load_tier(value_of(e, "load_at", 0)),
        .load_bytes = (enum load_bytes)value_of(e, "load_bytes", 0),
        .pairs = (enum pairs)value_of(e, "pairs", 0),
        .flows = (uint64_t)value_of(e, "flows", 0),
        .until = config_value(e->c, TIME_NONE, "run.until"),
        .gap = value_of(e, "gap", 0),
        .offset = (uint32_t)value_of(e, "offset", 0),
        .senders = (uint32_t)value_of(e, "senders", 0),
        .rounds = (uint32_t)value_of(e, "rounds", 0),
        .tasks = (uint32_t)value_of(e, "tasks", 0),
        .start = value_of(e, "start", 0),
        .stop = value_of(e, "stop", TIME_NONE),
        .rate_bps = value_of(e, "rate", 0),
        .burst_bytes = (uint64_t)value_of(e, "burst", 0),
        .priority = (uint8_t)value_of(e, "priority", 0),
        .host_by_name = host_by_name,
        .host_context = e->a->fabric,
    };
    s->within = value_of(e, "within", s->kind == WORKLOAD_SHUFFLE ? SHUFFLE_WITHIN : 0);
    entry_fail(&(struct entry){.c = e->c, .number = e->number, .d = &s->where}, "kind", "");
    transport_fill(e);
    if (!queries_fill(e) || !sizes_fill(e) || !among_fill(e) || !hosts_fill(e) || !ends_check(e)) return false;
    const char *path = text_of(e, "path");
    if (path) {
        char full[1024], *kept;
        path_from(e->base_dir, path, full, sizeof full);
        s->path = kept = assembly_own(e->a, strlen(full) + 1, 1);
        memcpy(kept, full, strlen(full) + 1);
    }
    return true;
}

/* ---- can it arrive? ---- */

static bool has_way(const struct fabric *f, const struct flow *flow) {
    uint32_t from = f->node[flow->src].leaf, to = f->node[flow->dst].leaf;
    for (uint32_t i = 0; i < f->paths.n_states; i++)
        if (f->paths.state[i].row[from].to_leaf[to] != ROUTE_NONE) return true;
    return from == to;
}

/* Failures may come and go, but a flow whose racks no state joins could only end as a stuck run. */
static bool ways_check(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct fabric *f = a->fabric;
    const char *path = config_count(c, "fabric.fail_random") ? "fabric.fail_random" : "fabric.failed";
    if (config_value(c, TIME_NONE, "run.until") != TIME_NONE || f->n_events == 0) return true;
    for (uint32_t i = 0; i < a->flows.n; i++) {
        char from[64], to[64];
        if (has_way(f, &a->flows.flow[i])) continue;
        return config_fail(c, d, path,
                           "with these failures there is never a way from %s to %s, as flow %u needs; have fewer, or "
                           "repair_at, or run.until",
                           fabric_node_name(f, a->flows.flow[i].src, from, sizeof from),
                           fabric_node_name(f, a->flows.flow[i].dst, to, sizeof to), i);
    }
    return true;
}

bool assemble_workload(struct assembly *a, const struct config *c, const char *base_dir, struct diag *d) {
    size_t n = config_count(c, "workload");
    if (n == 0) return config_fail(c, d, "fabric", "there is no workload; give workload: [{kind: ...}]");
    a->workload = memory_get(n, sizeof *a->workload);
    a->n_workload = n;
    for (size_t i = 0; i < n; i++) {
        if (!entry_fill(&(struct entry){a, c, base_dir, i, &a->workload[i], d})) return false;
    }
    if (!assemble_flows_check(a, c, d)) return false;
    return workload_generate(a->workload, n, &a->fabric->population, a->world.seed, &a->flows, d) &&
           ways_check(a, c, d);
}
