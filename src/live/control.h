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
 * Only the owner of the socket file may use it. control_open replaces a socket that no process serves, and fails for
 * one that is served. A client that sends nothing is cut off after a second.
 */
#ifndef HEDDLE_LIVE_CONTROL_H
#define HEDDLE_LIVE_CONTROL_H

#include "base/diag.h"

#define CONTROL_PATH_MAX 107 /* characters in the path of a socket (unix(7)) */

struct control;

/* Returns the reply, which the caller frees; NULL after filling *d, whose text is then the reply. */
typedef char *control_answer(void *to, const char *request, struct diag *d);

/* Opens the socket. Returns NULL after filling *d. */
struct control *control_open(const char *path, control_answer *answer, void *to, struct diag *d);
void control_close(struct control *c); /* also removes the socket; NULL is allowed */
void control_serve(struct control *c, int wait_ms);

/* Sends a request and returns the reply. NULL after filling *d: no process serves the socket, no byte came for five
 * seconds, or the server answered with an error. */
char *control_ask(const char *path, const char *request, struct diag *d);

#endif
