/* How many flows an entry will make, before it makes them: exact where the entry says how many, the expected number
 * where arrivals are drawn. */
#include "workload/generate.h"

#include <sys/stat.h>

__extension__ typedef unsigned __int128 wide;
#define TRACE_LINE_BYTES 14 /* of a short line: "0.123,10,20,1000" */

static uint64_t limited(wide n) { return n > UINT64_MAX ? UINT64_MAX : (uint64_t)n; }

/* Time in which an entry starts flows; 0 if it is over before it begins. */
static wide open_time(const struct workload_spec *spec, bool stops) {
    time_ps end = stops && spec->stop < spec->until ? spec->stop : spec->until;
    return end == TIME_NONE || end <= spec->start ? 0 : (wide)(end - spec->start);
}

static uint64_t poisson_count(const struct workload_spec *spec, const struct population *p) {
    struct workload_rate r;
    struct diag d;
    if (spec->flows > 0) return spec->flows;
    if (!workload_rate(spec, p, &r, &d)) return 0;
    return limited((wide)r.flows_per_s_milli * open_time(spec, false) / (1000 * (wide)PS_PER_S));
}

static uint64_t incast_count(const struct workload_spec *spec, const struct population *p) {
    wide senders = spec->senders ? spec->senders : p->n_hosts - 1, rounds = spec->rounds ? spec->rounds : 1;
    wide receivers = spec->every_receiver ? p->n_hosts : 1;
    return limited(senders * rounds * receivers * (spec->request_bytes ? 2 : 1) + receivers - 1);
}

/* Flows of an arrival: a request and a response for each of its queries. */
static wide query_flows(const struct workload_spec *spec) {
    wide sum = 0;
    if (spec->kind == WORKLOAD_WEB_SEQUENTIAL) return 2 * (wide)spec->length;
    if (spec->kind != WORKLOAD_WEB_PARTITION || spec->n_fanouts == 0) return 2;
    for (uint32_t i = 0; i < spec->n_fanouts; i++) sum += spec->fanout[i];
    return 2 * sum / spec->n_fanouts;
}

static uint64_t query_count(const struct workload_spec *spec, const struct population *p) {
    struct query_rate r;
    struct diag d;
    if (spec->queries > 0) return limited(spec->queries * query_flows(spec));
    if (!query_rate(spec, p, &r, &d)) return 0;
    return limited(2 * (wide)r.per_1000_s * open_time(spec, true) / (1000 * (wide)PS_PER_S));
}

/* As if every host had a line of its own at full rate, as background_chain reckons. */
static uint64_t background_count(const struct workload_spec *spec, const struct population *p) {
    wide mean = spec->sizes && spec->sizes->mean_bytes > 0 ? (wide)spec->sizes->mean_bytes : 1, sum = 0;
    for (uint32_t h = 0; h < p->n_hosts; h++)
        sum += open_time(spec, true) / 1000 * (wide)p->host_bps[h] / (8 * mean * (PS_PER_S / 1000)) + 1;
    return limited(sum);
}

static uint64_t trace_count(const struct workload_spec *spec) {
    struct stat s;
    if (!spec->path || stat(spec->path, &s) != 0 || s.st_size <= 0) return 0;
    return (uint64_t)s.st_size / TRACE_LINE_BYTES;
}

/* What is more than a list can hold is an error of its own. */
static uint64_t shuffle_count(wide hosts, wide tasks) {
    wide n = hosts * (hosts - 1) * tasks * tasks;
    return n > FLOW_NONE ? 0 : (uint64_t)n;
}

uint64_t workload_flows_foreseen(const struct workload_spec *spec, const struct population *p) {
    switch (spec->kind) {
    case WORKLOAD_POISSON: return poisson_count(spec, p);
    case WORKLOAD_INCAST: return incast_count(spec, p);
    case WORKLOAD_LONG: return spec->src == NODE_NONE ? p->n_hosts : spec->flows ? spec->flows : 1;
    case WORKLOAD_TRACE: return trace_count(spec);
    case WORKLOAD_SHUFFLE: return shuffle_count(p->n_hosts, spec->tasks ? spec->tasks : 1);
    case WORKLOAD_QUERY:
    case WORKLOAD_WEB_SEQUENTIAL:
    case WORKLOAD_WEB_PARTITION: return query_count(spec, p);
    case WORKLOAD_BACKGROUND: return background_count(spec, p);
    case WORKLOAD_PERMUTATION:
    case WORKLOAD_STRIDE:
    case WORKLOAD_BIJECTION:
    case WORKLOAD_RANDOM: return p->n_hosts;
    }
    return 0;
}
