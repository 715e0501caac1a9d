/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines of the switches and NICs of a lab, and the folder of all labs. */
#ifndef HEDDLE_CMD_LAB_PROGRAM_H
#define HEDDLE_CMD_LAB_PROGRAM_H

#include "cmd/experiment_request.h"
#include "node/config.h"

struct lab_program {
    const struct experiment_request *experiment;
    uint32_t run, threads;
    const char *record, *detect; /* NULL: not given */
};

/* Builds heddle switch FILE --node all with the request's options; ends in NULL. */
char **lab_program_make(const struct lab_program *p);
/* Builds heddle nic FILE with the request's options; ends in NULL. Returns NULL if hosts have no NIC: `choice` is
 * "off"; or it is "auto" (or NULL) and the switches have neither flow control, which Linux does not obey, nor several
 * classes, which would wait behind each other in front of the host's link. */
char **lab_program_nic(const struct lab_program *p, const struct switch_config *switches, const char *choice);
void lab_program_free(char **words); /* NULL is allowed */

/* Writes the path of the folder of all labs. Returns false after filling *d. */
bool labs_folder(char path[512], struct diag *d);

#endif
