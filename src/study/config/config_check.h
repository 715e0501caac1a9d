/* SPDX-License-Identifier: Apache-2.0 */
/* Part of study/config/config: checks that every key of a tree is known, of its type, in its range and in its place. */
#ifndef HEDDLE_STUDY_CONFIG_CONFIG_CHECK_H
#define HEDDLE_STUDY_CONFIG_CONFIG_CHECK_H

#include "study/config/config.h"

/* Returns true if all keys are; fills *d if not. Wraps lists of one item that are written without brackets. */
bool tree_check(const struct config_input *in, struct tree_node *root, struct diag *d);
/* Does the same for one block of the table ("switch", "figure.#"), whose other keys are those of `in`; errors call it `path`. */
bool block_check(const struct config_input *in, struct tree_node *block, const char *pattern, const char *path,
                 struct diag *d);
/* True if key `k` at `path` applies: the key that decides about it (`when`) has one of the wanted values. */
bool key_applies(const struct config_input *in, const struct key *k, const char *path);
/* Parses `text` into *value, in base units (0 unless KEY_VALUE); false after filling *d with the place of `at`. */
bool value_parse(const struct key *k, const char *path, const char *text, const struct tree_node *at, int64_t *value,
                 struct diag *d);
/* True if `text` is `none` in the sense of "left out", not one of the key's choices. */
bool text_is_none(const struct key *k, const char *text);

#endif
