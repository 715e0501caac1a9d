/* SPDX-License-Identifier: Apache-2.0 */
/* The connections of a server, bounded in number and in time, so that slow clients lock nobody out.
 *
 * Each connection has VIEWERS_DEADLINE from its begin, or from the end of its last request, to the end of its next one: for
 * waiting, sending the request byte by byte, and taking the answer. One that is later is shut down. When a connection comes
 * beyond the most that there may be, the one that has waited longest is shut down for it: a viewer that asks each second
 * outlives idle ones.
 *
 *    struct viewers *v = viewers_create(64, 15 * PS_PER_S);
 *    struct viewer *x = viewers_add(v, fd);           a connection began
 *    viewers_served(v, x);                            a request of it has ended
 *    viewers_remove(v, x);                            it ends; before its descriptor is closed
 *
 * A shutdown wakes the thread that serves the connection, which then removes it. Any thread may call; a thread of its own
 * looks for late connections four times in a deadline, once in a quarter of a second at least.
 */
#ifndef HEDDLE_LIVE_LAB_VIEWERS_H
#define HEDDLE_LIVE_LAB_VIEWERS_H

#include "base/types.h"

struct viewers;
struct viewer;

/* Returns NULL if there is no thread for it. */
struct viewers *viewers_create(uint32_t most, span_ps deadline);
void viewers_destroy(struct viewers *v); /* NULL is allowed; all connections must have been removed */

struct viewer *viewers_add(struct viewers *v, int fd);
void viewers_served(struct viewers *v, struct viewer *x);
void viewers_remove(struct viewers *v, struct viewer *x);

#endif
