/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/row_axes.h"

#include "study/experiment/settings.h"
#include "study/print/fold.h"

#include <string.h>

#define GAP 2        /* between axes */
#define HEAD_LEAST 8 /* a head is broken only if it is wider */

static const json_t *value_of(const struct table *t, size_t row, const char *key) {
    return json_object_get(t->row[row].first, key);
}

static void value_text(const struct table *t, size_t row, const char *key, char buf[ROW_AXIS_TEXT]) {
    const json_t *value = value_of(t, row, key);
    snprintf(buf, ROW_AXIS_TEXT, "-");
    if (value) setting_text(value, buf, ROW_AXIS_TEXT);
}

static bool is_same(const json_t *a, const json_t *b) { return a == b || json_equal(a, b); } /* NULL is NULL */

/* Returns whether all rows have the same value, or none has one. */
static bool is_shared(const struct table *t, const char *key) {
    for (size_t i = 1; i < t->n_rows; i++) {
        if (!is_same(value_of(t, i, key), value_of(t, 0, key))) return false;
    }
    return true;
}

/* ---- the axes ---- */

static bool has_axis(const struct row_axes *a, const char *key) {
    for (int i = 0; i < a->n; i++) {
        if (strcmp(a->axis[i].key, key) == 0) return true;
    }
    return false;
}

static bool axis_add(struct row_axes *a, const char *key) {
    if (strcmp(key, "run.seed") == 0 || is_shared(a->t, key) || has_axis(a, key)) return true;
    if (a->n == ROW_AXES_MAX) return false;
    a->axis[a->n++] = (struct row_axis){.key = key, .name = key};
    return true;
}

/* Collects the axes, those of the groups first. */
static bool axes_find(struct row_axes *a) {
    const struct table *t = a->t;
    for (size_t i = 0; i < t->n_rows; i++) {
        const char *key;
        json_t *value;
        json_object_foreach((json_t *)t->row[i].first, key, value) {
            if (strcmp(key, t->key) != 0 && !axis_add(a, key)) return false;
        }
    }
    return axis_add(a, t->key);
}

/* ---- heads ---- */

/* Returns the last `levels` levels of a key. */
static const char *levels_of(const char *key, int levels) {
    const char *at = key + strlen(key);
    for (; at > key; at--) {
        if (at[-1] == '.' && --levels == 0) return at;
    }
    return key;
}

/* Returns whether the last levels of a key are those of no other axis; numbers tell a reader nothing. */
static bool tells(const struct row_axes *a, int axis, const char *name) {
    size_t length = strlen(name);
    if (strspn(name, "0123456789") == strcspn(name, ".")) return false;
    for (int i = 0; i < a->n; i++) {
        size_t own = strlen(a->axis[i].key);
        bool ends = own >= length && strcmp(a->axis[i].key + own - length, name) == 0;
        if (i != axis && ends && (own == length || a->axis[i].key[own - length - 1] == '.')) return false;
    }
    return true;
}

/* Breaks a name behind '_' and '.', into lines of at most `width` where they allow it. */
static void head_break(struct row_axis *x, int width) {
    for (const char *at = x->name; *at;) {
        size_t n = strcspn(at, "_."), used = x->n_head ? strlen(x->head[x->n_head - 1]) : 0;
        n += at[n] != '\0';
        if (x->n_head == 0 || (used + n > (size_t)width && x->n_head < ROW_AXIS_HEADS)) {
            x->head[x->n_head++][0] = '\0';
            used = 0;
        }
        snprintf(x->head[x->n_head - 1] + used, ROW_AXIS_TEXT - used, "%.*s", (int)n, at);
        at += n;
    }
}

static void axis_measure(struct row_axes *a, int axis) {
    struct row_axis *x = &a->axis[axis];
    char text[ROW_AXIS_TEXT];
    for (int levels = 1; levels < 16 && !tells(a, axis, x->name = levels_of(x->key, levels)); levels++) continue;
    for (size_t i = 0; i < a->t->n_rows; i++) {
        value_text(a->t, i, x->key, text);
        x->width = x->width > (int)strlen(text) ? x->width : (int)strlen(text);
    }
    head_break(x, x->width > HEAD_LEAST ? x->width : HEAD_LEAST);
    for (int i = 0; i < x->n_head; i++)
        x->width = x->width > (int)strlen(x->head[i]) ? x->width : (int)strlen(x->head[i]);
    a->n_head = a->n_head > x->n_head ? a->n_head : x->n_head;
}

bool row_axes_make(const struct table *t, int most, struct row_axes *a) {
    *a = (struct row_axes){.t = t};
    if (!axes_find(a)) return false;
    for (size_t n = t->n_rows; n; n /= 10) a->number++;
    a->width = a->number;
    for (int i = 0; i < a->n; i++) {
        axis_measure(a, i);
        a->width += (i ? GAP : 1) + a->axis[i].width;
    }
    return a->n > 0 && a->width <= most;
}

/* ---- texts ---- */

/* Prints "initial_window: host.newreno.initial_window" for the axes whose head is not the whole key. */
static void names_print(const struct row_axes *a, int width, FILE *out) {
    char line[1024] = "";
    for (int i = 0; i < a->n; i++) {
        size_t used = strlen(line);
        if (strcmp(a->axis[i].name, a->axis[i].key) == 0) continue;
        snprintf(line + used, sizeof line - used, "%s%s is %s", used ? "; " : "", a->axis[i].name, a->axis[i].key);
    }
    if (line[0]) fold_print(line, width, 0, 2, out);
}

static void shared_print(const struct row_axes *a, int width, FILE *out) {
    json_t *shared = json_object();
    char line[1024] = "in all rows: ";
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)a->t->row[0].first, key, value) {
        if (strcmp(key, "run.seed") != 0 && is_shared(a->t, key)) json_object_set(shared, key, value);
    }
    settings_text(shared, line + strlen(line), sizeof line - strlen(line));
    if (json_object_size(shared)) fold_print(line, width, 0, 2, out);
    json_decref(shared);
}

void row_axes_explain(const struct row_axes *a, int width, FILE *out) {
    names_print(a, width, out);
    shared_print(a, width, out);
}

void row_axes_head(const struct row_axes *a, int line, char *buf, size_t size) {
    size_t used = (size_t)snprintf(buf, size, "%*s", a->number, "");
    for (int i = 0; i < a->n && used < size; i++) {
        const struct row_axis *x = &a->axis[i];
        int own = line - (a->n_head - x->n_head);
        used += (size_t)snprintf(buf + used, size - used, "%*s%-*s", i ? GAP : 1, "", x->width,
                                 own < 0 ? "" : x->head[own]);
    }
}

void row_axes_text(const struct row_axes *a, size_t row, size_t above, char *buf, size_t size) {
    size_t used = (size_t)snprintf(buf, size, "%*zu", a->number, row + 1);
    bool repeats = above < a->t->n_rows;
    for (int i = 0; i < a->n && used < size; i++) {
        const struct row_axis *x = &a->axis[i];
        char text[ROW_AXIS_TEXT];
        repeats = repeats && i + 1 < a->n && is_same(value_of(a->t, row, x->key), value_of(a->t, above, x->key));
        value_text(a->t, row, x->key, text);
        used += (size_t)snprintf(buf + used, size - used, "%*s%-*s", i ? GAP : 1, "", x->width, repeats ? "" : text);
    }
}
