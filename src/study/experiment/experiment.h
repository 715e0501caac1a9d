/* SPDX-License-Identifier: Apache-2.0 */
/* An experiment file, merged with its bases, a profile and the command line, as a list of runs.
 *
 * Runs are the cartesian product of the sweep's axes, the last key fastest. Each has its effective configuration and an
 * identity: the SHA-256 of the settings that act in it (study/config/acts.h) and differ from their defaults, of the contents
 * of the files it names, of RESULT_VERSION and of corrections since. Two runs of one identity have the same result, on every
 * machine and at any time. So a new key leaves stored runs and records valid, and a default changes only together with
 * RESULT_VERSION (tests/study/config/defaults.txt has them all).
 */
#ifndef HEDDLE_STUDY_EXPERIMENT_EXPERIMENT_H
#define HEDDLE_STUDY_EXPERIMENT_EXPERIMENT_H

#include "study/config/config.h"
#include "study/experiment/sha256.h"

#include <jansson.h>

/* Must be raised with every change that alters results: stored runs of another version are run again. A change that alters
 * few runs may give them a line in experiment.c (corrections_add) instead. */
#define RESULT_VERSION 5
#define MAX_RUNS 100000

#define AXES_MAX 64 /* of a sweep */
struct axis {
    char *key;               /* "switch.balance" */
    struct tree_node *list;  /* values, a TREE_LIST */
    struct tree_node *names; /* their names, a TREE_LIST of scalars; NULL: the values have none */
};

struct planned_run {
    uint32_t number;  /* from 1 */
    json_t *settings; /* swept keys and run.seed */
    struct config config;
    char *text; /* the effective configuration, printed */
    char identity[SHA256_TEXT];
    char asked[SHA256_TEXT]; /* as identity, but of no seed, result version and corrections: what is asked of the run */
};

struct experiment {
    char *file, *base_dir; /* base_dir: folder of the file, "" if the path has none */
    char *stem;            /* file name without folder and extension */
    char *name;            /* name in the store: STEM or STEM@PROFILE */
    char *profile;         /* NULL = none */
    json_t *set;           /* arguments of --set in their order: ["KEY=VALUE", ...] */
    char *title;
    struct tree_node *root; /* bases, profile and --set applied; base, sweep and profiles removed */
    struct axis *axis;
    size_t n_axes;
    struct planned_run *run;
    size_t n_runs;
    bool has_base;   /* the file names a base (study/experiment/base_file.h) */
    bool as_written; /* neither a profile nor --set changed the file */
    bool is_live;    /* its runs are on real frames (experiment_mark_live) */
};

struct experiment_options {
    const char *profile;    /* NULL = none */
    const char *const *set; /* "KEY=VALUE" */
    size_t n_set;
    bool no_files;  /* true: read no other file (fuzzing) */
    bool is_stored; /* the text comes out of a store: keys of earlier versions are left out, not refused */
    bool force;     /* copied to the configuration of every run */
};

/* Makes every run one on real frames, of an identity of its own: `word` joins its configuration, as a comment. */
void experiment_mark_live(struct experiment *e, const char *word);

/* Reads the file with its bases and plans its runs; NULL after filling *d. experiment_free frees it. */
struct experiment *experiment_read(const char *path, const struct experiment_options *o, struct diag *d);
/* Reads an experiment from memory, as experiment_read does. Errors name `path`; relative paths start in its folder. */
struct experiment *experiment_parse(const char *text, size_t size, const char *path, const struct experiment_options *o,
                                    struct diag *d);
void experiment_free(struct experiment *e);

/* Returns whether `file`, the place of a node or of an error, is a base of the experiment. */
bool experiment_inherits(const struct experiment *e, const char *file);

/* Writes the SHA-256 of what is asked of all runs, whatever their order, seeds and number for one question. */
void experiment_asked(const struct experiment *e, char hex[SHA256_TEXT]);

/* Returns value `i` of an axis as settings have it: its name, else as setting_json. A new reference; NULL after filling *d. */
json_t *axis_setting(const struct axis *a, size_t i, struct diag *d);
/* Returns a value of the key `path` as --json prints it: numbers and fractions as numbers, names and quantities as
 * text. A new reference; NULL after filling *d. */
json_t *setting_json(const char *path, const struct tree_node *value, struct diag *d);

#endif
