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

/* Whom a scheme is for. A name without a suffix is a paper's primary set; -printed and -literal name readings of the scheme
 * without that suffix. Other suffixes name other designs: a later version, a variant or an environment of the paper. */
enum scheme_use {
    SCHEME_TAKE,    /* the one of its family for a network of one's own */
    SCHEME_COMPARE, /* what that one is compared with */
    SCHEME_FIGURE,  /* a paper's own set or variant, for its figures */
    SCHEME_READING, /* another reading of what a paper leaves open */
};

struct scheme {
    const char *name, *paper, *doc;
    enum scheme_use use;         /* of a preset: SCHEME_TAKE, without meaning */
    struct scheme_part part[24]; /* ends at path NULL */
};

/* Which scheme to take for a question. `heddle list schemes` prints the rows, and docs/guide.md has them as a table. Names of
 * schemes and keys stand in backticks. */
struct scheme_answer {
    const char *question;
    const char *take;
    const char *compare; /* what to compare it with */
};

/* A name that files may still have, and what to write in its place. */
struct former_scheme {
    const char *name, *remedy;
};

/* Returns what an error says of a scheme that has another name now; NULL if the name never was one. */
const char *scheme_remedy(const char *name);
/* Returns the rows that `scheme:` may name. */
const struct scheme *schemes(size_t *n);
/* Returns the rows of the table of questions. */
const struct scheme_answer *scheme_answers(size_t *n);
/* Returns the rows that `fabric.preset:` may name. */
const struct scheme *fabric_presets(size_t *n);

/* Returns "take", "compare", "figure" or "reading". */
const char *scheme_use_word(enum scheme_use use);

const struct scheme *scheme_find(const struct scheme *table, size_t n, const char *name);
const char *scheme_value(const struct scheme *s, const char *path); /* NULL: the scheme does not set it */

#endif
