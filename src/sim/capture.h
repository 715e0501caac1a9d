/* The capture of one node: what each of its ports received and sent, as one pcapng with an interface per port.
 *
 * Frames that leave are known before they leave; they are held back so that the file is in the order of time.
 */
#ifndef HEDDLE_SIM_CAPTURE_H
#define HEDDLE_SIM_CAPTURE_H

#include "fabric/fabric.h"
#include "wire/packet_pool.h"

struct capture;

/* DIR/NAME.pcapng, interfaces named by the ports' neighbours. snap 0: 128 bytes. NULL after filling *d. */
struct capture *capture_open(const struct fabric *f, uint32_t node, const char *dir, uint32_t snap, struct diag *d);
/* The last bit arrived at `at`. */
void capture_in(struct capture *c, const struct packet_pool *pool, uint16_t port, time_ps at, uint32_t packet);
/* Decided at `now`; the last bit leaves at `depart`. */
void capture_out(struct capture *c, const struct packet_pool *pool, uint16_t port, time_ps now, time_ps depart,
                 uint32_t packet);
/* Writes what is held back. False after filling *d: the file is not whole. */
bool capture_close(struct capture *c, struct diag *d);

#endif
