/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of a lab (live/lab/lab.h) and by nobody else: description.c has what stands in lab.json, lab.c
 * makes and removes what it describes. */
#ifndef HEDDLE_LIVE_LAB_DESCRIPTION_H
#define HEDDLE_LIVE_LAB_DESCRIPTION_H

#include "live/lab/lab.h"

/* False after filling *d. */
bool lab_name_is_fit(const char *name, struct diag *d);
/* Fills the lab's name and the paths of its folder. False after filling *d. */
bool lab_place(struct lab *lab, const char *state, const char *name, struct diag *d);
/* The file of the host's NIC: STATE/LAB/HOST.KIND. Returns path. */
const char *lab_nic_path(const struct lab *lab, uint32_t host, const char *kind, char path[LAB_PATH_MAX]);
/* Fills all but name and paths; lab_free frees it. */
void lab_describe(struct lab *lab, const struct lab_setup *setup);
/* The path of lab.json, to be freed; and its writing: false after filling *d. */
char *lab_description_path(const struct lab *lab);
bool lab_write(const struct lab *lab, struct diag *d);

#endif
