/* SPDX-License-Identifier: Apache-2.0 */
/* The table of all keys of an experiment file. The reader checks files by it, `heddle check` prints configurations in
 * its order, and docs/keys.md is generated from it.
 *
 * A row holds a path ("workload.#.load"; # stands for an item of a list), the kind of value, the default as a file
 * would write it, and when the key applies. Keys of mechanisms, topologies, kinds of workloads, hosts and ports stand
 * in their own tables; schema_keys.c says where they are inserted.
 */
#ifndef HEDDLE_STUDY_CONFIG_SCHEMA_H
#define HEDDLE_STUDY_CONFIG_SCHEMA_H

#include "base/param.h"

#include <stdio.h>

enum key_kind {
    KEY_VALUE, /* a quantity, a choice or a truth value: see `param` */
    KEY_TEXT,  /* a name or a path */
    KEY_FILE,  /* a path, relative to the experiment file; its content is part of a run's identity */
    KEY_SIZES, /* a named distribution, a size, or a CDF file (as KEY_FILE then) */
    KEY_MAP,
    KEY_LIST, /* items by the row "path.#" or the rows "path.#.x"; one item may stand without brackets */
    KEY_ANY,  /* not checked here: sweep values, ranges; their readers check them */
};

struct key {
    const char *path;
    enum key_kind kind;
    struct param param;  /* KEY_VALUE: type, min, max, choices; `doc` for all kinds; `def` is not used */
    const char *def;     /* "none": may be left out or written none; "=key": the value of that sibling, or of the key of
                            that path; NULL: must be given, or has no value of its own (maps, lists) */
    const char *when;    /* "KEY=a|b": applies only while KEY is a or b; KEY without a dot is a sibling. NULL: always */
    bool optional_block; /* a mechanism's block or a key in it: ignored, not refused, while it does not apply */
    bool lends;          /* a key beside it takes its value by default ("=NAME") */
    bool needed;         /* some row of the catalogue brings a default for this key (study/config/needs.h) */
};

/* Returns the table: parents before children, in the order in which the effective configuration is printed. */
const struct key *schema_keys(size_t *n);
/* Returns the row for "workload.0.load" or for the pattern itself; NULL if there is none. The number of a list item
 * may be left out: "workload.load". */
const struct key *schema_find(const char *path);
/* Returns the key for a declared parameter at `path`. Both texts must outlive the key; `when` is as in struct key. */
struct key schema_param_key(const char *path, const struct param *p, const char *when);
/* Returns the last part of the key's path. */
const char *key_name(const struct key *k);
/* True if the key is an immediate child of the pattern `parent` ("" = the root). */
bool key_is_child(const struct key *k, const char *parent);

/* Write `parent` and one more part into `out` and return it. A path longer than any known one is cut. */
#define KEY_PATH_MAX 256
const char *path_join(char out[KEY_PATH_MAX], const char *parent, const char *name);
const char *path_item(char out[KEY_PATH_MAX], const char *list, size_t index);

/* Markdown: all keys, names and counters. A key or counter that several rows of a family share stands once. */
void schema_print_docs(FILE *out);
/* Markdown: the table of questions that schemes answer (scheme_answers). */
void schema_print_schemes(FILE *out);
/* JSON Schema (2020-12) of experiment files, for editors: names, choices, units and the form of values. Ranges of
 * quantities with units, keys that are missing, and keys that do not apply are left to `heddle check`. */
void schema_print_json(FILE *out);

#endif
