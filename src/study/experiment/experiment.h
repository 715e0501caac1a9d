/* SPDX-License-Identifier: Apache-2.0 */
/* An experiment file, with a profile and the command line laid over it, as the list of runs it means.
 *
 * Runs are the cartesian product of the sweep's axes, the last key fastest. Each has its effective configuration and an
 * identity: the SHA-256 of that configuration, of the contents of the files it names, and of the version of what
 * produces results. Two runs of one identity have the same result, wherever and whenever.
 */
#ifndef HEDDLE_STUDY_EXPERIMENT_EXPERIMENT_H
#define HEDDLE_STUDY_EXPERIMENT_EXPERIMENT_H

#include "study/config/config.h"
#include "study/experiment/sha256.h"

#include <jansson.h>

/* Raise it with every change that alters any result: stored runs of another version are run again. */
#define RESULT_VERSION 3
#define MAX_RUNS 100000

struct axis {
    char *key;              /* "switch.balance" */
    struct tree_node *list; /* its values */
};

struct planned_run {
    uint32_t number;  /* from 1 */
    json_t *settings; /* swept keys and run.seed */
    struct config config;
    char *text; /* the effective configuration */
    char identity[SHA256_TEXT];
};

struct experiment {
    char *file, *base_dir;
    char *stem;    /* file name without folder and extension */
    char *name;    /* in the store: the stem, with @profile */
    char *profile; /* NULL = none */
    json_t *set;   /* what --set said, in its order: ["KEY=VALUE", ...] */
    char *title;
    struct tree_node *root; /* profile and --set applied; sweep and profiles removed */
    struct axis *axis;
    size_t n_axes;
    struct planned_run *run;
    size_t n_runs;
    bool as_written; /* without profile and --set */
};

struct experiment_options {
    const char *profile;    /* NULL = none */
    const char *const *set; /* "KEY=VALUE" */
    size_t n_set;
    bool no_files; /* read no other file (fuzzing) */
    bool force;    /* becomes that of every run's configuration */
};

/* NULL after filling *d. */
struct experiment *experiment_read(const char *path, const struct experiment_options *o, struct diag *d);
/* The same from memory; `path` is named in errors and is where relative paths start. */
struct experiment *experiment_parse(const char *text, size_t size, const char *path, const struct experiment_options *o,
                                    struct diag *d);
void experiment_free(struct experiment *e);

/* A value of the key `path` as --json says it: numbers as numbers, fractions too, names and quantities as text. NULL
 * after filling *d. */
json_t *setting_json(const char *path, const struct tree_node *value, struct diag *d);

#endif
