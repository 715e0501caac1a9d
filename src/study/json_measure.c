/* What is measured of flows over time, of links and of queues, as JSON. */
#include "study/json_out.h"

static void put(json_t *object, const char *key, json_t *value) { json_object_set_new(object, key, value); }

static json_t *count(uint64_t value) { return json_integer((json_int_t)value); }

static json_t *share(bool any, int64_t ppb) { return any ? json_real((double)ppb / 1e9) : json_null(); }

/* ---- links and queues ---- */

static json_t *link_use_json(const struct link_use *u, bool named) {
    json_t *o = json_object();
    bool any = u->n > 0;
    if (named) put(o, "n", count(u->n));
    put(o, "mean", share(any || !named, u->mean_ppb));
    put(o, "max", share(any || !named, u->max_ppb));
    put(o, "min", share(any, u->min_ppb));
    put(o, "data_mean", share(any, u->data_mean_ppb));
    put(o, "data_max", share(any, u->data_max_ppb));
    put(o, "data_min", share(any, u->data_min_ppb));
    return o;
}

json_t *json_links(const struct run_result *r) {
    json_t *o = json_object();
    for (unsigned i = 0; i < 3; i++) put(o, link_word(i), link_use_json(&r->link[i], false));
    put(o, "watch", link_use_json(&r->watched, true));
    return o;
}

json_t *json_queues(const struct run_result *r) {
    static const char *const words[QUEUE_PLACES] = {"nic", "tor_up", "tor_down", "agg_up", "agg_down", "core"};
    json_t *o = json_object(), *by_tier = json_object();
    put(o, "mean", json_real((double)r->queue_mean_bytes));
    put(o, "max", json_real((double)r->queue_max_bytes));
    for (int i = 0; i < QUEUE_PLACES; i++) {
        const struct queue_use *q = &r->queue[i];
        json_t *place = json_object();
        put(place, "mean", q->n_ports ? json_real((double)q->mean_bytes) : json_null());
        put(place, "max", q->n_ports ? json_real((double)q->max_bytes) : json_null());
        put(place, "bound", q->n_ports && q->bound_bytes ? count(q->bound_bytes) : json_null());
        put(by_tier, words[i], place);
    }
    put(o, "by_tier", by_tier);
    return o;
}

/* ---- order ---- */

static uint64_t degrees_count(const struct run_result *r) {
    uint64_t all = 0;
    for (uint32_t bin = 0; bin < DEGREE_BINS; bin++) all += r->degree_frames[bin];
    return all;
}

/* Returns the degree at a nearest rank; a bin stands for its least degree. */
static json_t *degree_at(const struct run_result *r, uint64_t all, unsigned permille) {
    uint64_t rank = (all * permille + 999) / 1000, below = 0;
    uint32_t bin = 0;
    while (bin < DEGREE_BINS - 1 && (below += r->degree_frames[bin]) < rank) bin++;
    return all ? json_real(degree_least(bin)) : json_null();
}

json_t *json_reorder(const struct run_result *r) {
    uint64_t all = degrees_count(r);
    json_t *o = json_summary(&r->reorder_milli, 1e3), *by_frame = json_object();
    put(by_frame, "n", count(all));
    put(by_frame, "p50", degree_at(r, all, 500));
    put(by_frame, "p95", degree_at(r, all, 950));
    put(by_frame, "p99", degree_at(r, all, 990));
    put(by_frame, "max", degree_at(r, all, 1000));
    put(o, "frames", by_frame);
    return o;
}

/* ---- flows over time ---- */

json_t *json_host_goodput(const struct run_result *r) {
    const struct summary *s = &r->host_goodput_bps;
    json_t *o = json_summary(s, 1e9);
    put(o, "min", s->n ? json_real((double)s->min / 1e9) : json_null());
    put(o, "jain", r->host_goodput_jain_ppm == JAIN_NONE ? json_null() : share(true, 1000 * r->host_goodput_jain_ppm));
    put(o, "variation", json_summary(&r->flow_variation_ppm, 1e6));
    return o;
}

static void fairness_put(json_t *o, const struct fairness_total *t) {
    bool any = t->intervals > 0;
    put(o, "interval_us", t->interval ? json_real((double)t->interval / (double)PS_PER_US) : json_null());
    put(o, "jain_mean", any ? json_real((double)t->sum_ppm / (double)t->intervals / 1e6) : json_null());
    put(o, "jain_min", any ? json_real((double)t->min_ppm / 1e6) : json_null());
    put(o, "intervals", count(t->intervals));
}

/* The first length of intervals stands at the top, the others under their numbers in measure.jain. */
json_t *json_fairness(const struct run_result *r) {
    json_t *o = json_object();
    fairness_put(o, &r->fairness[0]);
    for (int i = 1; i < FAIRNESS_MAX; i++) {
        char key[12];
        snprintf(key, sizeof key, "%d", i);
        json_t *other = json_object();
        fairness_put(other, &r->fairness[i]);
        put(o, key, other);
    }
    return o;
}

json_t *json_convergence(const struct run_result *r) {
    json_t *o = json_summary(&r->converged_ps, (double)PS_PER_US);
    uint64_t never = 0;
    for (size_t i = 0; i < r->n_joins; i++) never += r->join[i].settled_ps == TIME_NONE;
    span_ps last = r->n_joins ? r->join[r->n_joins - 1].settled_ps : TIME_NONE;
    put(o, "never", count(never));
    put(o, "last", last == TIME_NONE ? json_null() : json_real((double)last / (double)PS_PER_US));
    put(o, "first", json_summary(&r->converged_first_ps, (double)PS_PER_US));
    return o;
}
