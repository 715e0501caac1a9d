/* SPDX-License-Identifier: Apache-2.0 */
/* The table of metrics: its rows, the object that is written from them, and the look-up of one key. */
#include "study/config/size_classes.h"
#include "study/experiment/figure.h"
#include "study/metrics/columns.h"
#include "study/results/json_out.h"

#include "unit.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the object of a run ---- */

static json_t *object_of(const struct outcome *x) {
    json_t *settings = json_pack("{s:i}", "run.seed", 1), *o = metrics_object(3, settings, x);
    json_decref(settings);
    return o;
}

static json_t *empty_json(void) {
    static const struct outcome none;
    return object_of(&none);
}

static void has_numbers(const json_t *o, const char *const *paths) {
    for (; *paths; paths++) {
        double value;
        if (!json_metric(o, *paths, &value)) fail_msg("%s is missing", *paths);
    }
}

/* Jain's index is converted from parts per million to a share; without an index or a flow it is null. */
static void metrics_object__index_of_goodputs(void **state) {
    (void)state;
    static const struct outcome x = {
        .result.goodput = {[CLASS_MICE] = {{.n = 3}, 666666}, [CLASS_MEDIUM] = {{.n = 3}, JAIN_NONE}}};
    json_t *o = object_of(&x);
    double value;
    assert_true(json_metric(o, "goodput_mbps.mice.jain", &value) && value == 0.666666);
    assert_true(json_metric(o, "goodput_mbps.medium.jain", &value) && isnan(value));
    assert_true(json_metric(o, "goodput_mbps.elephant.jain", &value) && isnan(value));
    json_decref(o);
}

/* A 0 that nobody counted would be taken for a result. */
static void metrics_object__buffers_of_switches(void **state) {
    (void)state;
    static struct buffer_total buffer[] = {{100, 4000}, {201, 7000}};
    struct outcome x = {.result = {.buffer = buffer, .n_buffers = 2}};
    json_t *o = object_of(&x), *none = empty_json();
    double value;
    assert_true(json_metric(o, "buffers_bytes.mean", &value) && value == 150.5);
    assert_true(json_metric(o, "buffers_bytes.max", &value) && value == 7000);
    assert_true(json_metric(none, "buffers_bytes.mean", &value) && isnan(value));
    assert_true(json_metric(none, "buffers_bytes.max", &value) && isnan(value));
    json_decref(none);
    json_decref(o);
}

static void metrics_object__what_a_lab_cannot_see_is_null(void **state) {
    (void)state;
    static const char *const unseen[] = {
        "packets.reordered", "reorder.n",         "memory.total_bytes",       "engine.packet_hops",
        "engine.hops_per_s", "engine.rss_bytes",  "goodput_gbps.n",           "fairness.intervals",
        "convergence_us.n",  "imbalance.tor.n",   "queries.timeouts.share.0", "pauses.paused_us",
        "pauses.stops",      "pauses.blocked_us", "pauses.ingress_bytes_max", "pauses.storms",
        "pauses.longest_us", "pauses.n_cycles",   "buffers_bytes.max"};
    static const struct outcome x = {.result = {.is_live = true, .packets.dropped = 3, .queries.timeouts = {1}}};
    json_t *o = object_of(&x), *simulated = empty_json();
    double value;
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++) {
        if (!json_metric(o, unseen[i], &value) || !isnan(value)) fail_msg("%s is not null", unseen[i]);
        assert_true(json_metric(simulated, unseen[i], &value));
    }
    assert_true(json_is_null(json_object_get(json_object_get(o, "pauses"), "cycles")));
    assert_true(json_metric(o, "packets.dropped", &value) && value == 3);
    assert_true(json_metric(o, "pauses.sent", &value) && value == 0);
    assert_true(json_metric(o, "links.host.mean", &value) && value == 0);
    json_decref(simulated);
    json_decref(o);
}

static void metrics_object__all_keys_are_always_there(void **state) {
    (void)state;
    json_t *o = empty_json();
    static const char *const paths[] = {"run",
                                        "flows.started",
                                        "flows.finished",
                                        "flows.unfinished",
                                        "flows.bytes",
                                        "queries.started",
                                        "queries.finished",
                                        "queries.unfinished",
                                        "queries.all.p99",
                                        "queries.by_priority.7.all.n",
                                        "queries.fifths.5.p99",
                                        "queries.over_10ms",
                                        "queries.sets.all.n",
                                        "queries.sets.over_200ms",
                                        "queries.timeouts.share.3+",
                                        "queries.timeouts.of_p99.0",
                                        "packets.sent",
                                        "packets.delivered",
                                        "packets.dropped",
                                        "packets.marked",
                                        "packets.reordered",
                                        "packets.retransmitted",
                                        "packets.in_flight",
                                        "credits.sent",
                                        "credits.used",
                                        "credits.wasted",
                                        "credits.dropped",
                                        "credits.in_flight",
                                        "queues_bytes.mean",
                                        "queues_bytes.max",
                                        "buffers_bytes.mean",
                                        "buffers_bytes.max",
                                        "pauses.sent",
                                        "pauses.paused_us",
                                        "pauses.storms",
                                        "pauses.longest_us",
                                        "pauses.longest_class",
                                        "pauses.n_cycles",
                                        "memory.total_bytes",
                                        "memory.bytes_per_host",
                                        "memory.bytes_per_port",
                                        "memory.bytes_per_flow",
                                        "memory.bytes_per_packet",
                                        "counters.drop_buffer",
                                        "counters.drop_link_down",
                                        "counters.drop_loss",
                                        "counters.drop_no_route",
                                        "counters.drop_ttl",
                                        "imbalance.tor.p50",
                                        "imbalance.agg.max",
                                        "imbalance.tor.of",
                                        "links.host.mean",
                                        "fct_us.all.unfinished",
                                        "open_flows.arrivals",
                                        "links.uplink.max",
                                        "links.core.mean",
                                        "engine.sim_s",
                                        "engine.wall_s",
                                        "engine.packet_hops",
                                        "engine.hops_per_s",
                                        "engine.rss_bytes",
                                        NULL};
    has_numbers(o, paths);
    static const char *const blocks[] = {"fct_us",  "slowdown",          "goodput_mbps",       "handshake_us",
                                         "data_us", "unwindowed.fct_us", "unwindowed.slowdown"},
                             *const classes[] = {"all", "mice", "medium", "elephant"},
                             *const statistics[] = {"n", "mean", "p50", "p95", "p99", "max"};
    for (int b = 0; b < 7; b++) {
        for (int c = 0; c < 4; c++) {
            for (int s = 0; s < 6; s++) {
                char path[64];
                double value;
                snprintf(path, sizeof path, "%s.%s.%s", blocks[b], classes[c], statistics[s]);
                assert_true(json_metric(o, path, &value));
                assert_true(s == 0 ? value == 0 : isnan(value));
            }
        }
    }
    assert_string_equal(json_string_value(json_object_get(json_object_get(o, "engine"), "digest")), "0000000000000000");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(o, "settings"), "run.seed")), 1);
    json_decref(o);
}

static void metrics_object__units(void **state) {
    (void)state;
    static struct outcome x;
    struct run_result *r = &x.result;
    r->times[CLASS_MICE].fct_ps = (struct summary){1, 1500000, 2000000, 3, 4, 4, 5, 2};
    r->times[CLASS_ALL].slowdown_ppm = (struct summary){.n = 2, .mean = 1250000};
    r->imbalance_ppm[TIER_LEAF] = (struct summary){.n = 1, .max = 6000000};
    r->link[1].max_ppb = PPB / 4;
    r->engine.wall_ns = 2000000000;
    r->engine.packet_hops = 10;
    json_t *o = object_of(&x);
    double value;
    assert_true(json_metric(o, "fct_us.mice.mean", &value) && value == 1.5);
    assert_true(json_metric(o, "slowdown.all.mean", &value) && value == 1.25);
    assert_true(json_metric(o, "imbalance.tor.max", &value) && value == 6);
    assert_true(json_metric(o, "links.uplink.max", &value) && value == 0.25);
    assert_true(json_metric(o, "engine.hops_per_s", &value) && value == 5);
    assert_false(json_metric(o, "fct_us.mice", &value));
    assert_false(json_metric(o, "fct_us.mice.p42", &value));
    json_decref(o);
}

/* The least FCT is that of a flow that met no other; null if no flow of the class finished. */
static void metrics_object__least_fct_of_a_class(void **state) {
    (void)state;
    static struct outcome x;
    x.result.times[CLASS_MICE].fct_ps = (struct summary){.n = 2, .mean = 9000000, .min = 2500000};
    json_t *o = object_of(&x);
    double value;
    assert_true(json_metric(o, "fct_us.mice.min", &value) && value == 2.5);
    assert_true(json_metric(o, "fct_us.elephant.min", &value) && isnan(value));
    json_decref(o);
}

/* Of 1000 data frames in order of their degrees, the 990th is the last one with 4 to 7 held. */
static void metrics_object__degrees_of_reordering(void **state) {
    (void)state;
    struct outcome x = {.result.degree_frames = {[0] = 940, [1] = 10, [4] = 40, [10] = 10}};
    json_t *o = object_of(&x);
    double value;
    assert_true(json_metric(o, "reorder.frames.n", &value) && value == 1000);
    assert_true(json_metric(o, "reorder.frames.p50", &value) && value == 0);
    assert_true(json_metric(o, "reorder.frames.p95", &value) && value == 1);
    assert_true(json_metric(o, "reorder.frames.p99", &value) && value == 4);
    assert_true(json_metric(o, "reorder.frames.max", &value) && value == 256);
    json_decref(o);
    o = empty_json();
    assert_true(json_metric(o, "reorder.frames.p99", &value) && isnan(value));
    json_decref(o);
}

/* The first interval length is at the top level of `fairness`, the others stand under their numbers. */
static void metrics_object__every_interval_of_fairness_has_its_place(void **state) {
    (void)state;
    static struct outcome x;
    for (int i = 0; i < FAIRNESS_MAX; i++) {
        x.result.fairness[i] = (struct fairness_total){
            .interval = (i + 1) * PS_PER_US, .intervals = 10 + (uint64_t)i, .sum_ppm = 5000000, .min_ppm = 250000};
    }
    json_t *whole = object_of(&x);
    const json_t *o = json_object_get(whole, "fairness");
    assert_int_equal(json_integer_value(json_object_get(o, "intervals")), 10);
    assert_true(json_real_value(json_object_get(o, "jain_mean")) == 0.5);
    assert_null(json_object_get(o, "0"));
    for (int i = 1; i < FAIRNESS_MAX; i++) {
        char key[12];
        snprintf(key, sizeof key, "%d", i);
        const json_t *other = json_object_get(o, key);
        assert_int_equal(json_integer_value(json_object_get(other, "intervals")), 10 + i);
        assert_true(json_real_value(json_object_get(other, "interval_us")) == i + 1);
        assert_true(json_real_value(json_object_get(other, "jain_min")) == 0.25);
    }
    json_decref(whole);
}

/* ---- rows ---- */

static bool is_placeholder(const char *part, size_t length) {
    return isupper((unsigned char)part[0]) && metric_word_find(part, length);
}

/* Fails unless a path consists of lower-case keys and of at most three placeholders. */
static void path_check(const char *path) {
    size_t words = 0;
    for (const char *part = path; *part;) {
        size_t length = strcspn(part, ".");
        if (is_placeholder(part, length))
            words++;
        else if (strspn(part, "abcdefghijklmnopqrstuvwxyz_0123456789") < length || length == 0)
            fail_msg("%s: '%.*s' is neither a key nor a placeholder", path, (int)length, part);
        part += length + (part[length] == '.');
    }
    assert_true(words <= METRIC_WORDS_MAX);
}

static void metrics__every_row_is_whole(void **state) {
    (void)state;
    size_t n;
    const struct metric *const *row = metrics(&n);
    assert_true(n > 100);
    for (size_t i = 0; i < n; i++) {
        const struct metric *m = row[i];
        path_check(m->path);
        if (!m->label || !m->label[0] || !m->doc || !m->doc[0]) fail_msg("%s has no label or no doc", m->path);
        if (m->doc[strlen(m->doc) - 1] == '.' || strchr(m->doc, '|')) fail_msg("%s: doc ends in a stop", m->path);
        bool ends_in_stat = strlen(m->path) > 5 && strcmp(m->path + strlen(m->path) - 5, ".STAT") == 0;
        assert_int_equal(m->kind == METRIC_SUMMARY, ends_in_stat);
        assert_int_equal(m->kind == METRIC_VALUE, m->value != NULL);
        assert_int_equal(m->kind == METRIC_SUMMARY || m->kind == METRIC_SCALED, m->per > 0);
        for (size_t k = 0; k < i; k++) {
            if (strcmp(row[k]->path, m->path) == 0) fail_msg("two rows for %s", m->path);
        }
    }
}

/* Figures can convert the unit of every metric. */
static void metrics__units_are_those_of_figures(void **state) {
    (void)state;
    for (int unit = 0; unit < METRIC_N_UNITS; unit++) {
        const char *drawn = metric_unit_drawn((enum metric_unit)unit);
        assert_true(unit_factor(drawn, drawn) == 1);
    }
}

/* Returns an outcome with classes, sizes and sets of its own, and a counter. */
static struct outcome *rich_outcome(void) {
    static struct named_count counter = {"pst_hits", 3};
    static struct outcome x;
    x.result.sizes = (struct size_classes){.n_edges = 2, .edge = {100000, 1500000}};
    x.result.queries.classes =
        (struct query_classes){.n_sizes = 2, .size = {2000, 8000}, .n_fanouts = 1, .fanout = {20}};
    x.result.counter = &counter;
    x.result.n_counters = 1;
    return &x;
}

/* Fails unless each number of a result has a row with a numeric unit. */
static void numbers_check(const json_t *at, const char *path) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)at, key, value) {
        char full[256];
        struct metric_info info;
        snprintf(full, sizeof full, "%s%s%s", path, *path ? "." : "", key);
        bool known = metric_describe(full, &info);
        bool is_number = json_is_number(value) || json_is_null(value);
        if (is_number && !known) fail_msg("no row describes %s", full);
        if (json_is_number(value)) assert_true(info.unit < UNIT_TEXT);
        if (json_is_object(value) && strcmp(key, "settings") != 0) numbers_check(value, full);
    }
}

static void metric_describe__every_number_of_a_result(void **state) {
    (void)state;
    json_t *o = object_of(rich_outcome());
    numbers_check(o, "");
    json_decref(o);
}

static void metric_describe__unit_direction_and_words(void **state) {
    (void)state;
    static const struct {
        const char *path;
        enum metric_unit unit;
        enum metric_better better;
        const char *label, *head;
    } row[] = {
        {"fct_us.mice.p95", UNIT_US, METRIC_LESS, "FCT mice 95th", "mice 95th"},
        {"fct_us.all.mean", UNIT_US, METRIC_LESS, "FCT all mean", "all mean"},
        {"fct_us.mice.n", UNIT_COUNT, METRIC_NEITHER, "FCT mice n", "mice n"},
        {"fct_us.mice", UNIT_US, METRIC_LESS, "FCT mice", "mice"},
        {"fct_us.100KB_to_1500KB.max", UNIT_US, METRIC_LESS, "FCT 100KB to 1500KB max", "100KB to 1500KB max"},
        {"goodput_mbps.all.mean", UNIT_MBPS, METRIC_MORE, "flow goodput all mean", "goodput mean"},
        {"goodput_mbps.all.jain", UNIT_NUMBER, METRIC_MORE, "Jain of flow goodput all", "Jain of flows"},
        {"goodput_gbps", UNIT_GBPS, METRIC_MORE, "host goodput", "host goodput"},
        {"goodput_gbps.variation.mean", UNIT_NUMBER, METRIC_LESS, "goodput variation mean", "goodput variation mean"},
        {"queries.all.p50", UNIT_US, METRIC_LESS, "query time all median", "query median"},
        {"queries.8KB.p99", UNIT_US, METRIC_LESS, "query time 8KB 99th", "8KB 99th"},
        {"queries.by_priority.7.8KB.p99", UNIT_US, METRIC_LESS, "query time priority 7 8KB 99th",
         "query time priority 7 8KB 99th"},
        {"queries.sets.20.p99", UNIT_US, METRIC_LESS, "set time 20 99th", "set time 20 99th"},
        {"queries.timeouts.share.0", UNIT_SHARE, METRIC_MORE, "queries without timeouts", "queries without timeouts"},
        {"queries.timeouts.share.3+", UNIT_SHARE, METRIC_LESS, "queries with timeouts 3+", "queries with timeouts 3+"},
        {"queues_bytes.by_tier.tor_up.max", UNIT_BYTES, METRIC_LESS, "largest queue tor up", "largest queue tor up"},
        {"packets.dropped", UNIT_COUNT, METRIC_LESS, "packets dropped", "dropped"},
        {"reorder.frames", UNIT_COUNT, METRIC_LESS, "reorder degree of frames", "reorder degree of frames"},
        {"counters.drop_link_down", UNIT_COUNT, METRIC_LESS, "drop link down", "drop link down"},
        {"counters.pst_hits", UNIT_COUNT, METRIC_NEITHER, "pst hits", "pst hits"},
        {"engine.hops_per_s", UNIT_PER_S, METRIC_MORE, "packet-hops per second", "packet-hops per second"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct metric_info info;
        assert_true(metric_describe(row[i].path, &info));
        assert_string_equal(info.label, row[i].label);
        assert_string_equal(info.head, row[i].head);
        if (info.unit != row[i].unit || info.better != row[i].better)
            fail_msg("%s is in %s, better %d", row[i].path, metric_unit_name(info.unit), info.better);
    }
}

static void metric_describe__what_no_row_has_is_a_plain_number(void **state) {
    (void)state;
    static const char *const path[] = {"fct_us.mouse.p95", "fct_us", "fct_us.mice.p95.x", "queries.8kb.p50", "nothing"};
    for (size_t i = 0; i < sizeof path / sizeof *path; i++) {
        struct metric_info info;
        assert_false(metric_describe(path[i], &info));
        assert_null(info.row);
        assert_string_equal(info.label, path[i]);
        assert_int_equal(info.unit, UNIT_NUMBER);
    }
}

/* ---- which are shown ---- */

static void metric_shown__only_metrics_each_once(void **state) {
    (void)state;
    json_t *o = object_of(rich_outcome());
    size_t n = 0;
    for (const char *path; (path = metric_shown(n)); n++) {
        double value;
        if (!json_metric(o, path, &value)) fail_msg("%s is no number of a result", path);
        for (size_t k = 0; k < n; k++) assert_string_not_equal(metric_shown(k), path);
    }
    assert_true(n > 5);
    json_decref(o);
}

/* ---- documents ---- */

static void metrics_print_docs__has_a_line_for_every_row(void **state) {
    (void)state;
    char *text = NULL, line[256];
    size_t size, n;
    FILE *out = open_memstream(&text, &size);
    metrics_print_docs(out);
    fclose(out);
    const struct metric *const *row = metrics(&n);
    for (size_t i = 0; i < n; i++) {
        snprintf(line, sizeof line, "\n| `%s` | %s | %s | ", row[i]->path, metric_unit_name(row[i]->unit),
                 metric_better_word(row[i]->better));
        if (!strstr(text, line)) fail_msg("%s is not in the document", row[i]->path);
    }
    assert_non_null(strstr(text, "\n| `CLASS` | classes of flows by size"));
    assert_non_null(strstr(text, "\n| `drop_buffer` | "));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(metrics_object__index_of_goodputs),
        UNIT(metrics_object__buffers_of_switches),
        UNIT(metrics_object__what_a_lab_cannot_see_is_null),
        UNIT(metrics_object__all_keys_are_always_there),
        UNIT(metrics_object__degrees_of_reordering),
        UNIT(metrics_object__units),
        UNIT(metrics_object__least_fct_of_a_class),
        UNIT(metrics_object__every_interval_of_fairness_has_its_place),
        UNIT(metrics__every_row_is_whole),
        UNIT(metrics__units_are_those_of_figures),
        UNIT(metric_describe__every_number_of_a_result),
        UNIT(metric_describe__unit_direction_and_words),
        UNIT(metric_describe__what_no_row_has_is_a_plain_number),
        UNIT(metric_shown__only_metrics_each_once),
        UNIT(metrics_print_docs__has_a_line_for_every_row),
    };
    return RUN_UNITS(tests);
}
