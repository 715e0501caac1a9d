#include "study/json_out.h"

#include "study/settled.h"
#include "study/size_classes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

const char *drop_word(unsigned cause) {
    static const char *const words[DROP_COUNT] = {"none",     "buffer", "link_down", "loss",
                                                  "no_route", "ttl",    "credit",    "unscheduled"};
    return cause < DROP_COUNT && words[cause] ? words[cause] : "other";
}

const char *tier_word(unsigned tier) {
    static const char *const words[TIER_COUNT] = {"host", "tor", "agg", "core"};
    return tier < TIER_COUNT ? words[tier] : "other";
}

const char *link_word(unsigned link_tier) {
    static const char *const words[] = {"host", "uplink", "core", "peer"};
    return link_tier < 4 ? words[link_tier] : "other";
}

/* ---- pieces ---- */

json_t *json_number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *count(uint64_t value) { return json_integer((json_int_t)value); }

static void put(json_t *object, const char *key, json_t *value) { json_object_set_new(object, key, value); }

static json_t *statistic(const struct summary *s, int64_t value, double unit) {
    return s->n && value != TIME_NONE ? json_real((double)value / unit) : json_null();
}

json_t *json_summary(const struct summary *s, double unit) {
    json_t *o = json_object();
    put(o, "n", count(s->n));
    put(o, "mean", statistic(s, s->mean, unit));
    put(o, "p50", statistic(s, s->p50, unit));
    put(o, "p95", statistic(s, s->p95, unit));
    put(o, "p99", statistic(s, s->p99, unit));
    put(o, "max", statistic(s, s->max, unit));
    return o;
}

static json_t *jain(int64_t ppm) { return ppm == JAIN_NONE ? json_null() : json_real((double)ppm / 1e6); }

/* Which part of the times of flows. */
enum time_part { TIME_FCT, TIME_SLOWDOWN, TIME_HANDSHAKE, TIME_DATA };

static json_t *times_json(const struct flow_times *t, enum time_part part) {
    const struct summary *const s[] = {&t->fct_ps, &t->slowdown_ppm, &t->handshake_ps, &t->data_ps};
    json_t *o = json_summary(s[part], part == TIME_SLOWDOWN ? 1e6 : (double)PS_PER_US);
    if (part == TIME_FCT) put(o, "unfinished", count(t->unfinished));
    return o;
}

static const char *const class_words[FLOW_CLASSES] = {"all", "mice", "medium", "elephant"};

/* Those of measure.classes stand beside the built-in ones. */
static json_t *classes_json(const struct flow_times times[FLOW_CLASSES], const struct size_classes *sizes,
                            const struct flow_times of_size[SIZE_CLASSES_MAX], enum time_part part) {
    json_t *o = json_object();
    for (int i = 0; i < FLOW_CLASSES; i++) put(o, class_words[i], times_json(&times[i], part));
    for (uint32_t i = 0; i < size_classes_count(sizes); i++) {
        char name[SIZE_CLASS_NAME_MAX];
        put(o, size_class_name(sizes, i, name), times_json(&of_size[i], part));
    }
    return o;
}

static json_t *goodput_json(const struct goodput goodput[FLOW_CLASSES]) {
    json_t *o = json_object();
    for (int i = 0; i < FLOW_CLASSES; i++) {
        json_t *class = json_summary(&goodput[i].bps, 1e6);
        put(class, "jain", jain(goodput[i].jain_ppm));
        put(o, class_words[i], class);
    }
    return o;
}

/* Of the flows that count. */
static void put_times(json_t *o, const struct run_result *r) {
    put(o, "fct_us", classes_json(r->times, &r->sizes, r->size_times, TIME_FCT));
    put(o, "slowdown", classes_json(r->times, &r->sizes, r->size_times, TIME_SLOWDOWN));
    put(o, "handshake_us", classes_json(r->times, &r->sizes, r->size_times, TIME_HANDSHAKE));
    put(o, "data_us", classes_json(r->times, &r->sizes, r->size_times, TIME_DATA));
}

/* Of all flows, whatever measure.from and measure.starts say. */
static json_t *unwindowed_json(const struct run_result *r) {
    json_t *o = json_object();
    put(o, "fct_us", classes_json(r->all_times, &r->sizes, r->all_size_times, TIME_FCT));
    put(o, "slowdown", classes_json(r->all_times, &r->sizes, r->all_size_times, TIME_SLOWDOWN));
    return o;
}

static json_t *flows_json(const struct run_result *r) {
    json_t *o = json_object();
    put(o, "started", count(r->flows_started));
    put(o, "finished", count(r->flows_finished));
    put(o, "unfinished", count(r->flows_unfinished));
    put(o, "bytes", count(r->flow_bytes));
    return o;
}

static json_t *packets_json(const struct packet_totals *p) {
    json_t *o = json_object();
    put(o, "sent", count(p->sent));
    put(o, "delivered", count(p->delivered));
    put(o, "dropped", count(p->dropped));
    put(o, "marked", count(p->marked));
    put(o, "reordered", count(p->reordered));
    put(o, "retransmitted", count(p->retransmitted));
    put(o, "in_flight", count(p->in_flight));
    return o;
}

static json_t *credits_json(const struct run_result *r) {
    const struct credit_totals *c = &r->credits;
    json_t *o = json_object();
    put(o, "sent", count(c->sent));
    put(o, "used", count(c->used));
    put(o, "wasted", count(c->wasted));
    put(o, "void", count(c->voided));
    put(o, "dropped", count(c->dropped));
    put(o, "in_flight", count(c->in_flight));
    put(o, "wasted_per_flow", json_summary(&r->wasted_milli, 1e3));
    put(o, "unfilled_bytes_per_flow", json_summary(&r->unfilled_milli, 1e3));
    const struct queue_bound *b = &r->queue_bound;
    put(o, "bound_used", b->n_ports ? json_real((double)b->max_bytes / (double)b->bound_bytes) : json_null());
    put(o, "queues_over_bound", b->n_ports ? count(b->n_over) : json_null());
    return o;
}

static json_t *memory_json(const struct memory_totals *m) {
    json_t *o = json_object();
    put(o, "total_bytes", count(m->total_bytes));
    put(o, "fabric_bytes", count(m->fabric_bytes));
    put(o, "packets_bytes", count(m->packets_bytes));
    put(o, "rings_bytes", count(m->rings_bytes));
    put(o, "hosts_bytes", count(m->hosts_bytes));
    put(o, "switches_bytes", count(m->switches_bytes));
    put(o, "flows_bytes", count(m->flows_bytes));
    put(o, "bytes_per_host", count(m->bytes_per_host));
    put(o, "bytes_per_port", count(m->bytes_per_port));
    put(o, "bytes_per_flow", count(m->bytes_per_flow));
    put(o, "bytes_per_packet", count(m->bytes_per_packet));
    return o;
}

static json_t *counters_json(const struct run_result *r) {
    json_t *o = json_object();
    for (unsigned i = DROP_NONE + 1; i < DROP_COUNT; i++) {
        char key[64];
        snprintf(key, sizeof key, "drop_%s", drop_word(i));
        put(o, key, count(r->packets.dropped_by[i]));
    }
    for (size_t i = 0; i < r->n_counters; i++) put(o, r->counter[i].name, count(r->counter[i].value));
    return o;
}

static json_t *imbalance_json(const struct run_result *r) {
    json_t *o = json_object();
    static const enum tier tiers[] = {TIER_LEAF, TIER_AGG};
    for (int i = 0; i < 2; i++) {
        json_t *tier = json_summary(&r->imbalance_ppm[tiers[i]], 1e6);
        put(tier, "of", count(r->imbalance_of[tiers[i]]));
        put(o, tier_word(tiers[i]), tier);
    }
    return o;
}

static json_t *engine_json(const struct engine_totals *e) {
    char digest[17];
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)e->digest);
    double wall_s = (double)e->wall_ns / 1e9;
    json_t *o = json_object();
    put(o, "sim_s", json_real((double)e->sim_ps / (double)PS_PER_S));
    put(o, "wall_s", json_real(wall_s));
    put(o, "packet_hops", count(e->packet_hops));
    put(o, "hops_per_s", json_real(e->wall_ns > 0 ? (double)e->packet_hops / wall_s : 0));
    put(o, "rss_bytes", count(e->rss_bytes));
    put(o, "digest", json_string(digest));
    put(o, "threads", count(e->threads));
    return o;
}

json_t *result_json(uint32_t number, const json_t *settings, const struct outcome *outcome) {
    const struct run_result *r = &outcome->result;
    json_t *o = json_object();
    put(o, "run", count(number));
    put(o, "settings", json_deep_copy(settings));
    put(o, "flows", flows_json(r));
    put_times(o, r);
    put(o, "unwindowed", unwindowed_json(r));
    put(o, "open_flows", json_open_flows(r));
    put(o, "goodput_mbps", goodput_json(outcome->goodput));
    put(o, "queries", json_queries(r));
    put(o, "packets", packets_json(&r->packets));
    put(o, "credits", credits_json(r));
    put(o, "queues_bytes", json_queues(r));
    put(o, "pauses", json_pauses(outcome));
    put(o, "memory", memory_json(&r->memory));
    put(o, "counters", counters_json(r));
    put(o, "imbalance", imbalance_json(r));
    put(o, "links", json_links(r));
    put(o, "goodput_gbps", json_host_goodput(r));
    put(o, "fairness", json_fairness(r));
    put(o, "convergence_us", json_convergence(r));
    put(o, "reorder", json_reorder(r));
    put(o, "engine", engine_json(&r->engine));
    return o;
}

/* ---- reading and writing ---- */

bool json_metric(const json_t *result, const char *path, double *value) {
    const json_t *at = result;
    for (const char *part = path; at && *part;) {
        char key[128];
        size_t length = strcspn(part, ".");
        if (length >= sizeof key) return false;
        memcpy(key, part, length);
        key[length] = '\0';
        at = json_object_get(at, key);
        part += length + (part[length] == '.');
    }
    if (!at || !(json_is_number(at) || json_is_null(at))) return false;
    *value = json_is_null(at) ? NAN : json_number_value(at);
    return true;
}

char *json_text(const json_t *object) { return json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(15)); }

void json_line(const json_t *object, FILE *out) {
    char *text = json_text(object);
    fprintf(out, "%s\n", text);
    fflush(out);
    free(text);
}
