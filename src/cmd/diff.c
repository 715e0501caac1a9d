/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/commands.h"

#include "study/print/diff.h"

struct diff_command {
    const char *store[2];
    struct diff_request diff;
    bool variants;
};
#define T struct diff_command

static int diff_run(void *request) {
    const struct diff_command *q = request;
    struct diag d = {0};
    struct store_reader *r[2] = {0};
    bool ok = true;
    for (size_t s = 0; ok && s < 2; s++) {
        r[s] = store_reader_open(q->store[s], &d);
        ok = r[s] && store_finished_check(r[s], &d);
        if (ok && q->variants) store_reader_show_variants(r[s]);
    }
    struct diff_totals t;
    if (ok) stores_diff((const struct store_reader *const *)r, &q->diff, &t, stdout);
    for (size_t s = 0; s < 2; s++) store_reader_close(r[s]);
    return !ok ? exit_diag(&d) : diff_is_none(&t) ? 0 : 1;
}

const struct command command_diff = {
    .name = "diff",
    .purpose = "compare the runs of two results stores",
    .about =
        "Pairs the runs of two stores by their identity, the hash of all that decides their results, and lists the "
        "runs "
        "that differ and the runs that only one store has. Time and memory of the program are not compared. For the "
        "first run that has the same settings in both stores, but another identity, the keys are listed that differ "
        "in its configuration.",
    .arguments = (const struct argument[]){ARGUMENT(T, store[0], "A.db", VALUE_STORE, "a results store"),
                                           ARGUMENT(T, store[1], "B.db", VALUE_STORE, "another"),
                                           {0}},
    .options =
        (const struct option_row[]){
            FLAG(T, diff.all, "all", 0, "lists all metrics that differ, not five of a run"),
            FLAG(T, diff.json, "json", 0,
                 "prints a JSON object for each of these runs, with all metrics that differ, and one with the numbers"),
            FLAG(T, diff.quiet, "quiet", 'q', "prints the last line alone"),
            FLAG(T, variants, "variants", 0, "takes runs with other --set values too"),
            {0}},
    .exits = (const struct exit_row[]){{0, "done: both stores have the same runs with the same results"},
                                       {1, "done: a run differs, or only one store has it"},
                                       {2, "usage error, or a store that cannot be read"},
                                       {3, "standard output could not be written"},
                                       {0}},
    .examples =
        (const struct example_row[]){{"diff monday.db friday.db", "has a newer heddle, or machine, other results?"},
                                     {"diff monday.db friday.db --json", "the same for a program"},
                                     {0}},
    .see = "run report export",
    .request_size = sizeof(T),
    .run = diff_run,
};
