/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/experiment.h"

#include "base/input_file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "study/config/file_names.h"
#include "study/config/key_place.h"
#include "study/config/pause_classes.h"
#include "study/experiment/base_file.h"
#include "study/experiment/expect_rows.h"
#include "study/experiment/figure.h"
#include "study/experiment/profiles.h"
#include "study/experiment/sweep.h"
#include "study/experiment/table_wish.h"
#include "workload/sizes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- paths ---- */

static void name_parts(struct experiment *e, const char *path, const char *profile) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    e->file = text_copy(path);
    e->base_dir = slash ? text_copy_part(path, slash == path ? 1 : (size_t)(slash - path)) : text_copy("");
    e->stem = text_copy_part(name, (size_t)length);
    e->profile = profile ? text_copy(profile) : NULL;
    e->name = text_format("%s%s%s", e->stem, profile ? "@" : "", profile ? profile : "");
}

/* ---- command line ---- */

static bool set_apply(struct experiment *e, const char *set, struct diag *d) {
    const char *equals = strchr(set, '=');
    if (!equals || equals == set) return diag_say(d, "--set %s: write --set KEY=VALUE", set);
    if (strcspn(set, ".=") == 4 && strncmp(set, "base", 4) == 0)
        return diag_say(d, "--set %s: a base is named in the file, not here; set the keys themselves", set);
    char *key = text_copy_part(set, (size_t)(equals - set)), *file = NULL;
    file = text_format("--set %s", key);
    struct tree_node *value = tree_parse(equals + 1, strlen(equals + 1), file, d);
    bool ok = value != NULL;
    if (ok) {
        bool nothing = value->kind == TREE_MAP && value->n == 0 && equals[1] == '\0';
        if (nothing) {
            ok = diag_say(d, "%s: no value; write --set KEY=VALUE", file);
            tree_free(value);
        } else {
            ok = sweep_or_place(e->root, key, value, d);
        }
    }
    free(key);
    free(file);
    return ok;
}

/* ---- identity ---- */

/* Fails for a value of `sizes` that is no distribution, no size, and does not look like a path. */
static bool sizes_unknown(const struct setting *s, struct diag *d) {
    size_t n;
    const char *const *names = sizes_names(&n), *nearest = diag_nearest(s->text, names, n);
    if (nearest)
        return diag_fail(d, s->file, s->line, s->col, "unknown sizes '%s'; did you mean '%s'?", s->text, nearest);
    return diag_fail(
        d, s->file, s->line, s->col,
        "unknown sizes '%s'; write a distribution (`heddle list sizes`), a size such as 1MB, or a CDF file", s->text);
}

/* Adds the files that belong to one whose name has a 0, as long as there are more. */
static void numbered_digest(const char *path, const char *key, FILE *out) {
    for (uint32_t n = 1;; n++) {
        char *next = input_numbered(path, n), hex[SHA256_TEXT];
        const char *why;
        bool found = next && sha256_file(next, hex, &why);
        if (found) fprintf(out, "%s %u: %s\n", key, n, hex);
        free(next);
        if (!found) return;
    }
}

static bool file_digest(const struct experiment *e, const struct setting *s, FILE *out, struct diag *d) {
    char path[1024], hex[SHA256_TEXT];
    const char *why;
    if (!sha256_file(path_from(e->base_dir, s->text, path, sizeof path), hex, &why)) {
        if (s->key->kind == KEY_SIZES && errno == ENOENT && !strpbrk(s->text, "/.")) return sizes_unknown(s, d);
        return diag_fail(d, s->file, s->line, s->col,
                         "cannot read %s: %s; name a file, relative to the experiment's folder", path, why);
    }
    fprintf(out, "%s: %s\n", s->path, hex);
    if (s->key->param.numbered) numbered_digest(path, s->path, out);
    return true;
}

/* Corrections that alter few runs, those with a value for a key: each adds a line to what the identity of these runs is
 * made from. All other stored runs stay valid. Raising RESULT_VERSION takes the place of the lines. */
static const struct {
    const char *key, *what;
} corrections[] = {
    {"fabric.failed.#.rate", "samples of links whose rate rises"},
    {"measure.flow.#", "windows in timelines"},
    {"workload.#.iterations", "messages of a connection leave one after the other"},
};

static bool has_value(const struct config *c, const char *key) {
    for (size_t i = 0; i < c->n; i++)
        if (strcmp(c->setting[i].key->path, key) == 0 && !c->setting[i].none) return true;
    return false;
}

static void corrections_add(const struct config *c, FILE *out) {
    for (size_t i = 0; i < sizeof corrections / sizeof *corrections; i++)
        if (has_value(c, corrections[i].key)) fprintf(out, "correction: %s\n", corrections[i].what);
}

/* Writes all lines of `acting` but that of the seed. */
static void acting_without_seed(const char *acting, FILE *out) {
    static const char seed[] = "run.seed: ";
    for (const char *line = acting; *line;) {
        size_t length = strcspn(line, "\n") + 1;
        if (strncmp(line, seed, sizeof seed - 1) != 0) fwrite(line, 1, length, out);
        line += length;
    }
}

static bool identify(const struct experiment *e, struct planned_run *r, bool no_files, struct diag *d) {
    char *text = NULL, *asked = NULL;
    size_t size = 0, asked_size = 0;
    FILE *out = text_stream(&text, &size), *asked_out = text_stream(&asked, &asked_size);
    char *acting = config_acting(&r->config);
    fprintf(out, "results %d\n%s", RESULT_VERSION, acting);
    acting_without_seed(acting, asked_out);
    free(acting);
    corrections_add(&r->config, out);
    bool ok = true;
    for (size_t i = 0; ok && !no_files && i < r->config.n; i++) {
        const struct setting *s = &r->config.setting[i];
        bool is_file = s->key->kind == KEY_FILE || (s->key->kind == KEY_SIZES && sizes_is_file(s->text));
        if (is_file && !s->none) ok = file_digest(e, s, out, d) && file_digest(e, s, asked_out, d);
    }
    text_stream_end(out, &text);
    text_stream_end(asked_out, &asked);
    sha256_text(text, size, r->identity);
    sha256_text(asked, asked_size, r->asked);
    free(text);
    free(asked);
    return ok;
}

static int asked_order(const void *a, const void *b) {
    return strcmp(((const struct planned_run *const *)a)[0]->asked, ((const struct planned_run *const *)b)[0]->asked);
}

void experiment_asked(const struct experiment *e, char hex[SHA256_TEXT]) {
    const struct planned_run **run = memory_get(e->n_runs + 1, sizeof *run);
    char *text = NULL;
    size_t size = 0;
    FILE *out = text_stream(&text, &size);
    for (size_t i = 0; i < e->n_runs; i++) run[i] = &e->run[i];
    qsort(run, e->n_runs, sizeof *run, asked_order);
    for (size_t i = 0; i < e->n_runs; i++)
        if (i == 0 || strcmp(run[i]->asked, run[i - 1]->asked) != 0) fprintf(out, "%s\n", run[i]->asked);
    text_stream_end(out, &text);
    sha256_text(text, size, hex);
    free(text);
    free(run);
}

void experiment_mark_live(struct experiment *e, const char *word) {
    e->is_live = true;
    for (size_t i = 0; i < e->n_runs; i++) {
        struct planned_run *r = &e->run[i];
        char *text, *known, *config = pause_classes_of_all(&r->config) ? config_print(&r->config) : r->text;
        text = text_format("# %s\n%s", word, config);
        known = text_format("%s %s", r->identity, word);
        if (config != r->text) free(config);
        sha256_text(known, strlen(known), r->identity);
        free(known);
        free(r->text);
        r->text = text;
        r->config.is_live = true;
    }
}

/* ---- runs ---- */

/* Returns a list or a block as one line of YAML. */
static json_t *flow_json(const struct tree_node *value) {
    size_t size = tree_print_flow(value, NULL, 0) + 1;
    char *text = memory_get(size, 1);
    tree_print_flow(value, text, size);
    json_t *line = json_string(text);
    free(text);
    return line;
}

json_t *setting_json(const char *path, const struct tree_node *value, struct diag *d) {
    const struct key *k = schema_find(path);
    char text[1024];
    if (value->kind != TREE_SCALAR || !k || k->kind != KEY_VALUE) {
        if (value->kind == TREE_SCALAR) return json_string(value->text);
        return flow_json(value);
    }
    if (tree_is_null(value) || text_is_default(k, value->text) ||
        (k->def && strcmp(k->def, "none") == 0 && strcmp(value->text, "none") == 0)) {
        return json_string("none");
    }
    if (k->param.word && strcmp(value->text, k->param.word) == 0) return json_string(value->text);
    int64_t number;
    char why[384];
    if (!param_parse(&k->param, value->text, &number, why, sizeof why)) {
        tree_fail(d, value, "%s: %s", path, why);
        return NULL;
    }
    switch (k->param.type) {
    case PARAM_COUNT: return json_integer(number);
    case PARAM_FRACTION: return json_real((double)number / (double)PPB);
    case PARAM_BOOL: return json_boolean(number != 0);
    default: return json_string(param_print(&k->param, number, text, sizeof text));
    }
}

json_t *axis_setting(const struct axis *a, size_t i, struct diag *d) {
    return a->names ? json_string(a->names->item[i]->text) : setting_json(a->key, a->list->item[i], d);
}

/* Returns which value of an axis run `index` has: a digit of the index, whose last digit is the last axis. */
static size_t axis_digit(const struct experiment *e, size_t axis, size_t index) {
    for (size_t i = e->n_axes; i-- > axis + 1;) index /= e->axis[i].list->n;
    return index % e->axis[axis].list->n;
}

static bool settings_fill(const struct experiment *e, struct planned_run *r, size_t index, struct diag *d) {
    r->settings = json_object();
    for (size_t i = 0; i < e->n_axes; i++) {
        json_t *value = axis_setting(&e->axis[i], axis_digit(e, i, index), d);
        if (!value) return false;
        json_object_set_new(r->settings, e->axis[i].key, value);
    }
    if (!json_object_get(r->settings, "run.seed")) {
        json_object_set_new(r->settings, "run.seed", json_integer(config_value(&r->config, 0, "run.seed")));
    }
    return true;
}

/* Fails if the axis has a value twice, which would make the same run twice. */
static bool axis_distinct(const struct axis *a, struct diag *d) {
    json_t *seen = json_object(); /* the values as texts */
    bool ok = true;
    for (size_t i = 0; ok && i < a->list->n; i++) {
        json_t *value = setting_json(a->key, a->list->item[i], d);
        char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_SORT_KEYS) : NULL;
        ok = text != NULL;
        if (ok && json_object_get(seen, text))
            ok = tree_fail(d, a->list->item[i], "sweep %s: this value is there twice; remove one", a->key);
        if (ok) json_object_set(seen, text, value);
        free(text);
        json_decref(value);
    }
    json_decref(seen);
    return ok;
}

static bool run_plan(struct experiment *e, size_t index, bool no_files, struct diag *d) {
    struct planned_run *r = &e->run[index];
    r->number = (uint32_t)index + 1;
    struct tree_node *root = tree_copy(e->root);
    const char **swept = memory_get(e->n_axes + 1, sizeof *swept);
    bool ok = true;
    for (size_t i = 0; ok && i < e->n_axes; i++) {
        swept[i] = e->axis[i].key;
        ok = key_place(root, e->axis[i].key, tree_copy(e->axis[i].list->item[axis_digit(e, i, index)]), d);
    }
    ok = ok && config_resolve(root, swept, e->n_axes, &r->config, d);
    if (ok) r->text = config_print(&r->config);
    ok = ok && settings_fill(e, r, index, d) && identify(e, r, no_files, d);
    free(swept);
    tree_free(root);
    return ok;
}

static bool runs_plan(struct experiment *e, bool no_files, struct diag *d) {
    size_t n = 1;
    for (size_t i = 0; i < e->n_axes; i++) {
        n *= e->axis[i].list->n;
        if (n > MAX_RUNS)
            return tree_fail(d, e->axis[i].list, "the sweep makes more than %d runs; take fewer values", MAX_RUNS);
        if (!axis_distinct(&e->axis[i], d)) return false;
    }
    e->run = memory_get(n, sizeof *e->run);
    e->n_runs = n;
    for (size_t i = 0; i < n; i++) {
        if (!run_plan(e, i, no_files, d)) return false;
    }
    return true;
}

static bool experiment_fill(struct experiment *e, const struct experiment_options *o, struct diag *d) {
    if (!profile_apply(e->root, o->profile, d)) return false;
    for (size_t i = 0; i < o->n_set; i++) {
        if (!set_apply(e, o->set[i], d)) return false;
    }
    if (!expect_rows_write_out(e->root, d) || !sweep_axes(e->root, &e->axis, &e->n_axes, d)) return false;
    tree_remove(e->root, "sweep");
    const struct tree_node *title = tree_get(e->root, "title");
    e->title = text_copy(title && title->kind == TREE_SCALAR ? title->text : e->stem);
    return runs_plan(e, o->no_files, d) && figures_check(e, d) && table_block_check(e, d);
}

/* Plans the runs that were asked for, then checks the profiles that were not chosen. */
static bool experiment_fill_and_check(struct experiment *e, const struct experiment_options *o, struct diag *d) {
    if (e->root->kind != TREE_MAP)
        return tree_fail(d, e->root, "an experiment is a block of keys: fabric, workload, ...");
    struct tree_node *written = tree_copy(e->root);
    bool ok = experiment_fill(e, o, d) && profiles_check(written, o->profile, d);
    tree_free(written);
    return ok;
}

/* Lays the tree over its bases. Frees it, and returns NULL, after filling *d. */
static struct tree_node *root_with_bases(struct tree_node *root, const char *path, const struct experiment_options *o,
                                         struct diag *d) {
    bool is_alone = o->no_files || o->is_stored;
    if (is_alone ? base_refuse(root, d) : base_apply(&root, path, d)) return root;
    tree_free(root);
    return NULL;
}

bool experiment_inherits(const struct experiment *e, const char *file) {
    return e->has_base && file[0] && strcmp(file, e->file) != 0 && strncmp(file, "--set ", 6) != 0;
}

/* An error in a base names the base; adds the file that has it. */
static void base_of_note(struct diag *d, const struct experiment *e) {
    size_t used = strlen(d->text);
    if (!experiment_inherits(e, d->file)) return;
    snprintf(d->text + used, sizeof d->text - used, " (a base of %s)", e->file);
}

static struct experiment *experiment_make(struct tree_node *root, const char *path, const struct experiment_options *o,
                                          struct diag *d) {
    bool has_base = tree_get(root, "base") != NULL;
    if (root) root = root_with_bases(root, path, o, d);
    if (!root) return NULL;
    struct experiment *e = memory_get(1, sizeof *e);
    e->has_base = has_base;
    e->root = root;
    if (o->is_stored) moved_keys_remove(root);
    e->as_written = !o->profile && o->n_set == 0;
    e->set = json_array();
    for (size_t i = 0; i < o->n_set; i++) json_array_append_new(e->set, json_string(o->set[i]));
    name_parts(e, path, o->profile);
    if (!experiment_fill_and_check(e, o, d)) {
        base_of_note(d, e);
        experiment_free(e);
        return NULL;
    }
    for (size_t i = 0; i < e->n_runs; i++) e->run[i].config.force = o->force;
    return e;
}

struct experiment *experiment_read(const char *path, const struct experiment_options *o, struct diag *d) {
    return experiment_make(tree_read_file(path, d), path, o, d);
}

struct experiment *experiment_parse(const char *text, size_t size, const char *path, const struct experiment_options *o,
                                    struct diag *d) {
    return experiment_make(tree_parse(text, size, path, d), path, o, d);
}

void experiment_free(struct experiment *e) {
    if (!e) return;
    for (size_t i = 0; i < e->n_runs; i++) {
        json_decref(e->run[i].settings);
        config_free(&e->run[i].config);
        free(e->run[i].text);
    }
    free(e->run);
    sweep_axes_free(e->axis, e->n_axes);
    tree_free(e->root);
    free(e->file);
    free(e->base_dir);
    free(e->stem);
    free(e->name);
    free(e->profile);
    free(e->title);
    json_decref(e->set);
    free(e);
}
