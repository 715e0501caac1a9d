/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of the switches of a lab, and where labs are. */
#ifndef HEDDLE_CMD_LAB_PROGRAM_H
#define HEDDLE_CMD_LAB_PROGRAM_H

#include "cmd/experiment_request.h"

struct lab_program {
    const struct experiment_request *experiment;
    uint32_t run, threads;
    const char *record, *detect; /* NULL: not given */
};

/* heddle switch FILE --node all and what else of the request holds for it; ends in NULL. */
char **lab_program_make(const struct lab_program *p);
void lab_program_free(char **words);

/* The folder of all labs. False after filling *d. */
bool labs_folder(char path[512], struct diag *d);

#endif
