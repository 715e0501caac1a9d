/* SPDX-License-Identifier: Apache-2.0 */
/* A lab as text on standard output. */
#ifndef HEDDLE_CMD_LAB_PRINT_H
#define HEDDLE_CMD_LAB_PRINT_H

#include "live/lab/lab.h"

#include <jansson.h>

/* Prints what the lab has, and the commands with which to go on. */
void lab_print(const struct lab *lab);
/* Prints where each node is: its address, the namespace of its programs, and the image of a container. */
void lab_print_nodes(const struct lab *lab);
/* Prints the `links` of live/lab/lab_status.h. */
void lab_print_links(const json_t *links);
/* Prints a line with the frames that `switches` dropped apart from links, if there are any: TTL expired, or no route. */
void lab_print_strays(const json_t *switches);

#endif
