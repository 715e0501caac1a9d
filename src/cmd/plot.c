/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/commands.h"

#include "study/config/figure_choices.h"
#include "study/figures/figures.h"
#include "study/report/topology.h"
#include "study/store/store_reader.h"

#include <string.h>

static void print_path(const char *path) { printf("%s\n", path); }

static void print_note(const struct diag *why) { fprintf(stderr, "%s: left out: %s\n", why->file, why->text); }

static void print_kept(const char *dir, const char *name) {
    fprintf(stderr, "%s/%s.gp: kept, because it was changed; --force writes it anew\n", dir, name);
}

struct plot_command {
    const char *store, *metric, *by, *key;
    const char *folder, *name, *kind;
    struct word_list series, panels, of, look;
    uint32_t points;
    bool force;
};
#define T struct plot_command

static int plot_run(void *request) {
    const struct plot_command *q = request;
    if (q->by && !q->key) return exit_usage("'by' names no key; write heddle plot %s %s by KEY", q->store, q->metric);
    const struct figure_ask ask = {.metric = q->metric,
                                   .name = q->name,
                                   .key = q->key,
                                   .kind = q->kind,
                                   .series = q->series.item,
                                   .n_series = q->series.n,
                                   .panels = q->panels.item,
                                   .n_panels = q->panels.n,
                                   .of = q->of.item,
                                   .n_of = q->of.n,
                                   .look = q->look.item,
                                   .n_look = q->look.n};
    struct figures_request figures = {.dir = q->folder ? q->folder : ".",
                                      .ask = &ask,
                                      .points = q->points,
                                      .failures = run_failures_json,
                                      .force = q->force,
                                      .store = &q->store,
                                      .n_stores = 1,
                                      .made = print_path,
                                      .left_out = print_note,
                                      .kept = print_kept};
    struct diag d = {0};
    struct store_reader *r = store_reader_open(q->store, &d);
    bool ok = r && figures_draw(r, &figures, &d);
    store_reader_close(r);
    figures_request_end(&figures);
    return ok ? 0 : exit_diag(&d);
}

const struct command command_plot = {
    .name = "plot",
    .purpose = "draw one figure of results that no file asked for",
    .about =
        "Draws a metric against a swept key, with a curve or bar for each value of the other swept keys and the 95 % "
        "interval over seeds; or, without a key, the distribution of a summary such as fct_us.mice, or samples over "
        "time such as queue.max. Writes SVG, PDF, PNG, the gnuplot script and the data, as heddle report --figures "
        "does. The key may be given by its last part, load for workload.0.load.\n\n"
        "--set gives keys of the figure block, which docs/keys.md lists: log=y, band=range, width=8.5cm, "
        "font_size=8, share_y=true, y_range=[0, 10], title=TEXT; and unit, label and scale of the metric.",
    .arguments =
        (const struct argument[]){
            ARGUMENT(T, store, "RESULTS.db", VALUE_STORE, "a results store"),
            ARGUMENT(T, metric, "METRIC", VALUE_TEXT, "a number of the --json object, a summary or samples"),
            {.value = {.name = "by", .kind = VALUE_CHOICE, .choices = "by", .field = FIELD(T, by)},
             .doc = "the word by"},
            ARGUMENT_OPTIONAL(T, key, "KEY", VALUE_TEXT, "the swept key on x"),
            {0}},
    .options =
        (const struct option_row[]){
            WORD(T, folder, "figures", 'o', "DIR", VALUE_FOLDER,
                 "draws into this folder, made if missing; without it here"),
            WORD(T, name, "name", 0, "NAME", VALUE_TEXT,
                 "of the files; without it METRIC-by-KEY, and the settings of --of"),
            {.name = "kind",
             .value = {.name = "KIND",
                       .kind = VALUE_CHOICE,
                       .choices = PARAM_CHOICES(FIGURE_KINDS),
                       .field = FIELD(T, kind)},
             .doc = "without it lines, bars where the key's values are words, or without a key cdf or time"},
            WORD(T, series, "series", 0, "KEY", VALUE_TEXT,
                 "a curve or bar for each of its values; without it all keys that are left; may be repeated"),
            WORD(T, panels, "panels", 0, "KEY", VALUE_TEXT, "a plot for each of its values; may be repeated"),
            WORD(T, of, "of", 0, "KEY=VALUE", VALUE_TEXT, "only runs with this value; may be repeated"),
            WORD(T, look, "set", 0, "KEY=VALUE", VALUE_TEXT, "a key of the figure block; may be repeated"),
            NUMBER(T, points, "points", 0, "N", 10, 100000, 0, "most points of a curve"),
            FLAG(T, force, "force", 0, "replaces files that heddle did not write, and scripts that were changed"),
            {0}},
    .exits = EXITS_PLAIN,
    .examples =
        (const struct example_row[]){{"plot first.db fct_us.mice.p95 by switch.balance", "bars, one for each balancer"},
                                     {"plot sweep.db slowdown.all.p99 by load --set log=y", "lines against load"},
                                     {"plot first.db slowdown.all --kind ccdf --set band=range", "the tail, with the "
                                                                                                 "range of its seeds"},
                                     {0}},
    .see = "report export",
    .request_size = sizeof(T),
    .run = plot_run,
};
