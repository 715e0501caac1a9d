/* SPDX-License-Identifier: Apache-2.0 */
/* The capture of one node: what each of its ports received and sent, as one pcapng with an interface per port.
 *
 * Frames that leave are known before they leave; they are held back so that the file is in the order of time, frames of
 * one instant in the order in which the node handled them. A frame lost on a gray link has left its port and is in the
 * file.
 */
#ifndef HEDDLE_SIM_RECORDER_H
#define HEDDLE_SIM_RECORDER_H

#include "fabric/fabric.h"
#include "wire/packet_pool.h"

struct recorder;

/* DIR/NAME.pcapng, interfaces named by the ports' neighbours. snap 0: 128 bytes. NULL after filling *d. */
struct recorder *recorder_open(const struct fabric *f, uint32_t node, const char *dir, uint32_t snap, struct diag *d);
/* The last bit arrived at `at`. */
void recorder_in(struct recorder *r, const struct packet_pool *pool, uint16_t port, time_ps at, uint32_t packet);
/* Decided at `now`; the last bit leaves at `depart`. */
void recorder_out(struct recorder *r, const struct packet_pool *pool, uint16_t port, time_ps now, time_ps depart,
                  uint32_t packet);
/* Writes what is held back and frees r. False after filling *d: the file is not whole. */
bool recorder_close(struct recorder *r, struct diag *d);

#endif
