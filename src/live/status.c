/* SPDX-License-Identifier: Apache-2.0 */
#include "live/status.h"

#include "base/clock.h"
#include "base/ethernet.h"
#include "base/memory.h"
#include "base/text.h"
#include "live/load_window.h"
#include "measure/run_counters.h"
#include "node/cioq.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TICK_NS (1000000000 / LOAD_WINDOW_PARTS)
#define RX_OVERHEAD_BYTES (WIRE_OVERHEAD_BYTES + 4) /* plus the FCS */

struct status {
    struct switchd *switchd;
    const struct switch_config *config;
    struct load_window *load; /* [ports of the fabric] */
    int64_t ticked_ns;        /* when the windows got their last points; 0: never */
};

struct status *status_create(struct switchd *s, const struct switch_config *config) {
    const struct fabric *f = switchd_fabric(s);
    struct status *st = memory_one(sizeof *st);
    st->switchd = s;
    st->config = config;
    st->load = memory_get(f->paths.first_port[f->n_nodes], sizeof *st->load);
    return st;
}

void status_destroy(struct status *st) {
    if (!st) return;
    free(st->load);
    free(st);
}

/* One reading of the status, filled by the threads of the switches in turn. */
struct gathering {
    struct status *status;
    json_t *switches;
    bool tables;
    time_ps now;
    uint64_t held, peak;
    span_ps late_max;
};

static void set_count(json_t *o, const char *key, uint64_t n) {
    json_object_set_new(o, key, json_integer((json_int_t)n));
}

/* ---- a switch ---- */

static json_t *drops_json(const uint64_t *dropped) {
    json_t *o = json_object();
    for (int i = DROP_NONE + 1; i < DROP_COUNT; i++) set_count(o, drop_counters[i].name + strlen("drop_"), dropped[i]);
    return o;
}

/* Returns how many frames from outside the switch never received, because the link was down. */
static uint64_t not_arrived(const struct switchd_view *v) {
    uint64_t n = 0;
    for (uint16_t p = 0; p < v->forwarder->sw.n_ports; p++) n += station_lost_outside(v->station, v->place, p);
    return n;
}

static json_t *frames_json(const struct switchd_view *v) {
    const struct forwarder *f = v->forwarder;
    json_t *o = json_object(), *refused = json_object(), *stripped = json_object();
    set_count(o, "received", f->count.received);
    set_count(o, "left", f->count.left);
    set_count(o, "consumed", f->count.consumed);
    set_count(o, "made", forwarder_created(f));
    set_count(o, "answers", f->count.answers);
    set_count(o, "not_taken", f->count.not_taken);
    set_count(o, "not_arrived", not_arrived(v));
    set_count(o, "unbuilt", f->count.unbuilt);
    json_object_set_new(o, "dropped", drops_json(f->count.dropped));
    for (int i = FRAME_OK + 1; i < REFUSAL_COUNT; i++)
        if (f->count.refused[i]) set_count(refused, refusal_key(i), f->count.refused[i]);
    for (int i = 0; i < STRIPPED_COUNT; i++)
        if (f->count.stripped[i]) set_count(stripped, stripped_key((enum stripped)i), f->count.stripped[i]);
    json_object_set_new(o, "refused", refused);
    json_object_set_new(o, "stripped", stripped);
    return o;
}

static json_t *counters_json(const struct fabric_switch *sw) {
    json_t *o = json_object();
    for (size_t i = 0; i < sw->balance->n_counters; i++) set_count(o, sw->balance->counters[i].name, sw->counters[i]);
    return o;
}

static void add_row(void *to, const char *table, const struct balance_cell *cell, size_t n) {
    json_t *tables = to, *rows = json_object_get(tables, table), *row = json_object();
    if (!rows) json_object_set_new(tables, table, rows = json_array());
    for (size_t i = 0; i < n; i++) json_object_set_new(row, cell[i].column, json_integer(cell[i].value));
    json_array_append_new(rows, row);
}

static json_t *tables_json(const struct fabric_switch *sw, time_ps now) {
    json_t *o = json_object();
    const struct balance_rows rows = {o, add_row};
    if (sw->balance->tables) sw->balance->tables(sw->balance_state, now, &rows);
    return o;
}

/* ---- its ports ---- */

/* Returns wire bytes received; the port counts frames without FCS, preamble and gap. */
static uint64_t received_bytes(const struct live_port *live) {
    return live ? live->count.rx_bytes + live->count.rx_frames * RX_OVERHEAD_BYTES : 0;
}

static void tick_switch(void *arg, const struct switchd_view *v) {
    struct status *st = arg;
    const struct fabric_switch *sw = &v->forwarder->sw;
    struct load_window *load = &st->load[switchd_fabric(st->switchd)->paths.first_port[v->node]];
    for (uint16_t p = 0; p < sw->n_ports; p++) {
        const struct load_point now = {v->now, sw->port[p].sent_bytes, received_bytes(v->live[p])};
        load_window_add(&load[p], now, sw->view[p].rate_bps);
    }
}

void status_tick(struct status *st) {
    int64_t now = clock_ns();
    if (now - st->ticked_ns < TICK_NS) return;
    st->ticked_ns = now - st->ticked_ns < 2 * TICK_NS ? st->ticked_ns + TICK_NS : now; /* late ticks do not add up */
    switchd_each(st->switchd, tick_switch, st);
}

static int64_t queue_bytes(const struct fabric_switch *sw, uint16_t p, time_ps now) {
    const struct port_extra *x = &sw->extra[p];
    return x->classes ? port_queued_bytes(x->classes) : port_backlog_bytes(&sw->port[p], &sw->view[p], now);
}

/* Returns the frames that the port or its link dropped. A switch counts frames with an expired TTL, and frames without a route, at
 * the port where they came in, which did nothing wrong. */
static uint64_t drops_of(const struct port *p, const struct port_extra *x) {
    uint64_t strays = port_dropped(p, x, DROP_TTL) + port_dropped(p, x, DROP_NO_ROUTE);
    return x->credits_dropped + x->pauses_dropped + port_dropped_all(p, x) - strays;
}

static void set_live(json_t *o, const struct live_port *live, double rx_load) {
    json_object_set_new(o, "live", live ? json_string(live->name) : json_null());
    if (!live) return;
    json_object_set_new(o, "rx_load", json_real(rx_load));
    set_count(o, "rx_bytes", received_bytes(live));
    set_count(o, "rx_frames", live->count.rx_frames);
    set_count(o, "rx_lost", live->count.rx_lost);
    set_count(o, "tx_frames", live->count.tx_frames);
    set_count(o, "tx_lost", live->count.tx_lost);
}

static uint64_t lanes_sum(const uint64_t count[PAUSE_LANES]) {
    uint64_t n = 0;
    for (uint32_t k = 0; k < PAUSE_LANES; k++) n += count[k];
    return n;
}

static void set_storms(json_t *o, const struct pause_watchdog *w, const struct pause_state *s) {
    set_count(o, "stormed", s->ignored);
    set_count(o, "storms_found", lanes_sum(w->found));
    set_count(o, "storms_ended", lanes_sum(w->ended));
    set_count(o, "storm_drops", lanes_sum(w->dropped));
}

static void set_pauses(json_t *o, const struct fabric_switch *sw, uint16_t p, time_ps now) {
    const struct port_classes *c = sw->extra[p].classes;
    if (!c || !c->pause) return;
    set_count(o, "pauses_sent", c->pauses_sent);
    set_count(o, "paused", pause_mask(c->pause, now));
    const struct pause_watchdog *w = cioq_watchdog(sw->cioq, p);
    if (w) set_storms(o, w, c->pause);
}

static void set_impaired(json_t *o, const char *key, const struct station_impaired *x) {
    if (!x) return;
    json_t *counts = json_object();
    set_count(counts, "lost", x->lost);
    set_count(counts, "corrupted", x->corrupted);
    set_count(counts, "duplicated", x->duplicated);
    set_count(counts, "reordered", x->reordered);
    json_object_set_new(o, key, counts);
}

static json_t *port_json(struct status *st, const struct switchd_view *v, uint16_t p) {
    const struct fabric *f = switchd_fabric(st->switchd);
    const struct fabric_switch *sw = &v->forwarder->sw;
    const struct load_window *load = &st->load[f->paths.first_port[v->node] + p];
    uint64_t sent = sw->port[p].sent_bytes;
    json_t *o = json_object();
    char name[FABRIC_LINK_NAME_MAX];
    json_object_set_new(o, "name", json_string(fabric_port_name(f, v->node, p, name, sizeof name)));
    json_object_set_new(o, "link", json_string(fabric_port_link(f, v->node, p, name, sizeof name)));
    json_object_set_new(o, "up", json_boolean(topology_is_up(v->topology, v->node, p)));
    json_object_set_new(o, "known_up", json_boolean(sw->view[p].up));
    set_count(o, "rate_bps", (uint64_t)sw->view[p].rate_bps);
    json_object_set_new(o, "load", json_real((double)load->sent_ppb / PPB));
    set_count(o, "sent_bytes", sent);
    set_count(o, "queue_bytes", (uint64_t)queue_bytes(sw, p, v->now));
    set_count(o, "max_queue_bytes", (uint64_t)port_max_queue_bytes(&sw->port[p], &sw->view[p], &sw->extra[p]));
    set_count(o, "mean_queue_bytes",
              (uint64_t)port_mean_queue_bytes(&sw->port[p], &sw->view[p], &sw->extra[p], v->now));
    if (sw->cioq) set_count(o, "ingress_bytes", (uint64_t)sw->cioq->input[p].meter.bytes);
    set_count(o, "drops", drops_of(&sw->port[p], &sw->extra[p]) + station_lost_outside(v->station, v->place, p));
    set_count(o, "marks", sw->extra[p].marked);
    set_pauses(o, sw, p, v->now);
    set_impaired(o, "impaired_out", station_impaired(v->station, v->place, p, false));
    set_impaired(o, "impaired_in", station_impaired(v->station, v->place, p, true));
    set_live(o, v->live[p], (double)load->received_ppb / PPB);
    return o;
}

static json_t *address_json(uint32_t ip) {
    return json_sprintf("%u.%u.%u.%u", ip >> 24, ip >> 16 & 255, ip >> 8 & 255, ip & 255);
}

static void gather(void *arg, const struct switchd_view *v) {
    struct gathering *g = arg;
    const struct fabric *f = switchd_fabric(g->status->switchd);
    const struct fabric_switch *sw = &v->forwarder->sw;
    json_t *o = json_object(), *ports = json_array();
    char name[FABRIC_NODE_NAME_MAX];
    json_object_set_new(o, "name", json_string(fabric_node_name(f, v->node, name, sizeof name)));
    json_object_set_new(o, "address", address_json(fabric_switch_ip(f, v->node)));
    json_object_set_new(o, "frames", frames_json(v));
    json_object_set_new(o, "counters", counters_json(sw));
    for (uint16_t p = 0; p < sw->n_ports; p++) json_array_append_new(ports, port_json(g->status, v, p));
    json_object_set_new(o, "ports", ports);
    if (g->tables) json_object_set_new(o, "tables", tables_json(sw, v->now));
    json_array_append_new(g->switches, o);
    g->now = v->now;
    g->late_max = max_i64(g->late_max, v->driver->late_max);
    if (!v->frames) return;
    g->held += v->frames->pool.in_use;
    g->peak += v->frames->pool.peak;
}

json_t *status_json(struct status *st, bool tables) {
    struct gathering g = {.status = st, .switches = json_array(), .tables = tables};
    switchd_each(st->switchd, gather, &g);
    json_t *o = json_object();
    json_object_set_new(o, "fabric", json_string(switchd_fabric(st->switchd)->kind->name));
    json_object_set_new(o, "balancer", json_string(st->config->balance->name));
    json_object_set_new(o, "uptime_s", json_real((double)g.now / (double)PS_PER_S));
    set_count(o, "frames_held", g.held);
    set_count(o, "frames_peak", g.peak);
    json_object_set_new(o, "late_max_us", json_real((double)g.late_max / (double)PS_PER_US));
    json_object_set_new(o, "switches", g.switches);
    return o;
}

/* ---- Prometheus ---- */

/* A Prometheus metric and its source: in a switch ("frames.left"), or in each of its ports. */
struct metric_row {
    const char *name, *type, *help, *at;
    bool of_port;
};

static const struct metric_row metric_rows[] = {
    {"heddle_received_frames_total", "counter", "Frames that came in", "received", false},
    {"heddle_sent_frames_total", "counter", "Frames that left", "left", false},
    {"heddle_consumed_frames_total", "counter", "Frames meant for the switch", "consumed", false},
    {"heddle_made_frames_total", "counter", "Frames that the switch made", "made", false},
    {"heddle_port_sent_bytes_total", "counter", "Wire bytes sent by a port", "sent_bytes", true},
    {"heddle_port_queue_bytes", "gauge", "Bytes queued at a port", "queue_bytes", true},
    {"heddle_port_load_ratio", "gauge", "Share of the link's rate that is sent", "load", true},
    {"heddle_port_up", "gauge", "Whether the link is up", "up", true},
    {"heddle_port_dropped_frames_total", "counter", "Frames dropped at a port", "drops", true},
    {"heddle_port_marked_frames_total", "counter", "Frames that got a CE mark", "marks", true},
    {"heddle_port_pauses_sent_total", "counter", "Pause frames sent by a port", "pauses_sent", true},
    {"heddle_port_stormed_classes", "gauge", "Classes, as bits, whose endless pause is not obeyed", "stormed", true},
    {"heddle_port_pause_storms_total", "counter", "Pauses of a class that the watchdog ended", "storms_found", true},
    {"heddle_port_pause_storms_over_total", "counter", "Pause storms that are over", "storms_ended", true},
    {"heddle_port_storm_dropped_frames_total", "counter", "Frames dropped because their class was stormed",
     "storm_drops", true},
    {"heddle_port_lost_receive_frames_total", "counter", "Frames lost before they were received", "rx_lost", true},
    {"heddle_port_lost_send_frames_total", "counter", "Frames that could not be sent", "tx_lost", true},
};

static const char *text_of(const json_t *o, const char *key) { return json_string_value(json_object_get(o, key)); }

char *status_label(const char *name) {
    char *label;
    size_t size;
    FILE *out = text_stream(&label, &size);
    for (; *name; name++)
        fputs(*name == '"' ? "\\\"" : *name == '\\' ? "\\\\" : *name == '\n' ? "\\n" : (const char[]){*name, 0}, out);
    text_stream_end(out, &label);
    return label;
}

/* Prints NAME{switch="SWITCH"} or NAME{switch="SWITCH",LABEL="OF"}, and a blank. */
static void put_labels(FILE *out, const char *name, const json_t *sw, const char *label, const char *of) {
    char *first = status_label(text_of(sw, "name")), *second = status_label(of ? of : "");
    fprintf(out, "%s{switch=\"%s\"", name, first);
    if (label) fprintf(out, ",%s=\"%s\"", label, second);
    fputs("} ", out);
    free(first);
    free(second);
}

static void put_value(FILE *out, const json_t *value) {
    if (json_is_integer(value))
        fprintf(out, "%lld\n", (long long)json_integer_value(value));
    else if (json_is_boolean(value))
        fprintf(out, "%d\n", json_is_true(value));
    else
        fprintf(out, "%.6g\n", json_number_value(value));
}

static void put_metric(FILE *out, const struct metric_row *m, const json_t *status) {
    size_t i, k;
    json_t *sw, *port, *value;
    fprintf(out, "# HELP %s %s.\n# TYPE %s %s\n", m->name, m->help, m->name, m->type);
    json_array_foreach(json_object_get(status, "switches"), i, sw) {
        if (!m->of_port) {
            put_labels(out, m->name, sw, NULL, NULL);
            put_value(out, json_object_get(json_object_get(sw, "frames"), m->at));
            continue;
        }
        json_array_foreach(json_object_get(sw, "ports"), k, port) {
            if (!(value = json_object_get(port, m->at))) continue;
            put_labels(out, m->name, sw, "port", text_of(port, "name"));
            put_value(out, value);
        }
    }
}

/* Prints a metric with the key as its label: dropped by cause, refused by reason, the balancer's counters. */
static void put_keyed(FILE *out, const char *name, const char *help, const char *label, const json_t *status,
                      const char *block, const char *within) {
    size_t i;
    json_t *sw, *value;
    const char *key;
    fprintf(out, "# HELP %s %s.\n# TYPE %s counter\n", name, help, name);
    json_array_foreach(json_object_get(status, "switches"), i, sw) {
        json_t *o = json_object_get(sw, block);
        if (within) o = json_object_get(o, within);
        json_object_foreach(o, key, value) {
            put_labels(out, name, sw, label, key);
            put_value(out, value);
        }
    }
}

char *status_metrics(const json_t *status) {
    char *text;
    size_t size;
    FILE *out = text_stream(&text, &size);
    for (size_t i = 0; i < sizeof metric_rows / sizeof *metric_rows; i++) put_metric(out, &metric_rows[i], status);
    put_keyed(out, "heddle_dropped_frames_total", "Frames dropped, by cause", "cause", status, "frames", "dropped");
    put_keyed(out, "heddle_refused_frames_total", "Frames that are malformed or not for the fabric", "reason", status,
              "frames", "refused");
    put_keyed(out, "heddle_stripped_tags_total", "Tags of switches taken off frames of hosts", "tag", status, "frames",
              "stripped");
    put_keyed(out, "heddle_balancer_events_total", "Counters of the balancer", "counter", status, "counters", NULL);
    text_stream_end(out, &text);
    return text;
}
