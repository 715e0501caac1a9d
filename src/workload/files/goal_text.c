/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/files/goal.h"

#include "base/memory.h"
#include "base/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SEND_EXAMPLE "b: send 4096b to 1 tag 3"
#define NONE UINT32_MAX

/* The labels of the rank at hand, by a hash table of a power of two of places. */
struct label {
    const char *at;
    uint32_t n, operation; /* n 0: the place is free */
};

struct reader {
    struct words w;
    struct operations *o;
    struct label *label;
    uint32_t n_labels, places;
    uint32_t rank;   /* at hand, or the next one */
    bool inside;     /* between the braces of a rank */
    bool in_comment; /* between slash star and star slash */
    uint32_t at;     /* word of the statement at hand */
};

static bool fail_word(const struct reader *r, uint32_t i, const char *what) {
    char text[WORD_TEXT_MAX];
    if (i >= r->w.n || i >= WORDS_MAX) return words_fail(&r->w, i, "the line ends, but %s is to come", what);
    return words_fail(&r->w, i, "'%s' is not %s", word_text(&r->w.word[i], text), what);
}

static bool is_word(const struct reader *r, uint32_t i, const char *text) {
    return i < r->w.n && i < WORDS_MAX && word_is(&r->w.word[i], text);
}

/* ---- labels ---- */

static uint32_t place_of(const struct reader *r, const char *at, uint32_t n) {
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < n; i++) hash = (hash ^ (uint8_t)at[i]) * 16777619u;
    uint32_t place = hash & (r->places - 1);
    while (r->label[place].n && (r->label[place].n != n || memcmp(r->label[place].at, at, n) != 0))
        place = (place + 1) & (r->places - 1);
    return place;
}

static void labels_grow(struct reader *r) {
    struct label *old = r->label;
    uint32_t places = r->places;
    r->places = places ? 2 * places : 256;
    r->label = memory_get(r->places, sizeof *r->label);
    for (uint32_t i = 0; i < places; i++)
        if (old[i].n) r->label[place_of(r, old[i].at, old[i].n)] = old[i];
    free(old);
}

static void labels_clear(struct reader *r) {
    if (r->n_labels) memset(r->label, 0, r->places * sizeof *r->label);
    r->n_labels = 0;
}

static bool is_name(const char *at, size_t n) {
    static const char *const keyword[] = {"send",      "recv", "calc", "requires", "irequires", "rank",
                                          "num_ranks", "to",   "from", "tag",      "cpu",       "nic"};
    for (size_t i = 0; i < n; i++) {
        bool letter = (at[i] >= 'a' && at[i] <= 'z') || (at[i] >= 'A' && at[i] <= 'Z');
        bool other = (at[i] >= '0' && at[i] <= '9') || at[i] == '_';
        if (!letter && (i == 0 || !other)) return false;
    }
    for (size_t i = 0; i < sizeof keyword / sizeof *keyword; i++)
        if (strlen(keyword[i]) == n && memcmp(keyword[i], at, n) == 0) return false;
    return n > 0 && n < 1000;
}

static bool label_add(struct reader *r, const struct word *word, uint32_t operation) {
    uint32_t n = (uint32_t)word->n - 1; /* without the colon */
    if (!is_name(word->at, n)) return fail_word(r, 0 + r->at, "a label: letters, digits and _, and no word of GOAL");
    if (2 * (r->n_labels + 1) > r->places) labels_grow(r);
    struct label *l = &r->label[place_of(r, word->at, n)];
    if (l->n)
        return words_fail(&r->w, r->at, "this label is there already in rank %u, in line %u; take another", r->rank,
                          r->o->at[l->operation].line);
    *l = (struct label){word->at, n, operation};
    r->n_labels++;
    return true;
}

static bool label_find(struct reader *r, uint32_t i, uint32_t *operation) {
    char text[WORD_TEXT_MAX];
    if (i >= r->w.n || i >= WORDS_MAX) return fail_word(r, i, "a label");
    const struct word *word = &r->w.word[i];
    const struct label *l = r->places ? &r->label[place_of(r, word->at, (uint32_t)word->n)] : NULL;
    if (!l || !l->n)
        return words_fail(&r->w, i,
                          "no operation above in rank %u has the label '%s'; labels stand above what names them",
                          r->rank, word_text(word, text));
    *operation = l->operation;
    return true;
}

/* ---- statements ---- */

/* Reads the attribute `name` and its number, if it is there, and goes on behind it. */
static bool attribute_read(struct reader *r, const char *name, uint64_t most, uint32_t *value) {
    uint64_t number;
    if (!is_word(r, r->at, name)) return true;
    if (!words_number(&r->w, r->at + 1, 0, most, name, &number)) return false;
    *value = (uint32_t)number;
    r->at += 2;
    return true;
}

static bool line_end(const struct reader *r) {
    char text[WORD_TEXT_MAX];
    if (r->at >= r->w.n) return true;
    return words_fail(&r->w, r->at,
                      "'%s' does not belong here; write tag, cpu and nic in this order, one statement a line",
                      word_text(&r->w.word[r->at], text));
}

static bool bytes_read(struct reader *r, uint64_t *bytes) {
    struct word word = r->at < r->w.n && r->at < WORDS_MAX ? r->w.word[r->at] : (struct word){0};
    bool unit = word.n > 1 && word.at[word.n - 1] == 'b';
    word.n -= unit;
    if (!unit || !word_number(&word, INT64_MAX, bytes)) return fail_word(r, r->at, "a size; write for example 4096b");
    if (*bytes == 0) *bytes = 1;
    r->at++;
    return true;
}

static bool message_read(struct reader *r, struct operation *op) {
    const char *towards = op->kind == OPERATION_SEND ? "to" : "from";
    uint64_t peer;
    uint32_t nic = 0, ranks = r->o->n_ranks;
    if (!bytes_read(r, &op->size)) return false;
    if (!is_word(r, r->at, towards))
        return fail_word(r, r->at, op->kind == OPERATION_SEND ? "to and a rank" : "from and a rank");
    if (!words_number(&r->w, r->at + 1, 0, UINT32_MAX, "a rank", &peer)) return false;
    if (peer >= ranks)
        return words_fail(&r->w, r->at + 1, "there is no rank %" PRIu64 "; num_ranks is %u, so they are 0 to %u%s",
                          peer, ranks, ranks - 1,
                          peer == UINT32_MAX ? " (a receive from any rank cannot be carried out)" : "");
    if (peer == r->rank)
        return words_fail(&r->w, r->at + 1, "rank %u is the other end itself; write calc 1 in its place", r->rank);
    op->peer = (uint32_t)peer;
    r->at += 2;
    if (!attribute_read(r, "tag", UINT32_MAX - 1, &op->tag) || !attribute_read(r, "cpu", GOAL_CPUS - 1, &op->cpu))
        return false;
    uint32_t at = r->at;
    if (!attribute_read(r, "nic", UINT32_MAX, &nic)) return false;
    return nic == 0 || words_fail(&r->w, at + 1, "a host has one NIC here; write nic 0, or leave it out");
}

static bool calc_read(struct reader *r, struct operation *op) {
    uint64_t ns;
    if (!words_number(&r->w, r->at, 0, WORKLOAD_TIME_MAX / PS_PER_NS, "nanoseconds", &ns)) return false;
    op->size = ns * PS_PER_NS;
    r->at++;
    return attribute_read(r, "cpu", GOAL_CPUS - 1, &op->cpu);
}

/* Reads an operation, with or without a label. */
static bool operation_read(struct reader *r) {
    static const char *const word[] = {"calc", "send", "recv"};
    struct operation op = {.rank = r->rank, .line = (uint32_t)r->w.line};
    uint32_t label = r->at;
    bool has_label = r->w.word[r->at].at[r->w.word[r->at].n - 1] == ':';
    int kind = 0;
    r->at += has_label;
    while (kind < 3 && !is_word(r, r->at, word[kind])) kind++;
    if (kind == 3) return fail_word(r, r->at, "an operation; write send, recv or calc, such as " SEND_EXAMPLE);
    op.kind = (enum operation_kind)kind;
    r->at++;
    if (!(kind == OPERATION_CALC ? calc_read(r, &op) : message_read(r, &op)) || !line_end(r)) return false;
    if (r->o->n >= FLOW_NONE / 4) return words_fail(&r->w, 0, "more than %u operations", r->o->n);
    uint32_t number = operations_add(r->o, &op);
    r->at = label;
    return !has_label || label_add(r, &r->w.word[label], number);
}

/* Reads "A requires B". */
static bool edge_read(struct reader *r) {
    uint32_t before = 0, after = 0;
    bool on_begin = is_word(r, r->at + 1, "irequires");
    if (!label_find(r, r->at, &after) || !label_find(r, r->at + 2, &before)) return false;
    r->at += 3;
    operations_edge(r->o, before, after, on_begin);
    return line_end(r);
}

/* Reads "rank R {". */
static bool rank_begin(struct reader *r) {
    uint64_t number;
    struct words *w = &r->w;
    if (!words_number(w, r->at + 1, 0, UINT32_MAX, "a rank", &number)) return false;
    if (number != r->rank || r->rank >= r->o->n_ranks)
        return words_fail(w, r->at + 1, "rank %" PRIu64 " follows, but %s", number,
                          r->rank < r->o->n_ranks ? "ranks stand in their order, from 0 on"
                                                  : "num_ranks says that there are no more");
    if (!is_word(r, r->at + 2, "{")) return fail_word(r, r->at + 2, "the { of a rank");
    r->at += 3;
    r->inside = true;
    labels_clear(r);
    return line_end(r);
}

static bool head_read(struct reader *r) {
    uint64_t n;
    if (!is_word(r, r->at, "num_ranks")) return fail_word(r, r->at, "num_ranks, with which a schedule begins");
    if (!words_number(&r->w, r->at + 1, 2, GOAL_RANKS_MAX, "a number of ranks", &n)) return false;
    r->at += 2;
    r->o->n_ranks = (uint32_t)n;
    return line_end(r);
}

static bool statement_read(struct reader *r) {
    if (r->o->n_ranks == 0) return head_read(r);
    if (!r->inside)
        return is_word(r, r->at, "rank") ? rank_begin(r) : fail_word(r, r->at, "a rank; write for example rank 0 {");
    if (is_word(r, r->at, "}")) {
        r->at++;
        r->inside = false;
        r->rank++;
        return line_end(r);
    }
    if (is_word(r, r->at + 1, "requires") || is_word(r, r->at + 1, "irequires")) return edge_read(r);
    return operation_read(r);
}

/* ---- comments ---- */

/* Goes on behind the end of a comment in this line. Returns false if it does not end here. */
static bool comment_end(struct reader *r) {
    for (; r->at < r->w.n && r->at < WORDS_MAX; r->at++) {
        const struct word *word = &r->w.word[r->at];
        if (!memmem(word->at, word->n, "*/", 2)) continue;
        r->at++;
        r->in_comment = false;
        return true;
    }
    return false;
}

/* Goes to the first word of a statement. Returns false if the line has none. */
static bool statement_find(struct reader *r) {
    r->at = 0;
    while (r->at < r->w.n && r->at < WORDS_MAX) {
        const struct word *word = &r->w.word[r->at];
        if (!r->in_comment && word->n >= 2 && memcmp(word->at, "//", 2) == 0) return false;
        if (!r->in_comment && !(word->n >= 2 && memcmp(word->at, "/*", 2) == 0)) return true;
        r->in_comment = true;
        if (!comment_end(r)) return false;
    }
    return false;
}

static bool text_read(struct reader *r) {
    while (words_line(&r->w)) {
        if (!statement_find(r)) continue;
        if (!statement_read(r)) return false;
    }
    if (r->o->n_ranks == 0)
        return diag_fail(r->w.d, r->w.path, 1, 1, "there is no schedule; it begins with num_ranks and a number");
    if (r->inside)
        return diag_fail(r->w.d, r->w.path, r->w.line, 1, "the file ends in rank %u; close it by }", r->rank);
    if (r->rank < r->o->n_ranks)
        return diag_fail(r->w.d, r->w.path, r->w.line, 1, "the file ends before rank %u; num_ranks is %u", r->rank,
                         r->o->n_ranks);
    return true;
}

bool goal_text_read(struct operations *o, const char *text, size_t size, struct diag *d) {
    struct reader r = {.o = o};
    words_init(&r.w, o->path, text, size, d);
    bool ok = text_read(&r);
    free(r.label);
    return ok;
}
