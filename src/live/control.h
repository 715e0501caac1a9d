/* SPDX-License-Identifier: Apache-2.0 */
/* A Unix socket on which a process answers: one line in, one reply out.
 *
 *     struct control *c = control_open("/run/heddle/tor0.1.sock", answer, to, &d);
 *     control_serve(c, 100);              answers who asks within 100 ms
 *
 *     char *reply = control_ask("/run/heddle/tor0.1.sock", "status", &d);         the other side
 *
 * A line that begins with "GET " is HTTP/1.0: `answer` gets the path without its slash, and the reply an HTTP header, so
 * `curl --unix-socket SOCKET http://x/metrics` and a Prometheus scraper can read the same socket.
 *
 * The socket is a file that only its owner may use. One that nobody serves any more is replaced, one that somebody
 * serves is not. A client that says nothing is cut off after a second.
 */
#ifndef HEDDLE_LIVE_CONTROL_H
#define HEDDLE_LIVE_CONTROL_H

#include "base/diag.h"

struct control;

/* Returns the reply, to be freed; NULL after filling *d, whose text is the reply then. */
typedef char *control_answer(void *to, const char *request, struct diag *d);

/* NULL after filling *d. */
struct control *control_open(const char *path, control_answer *answer, void *to, struct diag *d);
void control_close(struct control *c); /* and removes the socket; NULL is fine */
void control_serve(struct control *c, int wait_ms);

/* NULL after filling *d: nobody serves the socket, nothing came for five seconds, or what the answerer said. */
char *control_ask(const char *path, const char *request, struct diag *d);

#endif
