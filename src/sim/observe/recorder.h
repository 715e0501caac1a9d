/* SPDX-License-Identifier: Apache-2.0 */
/* The capture of one node: frames that its ports received and sent, as one pcapng with an interface per port.
 *
 * A frame that leaves is known before its departure. It is held back so that the file is in the order of time, and
 * frames of one instant in the order in which the node handled them. A frame lost on a gray link has left its port and
 * is in the file.
 */
#ifndef HEDDLE_SIM_OBSERVE_RECORDER_H
#define HEDDLE_SIM_OBSERVE_RECORDER_H

#include "fabric/fabric.h"
#include "wire/packet_pool.h"

struct recorder;

/* Opens DIR/NAME.pcapng, with interfaces named by the ports' neighbours. snap 0: 128 bytes. Returns NULL after filling
 * *d. */
struct recorder *recorder_open(const struct fabric *f, uint32_t node, const char *dir, uint32_t snap, struct diag *d);
/* Records a frame whose last bit arrived at `at`. */
void recorder_in(struct recorder *r, const struct packet_pool *pool, uint16_t port, time_ps at, uint32_t packet);
/* Records a frame sent at `now` whose last bit leaves at `depart`. */
void recorder_out(struct recorder *r, const struct packet_pool *pool, uint16_t port, time_ps now, time_ps depart,
                  uint32_t packet);
/* Writes the frames held back and frees r. Returns false after filling *d if the file is not complete. */
bool recorder_close(struct recorder *r, struct diag *d);

#endif
