/* Reading command lines: options may stand anywhere, --name VALUE and --name=VALUE are the same. */
#ifndef HEDDLE_CMD_OPTIONS_H
#define HEDDLE_CMD_OPTIONS_H

#include "base/types.h"

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

#endif
