/* SPDX-License-Identifier: Apache-2.0 */
#include "study/metrics/metrics.h"

#include "study/metrics/rows.h"

#include <string.h>

/* ---- the table ---- */

#define METRIC_PART_ADDRESS(id) &metric_part_##id,
static const struct metric_part *const parts[] = {METRIC_PARTS(METRIC_PART_ADDRESS)};

#define ROWS_MAX 256

const struct metric *const *metrics(size_t *n) {
    static const struct metric *row[ROWS_MAX];
    size_t used = 0;
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        for (size_t i = 0; i < parts[p]->n && used < ROWS_MAX; i++) row[used++] = &parts[p]->row[i];
    }
    *n = used;
    return row;
}

const char *metric_unit_name(enum metric_unit unit) {
#define METRIC_UNIT_NAME(id, name, drawn) [id] = (name),
    static const char *const names[] = {METRIC_UNITS(METRIC_UNIT_NAME)};
    return names[unit];
}

const char *metric_unit_drawn(enum metric_unit unit) {
#define METRIC_UNIT_DRAWN(id, name, drawn) [id] = (drawn),
    static const char *const names[] = {METRIC_UNITS(METRIC_UNIT_DRAWN)};
    return names[unit];
}

const char *metric_better_word(enum metric_better better) {
    return better == METRIC_LESS ? "less" : better == METRIC_MORE ? "more" : "";
}

/* Adds a text to a hash (FNV-1a). The hash goes over all that decides which keys a result has, and in which unit. */
static uint32_t hash_text(uint32_t hash, const char *text) {
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 16777619u;
    return (hash ^ '\n') * 16777619u;
}

const char *metrics_version(void) {
    static char text[9];
    size_t n_rows, n_words;
    const struct metric *const *row = metrics(&n_rows);
    const struct metric_word *word = metric_words(&n_words);
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < n_rows; i++) hash = hash_text(hash_text(hash, row[i]->path), metric_unit_name(row[i]->unit));
    for (size_t i = 0; i < n_words; i++) {
        for (size_t k = 0; word[i].key && word[i].key[k]; k++) hash = hash_text(hash, word[i].key[k]);
    }
    snprintf(text, sizeof text, "%08x", hash);
    return text;
}

/* ---- writing a result ---- */

static json_t *summary_value(const struct metric_cell *c) {
    const struct summary *s = c->row->summary ? c->row->summary(c) : metric_field(c, c->outcome);
    uint32_t stat = c->at[c->n - 1];
    return stat == 0 ? metric_count(s->n) : metric_statistic(s, metric_summary_value(s, stat), c->row->per);
}

/* Beginnings of the paths of metrics that only a simulator can see. */
static const char *const simulated[] = {
    "packets.reordered",    "reorder.",       "memory.",          "engine.packet_hops", "engine.hops_per_s",
    "engine.rss_bytes",     "goodput_gbps.",  "fairness.",        "convergence_us.",    "imbalance.",
    "queries.timeouts.",    "buffers_bytes.", "pauses.paused_us", "pauses.stops",       "pauses.blocked_us",
    "pauses.ingress_bytes", "pauses.storms",  "pauses.longest",   "pauses.n_cycles",    "pauses.cycles",
};

bool metric_is_simulated(const struct metric *row) {
    static const char in_phase[] = "phases.PHASE.";
    const char *path = row->path;
    if (strncmp(path, in_phase, strlen(in_phase)) == 0) path += strlen(in_phase);
    bool average = path != row->path && (strncmp(path, "links.", 6) == 0 || strncmp(path, "queues_bytes.", 13) == 0 ||
                                         strncmp(path, "packets.", 8) == 0 || strncmp(path, "counters.", 9) == 0 ||
                                         strncmp(path, "credits.", 8) == 0 || strncmp(path, "pauses.", 7) == 0);
    if (average) return true;
    for (size_t i = 0; i < sizeof simulated / sizeof *simulated; i++)
        if (strncmp(path, simulated[i], strlen(simulated[i])) == 0) return true;
    return false;
}

static json_t *cell_value(const struct metric_cell *c) {
    if (c->outcome->result.is_live && metric_is_simulated(c->row)) return json_null();
    switch (c->row->kind) {
    case METRIC_COUNT: return metric_count(*(const uint64_t *)metric_field(c, c->outcome));
    case METRIC_SCALED: return json_real((double)*(const int64_t *)metric_field(c, c->outcome) / c->row->per);
    case METRIC_SUMMARY: return summary_value(c);
    default: return c->row->value(c);
    }
}

static void row_write(struct metric_cell *c, const char *path, json_t *object);

/* Writes the value under `key` if the path ends there, else the rest of the path into the object of that key. */
static void key_write(struct metric_cell *c, const char *key, const char *rest, json_t *object) {
    if (*rest == '\0') {
        json_object_set_new(object, key, cell_value(c));
        return;
    }
    json_t *child = json_object_get(object, key);
    if (!child) json_object_set_new(object, key, child = json_object());
    row_write(c, rest + 1, child);
}

/* Writes all keys that the rest of a path stands for, into `object`. */
static void row_write(struct metric_cell *c, const char *path, json_t *object) {
    size_t length = strcspn(path, ".");
    const struct metric_word *word = metric_word_find(path, length);
    char buf[METRIC_KEY_MAX];
    const char *key;
    if (!word) {
        snprintf(buf, sizeof buf, "%.*s", (int)length, path);
        key_write(c, buf, path + length, object);
        return;
    }
    uint32_t place = c->n++;
    for (uint32_t i = 0; (key = metric_word_key(word, c->outcome, i, buf)); i++) {
        c->at[place] = i;
        key_write(c, key, path + length, object);
    }
    c->n--;
}

json_t *metrics_object(uint32_t number, const json_t *settings, const struct outcome *outcome) {
    size_t n;
    const struct metric *const *row = metrics(&n);
    json_t *object = json_object();
    for (size_t i = 0; i < n; i++) {
        struct metric_cell c = {.row = row[i], .number = number, .settings = settings, .outcome = outcome};
        row_write(&c, row[i]->path, object);
    }
    return object;
}
