/* SPDX-License-Identifier: Apache-2.0 */
#include "study/figures/figures.h"
#include "base/text.h"
#include "study/results/caveats.h"

#include "base/memory.h"
#include "study/config/yaml_doc.h"
#include "study/figures/draw.h"
#include "study/figures/place.h"
#include "study/store/older.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct drawing {
    const struct store_reader *store;
    struct figures_request *q;
    size_t n_drawn;
    struct diag *left_out; /* experiments without a figure, with the reason */
    size_t n_left_out;
    struct diag *d;
};

/* ---- source of the figure block ---- */

/* Splits "f14@small" into the file's stem and the profile. Returns the profile; NULL: none. */
static const char *profile_of(const char *name, char *stem, size_t size) {
    const char *at = strrchr(name, '@');
    snprintf(stem, size, "%.*s", at ? (int)(at - name) : (int)strlen(name), name);
    return at ? at + 1 : NULL;
}

/* Reads the figure block of a file under `profile`. Returns NULL with an empty d->text if the file has none. */
static struct tree_node *block_of_file(const char *file, const char *profile, struct diag *d) {
    struct experiment_options o = {.profile = profile};
    struct experiment *e = experiment_read(file, &o, d);
    if (!e) return NULL;
    const struct tree_node *block = tree_get(e->root, "figure");
    struct tree_node *copy = block && !tree_is_null(block) ? tree_copy(block) : NULL;
    experiment_free(e);
    d->text[0] = '\0';
    return copy;
}

static struct tree_node *block_of_store(const struct store_reader *s, size_t experiment, struct diag *d) {
    sqlite3_stmt *q = NULL;
    struct tree_node *block = NULL;
    /* An older store has no such table. */
    if (sqlite3_prepare_v2(s->db, "SELECT text FROM figures WHERE experiment=?1", -1, &q, NULL) != SQLITE_OK)
        return NULL;
    sqlite3_bind_int64(q, 1, s->experiment[experiment].id);
    if (sqlite3_step(q) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(q, 0);
        if (text) block = tree_parse(text, strlen(text), s->path, d);
    }
    sqlite3_finalize(q);
    return block;
}

static bool is_file_of(const char *file, const char *stem) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    size_t n = strlen(stem);
    return strncmp(name, stem, n) == 0 && (name[n] == '.' || name[n] == '\0');
}

static struct tree_node *block_find(const struct drawing *g, size_t experiment, struct diag *d) {
    const struct experiment_row *e = &g->store->experiment[experiment];
    char stem[256];
    const char *profile = profile_of(e->name, stem, sizeof stem), *given = g->q->experiment_file;
    d->text[0] = '\0';
    if (given && (g->store->n_experiments == 1 || is_file_of(given, stem))) return block_of_file(given, profile, d);
    struct tree_node *block = block_of_store(g->store, experiment, d);
    if (block || d->text[0]) return block;
    return e->file[0] && access(e->file, R_OK) == 0 ? block_of_file(e->file, profile, d) : NULL;
}

/* ---- file names ---- */

/* Names a figure that was asked for: METRIC-by-KEY, behind the experiment where the store has several, and before the
 * settings of its runs. */
static void ask_name(const struct drawing *g, size_t experiment, char name[128]) {
    const struct figure_ask *q = g->q->ask;
    bool several = g->store->n_experiments > 1;
    bool by_key = q->key && !q->name;
    snprintf(name, 100, "%s%s%s%s%s", several ? g->store->experiment[experiment].name : "", several ? "-" : "",
             q->name ? q->name : q->metric, by_key ? "-by-" : "", by_key ? q->key : "");
    for (size_t i = 0; !q->name && i < q->n_of; i++) {
        size_t used = strlen(name);
        snprintf(name + used, 128 - used, "-%s", q->of[i]);
    }
}

/* Makes the file name from the figure's or the experiment's name, without characters that a shell or gnuplot
 * interprets. */
static void name_make(const struct drawing *g, size_t experiment, const struct figures *all, size_t i, char name[128]) {
    const char *wanted = all->item[i].name ? all->item[i].name : g->store->experiment[experiment].name;
    if (g->q->ask)
        ask_name(g, experiment, name);
    else
        snprintf(name, 128, "%.100s", wanted);
    for (char *c = name; *c; c++) {
        bool plain = (*c >= '0' && *c <= '9') || ((*c | 32) >= 'a' && (*c | 32) <= 'z') || strchr("._-", *c);
        if (!plain || (c == name && (*c == '.' || *c == '-'))) *c = '-' == *c || c == name ? '_' : '-';
    }
    if (!all->item[i].name && all->n > 1) {
        size_t used = strlen(name);
        snprintf(name + used, 128 - used, "-%zu", i + 1);
    }
}

/* Claims the name. Fails if another figure has it, since the second file would replace the first. */
static bool name_take(struct drawing *g, const char *name) {
    struct figures_request *q = g->q;
    for (size_t i = 0; i < q->n_names; i++) {
        if (strcmp(q->name[i], name) == 0)
            return diag_fail_in(
                g->d, g->store->path,
                "two figures are called '%s' and would replace each other; give each its own `name`, or "
                "draw them into folders of their own",
                name);
    }
    q->name = memory_grow(q->name, q->n_names + 1, sizeof *q->name);
    q->name[q->n_names++] = text_copy(name);
    return true;
}

static bool names_take(struct drawing *g, size_t experiment, const struct figures *all) {
    char name[128];
    for (size_t i = 0; i < all->n; i++) {
        name_make(g, experiment, all, i, name);
        if (!name_take(g, name)) return false;
    }
    return true;
}

void figures_request_end(struct figures_request *q) {
    for (size_t i = 0; i < q->n_names; i++) free(q->name[i]);
    free(q->name);
    q->name = NULL;
    q->n_names = 0;
}

static void tell(const struct drawing *g, const char *name, bool table) {
    static const char *const kinds[] = {"svg", "pdf", "png", "gp", "csv"};
    for (size_t i = table ? 4 : 0; i < 5; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s.%s", g->q->dir, name, kinds[i]);
        if (access(path, F_OK) == 0) g->q->made(path); /* a script that was changed may draw less */
    }
}

/* ---- drawing ---- */

static bool leave_out(struct drawing *g) {
    g->left_out = memory_grow(g->left_out, g->n_left_out + 1, sizeof *g->left_out);
    g->left_out[g->n_left_out++] = *g->d;
    return true;
}

/* Writes the warning about runs that are too old to have the figure's metrics; "" if no run is. */
static void older_say(const struct drawing *g, size_t experiment, const struct figure *f, char *buf, size_t size) {
    const char **metric = memory_get(2 * f->n_y + 1, sizeof *metric);
    size_t n = 0;
    for (size_t i = 0; f->kind != FIGURE_TIME && i < f->n_y; i++) {
        metric[n++] = f->y[i].metric;
        if (f->y[i].per) metric[n++] = f->y[i].per;
    }
    struct older older = older_in_store(g->store, experiment, metric, n);
    older_text_of_store(&older, g->store, experiment, buf, size);
    free(metric);
}

static bool leave_out_older(struct drawing *g, const char *name, const char *older) {
    diag_fail_in(g->d, g->store->path, "%s lacks runs: %s", name, older);
    return leave_out(g);
}

static bool leave_out_empty(struct drawing *g, const struct figure *f, const char *name) {
    const char *metric = f->y[0].metric;
    bool sampled = f->kind == FIGURE_TIME || strcmp(metric, "goodput_gbps") == 0;
    diag_fail_in(g->d, g->store->path, "%s has nothing to draw: none of its finished runs has %s%s%s", name,
                 sampled ? "samples of " : "", metric, sampled ? "; run it again with `measure` of them" : "");
    return leave_out(g);
}

static bool plot_draw(struct drawing *g, const struct plot *p, const char *title, const char *name) {
    struct figure_place f = {
        .dir = g->q->dir, .name = name, .input = g->q->store, .n_input = g->q->n_stores, .force = g->q->force};
    if (!figure_place_draw(&f, p, title, g->d)) return false;
    tell(g, name, p->figure->kind == FIGURE_TABLE);
    if (f.kept) g->q->kept(g->q->dir, name);
    g->n_drawn++;
    return true;
}

/* Writes the title, the settings that were asked for, and the number of runs that the drawing lacks. */
static void caption(const struct drawing *g, size_t experiment, const char *title, char *buf, size_t size) {
    struct missing_flows all = {0};
    char missing[80];
    for (size_t i = 0; i < g->store->n_runs; i++) {
        const struct run_row *run = &g->store->run[i];
        if (run->experiment != experiment || run->number == 0 || run->status != RUN_DONE) continue;
        missing_flows_add(&all, run->result);
    }
    missing_flows_text(all, missing, sizeof missing);
    snprintf(buf, size, "%s", title);
    for (size_t i = 0; g->q->ask && i < g->q->ask->n_of; i++) {
        size_t used = strlen(buf);
        snprintf(buf + used, size - used, "%s%s", i ? ", " : ": ", g->q->ask->of[i]);
    }
    size_t used = strlen(buf);
    if (missing[0]) snprintf(buf + used, size - used, " (%s)", missing);
}

static bool figure_draw(struct drawing *g, size_t experiment, const struct figures *all, size_t i) {
    const struct figure *f = &all->item[i];
    const struct plot_input in = {g->store, experiment, g->q->points, g->q->failures};
    char title[1024];
    caption(g, experiment, f->title ? f->title : g->store->experiment[experiment].title, title, sizeof title);
    char name[128], older[400];
    struct plot p;
    if (!plot_make(f, &in, &p, g->d)) return false;
    name_make(g, experiment, all, i, name);
    older_say(g, experiment, f, older, sizeof older);
    bool is_empty = plot_is_empty(&p), ok = is_empty || plot_draw(g, &p, title, name);
    if (ok && older[0])
        leave_out_older(g, name, older);
    else if (is_empty)
        leave_out_empty(g, f, name);
    plot_free(&p);
    return ok;
}

static bool has_runs(const struct store_reader *s, size_t experiment) {
    for (size_t i = 0; i < s->n_runs; i++) {
        const struct run_row *r = &s->run[i];
        if (r->experiment == experiment && r->number && r->status == RUN_DONE && r->result) return true;
    }
    return false;
}

/* Leaves out an experiment that has not what was asked for: others may have it. */
static bool ask_leave_out(struct drawing *g, const char *experiment) {
    char why[sizeof g->d->text];
    snprintf(why, sizeof why, "%s", g->d->text);
    if (g->store->n_experiments > 1) diag_fail_in(g->d, g->store->path, "'%s': %.500s", experiment, why);
    return leave_out(g);
}

static bool none_leave_out(struct drawing *g, const char *experiment) {
    diag_fail_in(g->d, g->store->path,
                 "'%s' says no figure; give its file a `figure` block and name it with --experiment FILE.yaml",
                 experiment);
    return leave_out(g);
}

/* Draws the figures of a block, which has been read but for mistakes. */
static bool block_draw(struct drawing *g, size_t experiment, const struct figures *all) {
    bool ok = names_take(g, experiment, all);
    for (size_t i = 0; ok && i < all->n; i++) ok = figure_draw(g, experiment, all, i);
    return ok;
}

static bool experiment_draw(struct drawing *g, size_t experiment) {
    const char *name = g->store->experiment[experiment].name;
    const struct plot_input in = {g->store, experiment, g->q->points, g->q->failures};
    struct figure_axes axes = {0};
    struct figures all = {0};
    if (!has_runs(g->store, experiment)) {
        diag_fail_in(g->d, g->store->path, "'%s' has no finished run; heddle run goes on with it", name);
        return leave_out(g);
    }
    plot_axes(&in, &axes);
    bool is_asked = g->q->ask != NULL;
    struct tree_node *block =
        is_asked ? figure_ask_block(g->q->ask, g->store, experiment, &axes, g->d) : block_find(g, experiment, g->d);
    bool is_read = block && figures_read(block, &axes, is_asked, &all, g->d);
    bool ok = is_read                           ? block_draw(g, experiment, &all)
              : is_asked                        ? ask_leave_out(g, name)
              : !block && g->d->text[0] == '\0' ? none_leave_out(g, name)
                                                : false;
    figures_free(&all);
    figure_axes_free(&axes);
    tree_free(block);
    return ok;
}

/* Reports experiments without a figure. If other experiments have one it is a warning; if none has, it is the error. */
static bool left_out_tell(const struct drawing *g) {
    if (g->n_drawn) {
        for (size_t i = 0; i < g->n_left_out; i++) g->q->left_out(&g->left_out[i]);
        return true;
    }
    if (g->n_left_out) {
        *g->d = g->left_out[0];
        return false;
    }
    return diag_fail_in(g->d, g->store->path, "this store holds no experiment; heddle run fills it");
}

bool figures_draw(const struct store_reader *store, struct figures_request *q, struct diag *d) {
    struct drawing g = {.store = store, .q = q, .d = d};
    bool ok = draw_possible(d);
    for (size_t i = 0; ok && i < store->n_experiments; i++) ok = experiment_draw(&g, i);
    ok = ok && left_out_tell(&g);
    free(g.left_out);
    return ok;
}
