/* SPDX-License-Identifier: Apache-2.0 */
/* Background: each client always sends one flow, and starts the next when that is acknowledged (AM-7). A run does not
 * wait for these flows. The number made is what could end by the run's end if each flow had the host's link alone. */
#include "workload/generate.h"

/* Adds the flows of one sender, each of which waits for the end of the one before it. */
static bool background_chain(struct generator *g, const struct roles *r, uint32_t src) {
    const struct workload_spec *spec = g->spec;
    struct random_stream starts, sizes, pairs;
    generator_stream(g, &starts, RANDOM_ARRIVALS, src);
    generator_stream(g, &sizes, RANDOM_SIZES, src);
    generator_stream(g, &pairs, RANDOM_PAIRS, src);
    time_ps at = spec->start, end = spec->stop < spec->until ? spec->stop : spec->until;
    if (spec->within > 0) at += (span_ps)random_below(&starts, (uint64_t)spec->within);
    for (uint32_t before = FLOW_NONE; at < end;) {
        uint32_t flow = g->list->n, dst = role_draw_server(r, src, &pairs);
        int64_t bytes = sizes_draw(spec->sizes, &sizes);
        if (!generator_add(g, before == FLOW_NONE ? at : TIME_NONE, src, dst, (uint64_t)bytes)) return false;
        g->list->flow[flow].flags = FLOW_BACKGROUND;
        if (before != FLOW_NONE) generator_feed_acked(g, before, generator_gate(g, src, 1, 0, flow, 1, 1));
        before = flow;
        int128 takes = (int128)bytes * 8 * PS_PER_S / g->p->host_bps[src];
        at = takes < end - at ? at + (span_ps)takes : end;
    }
    return true;
}

static bool background_generate(struct generator *g) {
    const struct workload_spec *spec = g->spec;
    struct roles r;
    if (spec->until == TIME_NONE && spec->stop == TIME_NONE)
        return generator_fail(g, "these flows follow each other for ever; give stop here, or run.until");
    if (spec->start > INT64_MAX / 2 || spec->within > INT64_MAX / 2 - spec->start)
        return generator_fail(g, "flows would start after more than 53 days; lower `start` or `within`");
    bool ok = roles_init(&r, spec, g->p, g->d);
    for (uint32_t i = 0; ok && i < r.n_clients; i++) ok = background_chain(g, &r, r.client[i]);
    roles_fini(&r);
    return ok;
}

/* Counts as background_chain does: every host sends at the rate of its link all the time. */
static uint64_t background_foresee(const struct workload_spec *spec, const struct population *p) {
    flow_count mean = spec->sizes && spec->sizes->mean_bytes > 0 ? (flow_count)spec->sizes->mean_bytes : 1, sum = 0;
    for (uint32_t h = 0; h < p->n_hosts; h++)
        sum += open_time(spec, true) / 1000 * (flow_count)p->host_bps[h] / (8 * mean * (PS_PER_S / 1000)) + 1;
    return count_limited(sum);
}

static const struct param *const background_keys[] = {WORKLOAD_SIZES,    &workload_among,   &workload_placement,
                                                      &workload_clients, &workload_servers, &workload_within,
                                                      &workload_start,   &workload_stop,    NULL};

const struct workload_ops workload_background = {
    .name = "background",
    .paper = "DeTail, Figure 11",
    .doc = "each host always sends one flow, the next when it is acknowledged",
    .keys = background_keys,
    .generate = background_generate,
    .foresee = background_foresee,
};
