/* SPDX-License-Identifier: Apache-2.0 */
/* Named combinations of keys. `scheme: expeditus` stands for a balancer, a transport and their settings;
 * `fabric: {preset: altoona}` stands for a fabric. Keys in the experiment override single parts.
 */
#ifndef HEDDLE_STUDY_CONFIG_SCHEMES_H
#define HEDDLE_STUDY_CONFIG_SCHEMES_H

#include "base/types.h"

struct scheme_part {
    const char *path, *value; /* as an experiment file would write them */
};

struct scheme {
    const char *name, *paper, *doc;
    struct scheme_part part[24]; /* ends at path NULL */
};

/* A name that files may still have, and what to write in its place. */
struct former_scheme {
    const char *name, *remedy;
};

/* Returns what an error says of a scheme that has another name now; NULL if the name never was one. */
const char *scheme_remedy(const char *name);
/* Returns the rows that `scheme:` may name. */
const struct scheme *schemes(size_t *n);
/* Returns the rows that `fabric.preset:` may name. */
const struct scheme *fabric_presets(size_t *n);

const struct scheme *scheme_find(const struct scheme *table, size_t n, const char *name);
const char *scheme_value(const struct scheme *s, const char *path); /* NULL: the scheme does not set it */

#endif
