/* SPDX-License-Identifier: Apache-2.0 */
/* The live page of a lab (live/lab/lab_server.h), served by a command. */
#ifndef HEDDLE_CMD_LAB_SERVE_H
#define HEDDLE_CMD_LAB_SERVE_H

#include "cmd/command.h"

#include <sys/types.h>

#define LAB_SERVE(request, member, ...) WORD(request, member, "serve", 0, "ADDR:PORT", VALUE_TEXT, __VA_ARGS__)

/* Prints the address of the page, and serves it until SIGINT or SIGTERM, or until a lab that was there has been gone for ten
 * seconds: `lab down` and `lab up` keep the page. Returns the exit status. */
int lab_serve(const char *where, const char *lab);

/* A page that a process of its own serves, which ends with this one. */
struct lab_page {
    pid_t process;  /* 0: there is none */
    char line[200]; /* "lab LAB: http://127.0.0.1:8080/" and a line end */
};

/* Begins to serve; does nothing for `where` NULL. Returns false after printing the error. */
bool lab_page_begin(struct lab_page *p, const char *where, const char *lab);
/* Waits until the page is no longer served, or until this process is to end (cmd/ending.h). */
void lab_page_await(struct lab_page *p);
/* Ends the process that serves, if there is one. */
void lab_page_end(struct lab_page *p);

#endif
