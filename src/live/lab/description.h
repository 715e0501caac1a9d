/* SPDX-License-Identifier: Apache-2.0 */
/* Private to live/lab: description.c reads and writes lab.json, lab.c makes the lab that it describes. */
#ifndef HEDDLE_LIVE_LAB_DESCRIPTION_H
#define HEDDLE_LIVE_LAB_DESCRIPTION_H

#include "live/lab/lab.h"

#include <jansson.h>

#define RECORD "lab.json"

/* Checks a name. Returns false after filling *d. */
bool lab_name_is_fit(const char *name, struct diag *d);
/* Fills the lab's name and the paths of its folder. Returns false after filling *d. */
bool lab_place(struct lab *lab, const char *state, const char *name, struct diag *d);
/* Writes the path of a file of the host's NIC, STATE/LAB/HOST.KIND. Returns path. */
const char *lab_nic_path(const struct lab *lab, uint32_t host, const char *kind, char path[LAB_PATH_MAX]);
/* Fills everything except name and paths; lab_free frees it. */
void lab_describe(struct lab *lab, const struct lab_setup *setup);
/* Returns the path of lab.json, which the caller frees. */
char *lab_description_path(const struct lab *lab);
/* Returns the nodes as they stand in lab.json and in the status, as a new reference. */
json_t *lab_nodes_json(const struct lab *lab);
bool lab_write(const struct lab *lab, struct diag *d);

#endif
