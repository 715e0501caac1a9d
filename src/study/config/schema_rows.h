/* SPDX-License-Identifier: Apache-2.0 */
/* Macros and structs for the rows of the table of keys. Private to src/study/config/schema_*.c. */
#ifndef HEDDLE_STUDY_CONFIG_SCHEMA_ROWS_H
#define HEDDLE_STUDY_CONFIG_SCHEMA_ROWS_H

#include "study/config/schema.h"

#define MAP(path_, doc_)                                                                                               \
    { .path = (path_), .kind = KEY_MAP, .param.doc = (doc_) }
#define LIST(path_, doc_)                                                                                              \
    { .path = (path_), .kind = KEY_LIST, .param.doc = (doc_) }
#define ANY(path_, doc_)                                                                                               \
    { .path = (path_), .kind = KEY_ANY, .def = "none", .param.doc = (doc_) }
#define TEXT(path_, def_, doc_)                                                                                        \
    { .path = (path_), .kind = KEY_TEXT, .def = (def_), .param.doc = (doc_) }
#define VALUE(path_, type_, def_, min_, max_, doc_)                                                                    \
    {                                                                                                                  \
        .path = (path_), .kind = KEY_VALUE, .param = {.type = (type_), .min = (min_), .max = (max_), .doc = (doc_)},   \
        .def = (def_)                                                                                                  \
    }
#define COUNT(path_, def_, min_, max_, doc_) VALUE(path_, PARAM_COUNT, def_, min_, max_, doc_)
#define TIME(path_, def_, min_, doc_) VALUE(path_, PARAM_TIME, def_, min_, MAX_TIME, doc_)
#define RATE(path_, def_, doc_) VALUE(path_, PARAM_RATE, def_, 1000, MAX_RATE, doc_)
#define CHOICE(path_, def_, choices_, doc_)                                                                            \
    {                                                                                                                  \
        .path = (path_), .kind = KEY_VALUE, .def = (def_), .param = {                                                  \
            .type = PARAM_CHOICE,                                                                                      \
            .choices = (choices_),                                                                                     \
            .doc = (doc_)                                                                                              \
        }                                                                                                              \
    }

#define MAX_TIME (1000 * PS_PER_S)
#define MAX_RATE 100000000000000LL
#define MAX_COUNT 1000000

/* A row of the table as it is written: one key, or the place of keys from other tables. */
struct row {
    struct key key;
    const char *when;           /* "KEY=a|b", or "KEY:FEATURE" (study/config/catalogue.h); NULL: always */
    const char *order;          /* relations to keys beside it (base/param.h); NULL: none */
    const char *names_of;       /* family whose names are the choices of this key */
    const char *keys_of;        /* family whose shared keys are inserted here, beside the key that names a row */
    const char *blocks_of;      /* family whose blocks are inserted here */
    const struct param *params; /* keys that are inserted here, into the block key.path; ends at a row without a name */
    const struct param *const *param_list; /* the same as a list of pointers; ends at NULL */
};

#define KEYS_OF(family_)                                                                                               \
    { .keys_of = (family_) }
#define BLOCKS_OF(family_)                                                                                             \
    { .blocks_of = (family_) }
#define PARAMS(block_, params_)                                                                                        \
    { .key.path = (block_), .params = (params_) }

/* The rows of the `workload` block (schema_workload.c). */
extern const struct row workload_rows[];
extern const size_t n_workload_rows;
/* The rows of the `figure` block (schema_figure.c), the last rows of the table. */
extern const struct row figure_rows[];
extern const size_t n_figure_rows;

/* Add the keys of a family beside the key that names its rows, or the blocks of its rows (schema_families.c). */
void schema_add_keys_of(const char *family);
void schema_add_blocks_of(const char *family);
/* Adds the key of a parameter at BLOCK.NAME (at BLOCK if it has no name), then the keys of a list's items below it.
 * A `when` of the parameter's own goes before `when`. */
void schema_add_param(const char *block, const struct param *p, const char *when);
/* Returns `when` with a feature written out: "host.transport:credits" as "host.transport=expresspass|spraypass". */
const char *schema_when(const char *when, const char *path);
/* Appends a key to the table and returns it, valid until the next call (schema_keys.c). */
struct key *schema_add(struct key k);

#endif
