/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/files/matrix.h"

#include "base/memory.h"
#include "base/words.h"
#include "workload/files/columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HEAD_EXAMPLE "Nodes 4"
#define FLOW_EXAMPLE "0->1 start 0 size 100000"
#define ID_MAX UINT32_MAX
#define START_MAX (INT64_MAX / 2)

enum { NODES, CONNECTIONS, TRIGGERS, FAILURES, HEAD_KEYS };
static const char *const head_key[HEAD_KEYS] = {"Nodes", "Connections", "Triggers", "Failures"};

struct reader {
    struct words w;
    struct matrix *m;
    uint64_t head[HEAD_KEYS];
    int head_line[HEAD_KEYS];
    uint32_t flows_room, triggers_room;
    int scale; /* a start x 10^scale is in picoseconds */
};

/* ---- the head ---- */

static bool head_read(struct reader *r, int key) {
    struct words *w = &r->w;
    if (r->head_line[key])
        return words_fail(w, 0, "%s is there already, in line %d; keep one", head_key[key], r->head_line[key]);
    if (w->n != 2)
        return words_fail(w, w->n > 1 ? 2 : 1, "the head has a name and a number; write for example " HEAD_EXAMPLE);
    r->head_line[key] = w->line;
    return words_number(w, 1, 0, FLOW_NONE - 1, "a number", &r->head[key]);
}

/* Returns the key of the head that the line begins with, or -1. */
static int head_find(const struct words *w) {
    for (int i = 0; i < HEAD_KEYS; i++)
        if (word_is_name(&w->word[0], head_key[i])) return i;
    return -1;
}

static bool head_check(const struct reader *r) {
    const struct words *w = &r->w;
    for (int i = NODES; i <= CONNECTIONS; i++)
        if (!r->head_line[i])
            return diag_fail(w->d, w->path, 1, 1, "there is no %s in the head; write %s and their number", head_key[i],
                             head_key[i]);
    const uint64_t found[] = {0, r->m->n_flows, r->m->n_triggers};
    for (int i = CONNECTIONS; i <= TRIGGERS; i++) {
        if (r->head[i] == found[i]) continue;
        return diag_fail(w->d, w->path, r->head_line[i] ? r->head_line[i] : 1, 1,
                         "the head says %s %" PRIu64 ", but there are %" PRIu64 " of them; correct it", head_key[i],
                         r->head[i], found[i]);
    }
    if (r->head[FAILURES] > 0)
        return diag_fail(
            w->d, w->path, r->head_line[FAILURES], 1,
            "failures are keys of the fabric; remove this line and theirs, and write fabric: {failed: [{link: "
            "agg0.0-core0.1}]}");
    return true;
}

/* ---- a connection ---- */

/* Reads "S->D". */
static bool ends_read(struct reader *r, struct matrix_flow *f) {
    struct words *w = &r->w;
    struct word from = w->word[0], to = from;
    const char *arrow = memmem(from.at, from.n, "->", 2);
    char text[WORD_TEXT_MAX];
    uint64_t src, dst;
    from.n = (size_t)(arrow - from.at);
    to.at = arrow + 2;
    to.n = w->word[0].n - from.n - 2;
    if (!word_number(&from, FLOW_NONE - 1, &src) || !word_number(&to, FLOW_NONE - 1, &dst))
        return words_fail(w, 0, "'%s' is no pair of hosts; write for example " FLOW_EXAMPLE,
                          word_text(&w->word[0], text));
    if (src >= r->head[NODES] || dst >= r->head[NODES])
        return words_fail(w, 0, "%s names a host above those of the head, Nodes %" PRIu64, word_text(&w->word[0], text),
                          r->head[NODES]);
    if (src == dst) return words_fail(w, 0, "host %" PRIu64 " would send to itself; give another destination", src);
    f->src = (uint32_t)src, f->dst = (uint32_t)dst;
    return true;
}

static bool start_read(struct reader *r, uint32_t i, time_ps *start) {
    struct words *w = &r->w;
    const struct word *word = &w->word[i];
    struct decimal v;
    char text[WORD_TEXT_MAX];
    if (i >= w->n) return words_fail(w, i, "the start is missing; write for example " FLOW_EXAMPLE);
    if (decimal_parse(word->at, word->n, &v) != word->n || v.mantissa < 0)
        return words_fail(w, i, "'%s' is no start; write a number from 0 on", word_text(word, text));
    return (decimal_scaled(v, r->scale, start) && *start <= START_MAX) ||
           words_fail(w, i, "the start is too late; at most 53 days");
}

/* Reads the value of one attribute, at word *i, and goes on behind it. `seen`: attributes so far, as bits. */
static bool attribute_read(struct reader *r, struct matrix_flow *f, uint32_t *i, uint32_t *seen) {
    static const char *const name[] = {
        "id", "msg", "start", "trigger", "size", "send_done_trigger", "recv_done_trigger", "prio"};
    enum { ID, MSG, START, TRIGGER, SIZE, SEND_DONE, RECV_DONE, PRIO, N };
    struct words *w = &r->w;
    char text[WORD_TEXT_MAX], known[200];
    uint64_t number;
    uint32_t at = *i, key = 0;
    while (key < N && !word_is(&w->word[at], name[key])) key++;
    if (key == N)
        return words_fail(w, at, "'%s' is no attribute; known are %s", word_text(&w->word[at], text),
                          diag_names(name, N, known, sizeof known));
    if (*seen & 1u << key) return words_fail(w, at, "%s is there already; keep one", name[key]);
    *seen |= 1u << key;
    *i = at + 2;
    switch (key) {
    case ID: return words_number(w, at + 1, 1, ID_MAX, "an id", &f->id);
    case MSG:
        f->is_message = true;
        if (at + 1 >= w->n || at + 1 >= WORDS_MAX || !word_number(&w->word[at + 1], UINT64_MAX, &number)) *i = at + 1;
        return true;
    case START: return start_read(r, at + 1, &f->start);
    case TRIGGER: return words_number(w, at + 1, 1, ID_MAX, "a trigger", &f->trigger);
    case SIZE: return words_number(w, at + 1, 1, INT64_MAX, "a size", &f->bytes);
    case SEND_DONE: return words_number(w, at + 1, 1, ID_MAX, "a trigger", &f->done[0]);
    case RECV_DONE: return words_number(w, at + 1, 1, ID_MAX, "a trigger", &f->done[1]);
    default:
        if (!words_number(w, at + 1, 0, 7, "a priority", &number)) return false;
        f->priority = (uint8_t)number;
        return true;
    }
}

static bool flow_read(struct reader *r) {
    struct words *w = &r->w;
    struct matrix *m = r->m;
    struct matrix_flow f = {.start = TIME_NONE, .line = w->line};
    uint32_t seen = 0;
    if (!r->head_line[NODES])
        return words_fail(w, 0, "there is no Nodes above; write the head first, such as " HEAD_EXAMPLE);
    if (w->n > WORDS_MAX) return words_fail(w, WORDS_MAX, "too many words; write for example " FLOW_EXAMPLE);
    if (!ends_read(r, &f)) return false;
    for (uint32_t i = 1; i < w->n;)
        if (!attribute_read(r, &f, &i, &seen)) return false;
    if ((f.start == TIME_NONE) == (f.trigger == 0))
        return words_fail(w, w->n, "a connection has a start or a trigger; write one of them");
    if (f.bytes == 0) return words_fail(w, w->n, "the size is missing; write for example " FLOW_EXAMPLE);
    if (f.is_message && f.id == 0)
        return words_fail(w, w->n, "a message needs the id of its connection; write id and a number");
    if (m->n_flows == r->flows_room) {
        r->flows_room = r->flows_room ? 2 * r->flows_room : 64;
        m->flow = memory_grow(m->flow, r->flows_room, sizeof *m->flow);
    }
    m->flow[m->n_flows++] = f;
    return true;
}

/* ---- a trigger ---- */

static bool trigger_word(struct reader *r, struct matrix_trigger *t, uint32_t *i) {
    static const char *const kind[] = {"", "oneshot", "multishot", "barrier"};
    struct words *w = &r->w;
    char text[WORD_TEXT_MAX];
    uint32_t at = *i;
    *i = at + 2;
    if (word_is(&w->word[at], "id")) return words_number(w, at + 1, 1, ID_MAX, "an id", &t->id);
    if (word_is(&w->word[at], "count")) return words_number(w, at + 1, 1, ID_MAX, "a count", &t->count);
    *i = at + 1;
    for (int k = TRIGGER_ONESHOT; k <= TRIGGER_BARRIER; k++) {
        if (!word_is(&w->word[at], kind[k])) continue;
        if (t->kind) return words_fail(w, at, "a trigger is of one kind; keep one");
        t->kind = (enum trigger_kind)k;
        return true;
    }
    return words_fail(w, at, "'%s' is nothing of a trigger; known are id, oneshot, multishot, barrier, count",
                      word_text(&w->word[at], text));
}

static bool trigger_read(struct reader *r) {
    struct words *w = &r->w;
    struct matrix *m = r->m;
    struct matrix_trigger t = {.line = w->line, .gate = FLOW_NONE};
    if (w->n > WORDS_MAX) return words_fail(w, WORDS_MAX, "too many words; write for example trigger id 7 oneshot");
    for (uint32_t i = 1; i < w->n;)
        if (!trigger_word(r, &t, &i)) return false;
    if (t.id == 0 || t.kind == TRIGGER_NONE)
        return words_fail(w, w->n, "a trigger has an id and a kind; write for example trigger id 7 oneshot");
    if ((t.kind == TRIGGER_BARRIER) != (t.count > 0))
        return words_fail(
            w, w->n, "a barrier has a count, and no other trigger has; write for example trigger id 7 barrier count 2");
    if (m->n_triggers == r->triggers_room) {
        r->triggers_room = r->triggers_room ? 2 * r->triggers_room : 64;
        m->trigger = memory_grow(m->trigger, r->triggers_room, sizeof *m->trigger);
    }
    m->trigger[m->n_triggers++] = t;
    return true;
}

static int by_id(const void *pa, const void *pb) {
    const struct matrix_trigger *a = pa, *b = pb;
    return a->id != b->id ? (a->id < b->id ? -1 : 1) : (a->line > b->line) - (a->line < b->line);
}

static bool triggers_sort(const struct reader *r) {
    struct matrix *m = r->m;
    if (m->n_triggers > 1) qsort(m->trigger, m->n_triggers, sizeof *m->trigger, by_id);
    for (uint32_t i = 1; i < m->n_triggers; i++) {
        const struct matrix_trigger *a = &m->trigger[i - 1], *b = &m->trigger[i];
        if (a->id == b->id)
            return diag_fail(r->w.d, r->w.path, b->line, 1,
                             "trigger %" PRIu64 " is there already, in line %d; keep one", b->id, a->line);
    }
    return true;
}

/* Replaces the id of a trigger by its index + 1. */
static bool trigger_find(const struct reader *r, const struct matrix_flow *f, uint64_t *id) {
    const struct matrix *m = r->m;
    struct matrix_trigger key = {.id = *id}, *found;
    if (*id == 0) return true;
    uint32_t low = 0, high = m->n_triggers;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (m->trigger[middle].id < key.id)
            low = middle + 1;
        else
            high = middle;
    }
    found = low < m->n_triggers && m->trigger[low].id == key.id ? &m->trigger[low] : NULL;
    if (!found)
        return diag_fail(r->w.d, r->w.path, f->line, 1,
                         "there is no trigger %" PRIu64 "; write trigger id %" PRIu64 " oneshot", *id, *id);
    *id = low + 1;
    return true;
}

/* ---- the file ---- */

static bool line_read(struct reader *r) {
    struct words *w = &r->w;
    char text[WORD_TEXT_MAX];
    int key = head_find(w);
    if (key >= 0) return head_read(r, key);
    if (memmem(w->word[0].at, w->word[0].n, "->", 2)) return flow_read(r);
    if (word_is(&w->word[0], "trigger")) return trigger_read(r);
    if (word_is(&w->word[0], "failure"))
        return words_fail(
            w, 0,
            "a failure is a key of the fabric; remove the line (and Failures), and write fabric: {failed: "
            "[{link: agg0.0-core0.1}]}");
    return words_fail(
        w, 0, "'%s' begins no line of a connection matrix; it is a pair such as 0->1, trigger, or one of the head",
        word_text(&w->word[0], text));
}

bool matrix_read(struct matrix *m, const char *path, const char *text, size_t size, enum time_unit unit,
                 struct diag *d) {
    *m = (struct matrix){.path = path};
    struct reader r = {.m = m, .scale = 3 * (int)unit};
    words_init(&r.w, path, text, size, d);
    while (words_line(&r.w))
        if (!line_read(&r)) return false;
    m->nodes = r.head[NODES];
    if (!head_check(&r) || !triggers_sort(&r)) return false;
    for (uint32_t i = 0; i < m->n_flows; i++) {
        struct matrix_flow *f = &m->flow[i];
        if (!trigger_find(&r, f, &f->trigger) || !trigger_find(&r, f, &f->done[0]) || !trigger_find(&r, f, &f->done[1]))
            return false;
    }
    return m->n_flows > 0 || diag_fail(d, path, 1, 1, "there are no connections; write for example " FLOW_EXAMPLE);
}

void matrix_free(struct matrix *m) {
    free(m->flow);
    free(m->trigger);
}
