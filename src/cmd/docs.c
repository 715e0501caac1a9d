#include "cmd/commands.h"
#include "study/schema.h"

/* Markdown of every key, for the guide (docs/keys.md). */
int command_docs(int argc, char **argv) {
    (void)argv;
    if (argc > 0) return exit_usage("heddle docs takes no arguments");
    schema_print_docs(stdout);
    return 0;
}
