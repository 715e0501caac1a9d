/* SPDX-License-Identifier: Apache-2.0 */
/* Part of study/config/config: is every key of a tree known, of its type, in its range and in its place? */
#ifndef HEDDLE_STUDY_CONFIG_CONFIG_CHECK_H
#define HEDDLE_STUDY_CONFIG_CONFIG_CHECK_H

#include "study/config/config.h"

bool tree_check(const struct config_input *in, struct tree_node *root, struct diag *d);
/* Does this key, standing at `path`, matter for what the tree says? */
bool key_applies(const struct config_input *in, const struct key *k, const char *path);
bool value_parse(const struct key *k, const char *path, const char *text, const struct tree_node *at, int64_t *value,
                 struct diag *d);
/* Is it `none` in the sense of "left out"? */
bool text_is_none(const struct key *k, const char *text);

#endif
