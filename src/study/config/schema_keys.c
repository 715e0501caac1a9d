/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "base/units.h"
#include "fabric/fabric.h"
#include "mech/flowctl/flowctl.h"
#include "node/config.h"
#include "study/config/catalogue.h"
#include "study/config/measure_keys.h"
#include "study/config/needs.h"
#include "study/config/schema.h"
#include "study/config/schema_rows.h"

#include <stdlib.h>
#include <string.h>

static const struct row rows[] = {
    {.key = TEXT("title", "none", "what the experiment is about")},
    {.key = MAP("base", "an experiment file that this one changes: FILE, or {file: FILE, expect: true, figure: true}")},
    {.key = TEXT("base.file", NULL, "its path, relative to this file; it may have a base itself")},
    {.key = VALUE("base.expect", PARAM_BOOL, "false", 0, 1, "its claims are inherited")},
    {.key = VALUE("base.figure", PARAM_BOOL, "false", 0, 1, "its figures are inherited")},
    {.key = TEXT("scheme", "none",
                 "a named combination of mechanisms (`heddle list schemes`, or of `schemes`); the blocks below "
                 "override parts")},
    {.key =
         MAP("schemes",
             "NAME: {scheme: .., switch: {..}, host: {..}}: schemes of this file; `scheme` is the one to start from")},

    {.key = MAP("fabric", "the topology")},
    {.key = TEXT("fabric.preset", "none", "a named fabric (`heddle list presets`); the keys below override parts")},
    {.key = CHOICE("fabric.kind", NULL, NULL, "its kind"), .names_of = "fabrics"},
    KEYS_OF("fabrics"),
    PARAMS("fabric", fabric_change_keys),

    {.key = MAP("host", "the end systems; the parameters of the transport may stand here or in a block of its name")},
    {.key = CHOICE("host.transport", "newreno", NULL, "transport of flows (`heddle list transports`)"),
     .names_of = "transports"},
    PARAMS("host", host_keys),
    BLOCKS_OF("transports"),

    {.key = MAP("switch", "the switches; the parameters of a balancer stand in a block of its name")},
    {.key = CHOICE("switch.balance", "ecmp", NULL, "choice among equal-cost next hops (`heddle list balance`)"),
     .names_of = "balance"},
    {.key = CHOICE("switch.admit", "droptail", NULL,
                   "admission of frames to a port: until it is full; with marks above a threshold of its queue, or of "
                   "a phantom queue"),
     .names_of = "admit"},
    KEYS_OF("admit"),
    {.key = CHOICE("switch.schedule", "fifo", NULL, "order in which classes leave a port"), .names_of = "schedule"},
    PARAMS("switch", class_keys),
    KEYS_OF("schedule"),
    PARAMS("switch", credit_keys),
    PARAMS("switch", port_keys),
    {.key = CHOICE("switch.crossbar", "output-queued", NULL, "path of frames from ingress to egress"),
     .names_of = "crossbar"},
    BLOCKS_OF("crossbar"),
    {.key = CHOICE("switch.flowctl", "none", NULL, "flow control between neighbours (`heddle list flowctl`)"),
     .names_of = "flowctl"},
    KEYS_OF("flowctl"),
    {.key = MAP("switch.pfc_watchdog", "ends the obedience to a neighbour that pauses a class without end")},
    PARAMS("switch.pfc_watchdog", watchdog_keys),
    PARAMS("switch", switch_keys),
    BLOCKS_OF("balance"),

    {.key = MAP("run", "one run")},
    PARAMS("run", run_keys),

    {.key = MAP("measure", "measurements; no key here changes a result of the simulation")},
    PARAMS("measure", measure_keys),
    {.key = MAP("measure.convergence", "time from a join of flows until all have their share")},
    PARAMS("measure.convergence", convergence_keys),
    PARAMS("measure", capture_keys),

    {.key = MAP("lab", "how `heddle lab up` makes the network; it has no part in what a run does")},
    {.key = CHOICE("lab.tool", "auto", "auto|podman|docker",
                   "the program that runs containers; auto: podman if it is there, else docker")},
    {.key = LIST("lab.hosts", "hosts that are containers; other hosts have the files of this machine")},
    {.key = TEXT("lab.hosts.#.match", NULL, "names of hosts, with * and ?; the last item that matches counts")},
    {.key = TEXT("lab.hosts.#.image", NULL, "the image of their containers, which is on this machine: none is pulled")},

    {.key = MAP("sweep", "KEY: [values], or KEY: {NAME: block}; every combination is a run, the last key fastest")},
    {.key = MAP("profiles", "NAME: {keys}; laid over the experiment by --profile NAME")},
    {.key =
         MAP("table", "the table of results, of the run, its report and its page; it has no part in what a run does")},
    {.key =
         LIST("table.columns", "metrics that are its columns; without it the metrics that matter for these results")},
    {.key = TEXT("table.columns.#", NULL, "a path of the --json object: fct_us.all.p99")},
    {.key = TEXT("table.baseline", "none",
                 "the row that others are compared with: its name, or its number from 1 on; "
                 "none: the first of each group")},
    {.key = LIST("expect", "claims about the results")},
    {.key = TEXT("expect.#.claim", NULL, "its name, printed with the outcome")},
    {.key = ANY("expect.#.metric", "a path of the --json object: fct_us.mice.p95; a list: a claim for each")},
    {.key = ANY("expect.#.rows", "[{...}, ...]: a claim for each, with these keys laid over those of the block")},
    {.key = ANY("expect.#.table", "{unit, within, columns: {KEY: [values]}, rows: {KEY: {VALUE: [numbers]}}}: a claim "
                                  "for each number, in place of value and paper")},
    {.key = ANY("expect.#.of", "{KEY: value}: the runs that are measured; all by default")},
    {.key = ANY("expect.#.against", "{KEY: value}: the runs they are compared with; what it leaves out is as in `of`")},
    {.key = ANY(
         "expect.#.than",
         "{KEY: value}: the figure is compared with the same one there: figure less figure there, or a share of it")},
    {.key = ANY("expect.#.each",
                "a swept key (or several, or {KEY: [values]}): one outcome for each value; against.KEY: of `against`")},
    {.key = ANY("expect.#.except", "values that `each` leaves out: VALUE, [VALUES] or {KEY: [VALUES]}")},
    {.key =
         ANY("expect.#.best", "as `each`, but one outcome for all values: that of the best, for claims of \"up to\"")},
    {.key = ANY("expect.#.change", "[low, high] of (of - against) / against; null leaves an end open")},
    {.key = ANY("expect.#.value", "[low, high] of the metric")},
    {.key = ANY("expect.#.ratio", "[low, high] of of / against")},
    {.key = ANY("expect.#.difference", "[low, high] of of - against")},
    {.key =
         ANY("expect.#.share", "[low, high] of of - against over the same at `than`: of a gain, what a part brings")},
    {.key =
         VALUE("expect.#.every", PARAM_BOOL, "false", 0, 1, "each run must lie in the range; needs no standard error")},
    {.key = VALUE("expect.#.transient", PARAM_BOOL, "false", 0, 1,
                  "the figure is one of a transient: it is judged on its seeds, also if runs had not settled")},
    {.key = TEXT("expect.#.roughly", "none",
                 "why the range is wider than the paper's number: the verdict is at best 'roughly'")},
    {.key = TEXT("expect.#.inferred", "none",
                 "which choice was inferred from this claim: it then holds at most with its set inferred")},
    {.key = TEXT("expect.#.paper", "none", "what the paper says")},
    {.key = LIST("expect.#.known", "verdicts other than 'holds' and what was measured, in a file without a record")},
    {.key = CHOICE("expect.#.known.#.holds", NULL, "true|roughly|false|undecided|unmeasured", "the verdict here")},
    {.key = ANY("expect.#.known.#.measured", "[low, high] that was measured")},
    {.key = TEXT("expect.#.known.#.note", "none", "why")},
    {.key = TEXT("expect.#.known.#.profile", "none", "for runs of this profile only; full: without a profile")},
    {.key = ANY("expect.#.known.#.where", "{KEY: value}: for this part of `each` only")},
    {.key = CHOICE("expect.#.known.#.world", "none", "none|live|simulated",
                   "for runs on real frames (`heddle lab run`) only, or for simulated ones only")},
};

/* ---- the whole table ---- */

static struct key *keys;
static size_t n_keys;

struct key *schema_add(struct key k) {
    keys = memory_grow(keys, n_keys + 1, sizeof *keys);
    keys[n_keys] = k;
    return &keys[n_keys++];
}

/* Adds a key whose choices are the names of a family. */
static void choice_add(const struct row *r) {
    struct key *k = schema_add(r->key);
    k->when = schema_when(r->when, r->key.path);
    k->param.choices = catalogue_names(r->names_of, NULL);
}

static void row_add(const struct row *r) {
    const char *path = r->key.path;
    if (r->keys_of) {
        schema_add_keys_of(r->keys_of);
    } else if (r->blocks_of) {
        schema_add_blocks_of(r->blocks_of);
    } else if (r->names_of) {
        choice_add(r);
    } else if (r->params || r->param_list) {
        for (const struct param *p = r->params; p && p->name; p++) schema_add_param(path, p, NULL);
        for (const struct param *const *p = r->param_list; p && *p; p++) schema_add_param(path, *p, NULL);
    } else {
        struct key *k = schema_add(r->key);
        k->when = schema_when(r->when, path);
        k->param.order = r->order;
    }
}

/* Returns whether a key beside `k` takes its value by default. */
static bool is_lent(const struct key *k) {
    size_t parent = strlen(k->path) - strlen(key_name(k));
    for (size_t i = 0; i < n_keys; i++) {
        const struct key *heir = &keys[i];
        bool beside = strncmp(heir->path, k->path, parent) == 0 && !strchr(heir->path + parent, '.');
        if (beside && heir->def && heir->def[0] == '=' && strcmp(heir->def + 1, key_name(k)) == 0) return true;
    }
    return false;
}

/* Builds the table. The keys of `workload` stand before those of `run`. */
static void keys_build(void) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool is_run = !rows[i].params && rows[i].key.path && strcmp(rows[i].key.path, "run") == 0;
        for (size_t k = 0; is_run && k < n_workload_rows; k++) row_add(&workload_rows[k]);
        row_add(&rows[i]);
    }
    for (size_t i = 0; i < n_figure_rows; i++) row_add(&figure_rows[i]);
    for (size_t i = 0; i < n_keys; i++) {
        keys[i].needed = is_needed(keys[i].path);
        keys[i].lends = is_lent(&keys[i]);
    }
}

const struct key *schema_keys(size_t *n) {
    if (!keys) keys_build();
    *n = n_keys;
    return keys;
}

/* True if the parts of `path` fit the pattern. A # of the pattern takes a number, a # or nothing. */
static bool path_fits(const char *pattern, const char *path) {
    while (*pattern) {
        if (*pattern != '#' && *pattern != *path) return false;
        size_t length = strcspn(path, "."), wanted = strcspn(pattern, ".");
        bool is_item = wanted == 1 && *pattern == '#';
        if (is_item && *path == '#' && length == 1) is_item = false;
        bool number = length > 0 && strspn(path, "0123456789") == length;
        if (is_item ? number : length == wanted && memcmp(pattern, path, length) == 0) {
            path += length + (path[length] == '.');
        } else if (!is_item) {
            return false;
        }
        pattern += wanted + (pattern[wanted] == '.');
    }
    return *path == '\0';
}

const struct key *schema_find(const char *path) {
    size_t n;
    const struct key *k = schema_keys(&n);
    for (size_t i = 0; i < n; i++) {
        if (path_fits(k[i].path, path)) return &k[i];
    }
    return NULL;
}

const char *key_name(const struct key *k) {
    const char *dot = strrchr(k->path, '.');
    return dot ? dot + 1 : k->path;
}

bool key_is_child(const struct key *k, const char *parent) {
    size_t length = strlen(parent);
    const char *rest = k->path;
    if (length) {
        if (strncmp(k->path, parent, length) != 0 || k->path[length] != '.') return false;
        rest += length + 1;
    }
    return strchr(rest, '.') == NULL;
}

const char *path_join(char out[KEY_PATH_MAX], const char *parent, const char *name) {
    size_t used = 0;
    const char *const part[] = {parent, parent[0] ? "." : "", name};
    for (size_t i = 0; i < 3; i++) {
        for (const char *c = part[i]; *c && used + 1 < KEY_PATH_MAX; c++) out[used++] = *c;
    }
    out[used] = '\0';
    return out;
}

const char *path_item(char out[KEY_PATH_MAX], const char *list, size_t index) {
    char number[24];
    snprintf(number, sizeof number, "%zu", index);
    return path_join(out, list, number);
}
