/* heddle docs: what is made from the tables of the program, for building and for the tests. */
#include "cmd/commands.h"
#include "study/schema.h"

struct docs_request {
    const char *what;
};
#define T struct docs_request

static int docs_run(void *request) {
    (void)request;
    schema_print_docs(stdout);
    return 0;
}

const struct command command_docs = {
    .name = "docs",
    .purpose = "print the reference of all keys as Markdown",
    .about = "Prints docs/keys.md: every key of an experiment file, every name and every counter.",
    .arguments =
        (const struct argument[]){
            {.value = {.name = "WHAT", .kind = VALUE_CHOICE, .field = FIELD(T, what), .choices = "keys"},
             .doc = "what is printed"},
            {0}},
    .exits = EXITS_PLAIN,
    .request_size = sizeof(T),
    .run = docs_run,
    .hidden = true,
};
