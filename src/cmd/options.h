/* Reading command lines: options may stand anywhere, --name VALUE and --name=VALUE are the same. */
#ifndef HEDDLE_CMD_OPTIONS_H
#define HEDDLE_CMD_OPTIONS_H

#include "study/experiment.h"

enum option_kind { OPTION_FLAG, OPTION_TEXT, OPTION_NUMBER, OPTION_LIST };

struct option_row {
    const char *name; /* "--jobs" or "-o" */
    enum option_kind kind;
    void *value;       /* bool *, const char **, uint32_t *, struct option_list * */
    uint32_t min, max; /* OPTION_NUMBER */
};

struct option_list {
    const char *item[256];
    size_t n;
};

/* Fills the options and puts what remains into `rest` (at most max_rest of them). False after printing what is wrong.
 */
bool options_read(int argc, char **argv, const struct option_row *rows, size_t n_rows, const char **rest,
                  size_t max_rest, size_t *n_rest);

/* What every command on an experiment is given besides options of its own: FILE.yaml, --set and --profile. */
struct experiment_request {
    const char *file; /* NULL = none */
    struct experiment_options options;
    struct option_list set;
};

/* The same as options_read, with --set and --profile added to the rows (at most 16). */
bool experiment_request_read(int argc, char **argv, const struct option_row *rows, size_t n_rows,
                             struct experiment_request *q);
/* The experiment asked for; NULL after printing what is wrong. `command` is named if there is no file. */
struct experiment *experiment_request_open(const struct experiment_request *q, const char *command);

#endif
