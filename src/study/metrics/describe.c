/* SPDX-License-Identifier: Apache-2.0 */
/* Describes one key of a result: its row, unit, direction and labels; and tells whether an older result can have it. */
#include "study/metrics/metrics.h"
#include "study/results/json_out.h"

#include <string.h>

/* ---- finding the row ---- */

/* The row that a path belongs to, and the keys that the path has in place of the row's placeholders. */
struct match {
    const struct metric *row;
    const struct metric_word *word[METRIC_WORDS_MAX];
    char key[METRIC_WORDS_MAX][METRIC_KEY_MAX]; /* "": the path ends before STAT and names the whole summary */
    size_t n;
};

static bool is_statistic(const struct metric_word *word) {
    return word && (strcmp(word->name, "STAT") == 0 || strcmp(word->name, "QUANTILE") == 0);
}

/* True if the part `key` of a path fits one part of the row's path. Adds a placeholder and its key to *m. */
static bool part_match(struct match *m, const char *part, size_t length, const char *key, size_t key_length) {
    const struct metric_word *word = metric_word_find(part, length);
    if (!word) return length == key_length && memcmp(part, key, length) == 0;
    if (key_length >= METRIC_KEY_MAX || m->n == METRIC_WORDS_MAX) return false;
    m->word[m->n] = word;
    snprintf(m->key[m->n], METRIC_KEY_MAX, "%.*s", (int)key_length, key);
    return metric_word_has(word, m->key[m->n++]);
}

/* Fills *m if the path is a key of the row, or names a whole summary of it. */
static bool row_match(struct match *m, const struct metric *row, const char *path) {
    const char *part = row->path;
    *m = (struct match){.row = row};
    for (;;) {
        size_t length = strcspn(part, "."), key_length = strcspn(path, ".");
        if (!part_match(m, part, length, path, key_length)) return false;
        part += length;
        path += key_length;
        if (!*part || !*path) break;
        part++;
        path++;
    }
    if (!*part && !*path) return true;
    const struct metric_word *rest = *part ? metric_word_find(part + 1, strlen(part + 1)) : NULL;
    if (*path || !is_statistic(rest) || m->n == METRIC_WORDS_MAX) return false;
    m->word[m->n++] = rest;
    return true;
}

static bool match_find(struct match *m, const char *path) {
    size_t n;
    const struct metric *const *row = metrics(&n);
    for (size_t i = 0; i < n; i++) {
        if (row_match(m, row[i], path)) return true;
    }
    return false;
}

/* ---- words ---- */

/* Writes a key as text: "95th" for p95, "tor up" for tor_up. */
static void key_text(const char *key, char *buf, size_t size) {
    static const char *const words[][2] = {
        {"p50", "median"}, {"p95", "95th"}, {"p99", "99th"}, {"p999", "99.9th"}, {"nic", "NIC"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i][0], key) == 0) key = words[i][1];
    }
    snprintf(buf, size, "%s", key);
    for (char *c = buf; *c; c++) *c = *c == '_' ? ' ' : *c;
}

/* Writes the text for one word of a label: for a placeholder, that of its key. A head leaves out `all`; at its start
 * the placeholder's word `whole` stands instead. */
static void word_text(const struct match *m, const char *word, size_t length, bool is_head, bool is_first, char *buf,
                      size_t size) {
    const struct metric_word *placeholder = metric_word_find(word, length);
    snprintf(buf, size, "%.*s", (int)length, word);
    for (size_t i = 0; placeholder && i < m->n; i++) {
        if (m->word[i] != placeholder) continue;
        if (is_head && strcmp(m->key[i], "all") == 0)
            snprintf(buf, size, "%s", is_first ? placeholder->whole : "");
        else
            key_text(m->key[i], buf, size);
    }
}

static void label_text(const struct match *m, const char *label, bool is_head, char buf[METRIC_TEXT_MAX]) {
    size_t used = 0;
    buf[0] = '\0';
    while (*label) {
        size_t length = strcspn(label, " ");
        char text[METRIC_KEY_MAX];
        word_text(m, label, length, is_head, used == 0, text, sizeof text);
        if (text[0] && used < METRIC_TEXT_MAX)
            used += (size_t)snprintf(buf + used, METRIC_TEXT_MAX - used, "%s%s", used ? " " : "", text);
        label += length + (label[length] == ' ');
    }
}

bool metric_describe(const char *path, struct metric_info *info) {
    struct match m;
    *info = (struct metric_info){.unit = UNIT_NUMBER};
    if (!match_find(&m, path)) {
        snprintf(info->label, sizeof info->label, "%s", path);
        snprintf(info->head, sizeof info->head, "%s", path);
        return false;
    }
    bool is_n = m.row->kind == METRIC_SUMMARY && strcmp(m.key[m.n - 1], "n") == 0;
    info->row = m.row;
    info->unit = is_n ? UNIT_COUNT : m.row->unit;
    info->better = is_n ? METRIC_NEITHER : m.row->better;
    label_text(&m, m.row->label, false, info->label);
    label_text(&m, m.row->head ? m.row->head : m.row->label, true, info->head);
    return true;
}

/* ---- older results ---- */

/* Returns a key that every result with the row has in place of this one: `all` for a class that only some runs have,
 * `n` for a whole summary. NULL if there is none. */
static const char *every_key(const struct metric_word *word, const char *key) {
    bool some_have = word->is_more && word->is_more(key) && !word->is_constant;
    if (*key && !some_have) return key;
    return word->key ? word->key[0] : NULL;
}

/* Writes the path of the row with keys that every result with the row has. False if there is no such path. */
static bool every_path(const struct match *m, char *buf, size_t size) {
    const char *part = m->row->path;
    size_t used = 0, words = 0;
    while (used < size) {
        size_t length = strcspn(part, ".");
        const struct metric_word *word = metric_word_find(part, length);
        char own[METRIC_KEY_MAX];
        snprintf(own, sizeof own, "%.*s", (int)length, part);
        const char *key = word ? every_key(word, m->key[words++]) : own;
        if (!key) return false;
        used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? "." : "", key);
        if (!part[length]) break;
        part += length + 1;
    }
    return used < size;
}

bool metric_is_newer(const json_t *result, const char *path) {
    const char *version = json_string_value(json_object_get(result, "metrics"));
    struct match m;
    char key[512];
    if (!result || (version && strcmp(version, metrics_version()) == 0)) return false;
    return match_find(&m, path) && every_path(&m, key, sizeof key) && !json_at(result, key);
}
