/* heddle docs: what is made from the tables of the program: references, man pages, completions. Building calls it. */
#include "cmd/commands.h"
#include "cmd/man.h"
#include "study/schema.h"

#include <string.h>

struct docs_request {
    const char *what, *command;
};
#define T struct docs_request

static int print_man(const char *name) {
    const struct command *c = name ? command_find(name) : NULL;
    if (name && !c) return 2;
    if (c)
        man_print_command(c, stdout);
    else
        man_print_program(stdout);
    return 0;
}

static int docs_run(void *request) {
    const struct docs_request *q = request;
    const char *what = q->what ? q->what : "keys";
    if (strcmp(what, "man") == 0) return print_man(q->command);
    schema_print_docs(stdout);
    return 0;
}

const struct command command_docs = {
    .name = "docs",
    .purpose = "print what is made from the tables of the program",
    .about = "Prints docs/keys.md (keys: every key of an experiment file, every name and every counter) or a man page.",
    .arguments =
        (const struct argument[]){
            {.value = {.name = "WHAT", .kind = VALUE_CHOICE, .field = FIELD(T, what), .choices = "keys|man"},
             .doc = "what is printed; keys if left out"},
            ARGUMENT_OPTIONAL(T, command, "COMMAND", VALUE_COMMAND, "the man page of this one; heddle(1) if left out"),
            {0}},
    .exits = EXITS_PLAIN,
    .request_size = sizeof(T),
    .run = docs_run,
    .hidden = true,
};
