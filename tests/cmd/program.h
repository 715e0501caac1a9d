/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the program as a user does, and returns its exit code and its output. */
#ifndef HEDDLE_TESTS_PROGRAM_H
#define HEDDLE_TESTS_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

struct ended {
    int code; /* exit code; minus the number of a signal that ended it */
    char out[1 << 18], err[1 << 14];
};

/* Path of the program under test; set by program_enter. */
extern const char *program;

/* Takes the program from argv[1] and enters an empty temporary folder. Returns false after printing the usage if it
 * cannot. */
bool program_enter(int argc, char **argv);
/* Leaves the folder and removes it with everything that is left in it. */
void program_leave(void);

/* Runs the program with the words of `line`, split at blanks ('single quotes' keep a word together). Returns a static
 * result, which the next run replaces. */
const struct ended *heddle(const char *line);
/* Runs the program in the background and discards its output; heddle_wait returns the exit code. */
pid_t heddle_start(const char *line);
/* Does the same, with standard output and standard error in files. */
pid_t heddle_start_into(const char *line, const char *out, const char *err);
/* Runs the program under a limit on the size of the files it writes; -1: none. */
const struct ended *heddle_limited(const char *line, long limit_bytes);
/* Runs the program under a limit of setrlimit (RLIMIT_AS ...). */
const struct ended *heddle_within(const char *line, int resource, long limit_bytes);
/* Runs the program where fcntl() fails with `error` for this command, as on a file system that cannot lock files: F_OFD_SETLK,
 * which heddle uses, or F_SETLK, which SQLite uses. */
const struct ended *heddle_without_locks(const char *line, int command, int error);
int heddle_wait(pid_t pid);
/* Fails the test unless the program refuses the words of `line`: exit code 2, exactly the line `expected` on standard
 * error, nothing on standard output, and no file `unmade`. */
void heddle_refuses(const char *line, const char *expected, const char *unmade);

void file_write(const char *path, const char *text);
/* Returns the text of a file, static; "" if there is none. */
const char *file_text(const char *path);
/* Returns one number from a store by SQL; -1 if the query fails. */
long long store_number(const char *path, const char *sql);
/* Waits until the query returns at least `wanted`, for ten seconds at most. */
void store_await(const char *path, const char *sql, long long wanted);
/* Returns line i of a text, static. */
const char *line_of(const char *text, int i);
int lines_in(const char *text);

#endif
