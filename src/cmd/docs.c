#include "cmd/commands.h"
#include "study/metrics/metrics.h"
#include "study/schema.h"

#include <string.h>

/* Markdown of every key, for the guide (docs/keys.md), or of every metric (the tables of docs/results.md). */
int command_docs(int argc, char **argv) {
    bool results = argc == 1 && strcmp(argv[0], "results") == 0;
    if (argc > 0 && !results) return exit_usage("heddle docs takes no arguments but 'results'");
    if (results)
        metrics_print_docs(stdout);
    else
        schema_print_docs(stdout);
    return 0;
}
