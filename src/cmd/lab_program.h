/* SPDX-License-Identifier: Apache-2.0 */
/* A lab of an experiment's network: the command lines of its switches and NICs, and the folder of all labs. */
#ifndef HEDDLE_CMD_LAB_PROGRAM_H
#define HEDDLE_CMD_LAB_PROGRAM_H

#include "cmd/experiment_request.h"
#include "live/lab/lab.h"
#include "sim/world.h"
#include "study/experiment/lab_block.h"

#define LAB_DEFAULT "lab" /* the lab of commands without --name */

struct lab_program {
    const struct experiment_request *experiment;
    uint32_t run, threads;
    const char *record, *detect;   /* NULL: not given */
    const char *nic;               /* whether hosts have a NIC: "on", "off" or "auto" (or NULL) */
    const struct lab_block *block; /* of the experiment; NULL: no host is a container */
    const char *id;                /* as in struct lab_setup, with goes_on */
    bool (*goes_on)(void *to);
    void *to;
};

/* Builds the lab `name` (lab_up): its switches run heddle switch FILE --node all, its NICs heddle nic FILE, both with the
 * request's options; its hosts are as lab_hosts.h says. With `auto` hosts have NICs if the switches have flow control, which
 * Linux does not obey, or several classes, which would wait behind each other in front of the host's link. Returns NULL
 * after filling *d. */
struct lab *lab_program_up(const struct lab_program *p, const struct world_config *w, const char *name, struct diag *d);

/* Prints what stays of a lab that is removed: an error, or a warning where it is nothing of the lab. */
extern const struct lab_telling lab_tell_user;

/* Writes the path of the folder of all labs. Returns false after filling *d. */
bool labs_folder(char path[512], struct diag *d);

#endif
