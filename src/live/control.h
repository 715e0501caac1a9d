/* SPDX-License-Identifier: Apache-2.0 */
/* A Unix socket on which a process answers requests: one line in, one reply out.
 *
 *    struct control *c = control_open("/run/heddle/tor0.1.sock", answer, to, &d);
 *    control_serve(c, 100);              answers requests for 100 ms
 *
 *    char *reply = control_ask("/run/heddle/tor0.1.sock", "status", &d);         the client
 *
 * A line that begins with "GET " is HTTP/1.0: `answer` gets the path without its slash, and the reply an HTTP header,
 * so `curl --unix-socket SOCKET http://x/metrics` and a Prometheus scraper can read the same socket.
 *
 * An answer may hold the connection: what it began ends with it, also if the client is killed (control_hold):
 *
 *    int held = control_begin(path, "capture leaf0-spine1 FILE", &d);            the client
 *    ...
 *    control_end(held, &d);              the second reply, which says what came of it
 *
 * Only the owner of the socket file may use it. control_open replaces a socket that no process serves, and fails for
 * one that is served. Clients are served side by side: one that sends nothing, or does not read its reply, is cut off after a
 * second and keeps nobody waiting.
 *
 * The bytes of an exchange, but for HTTP:
 *
 *    client    REQUEST '\n'
 *    server    '.'                     before it begins to carry the request out; if this cannot be sent, it does not begin
 *              '+' REPLY  or  '-' WHY  then it ends the connection, unless it is held: '+' REPLY '\n'
 *
 * A client that has waited for CONTROL_ANSWER_MAX_S ends its receiving direction, after which the server can send nothing. So
 * it knows whether its request was begun: the '.' is there by then, or the request is never carried out.
 */
#ifndef HEDDLE_LIVE_CONTROL_H
#define HEDDLE_LIVE_CONTROL_H

#include "base/diag.h"

#define CONTROL_ANSWER_MAX_S 5 /* how long a client waits for bytes of an answer */
#define CONTROL_PATH_MAX 107   /* characters in the path of a socket (unix(7)) */

struct control;

/* Returns the reply, which the caller frees; NULL after filling *d, whose text is then the reply. */
typedef char *control_answer(void *to, const char *request, struct diag *d);

/* Opens the socket. Returns NULL after filling *d. */
struct control *control_open(const char *path, control_answer *answer, void *to, struct diag *d);
/* Ends what held connections began, and removes the socket; NULL is allowed. */
void control_close(struct control *c);
void control_serve(struct control *c, int wait_ms);

/* Ends what a held connection began. Returns false after filling *d, whose text is then the second reply. */
typedef bool control_ended(void *to, void *what, struct diag *d);

/* For an answer: holds the connection of the request that is being answered. `ended` gets `what` once: when the client ends
 * the connection, by control_end or by its own end, and at control_close. Not for HTTP. */
void control_hold(struct control *c, control_ended *ended, void *what);

/* What d->text says if the connection ended without an answer: the process that served it has ended. */
#define CONTROL_NO_ANSWER "the switch gave no answer"

/* Sends a request and returns the reply. NULL after filling *d: no process serves the socket; the server answered with an
 * error; or no byte came for CONTROL_ANSWER_MAX_S, and *d says whether the request was begun. */
char *control_ask(const char *path, const char *request, struct diag *d);

/* Returns whether a process serves the socket. */
bool control_is_served(const char *path);

/* Sends a request whose answer holds the connection. Returns the connection, which becomes readable when the server ends it;
 * -1 after filling *d. */
int control_begin(const char *path, const char *request, struct diag *d);
/* Ends a held connection. Returns false after filling *d: it did not end well, or the server is gone. */
bool control_end(int held, struct diag *d);

/* A request is one line. These write any text as one word of it, without blanks and line ends, and read it back in place.
 * The caller frees the word. */
char *control_word(const char *text);
void control_word_read(char *word);

#endif
