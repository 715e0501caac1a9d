/* SPDX-License-Identifier: Apache-2.0 */
#include "study/report/series.h"

#include "base/memory.h"
#include "study/report/pack.h"
#include "study/series/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum kind { KIND_QUEUE, KIND_LINK, KIND_PAUSE, KIND_GOODPUT, N_KINDS };
static const char *const kinds[] = {"queue", "link", "pause", "goodput"};

struct sampled {
    int64_t at_ps;
    uint32_t port; /* index into the topology */
    uint32_t node; /* undrawn node that sends there */
    double value;
};

/* The samples of one kind, ordered by time. */
struct samples_of {
    struct sampled *sample;
    size_t n;
    int64_t *time; /* [n_times] distinct times */
    size_t n_times;
};

/* ---- reading ---- */

static void sample_take(struct samples_of *s, const struct sample_row *x, size_t port, uint32_t node) {
    if ((s->n & (s->n - 1)) == 0) s->sample = memory_grow(s->sample, s->n ? 2 * s->n : 1, sizeof *s->sample);
    s->sample[s->n++] = (struct sampled){x->at_ps, (uint32_t)port, node, x->value};
    if (s->n_times && s->time[s->n_times - 1] == x->at_ps) return;
    if (s->n_times % 1024 == 0) s->time = memory_grow(s->time, s->n_times + 1024, sizeof *s->time);
    s->time[s->n_times++] = x->at_ps;
}

static bool samples_read(const struct store_reader *r, int64_t run, const struct topology *t, struct samples_of *all,
                         struct diag *d) {
    struct store_rows rows;
    struct sample_row x;
    if (!store_rows_begin(r, STORE_SAMPLES, run, &rows, d)) return false;
    while (store_next_sample(&rows, &x)) {
        size_t port = topology_port(t, x.port);
        for (int k = 0; k < N_KINDS && port != SIZE_MAX; k++) {
            if (strcmp(kinds[k], x.kind) == 0) sample_take(&all[k], &x, port, t->sender[x.port]);
        }
    }
    return store_rows_end(&rows, d);
}

static void samples_free(struct samples_of *s) {
    free(s->sample);
    free(s->time);
}

/* ---- times in bins ---- */

static json_t *bins_json(const struct time_bins *b) {
    json_t *list = json_array();
    for (size_t i = 0; i < b->n; i++) json_array_append_new(list, pack_number((double)time_bins_end(b, i) / 1e6));
    return list;
}

static json_t *means_json(const struct bin_sums *s, size_t row, double unit) {
    json_t *list = json_array();
    for (size_t i = 0; i < s->bins; i++) json_array_append_new(list, pack_number(bin_sums_mean(s, row, i) / unit));
    return list;
}

/* ---- by tier and direction ---- */

/* Groups of ports by tier and direction. Node numbers rise from hosts to cores, which tells up from down. */
static const char *const places[] = {"host to switch", "switch to host", "uplink, up", "uplink, down", "core, up",
                                     "core, down",     "peer, onwards",  "peer, back", "other",        "other, back"};
#define N_PLACES (sizeof places / sizeof *places)

static size_t place_of(const struct port_row *x) {
    static const char *const tier[] = {"host", "uplink", "core", "peer"};
    size_t at = 0;
    while (at < 4 && strcmp(tier[at], x->link_tier) != 0) at++;
    return 2 * at + (x->neighbour < x->node);
}

static json_t *by_place(const struct samples_of *s, const struct topology *t) {
    struct time_bins b = time_bins_of(s->time, s->n_times, SERIES_MAX);
    struct bin_sums y = bin_sums_make(N_PLACES, b.n);
    for (size_t i = 0; i < s->n; i++)
        bin_sums_add(&y, place_of(&t->port[s->sample[i].port]), time_bins_find(&b, s->sample[i].at_ps),
                     s->sample[i].value);
    json_t *groups = json_array();
    for (size_t p = 0; p < N_PLACES; p++) {
        if (!bin_sums_has(&y, p)) continue;
        json_array_append_new(groups, json_pack("{s:s, s:o, s:o}", "name", places[p], "mean", means_json(&y, p, 1),
                                                "max", pack_numbers(y.max + p * y.bins, y.bins)));
    }
    json_t *o = json_pack("{s:o, s:o}", "at_us", bins_json(&b), "groups", groups);
    bin_sums_free(&y);
    return o;
}

/* ---- goodput of hosts ---- */

/* The groups of hosts whose goodput makes one curve. */
struct host_groups {
    size_t *of; /* [n_whole_hosts] group of each host */
    size_t n;
    size_t *racks; /* [n] racks of each group; 0: part of a rack, or a host alone */
};

/* Numbers the racks in the order of their first hosts. Hosts of one rack hang on one node. Returns their number and writes the
 * rack of each host. */
static size_t racks_of(const struct topology *t, size_t *rack) {
    size_t *number = memory_get(t->n_whole + 1, sizeof *number), n = 0; /* of each node, and 1; 0: none yet */
    for (size_t h = 0; h < t->n_whole_hosts; h++) {
        if (!number[t->leaf[h]]) number[t->leaf[h]] = ++n;
        rack[h] = number[t->leaf[h]] - 1;
    }
    free(number);
    return n;
}

/* Makes the groups: single hosts while there are few, else racks, else several racks so that groups are few. A single
 * rack of many hosts is cut into equal parts. */
static struct host_groups host_groups_make(const struct topology *t) {
    size_t n = t->n_whole_hosts, *rack = memory_get(n + 1, sizeof *rack), racks = racks_of(t, rack);
    bool alone = n <= HOST_GROUPS_MAX || racks == 1;
    size_t units = alone ? n : racks;
    struct host_groups g = {memory_get(n + 1, sizeof *g.of), units < HOST_GROUPS_MAX ? units : HOST_GROUPS_MAX, NULL};
    g.racks = memory_get(g.n + 1, sizeof *g.racks);
    for (size_t h = 0; h < n; h++) g.of[h] = (alone ? h : rack[h]) * g.n / units;
    for (size_t r = 0; !alone && r < racks; r++) g.racks[r * g.n / racks]++;
    free(rack);
    return g;
}

static void host_groups_free(struct host_groups *g) {
    free(g->of);
    free(g->racks);
}

/* Names a group: racks by the nodes that they hang on, other hosts by the first and the last. */
static json_t *group_name(const struct topology *t, const struct host_groups *g, size_t group, size_t *n) {
    size_t first = SIZE_MAX, last = 0;
    *n = 0;
    for (size_t h = 0; h < t->n_whole_hosts; h++) {
        if (g->of[h] != group) continue;
        if (first == SIZE_MAX) first = h;
        last = h;
        (*n)++;
    }
    if (g->racks[group]) first = t->leaf[first], last = t->leaf[last];
    if (first == last) return json_string(t->whole_name[first]);
    return json_sprintf("%s to %s", t->whole_name[first], t->whole_name[last]);
}

/* Returns Jain's index over the hosts that received data in the run. */
static double jain(const struct bin_sums *y, const bool *receives, size_t bin) {
    struct over_ports hosts = {0};
    for (size_t h = 0; h < y->rows; h++) {
        double mean = bin_sums_mean(y, h, bin);
        if (receives[h]) over_ports_add(&hosts, isnan(mean) ? 0 : mean);
    }
    return over_ports_jain(&hosts);
}

static json_t *jain_json(const struct bin_sums *y, size_t *n_receivers) {
    bool *receives = memory_get(y->rows + 1, sizeof *receives);
    json_t *list = json_array();
    *n_receivers = 0;
    for (size_t h = 0; h < y->rows; h++) {
        for (size_t i = 0; i < y->bins; i++) receives[h] = receives[h] || y->sum[h * y->bins + i] > 0;
        *n_receivers += receives[h];
    }
    for (size_t i = 0; i < y->bins; i++) json_array_append_new(list, pack_number(jain(y, receives, i)));
    free(receives);
    return list;
}

static json_t *host_groups_json(const struct topology *t, const struct bin_sums *host) {
    struct host_groups of = host_groups_make(t);
    struct bin_sums y = bin_sums_make(of.n, host->bins);
    for (size_t h = 0; h < t->n_whole_hosts; h++) {
        for (size_t i = 0; i < host->bins; i++) {
            if (host->count[h * host->bins + i]) bin_sums_add(&y, of.of[h], i, bin_sums_mean(host, h, i));
        }
    }
    json_t *groups = json_array();
    for (size_t g = 0; g < of.n; g++) {
        size_t n;
        json_t *name = group_name(t, &of, g, &n);
        json_array_append_new(groups, json_pack("{s:o, s:I, s:I, s:o}", "name", name, "n", (json_int_t)n, "racks",
                                                (json_int_t)of.racks[g], "mean", means_json(&y, g, 1e9)));
    }
    bin_sums_free(&y);
    host_groups_free(&of);
    return groups;
}

static json_t *goodput(const struct samples_of *s, const struct topology *t) {
    if (t->n_whole_hosts == 0) return NULL;
    struct time_bins b = time_bins_of(s->time, s->n_times, SERIES_MAX);
    struct bin_sums y = bin_sums_make(t->n_whole_hosts, b.n);
    for (size_t i = 0; i < s->n; i++) {
        uint32_t node = s->sample[i].node;
        if (node < t->n_whole_hosts) bin_sums_add(&y, node, time_bins_find(&b, s->sample[i].at_ps), s->sample[i].value);
    }
    size_t receivers;
    json_t *index = jain_json(&y, &receivers);
    json_t *o = json_pack("{s:o, s:o, s:o, s:I}", "at_us", bins_json(&b), "groups", host_groups_json(t, &y), "jain",
                          index, "receivers", (json_int_t)receivers);
    bin_sums_free(&y);
    return o;
}

/* ---- frames ---- */

#define FRAMES_MAX 48

static json_t *frames(const struct samples_of *s, const struct topology *t, size_t frame_values) {
    size_t most = t->n_ports ? frame_values / t->n_ports : 0;
    if (most < 2) return NULL;
    struct time_bins b = time_bins_of(s->time, s->n_times, most < FRAMES_MAX ? most : FRAMES_MAX);
    struct bin_sums y = bin_sums_make(b.n, t->n_ports);
    for (size_t i = 0; i < s->n; i++)
        bin_sums_add(&y, time_bins_find(&b, s->sample[i].at_ps), s->sample[i].port, s->sample[i].value);
    double *mean = memory_get(b.n * t->n_ports + 1, sizeof *mean);
    for (size_t i = 0; i < b.n * t->n_ports; i++) mean[i] = y.count[i] ? y.sum[i] / y.count[i] : 0;
    json_t *o = json_pack("{s:o, s:o}", "at_us", bins_json(&b), "values", pack_scaled(mean, b.n * t->n_ports, 8));
    free(mean);
    bin_sums_free(&y);
    return o;
}

/* ---- open flows ---- */

static double end_us(const struct run_row *run) {
    return json_number_value(json_object_get(json_object_get(run->result, "engine"), "sim_s")) * 1e6;
}

/* Returns the first of SERIES_MAX + 1 even times from 0 to the end that is not before `at_ps`. Damaged
 * stores may hold times below 0. */
static size_t step_of(int64_t at_ps, double end_us) {
    double steps = (double)at_ps / 1e6 / end_us * SERIES_MAX;
    if (steps < 0) return 0;
    size_t step = steps < SERIES_MAX + 1 ? (size_t)steps : SERIES_MAX + 1;
    return (double)step < steps ? step + 1 : step;
}

/* Reads by how much the number of open flows changes at each step. */
static bool changes_read(const struct store_reader *r, const struct run_row *run, double end, double *change, size_t *n,
                         struct diag *d) {
    struct store_rows rows;
    struct flow_row f;
    if (!store_rows_begin(r, STORE_FLOWS, run->id, &rows, d)) return false;
    while (end > 0 && store_next_flow(&rows, &f)) {
        if (f.start_ps == STORE_NULL) continue;
        change[step_of(f.start_ps, end)]++;
        if (f.finished_ps != STORE_NULL) change[step_of(f.finished_ps, end)]--;
        (*n)++;
    }
    return store_rows_end(&rows, d);
}

static bool flows_open(const struct store_reader *r, const struct run_row *run, json_t *out, struct diag *d) {
    double change[SERIES_MAX + 3] = {0}, end = end_us(run), open = 0;
    size_t n = 0;
    if (!changes_read(r, run, end, change, &n, d)) return false;
    json_t *at = json_array(), *v = json_array();
    for (size_t i = 0; i <= SERIES_MAX; i++) {
        open += change[i];
        json_array_append_new(at, pack_number(end * (double)i / SERIES_MAX));
        json_array_append_new(v, pack_number(open));
    }
    json_t *o = json_pack("{s:o, s:o}", "at_us", at, "v", v);
    if (n) json_object_set(out, "open", o);
    json_decref(o);
    return true;
}

/* ---- all series ---- */

json_t *run_series(const struct store_reader *r, const struct run_row *run, const struct topology *t,
                   size_t frame_values, struct diag *d) {
    struct samples_of s[N_KINDS] = {0};
    json_t *o = json_object(), *moving = json_object();
    bool ok = samples_read(r, run->id, t, s, d) && flows_open(r, run, o, d);
    for (int k = 0; ok && k < N_KINDS; k++) {
        if (s[k].n == 0) continue;
        json_object_set_new(o, kinds[k], k == KIND_GOODPUT ? goodput(&s[k], t) : by_place(&s[k], t));
        json_t *f = k == KIND_GOODPUT ? NULL : frames(&s[k], t, frame_values);
        if (f) json_object_set_new(moving, kinds[k], f);
    }
    if (json_object_size(moving)) json_object_set(o, "frames", moving);
    json_decref(moving);
    for (int k = 0; k < N_KINDS; k++) samples_free(&s[k]);
    if (ok) return o;
    json_decref(o);
    return NULL;
}
