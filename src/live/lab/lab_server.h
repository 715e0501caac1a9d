/* SPDX-License-Identifier: Apache-2.0 */
/* The live page of a lab, by HTTP.
 *
 *    struct lab_server *s = lab_server_start("127.0.0.1:8080", state, "lab", &d);
 *    printf("%s\n", lab_server_url(s));                          http://127.0.0.1:8080/
 *
 *  GET /              the page (live/lab/web), which fetches only /status.json
 *  GET /status.json   the JSON of lab_status.h, also while the switches do not answer or the lab is gone
 *
 * Other paths get 404, other methods 405: nothing can be changed through it. A request for another host gets 421
 * (live/lab/host_header.h), and slow clients are bounded in number and time (live/lab/viewers.h). Each connection has a thread, so a switch
 * that answers slowly delays one viewer alone. Each request reads the lab's description again, so the page outlives the
 * lab and shows a new lab of the same name; who serves it decides for how long (cmd/lab_serve.h).
 */
#ifndef HEDDLE_LIVE_LAB_LAB_SERVER_H
#define HEDDLE_LIVE_LAB_LAB_SERVER_H

#include "base/diag.h"

struct lab_server;

/* Starts the server. `where`: ADDR:PORT, [ADDR]:PORT for IPv6, or PORT of 127.0.0.1; port 0 is any free one. `state`,
 * `name` as in lab.h. Returns NULL after filling *d. */
struct lab_server *lab_server_start(const char *where, const char *state, const char *name, struct diag *d);
const char *lab_server_url(const struct lab_server *s);
void lab_server_stop(struct lab_server *s); /* NULL is allowed */

#endif
