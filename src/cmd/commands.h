/* The subcommands. Each gets the arguments after its own name and returns the exit code. */
#ifndef HEDDLE_CMD_COMMANDS_H
#define HEDDLE_CMD_COMMANDS_H

#include "base/diag.h"

#include <stdio.h>

#define HEDDLE_VERSION "0.1.0"

int command_run(int argc, char **argv);
int command_check(int argc, char **argv);
int command_list(int argc, char **argv);
int command_show(int argc, char **argv);
int command_flow(int argc, char **argv);
int command_flows(int argc, char **argv);
int command_replay(int argc, char **argv);
int command_report(int argc, char **argv);
int command_export(int argc, char **argv);
int command_docs(int argc, char **argv);

/* Prints the error and returns 2. */
int exit_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int exit_diag(const struct diag *d);

#endif
