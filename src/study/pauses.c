#include "study/pauses.h"

#include "base/units.h"
#include "study/json_out.h"

#define US ((double)PS_PER_US)
#define RINGS_WARNED 3
#define PORTS_WARNED 8 /* of a ring */

static void put(json_t *object, const char *key, json_t *value) { json_object_set_new(object, key, value); }

static json_t *count(uint64_t value) { return json_integer((json_int_t)value); }

static json_t *microseconds(span_ps span) { return json_real((double)span / US); }

static const struct pause_total *longest_of(const struct run_result *r) {
    const struct pause_total *longest = NULL;
    for (size_t i = 0; i < r->n_pauses; i++)
        if (!longest || r->pause[i].longest > longest->longest) longest = &r->pause[i];
    return longest;
}

/* Lanes of the ring that begins at `first`. */
static size_t ring_length(const struct run_result *r, size_t first) {
    size_t n = 0;
    while (first + n < r->n_ring_lanes && r->ring[first + n].ring == r->ring[first].ring) n++;
    return n;
}

/* Since when all of it has stood. */
static time_ps ring_since(const struct run_result *r, size_t first) {
    time_ps since = 0;
    for (size_t i = 0; i < ring_length(r, first); i++) since = max_i64(since, r->ring[first + i].since);
    return since;
}

/* ---- as JSON ---- */

static json_t *ring_json(const struct outcome *o, size_t first) {
    const struct pause_ring_lane *lane = &o->result.ring[first];
    json_t *object = json_object(), *ports = json_array(), *classes = json_array();
    for (size_t i = 0; i < ring_length(&o->result, first); i++) {
        char name[OUTCOME_EGRESS];
        json_array_append_new(ports, json_string(outcome_egress(o, lane[i].port, name)));
        json_array_append_new(classes, count(lane[i].class));
    }
    put(object, "ports", ports);
    put(object, "classes", classes);
    put(object, "since_us", microseconds(ring_since(&o->result, first)));
    put(object, "seen_us", microseconds(lane->last));
    return object;
}

static void put_storms(json_t *object, const struct outcome *o) {
    const struct run_result *r = &o->result;
    const struct pause_total *longest = longest_of(r);
    char name[OUTCOME_EGRESS];
    json_t *rings = json_array();
    for (size_t i = 0; i < r->n_ring_lanes; i += ring_length(r, i)) json_array_append_new(rings, ring_json(o, i));
    put(object, "storms", count(r->pauses.storms));
    put(object, "longest_us", microseconds(r->pauses.longest));
    put(object, "longest_port", longest ? json_string(outcome_egress(o, longest->port, name)) : json_null());
    put(object, "longest_class", longest ? count(longest->class) : json_null());
    put(object, "n_cycles", count(r->pauses.rings));
    put(object, "cycles", rings);
}

json_t *json_pauses(const struct outcome *o) {
    const struct pause_totals *t = &o->result.pauses;
    json_t *object = json_object(), *classes = json_array();
    for (size_t k = 0; k < sizeof t->paused_by / sizeof *t->paused_by; k++)
        json_array_append_new(classes, microseconds(t->paused_by[k]));
    put(object, "sent", count(t->sent));
    put(object, "paused_us", microseconds(t->paused));
    put(object, "stops", count(t->stops));
    put(object, "paused_us_by_class", classes);
    put(object, "blocked_us", microseconds(t->blocked));
    put(object, "ingress_bytes_mean", json_real(t->n_ingress ? (double)t->ingress_mean_sum / t->n_ingress : 0));
    put(object, "ingress_bytes_max", count((uint64_t)t->ingress_max_bytes));
    put_storms(object, o);
    return object;
}

/* ---- as warnings ---- */

/* Three digits or so, and its unit. */
static const char *time_text(span_ps span, char buf[UNITS_TEXT_MAX]) {
    int64_t unit = 1;
    while (span / unit >= 10000) unit *= 10;
    return units_print(PARAM_TIME, (span + unit / 2) / unit * unit, buf, UNITS_TEXT_MAX);
}

static void warn_storms(const struct outcome *o, const char *file, uint32_t run, FILE *out) {
    const struct pause_total *longest = longest_of(&o->result);
    char name[OUTCOME_EGRESS], span[UNITS_TEXT_MAX], from[UNITS_TEXT_MAX];
    if (!longest || o->result.pauses.storms == 0) return;
    fprintf(out,
            "%s: warning: run %u: %llu pause storm%s; the longest: %s, class %u, stood paused for %s from %s on "
            "(switch.pause_storm says what counts as one)\n",
            file, run, (unsigned long long)o->result.pauses.storms, o->result.pauses.storms == 1 ? "" : "s",
            outcome_egress(o, longest->port, name), longest->class, time_text(longest->longest, span),
            time_text(longest->longest_from, from));
}

static void warn_ring(const struct outcome *o, size_t first, const char *file, uint32_t run, FILE *out) {
    const struct run_result *r = &o->result;
    size_t n = ring_length(r, first);
    char name[OUTCOME_EGRESS], since[UNITS_TEXT_MAX], held[UNITS_TEXT_MAX];
    time_ps from = ring_since(r, first);
    fprintf(out, "%s: warning: run %u: cyclic buffer dependency: ", file, run);
    for (size_t i = 0; i < n && i < PORTS_WARNED; i++)
        fprintf(out, "%s waits for ", outcome_egress(o, r->ring[first + i].port, name));
    if (n > PORTS_WARNED) fprintf(out, "%zu more, then ", n - PORTS_WARNED);
    fprintf(out, "%s; all paused from %s on, for %s at least\n", outcome_egress(o, r->ring[first].port, name),
            time_text(from, since), time_text(r->ring[first].last - from, held));
}

void pauses_warn(const struct outcome *o, const char *file, uint32_t run, FILE *out) {
    const struct run_result *r = &o->result;
    warn_storms(o, file, run, out);
    for (size_t i = 0, n = 0; i < r->n_ring_lanes && n < RINGS_WARNED; i += ring_length(r, i), n++)
        warn_ring(o, i, file, run, out);
    if (r->pauses.rings > RINGS_WARNED)
        fprintf(out, "%s: warning: run %u: %u more of them; the store has them in pause_rings\n", file, run,
                r->pauses.rings - RINGS_WARNED);
}
