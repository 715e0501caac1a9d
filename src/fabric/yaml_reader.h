/* SPDX-License-Identifier: Apache-2.0 */
/* A YAML document with places of its values, for the formats of fabric files that are YAML. */
#ifndef HEDDLE_FABRIC_YAML_READER_H
#define HEDDLE_FABRIC_YAML_READER_H

#include "fabric/file_lists.h"

#include <yaml.h>

struct yaml_reader {
    const char *path;
    yaml_document_t document;
    struct diag *d;
};

/* Parses the text. Returns false after filling *d; yaml_reader_close frees the document only after true. */
bool yaml_reader_open(struct yaml_reader *r, const char *path, const char *text, size_t size, struct diag *d);
void yaml_reader_close(struct yaml_reader *r);

struct file_place yaml_place(const struct yaml_reader *r, const yaml_node_t *at);
/* Fills the diag with an error at a node of the document; returns false. */
bool yaml_fail(const struct yaml_reader *r, const yaml_node_t *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns the text of a scalar; NULL if the node is none, is no scalar, or holds a zero byte. */
const char *yaml_scalar(const yaml_node_t *n);
/* Returns the value of a key of a map; NULL if there is none, or `map` is NULL or no map. */
yaml_node_t *yaml_get(struct yaml_reader *r, const yaml_node_t *map, const char *key);
/* Returns the number of items of a list, or of pairs of a map; 0 for NULL and scalars. */
uint32_t yaml_count(const yaml_node_t *n);
yaml_node_t *yaml_item(struct yaml_reader *r, const yaml_node_t *list, uint32_t i);

#endif
