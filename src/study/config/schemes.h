/* SPDX-License-Identifier: Apache-2.0 */
/* Named combinations: `scheme: expeditus` is a balancer, a transport and their settings under one name, and
 * `fabric: {preset: altoona}` is a fabric likewise. Keys written in the experiment override single parts.
 */
#ifndef HEDDLE_STUDY_CONFIG_SCHEMES_H
#define HEDDLE_STUDY_CONFIG_SCHEMES_H

#include "base/types.h"

struct scheme_part {
    const char *path, *value; /* as an experiment file would say it */
};

struct scheme {
    const char *name, *paper, *doc;
    struct scheme_part part[24]; /* ends at path NULL */
};

/* What `scheme:` may name. */
const struct scheme *schemes(size_t *n);
/* What `fabric.preset:` may name. */
const struct scheme *fabric_presets(size_t *n);

const struct scheme *scheme_find(const struct scheme *table, size_t n, const char *name);
const char *scheme_value(const struct scheme *s, const char *path); /* NULL: says nothing of it */

#endif
