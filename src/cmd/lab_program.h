/* SPDX-License-Identifier: Apache-2.0 */
/* The command lines of the switches and NICs of a lab, and where labs are. */
#ifndef HEDDLE_CMD_LAB_PROGRAM_H
#define HEDDLE_CMD_LAB_PROGRAM_H

#include "cmd/experiment_request.h"
#include "node/config.h"

struct lab_program {
    const struct experiment_request *experiment;
    uint32_t run, threads;
    const char *record, *detect; /* NULL: not given */
};

/* heddle switch FILE --node all and what else of the request holds for it; ends in NULL. */
char **lab_program_make(const struct lab_program *p);
/* heddle nic FILE and what else of the request holds for it; ends in NULL. Returns NULL if hosts have no NIC: `choice` is
 * "off", or "auto" (or NULL) and the switches have no flow control, which is what Linux does not obey. */
char **lab_program_nic(const struct lab_program *p, const struct switch_config *switches, const char *choice);
void lab_program_free(char **words); /* NULL is fine */

/* The folder of all labs. False after filling *d. */
bool labs_folder(char path[512], struct diag *d);

#endif
