/* SPDX-License-Identifier: Apache-2.0 */
/* The effective configuration of one run: every key that applies, with the value it has.
 *
 * Resolved from a tree of YAML by the table of study/config/schema: what the file says, else what its scheme says, else the
 * default. A flat list in the order of the table, so that its text is the same whatever the order in the file;
 * that text, read again, resolves to the same configuration.
 */
#ifndef HEDDLE_STUDY_CONFIG_CONFIG_H
#define HEDDLE_STUDY_CONFIG_CONFIG_H

#include "study/config/schema.h"
#include "study/config/yaml_doc.h"

struct setting {
    char *path; /* "workload.0.load" */
    const struct key *key;
    char *text;    /* canonical: "500us"; "none" */
    int64_t value; /* KEY_VALUE: in base units */
    bool none;
    bool given;       /* by the file or its scheme, not by default */
    const char *file; /* where: the value, or the block that lacks it */
    int line, col;
};

struct config {
    struct setting *setting;
    size_t n;
    bool force; /* --force: what the machine's memory cannot hold is tried all the same; no part of the text */
};

/* Keys that a sweep changes: another key that applies only to some of their values is not refused for the others. */
struct config_input {
    const struct tree_node *root;
    const char *const *swept;
    size_t n_swept;
};

/* Is every key of the tree known, of its type, in its range and in its place? What is missing is not asked for. Lists
 * of one item written without brackets are wrapped in place. */
bool config_check(struct tree_node *root, const char *const *swept, size_t n_swept, struct diag *d);
/* Checks the tree and fills *c, or fills *d. Lists of one item written without brackets are wrapped in place. */
bool config_resolve(struct tree_node *root, const char *const *swept, size_t n_swept, struct config *c, struct diag *d);
void config_free(struct config *c);

/* NULL if the key does not apply. */
const struct setting *config_find(const struct config *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The value of a key that applies; `otherwise` if it is none or does not apply. */
int64_t config_value(const struct config *c, int64_t otherwise, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The text, NULL if it is none or does not apply. */
const char *config_text(const struct config *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Items of a list: the largest number under `path` plus one. */
size_t config_count(const struct config *c, const char *path);
/* Fails at the place of the setting (or of the block it would be in). */
bool config_fail(const struct config *c, struct diag *d, const char *path, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The whole configuration as an experiment file. The caller frees it. */
char *config_print(const struct config *c);

/* While resolving: what a key is set to, or its default. NULL if neither. */
const char *config_input_text(const struct config_input *in, const char *path);

#endif
