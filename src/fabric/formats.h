/* SPDX-License-Identifier: Apache-2.0 */
/* The formats of files that hold a fabric: a row and a file each (format_NAME.c, with its reader and its writer).
 *
 * To add one, write a .c file that ends in its table, and add a row to FABRIC_FORMATS. `fabric.format`, `heddle
 * convert` and their documents take it from there; tests/fabric/test_formats.c writes every fabric in it and reads it
 * back.
 *
 * Reading what was written gives the same fabric: names, tiers, numbers of nodes and ports, rates, delays and losses
 * are equal, and so is the result of every run. Failures are no part of it: they are keys of the experiment, and the
 * names of links in them stay as they are.
 */
#ifndef HEDDLE_FABRIC_FORMATS_H
#define HEDDLE_FABRIC_FORMATS_H

#include "fabric/file_lists.h"

#include <stdio.h>

#define FABRIC_FORMATS(ROW)                                                                                            \
    ROW(topology, "topology")                                                                                          \
    ROW(graphml, "graphml")                                                                                            \
    ROW(containerlab, "containerlab")                                                                                  \
    ROW(hpcc, "hpcc")                                                                                                  \
    ROW(htsim, "htsim")

struct fabric_format {
    const char *doc;
    /* Fills *lists from a text, which errors call `path`. Returns false after filling *d. The caller frees the lists in
     * both cases. */
    bool (*read)(const char *path, const char *text, size_t size, struct file_lists *lists, struct diag *d);
    /* Writes a fabric. Returns false after filling *d if the format cannot hold it. */
    bool (*write)(const struct fabric *f, FILE *out, struct diag *d);
    /* Returns whether a text is probably in this format; NULL: it cannot be told. */
    bool (*looks)(const char *text, size_t size);
};

#define FABRIC_FORMAT_DECLARE(id, name) extern const struct fabric_format format_##id;
FABRIC_FORMATS(FABRIC_FORMAT_DECLARE)
#undef FABRIC_FORMAT_DECLARE

#define FABRIC_FORMAT_ENUM(id, name) FORMAT_##id,
enum { FABRIC_FORMATS(FABRIC_FORMAT_ENUM) FORMAT_COUNT };
#undef FABRIC_FORMAT_ENUM

/* Returns the format of this number and sets *name. */
const struct fabric_format *fabric_format(uint32_t number, const char **name);
/* Returns the number of the format of this name, or FORMAT_COUNT. */
uint32_t fabric_format_find(const char *name);
/* Returns the number of the first format that a text looks like, or FORMAT_COUNT. */
uint32_t fabric_format_of(const char *text, size_t size);

/* ---- for writers ---- */

#define FORMAT_TEXT_MAX 64

/* A link as files write it, lower end first. Links come in the order of their numbers, which decides the order of
 * ports. */
struct format_link {
    char a[FABRIC_NODE_NAME_MAX], b[FABRIC_NODE_NAME_MAX];
    uint16_t a_port, b_port;
    char rate[FORMAT_TEXT_MAX], delay[FORMAT_TEXT_MAX], loss[FORMAT_TEXT_MAX]; /* loss "": none */
};
uint32_t format_links(const struct fabric *f);
void format_link(const struct fabric *f, uint32_t link, struct format_link *l);
/* Returns the word for a tier that all formats use: host, leaf, agg, core. */
const char *format_tier(uint8_t tier);
/* Writes a text as a YAML scalar: plain if that is safe, else in double quotes. */
void format_yaml(FILE *out, const char *text);
/* Returns whether a line of the text begins with `key` and a colon: a key at the top of a YAML file. */
bool format_has_key(const char *text, size_t size, const char *key);

/* ---- for formats that have numbers in place of names (format_names.c) ---- */

/* Writes a comment line for each node: its number, name and tier. */
void format_names_write(const struct fabric *f, FILE *out);
/* Adds n nodes as such lines name them, wherever they stand in the text. Without any it sets *any to false and adds none.
 * Returns false after filling *d: a line of them is malformed or missing. */
bool format_names_read(const char *path, const char *text, size_t size, uint32_t n, struct file_lists *lists, bool *any,
                       struct diag *d);

#endif
