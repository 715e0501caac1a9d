/* Background: each host always sends one flow; when it has been acknowledged the next begins (AM-7). A run does not
 * wait for these flows. As many are made as could end by the run's end if each had the host's link for itself. */
#include "workload/generate.h"

__extension__ typedef __int128 wide;

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
        wide takes = (wide)bytes * 8 * PS_PER_S / g->p->host_bps[src];
        at = takes < end - at ? at + (span_ps)takes : end;
    }
    return true;
}

bool background_generate(struct generator *g) {
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
