/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the command line: name, arguments, options and exit statuses of each subcommand.
 *
 * The file of a subcommand ends in its `struct command`, and `COMMANDS` in commands.h has a row for it. Parsing, help,
 * man pages and completions are derived from these tables; no other place lists an option. Tables end in a row of
 * zeros.
 *
 *    struct greet_request { const char *name; uint32_t times; bool loud; };
 *    static int greet(void *request) { struct greet_request *q = request; ... }
 *    #define T struct greet_request
 *    const struct command command_greet = {
 *        .name = "greet",
 *        .purpose = "greet somebody",
 *        .arguments = (const struct argument[]){ARGUMENT(T, name, "NAME", VALUE_TEXT, "who is greeted"), {0}},
 *        .options = (const struct option_row[]){NUMBER(T, times, "times", 'n', "N", 1, 9, 1, "how often"),
 *                                               FLAG(T, loud, "loud", 0, "shouts"), {0}},
 *        .exits = EXITS_PLAIN,
 *        .request_size = sizeof(T),
 *        .run = greet,
 *    };
 */
#ifndef HEDDLE_CMD_COMMAND_H
#define HEDDLE_CMD_COMMAND_H

#include "base/types.h"

/* Kinds of words on the command line. Completions offer their values; numbers and choices are checked too. */
enum value_kind {
    VALUE_NONE, /* a flag has no value */
    VALUE_TEXT,
    VALUE_NUMBER,
    VALUE_CHOICE,
    VALUE_EXPERIMENT, /* FILE.yaml */
    VALUE_STORE,      /* RESULTS.db */
    VALUE_PAGE,       /* OUT.html */
    VALUE_FOLDER,
    VALUE_CAPTURE,    /* PORT=FILE.pcapng */
    VALUE_SETTING,    /* KEY=VALUE of an experiment */
    VALUE_FAMILY,     /* a family of `heddle list` */
    VALUE_NAME,       /* a name of `heddle show` */
    VALUE_PROFILE,    /* a profile of the experiment on the command line */
    VALUE_SWITCH,     /* a switch of its fabric */
    VALUE_COMMAND,    /* a subcommand */
    VALUE_LAB,        /* a lab of this machine; the rows below: of the lab that --name gives, or of the default one */
    VALUE_LAB_HOST,   /* a host, or "switches" */
    VALUE_LAB_SWITCH, /* a switch */
    VALUE_LAB_LINK,   /* a link */
    VALUE_LAB_NODE,   /* a host or switch; without --name of all labs */
    VALUE_KINDS
};

/* Values of a word that may be given more than once. */
struct word_list {
    const char *item[256];
    size_t n;
};

/* Destination of a value: offset and type of the request's field; the compiler fills in the type. */
enum field_type { FIELD_FLAG, FIELD_NUMBER, FIELD_TEXT, FIELD_LIST };
struct request_field {
    size_t offset;
    enum field_type type;
};
#define FIELD_TYPE(x)                                                                                                  \
    _Generic((x), bool : FIELD_FLAG, uint32_t : FIELD_NUMBER, const char * : FIELD_TEXT, struct word_list : FIELD_LIST)
#define FIELD(request, member)                                                                                         \
    { offsetof(request, member), FIELD_TYPE(((request *)0)->member) }

/* Checks of a word and its name in help, for arguments and options. */
struct value {
    const char *name; /* "N", "FILE.yaml"; NULL: a flag */
    enum value_kind kind;
    struct request_field field; /* FIELD_LIST: may be repeated */
    uint32_t min, max;          /* VALUE_NUMBER */
    uint32_t initial;           /* VALUE_NUMBER: the default; below min: none */
    const char *choices;        /* VALUE_CHOICE: "a|b" */
    bool required;
};

struct argument {
    const char *doc; /* without a full stop */
    struct value value;
};

struct option_row {
    const char *name; /* without its dashes */
    char letter;      /* 0: none */
    struct value value;
    const char *doc;
};

struct exit_row {
    int status;
    const char *doc;
};

struct example_row {
    const char *line; /* without the leading "heddle" */
    const char *doc;
};

struct command {
    const char *name;
    const char *purpose; /* one line that begins with a verb, no full stop */
    const char *about;   /* paragraphs, separated by an empty line */
    const struct argument *arguments;
    const struct option_row *options;
    const struct exit_row *exits;
    const struct example_row *examples;
    const char *see; /* names of related subcommands, separated by blanks */
    bool rest;       /* the last argument takes all further words as they are: a command line */
    size_t request_size;
    int (*run)(void *request); /* returns the exit status */
};

/* ---- rows ---- */

#define ARGUMENT(request, member, text, what, ...)                                                                     \
    { .value = {.name = (text), .kind = (what), .field = FIELD(request, member), .required = true}, .doc = __VA_ARGS__ }
#define ARGUMENT_OPTIONAL(request, member, text, what, ...)                                                            \
    { .value = {.name = (text), .kind = (what), .field = FIELD(request, member)}, .doc = __VA_ARGS__ }
#define ARGUMENT_NUMBER(request, member, text, least, most, ...)                                                       \
    {                                                                                                                  \
        .value = {.name = (text),                                                                                      \
                  .kind = VALUE_NUMBER,                                                                                \
                  .field = FIELD(request, member),                                                                     \
                  .min = (least),                                                                                      \
                  .max = (most),                                                                                       \
                  .required = true},                                                                                   \
        .doc = __VA_ARGS__                                                                                             \
    }
#define FLAG(request, member, long_name, short_name, ...)                                                              \
    { .name = (long_name), .letter = (short_name), .value = {.field = FIELD(request, member)}, .doc = __VA_ARGS__ }
#define WORD(request, member, long_name, short_name, text, what, ...)                                                  \
    {                                                                                                                  \
        .name = (long_name), .letter = (short_name),                                                                   \
        .value = {.name = (text), .kind = (what), .field = FIELD(request, member)}, .doc = __VA_ARGS__                 \
    }
#define WORD_REQUIRED(request, member, long_name, short_name, text, what, ...)                                         \
    {                                                                                                                  \
        .name = (long_name), .letter = (short_name),                                                                   \
        .value = {.name = (text), .kind = (what), .field = FIELD(request, member), .required = true},                  \
        .doc = __VA_ARGS__                                                                                             \
    }
#define NUMBER(request, member, long_name, short_name, text, least, most, otherwise, ...)                              \
    {                                                                                                                  \
        .name = (long_name), .letter = (short_name),                                                                   \
        .value = {.name = (text),                                                                                      \
                  .kind = VALUE_NUMBER,                                                                                \
                  .field = FIELD(request, member),                                                                     \
                  .min = (least),                                                                                      \
                  .max = (most),                                                                                       \
                  .initial = (otherwise)},                                                                             \
        .doc = __VA_ARGS__                                                                                             \
    }

/* Exit statuses of a command without a verdict. */
#define EXITS_PLAIN                                                                                                    \
    (const struct exit_row[]) {                                                                                        \
        {0, "done"}, {2, "usage or configuration error: one line on standard error names the remedy"},                 \
            {3, "standard output could not be written"}, {                                                             \
            0, NULL                                                                                                    \
        }                                                                                                              \
    }

#endif
