#include "cmd/options.h"

#include "cmd/commands.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int exit_usage(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    fprintf(stderr, "heddle: error: ");
    vfprintf(stderr, fmt, args);
    fprintf(stderr, "\n");
    va_end(args);
    return 2;
}

int exit_diag(const struct diag *d) {
    char line[1024];
    fprintf(stderr, "%s\n", diag_line(d, line, sizeof line));
    return 2;
}

static const struct option_row *row_find(const struct option_row *rows, size_t n, const char *arg, size_t length) {
    for (size_t i = 0; i < n; i++) {
        if (strlen(rows[i].name) == length && strncmp(rows[i].name, arg, length) == 0) return &rows[i];
    }
    return NULL;
}

static bool unknown(const struct option_row *rows, size_t n, const char *arg) {
    const char *names[32];
    for (size_t i = 0; i < n && i < 32; i++) names[i] = rows[i].name;
    const char *nearest = diag_nearest(arg, names, n < 32 ? n : 32);
    exit_usage("unknown option '%s'%s%s%s", arg, nearest ? "; did you mean '" : "; see heddle --help",
               nearest ? nearest : "", nearest ? "'?" : "");
    return false;
}

static bool value_take(const struct option_row *row, const char *value) {
    if (row->kind == OPTION_TEXT) {
        *(const char **)row->value = value;
    } else if (row->kind == OPTION_LIST) {
        struct option_list *list = row->value;
        if (list->n == sizeof list->item / sizeof *list->item) return exit_usage("too many %s", row->name) == 0;
        list->item[list->n++] = value;
    } else {
        char *end;
        unsigned long number = strtoul(value, &end, 10);
        if (end == value || *end || value[0] == '-' || number < row->min || number > row->max) {
            return exit_usage("%s %s: write a number from %u to %u", row->name, value, row->min, row->max) == 0;
        }
        *(uint32_t *)row->value = (uint32_t)number;
    }
    return true;
}

bool options_read(int argc, char **argv, const struct option_row *rows, size_t n_rows, const char **rest,
                  size_t max_rest, size_t *n_rest) {
    *n_rest = 0;
    bool only_rest = false;
    for (int i = 0; i < argc; i++) {
        const char *arg = argv[i];
        if (only_rest || arg[0] != '-' || !arg[1]) {
            if (*n_rest == max_rest) return exit_usage("'%s' is one argument too many; see heddle --help", arg) == 0;
            rest[(*n_rest)++] = arg;
            continue;
        }
        if (strcmp(arg, "--") == 0) {
            only_rest = true;
            continue;
        }
        size_t length = strncmp(arg, "--", 2) == 0 ? strcspn(arg, "=") : strlen(arg);
        const struct option_row *row = row_find(rows, n_rows, arg, length);
        if (!row) return unknown(rows, n_rows, arg);
        if (row->kind == OPTION_FLAG) {
            if (arg[length]) return exit_usage("%s takes no value", row->name) == 0;
            *(bool *)row->value = true;
            continue;
        }
        const char *value = arg[length] ? arg + length + 1 : i + 1 < argc ? argv[++i] : NULL;
        if (!value) return exit_usage("%s needs a value", row->name) == 0;
        if (!value_take(row, value)) return false;
    }
    return true;
}

bool experiment_request_read(int argc, char **argv, const struct option_row *rows, size_t n_rows,
                             struct experiment_request *q) {
    struct option_row all[16 + 2] = {
        {"--set", OPTION_LIST, &q->set, 0, 0},
        {"--profile", OPTION_TEXT, &q->options.profile, 0, 0},
    };
    size_t n;
    assert(n_rows <= 16);
    memcpy(all + 2, rows, n_rows * sizeof *rows);
    if (!options_read(argc, argv, all, n_rows + 2, &q->file, 1, &n)) return false;
    q->options.set = q->set.item;
    q->options.n_set = q->set.n;
    return true;
}

struct experiment *experiment_request_open(const struct experiment_request *q, const char *command) {
    struct diag d = {0};
    if (!q->file) {
        exit_usage("which experiment? write heddle %s FILE.yaml", command);
        return NULL;
    }
    struct experiment *e = experiment_read(q->file, &q->options, &d);
    if (!e) exit_diag(&d);
    return e;
}
