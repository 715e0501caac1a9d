/* SPDX-License-Identifier: Apache-2.0 */
/* The effective configuration of one run: every key that applies, with its value.
 *
 * config_resolve makes it from a tree of YAML by the table of study/config/schema.h. A value comes from the file, else
 * from its scheme (study/config/own_schemes.h) or fabric preset, else it is the default. The list is flat and in the order of the table, so its text
 * does not depend on the order in the file. That text, read again, resolves to the same settings that act.
 */
#ifndef HEDDLE_STUDY_CONFIG_CONFIG_H
#define HEDDLE_STUDY_CONFIG_CONFIG_H

#include "study/config/schema.h"
#include "study/config/yaml_doc.h"

struct setting {
    char *path; /* "workload.0.load" */
    const struct key *key;
    char *text;       /* canonical form: "500us"; "none" */
    int64_t value;    /* KEY_VALUE: in base units (base/param.h) */
    bool none;        /* the key is left out */
    bool quoted;      /* a host written in quotes: a name, never a number or the word of a choice */
    bool given;       /* by the file, its scheme or preset; false: a default */
    bool counted;     /* a number that stands for the word `used` (study/config/pause_classes.h) */
    const char *file; /* place for errors: the value, or the block that lacks the key */
    int line, col;
};

struct config_index;

struct config {
    struct setting *setting;
    size_t n;
    struct config_index *index; /* of a long list of settings (study/config/config_index.h); NULL: none */
    const char *own_scheme;     /* the scheme of the file's own that it names (tree_intern); NULL: none */
    const char *scheme;         /* the scheme of heddle's that the file names or starts from; NULL: none */
    bool is_live;               /* of a run on real frames (experiment_mark) */
    bool force; /* --force: run even if the estimate exceeds the machine's memory; no part of the text */
};

/* The source of a configuration. A key that does not apply is not refused if the key that decides about it is swept. */
struct config_input {
    const struct tree_node *root;
    const char *const *swept; /* paths of the keys that a sweep changes */
    size_t n_swept;
};

/* Returns whether every key of the tree is known, of its type, in its range and in its place; fills *d if not. Does not
 * look for missing keys. Wraps lists of one item that are written without brackets, in place. */
bool config_check(struct tree_node *root, const char *const *swept, size_t n_swept, struct diag *d);
/* Removes the keys of earlier versions that config_check refuses, for configurations out of a store. */
void moved_keys_remove(struct tree_node *root);
/* Checks the tree as config_check does and fills *c; false after filling *d. config_free frees what *c holds. */
bool config_resolve(struct tree_node *root, const char *const *swept, size_t n_swept, struct config *c, struct diag *d);
void config_free(struct config *c);

/* Returns the setting of a key; NULL if the key does not apply. */
const struct setting *config_find(const struct config *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Returns true if the key is one of the blocks that describe the experiment, or in one: it is no setting of a run. */
bool config_block_is_outside(const char *path);
/* Returns true if a key is no setting of a run: it describes the experiment, or names a scheme or preset whose parts are
 * settings themselves. */
bool config_key_is_outside(const struct key *k);
/* Returns the value of a key; `otherwise` if it is none or does not apply. */
int64_t config_value(const struct config *c, int64_t otherwise, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns the text of a key; NULL if it is none or does not apply. */
const char *config_text(const struct config *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Returns the setting of a key if the file, its scheme or its preset gives it a value; NULL if not, or if it is none. */
const struct setting *config_given(const struct config *c, const char *path);
/* Returns the row of a family's table (struct balancer_ops, ...) that a key names; NULL if it is none or does not apply. */
const void *config_row(const struct config *c, const char *family, const char *path);
/* Fills value[] with the items of a list of numbers, at most `room`. Returns their number, which may be more. */
size_t config_numbers(const struct config *c, const char *list, int64_t *value, size_t room);
/* Returns all items of a list of numbers and sets *n to their number. The caller frees them. */
int64_t *config_list(const struct config *c, const char *list, size_t *n);
/* Returns the number of items of the list `path`: the largest item number plus one. */
size_t config_count(const struct config *c, const char *path);
/* Fills *d with the place of setting `path`, or of the first setting in it if it is a list or block. Returns false. */
bool config_fail(const struct config *c, struct diag *d, const char *path, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Returns the whole configuration as the text of an experiment file. Settings without effect in this run, and settings that
 * take the value of a key beside them, are comments with the reason. The caller frees it. */
char *config_print(const struct config *c);
/* Returns the settings that act (study/config/acts.h) and are not the default of their key, one a line; the first setting of
 * a list item is always there. Runs with equal texts have equal results, as long as no default changes; a key that is added
 * later, with a default that means what was before, leaves all texts as they are. The caller frees it. */
char *config_acting(const struct config *c);

/* Returns the text that a key is set to, or its default; NULL if it has neither. For use while resolving. */
const char *config_input_text(const struct config_input *in, const char *path);
/* True if the file, its scheme or its fabric preset sets the key. For use while resolving. */
bool config_input_given(const struct config_input *in, const char *path);
/* True if `text` is `none` in the sense of "as the key of that path", which is the default of the key (=host.transport). */
bool text_is_default(const struct key *k, const char *text);

#endif
