/* SPDX-License-Identifier: Apache-2.0 */
/* Every key of an experiment file, in one table: the reader checks by it, `heddle check` prints from it, the guide is
 * made of it.
 *
 * A row is a path ("workload.#.load"; # stands for an item of a list), what its value is, its default as one would
 * write it, and when it applies. What belongs to a mechanism, a topology, a kind of workload, a host or a port stands
 * in their tables, and is put in where schema_keys.c says.
 */
#ifndef HEDDLE_STUDY_CONFIG_SCHEMA_H
#define HEDDLE_STUDY_CONFIG_SCHEMA_H

#include "base/param.h"

#include <stdio.h>

enum key_kind {
    KEY_VALUE, /* a quantity, a choice or a truth value: see `param` */
    KEY_TEXT,  /* a name or a path */
    KEY_FILE,  /* a path, relative to the experiment file; its content is part of a run's identity */
    KEY_SIZES, /* a named distribution, a size, or a CDF file (KEY_FILE then) */
    KEY_MAP,
    KEY_LIST, /* of what the row "path.#" or the rows "path.#.x" say; one item may stand without the list */
    KEY_ANY,  /* read by others: sweep values, ranges */
};

struct key {
    const char *path;
    enum key_kind kind;
    struct param param;  /* KEY_VALUE: type, min, max, choices; doc for all; def is not used */
    const char *def;     /* "none": may be left out, or written none; "=key": the value of that sibling; NULL: must be
                            given,     or has no value of its own (maps, lists) */
    const char *when;    /* "KEY=a|b": applies then only; KEY without a dot is a sibling. NULL: always */
    bool optional_block; /* ignored, not refused, when it does not apply: the parameters of another mechanism */
    bool needed;         /* by some row, which brings a default of its own along (study/config/needs.h) */
};

/* The table, parents before children, in the order in which the effective configuration is printed. */
const struct key *schema_keys(size_t *n);
/* The row for "workload.0.load" or for the pattern itself; NULL if there is none. A list of one item may be named
 * without its number. */
const struct key *schema_find(const char *path);
/* The key that a declared parameter makes at `path`, which must last; `when`: NULL, or in full as in struct key. */
struct key schema_param_key(const char *path, const struct param *p, const char *when);
/* The last part of a path. */
const char *key_name(const struct key *k);
/* Is `path` an immediate child of the pattern `parent` ("" = the root)? */
bool key_is_child(const struct key *k, const char *parent);

/* A path and one part more; what is longer than any known path is cut. */
#define KEY_PATH_MAX 256
const char *path_join(char out[KEY_PATH_MAX], const char *parent, const char *name);
const char *path_item(char out[KEY_PATH_MAX], const char *list, size_t index);

/* Markdown: all keys, mechanisms with their parameters and counters, schemes. */
void schema_print_docs(FILE *out);
/* JSON Schema (2020-12) of experiment files, for editors: names, choices, units and the form of values. Ranges of
 * quantities with units, keys that are missing, and keys that do not apply are left to `heddle check`. */
void schema_print_json(FILE *out);

#endif
