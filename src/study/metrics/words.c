/* SPDX-License-Identifier: Apache-2.0 */
/* The placeholders of metric paths, and the keys that replace them. */
#include "measure/run_counters.h"
#include "study/config/part_names.h"
#include "study/config/size_classes.h"
#include "study/metrics/metrics.h"

#include <ctype.h>
#include <string.h>

/* ---- keys that every result has ---- */

static const char *const statistics[] = {"n", "mean", "p50", "p95", "p99", "p999", "max", NULL};
static const char *const quantiles[] = {"p50", "p95", "p99", "max", NULL};
static const char *const all[] = {"all", NULL};
static const char *const priorities[QUERY_PRIORITIES + 1] = {"0", "1", "2", "3", "4", "5", "6", "7"};
static const char *const fifths[QUERY_FIFTHS + 1] = {"1", "2", "3", "4", "5"};
static const char *const timeouts[QUERY_TIMEOUTS] = {"1", "2", "3+"};
static const char *const places[QUEUE_PLACES + 1] = {"nic", "tor_up", "tor_down", "agg_up", "agg_down", "core"};
static const char *const switches[] = {"tor", "agg", NULL};
static const char *const link_tiers[] = {"host", "uplink", "core", NULL};
static const char *const phase_timeouts[PHASE_TIMEOUTS + 1] = {
    [PHASE_TIMEOUTS_SYN] = "timeouts_syn",
    [PHASE_TIMEOUTS_SYNACK] = "timeouts_synack",
    [PHASE_TIMEOUTS_DATA] = "timeouts_data",
};
static const char *const intervals[FAIRNESS_MAX] = {"1", "2", "3", "4", "5"};

/* ---- keys that depend on the run ---- */

static const char *size_class(const struct outcome *o, uint32_t i, char buf[METRIC_KEY_MAX]) {
    const struct size_classes *sizes = &o->result.sizes;
    return i < size_classes_count(sizes) ? size_class_name(sizes, i, buf) : NULL;
}

static bool is_size_class(const char *key) {
    return strncmp(key, "under_", 6) == 0 || strncmp(key, "from_", 5) == 0 || strstr(key, "_to_");
}

static const char *query_size(const struct outcome *o, uint32_t i, char buf[METRIC_KEY_MAX]) {
    const struct query_classes *q = &o->result.queries.classes;
    return i < q->n_sizes ? size_name(q->size[i], buf) : NULL;
}

static bool is_query_size(const char *key) {
    size_t digits = strspn(key, "0123456789");
    return digits > 0 && isupper((unsigned char)key[digits]);
}

static const char *fanout(const struct outcome *o, uint32_t i, char buf[METRIC_KEY_MAX]) {
    const struct query_classes *q = &o->result.queries.classes;
    if (i < q->n_fanouts) snprintf(buf, METRIC_KEY_MAX, "%u", q->fanout[i]);
    return i < q->n_fanouts ? buf : NULL;
}

static bool is_fanout(const char *key) { return *key && key[strspn(key, "0123456789")] == '\0'; }

static const char *phase_key(const struct outcome *o, uint32_t i, char buf[METRIC_KEY_MAX]) {
    (void)buf;
    return i < o->result.n_phases ? o->result.phase[i].name : NULL;
}

static const char *entry_key(const struct outcome *o, uint32_t i, char buf[METRIC_KEY_MAX]) {
    (void)buf;
    return i < o->result.n_entries ? o->result.entry[i].name : NULL;
}

static const char *job_key(const struct outcome *o, uint32_t i, char buf[METRIC_KEY_MAX]) {
    (void)buf;
    return i < o->result.n_jobs ? o->result.job[i].name : NULL;
}

static const char *drop(const struct outcome *o, uint32_t i, char buf[METRIC_KEY_MAX]) {
    (void)o;
    (void)buf;
    return i + 1 < DROP_COUNT ? drop_counters[i + 1].name : NULL;
}

static bool is_drop(const char *key) {
    for (unsigned i = DROP_NONE + 1; i < DROP_COUNT; i++) {
        if (strcmp(drop_counters[i].name, key) == 0) return true;
    }
    return false;
}

static const char *counter(const struct outcome *o, uint32_t i, char buf[METRIC_KEY_MAX]) {
    (void)buf;
    return i < o->result.n_counters ? o->result.counter[i].name : NULL;
}

static bool is_counter(const char *key) { return *key != '\0'; }

/* ---- the placeholders ---- */

static const struct metric_word words[] = {
    {.name = "STAT",
     .key = statistics,
     .doc = "`n` (how many values there are), `mean`, `p50`, `p95`, `p99`, `p999` (99.9th; percentiles, exact, by "
            "nearest rank), `max`; "
            "all but `n` are null where `n` is 0"},
    {.name = "CLASS",
     .key = flow_class_names,
     .more = size_class,
     .is_more = is_size_class,
     .whole = "all",
     .doc =
         "classes of flows by size: `all`, `mice` (under 100 KB), `medium`, `elephant` (over 1 MB), and those of the "
         "experiment. `measure.classes: [100KB, 10MB]` makes `under_100KB`, `100KB_to_10MB` and `from_10MB`: a flow "
         "of exactly an edge's size is in the class that begins there, and an edge is written with the largest of "
         "B, KB, MB, GB, TB that leaves no point (1.5 MB: `1500KB`), or of KiB, MiB, GiB if it is no multiple of 1000 "
         "(8192 B: `8KiB`)"},
    {.name = "ENTRY",
     .more = entry_key,
     .is_more = part_name_is_free,
     .doc = "the `name` of an entry of the workload; nothing for an entry without one"},
    {.name = "PHASE",
     .more = phase_key,
     .is_more = part_name_is_free,
     .doc = "the name of a phase of `measure.phases`"},
    {.name = "JOB",
     .more = job_key,
     .is_more = part_name_is_free,
     .doc = "the `name` of an entry of the workload that is a job, such as a collective; without one `job` and the "
            "number of "
            "the entry in the list, from 0: `job0`"},
    {.name = "BUILTIN", .key = flow_class_names, .whole = "all", .doc = "`all`, `mice`, `medium`, `elephant`"},
    {.name = "SIZE",
     .key = all,
     .more = query_size,
     .is_more = is_query_size,
     .whole = "query",
     .doc = "`all`, and each size of `responses` in the experiment, written like the edges of classes: `8KB`, `8KiB`"},
    {.name = "PRIORITY", .key = priorities, .doc = "class of the queries, `0` to `7`"},
    {.name = "FIFTH", .key = fifths, .doc = "`1` to `5`"},
    {.name = "FANOUT",
     .key = all,
     .more = fanout,
     .is_more = is_fanout,
     .whole = "set",
     .doc = "`all`, and each number of `fanout` in the experiment: `20`"},
    {.name = "TIMEOUTS", .key = timeouts, .doc = "`1`, `2`, `3+` (three and more)"},
    {.name = "TIMEOUT", .key = phase_timeouts, .doc = "`timeouts_syn`, `timeouts_synack`, `timeouts_data`"},
    {.name = "PLACE",
     .key = places,
     .doc = "ports that are alike: `tor_up`, `tor_down`, `agg_up`, `agg_down`, `core`, and `nic` of the hosts (not a "
            "part of `queues_bytes.mean` and `max`). Leaves count as ToRs, spines as aggs, peer links of a dumbbell or "
            "parking lot as upwards"},
    {.name = "SWITCHES", .key = switches, .doc = "`tor` (and leaves), `agg` (and spines)"},
    {.name = "TIER", .key = link_tiers, .doc = "`host`, `uplink`, `core`"},
    {.name = "INTERVAL", .key = intervals, .doc = "`1` to `5`: the further intervals of `measure.jain`"},
    {.name = "QUANTILE", .key = quantiles, .doc = "`p50`, `p95`, `p99`, `max`; null where `n` is 0"},
    {.name = "DROP", .more = drop, .is_more = is_drop, .is_constant = true, .doc = "causes of drops, see below"},
    {.name = "COUNTER",
     .more = counter,
     .is_more = is_counter,
     .doc = "counters of every run, see below, and counters of the mechanisms in use (docs/keys.md, or `heddle show "
            "NAME`)"},
};
#define N_WORDS (sizeof words / sizeof *words)

const struct metric_word *metric_words(size_t *n) {
    *n = N_WORDS;
    return words;
}

const struct metric_word *metric_word_find(const char *name, size_t length) {
    for (size_t i = 0; i < N_WORDS; i++) {
        if (strlen(words[i].name) == length && memcmp(words[i].name, name, length) == 0) return &words[i];
    }
    return NULL;
}

const char *metric_word_key(const struct metric_word *word, const struct outcome *o, uint32_t i,
                            char buf[METRIC_KEY_MAX]) {
    uint32_t n = 0;
    while (word->key && word->key[n]) {
        if (n == i) return word->key[n];
        n++;
    }
    return word->more ? word->more(o, i - n, buf) : NULL;
}

bool metric_word_has(const struct metric_word *word, const char *key) {
    for (uint32_t i = 0; word->key && word->key[i]; i++) {
        if (strcmp(word->key[i], key) == 0) return true;
    }
    return word->is_more && word->is_more(key);
}
