/* SPDX-License-Identifier: Apache-2.0 */
/* Running the program as a user does: arguments in, exit code and what it printed out. */
#ifndef HEDDLE_TESTS_PROGRAM_H
#define HEDDLE_TESTS_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

struct ended {
    int code; /* exit code; -signal */
    char out[1 << 18], err[1 << 14];
};

/* Path of the program under test; set by main(). */
extern const char *program;

/* Takes the program from argv[1] and enters an empty folder. False after printing the usage of the test. */
bool program_enter(int argc, char **argv);
/* Leaves the folder and removes it with everything that is left in it. */
void program_leave(void);

/* Runs it with the words of `line` (split at blanks; 'single quotes' hold one word together). The answer is static. */
const struct ended *heddle(const char *line);
/* The same in the background, output thrown away; -1 in *limit_bytes: files may grow without limit. */
pid_t heddle_start(const char *line);
const struct ended *heddle_limited(const char *line, long limit_bytes);
/* The same under a limit of setrlimit (RLIMIT_AS ...). */
const struct ended *heddle_within(const char *line, int resource, long limit_bytes);
int heddle_wait(pid_t pid);
/* The program refuses these words: exit code 2, exactly this line of error, nothing printed, no file `unmade`. */
void heddle_refuses(const char *line, const char *expected, const char *unmade);

void file_write(const char *path, const char *text);
/* The whole file, static; "" if there is none. */
const char *file_text(const char *path);
/* One number by SQL from a store; -1 if it cannot be asked. */
long long store_number(const char *path, const char *sql);
/* Waits until the number is at least `wanted`, ten seconds at most. */
void store_await(const char *path, const char *sql, long long wanted);
/* The i-th line of a text, static. */
const char *line_of(const char *text, int i);
int lines_in(const char *text);

#endif
