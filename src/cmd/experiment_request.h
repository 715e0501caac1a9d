/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of all commands on an experiment: FILE.yaml, --set and --profile. */
#ifndef HEDDLE_CMD_EXPERIMENT_REQUEST_H
#define HEDDLE_CMD_EXPERIMENT_REQUEST_H

#include "cmd/command.h"
#include "study/experiment/experiment.h"

struct experiment_request {
    const char *file;
    struct word_list set;
    struct experiment_options options; /* the table fills profile and force */
};

/* Rows of the table, for a request whose first member is `struct experiment_request experiment`. EXPERIMENT_ARGUMENT is
 * the command's first argument. */
#define EXPERIMENT_ARGUMENT(request)                                                                                   \
    ARGUMENT(request, experiment.file, "FILE.yaml", VALUE_EXPERIMENT, "the experiment file")
#define EXPERIMENT_ARGUMENT_OPTIONAL(request)                                                                          \
    ARGUMENT_OPTIONAL(request, experiment.file, "FILE.yaml", VALUE_EXPERIMENT, "the experiment file")
#define EXPERIMENT_OPTIONS(request)                                                                                    \
    WORD(request, experiment.set, "set", 0, "KEY=VALUE", VALUE_SETTING,                                                \
         "sets a key of the file to a YAML value; a swept key loses its axis, or gets the list that is given"),        \
        WORD(request, experiment.options.profile, "profile", 0, "NAME", VALUE_PROFILE,                                 \
             "lays a profile of the file over it, such as small")
#define EXPERIMENT_FORCE(request)                                                                                      \
    FLAG(request, experiment.options.force, "force", 0, "continues where the memory of this machine does not suffice")

/* Reads the requested experiment, which the caller frees. Returns NULL after filling *d. */
struct experiment *experiment_request_read(struct experiment_request *q, struct diag *d);
/* Reads the requested experiment, which the caller frees. Returns NULL after printing the error. */
struct experiment *experiment_request_open(struct experiment_request *q);

#endif
