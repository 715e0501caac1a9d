/* What leaves the ports of one switch, as a capture: DIR/NAME.pcapng, an interface per port.
 *
 * Frames are known before they leave. They are held back until the switch's clock has passed their departure, so the
 * file is in the order of time, frames of one instant in the order in which they were handed over: as sim/recorder
 * writes them.
 */
#ifndef HEDDLE_LIVE_OUTLET_H
#define HEDDLE_LIVE_OUTLET_H

#include "fabric/fabric.h"

struct outlet;

/* DIR/NAME.pcapng into buf; returns buf. */
const char *outlet_path(const struct fabric *f, uint32_t node, const char *dir, char *buf, size_t size);

/* DIR is made if it is missing (not its parents). snap 0: frames whole. NULL after filling *d. */
struct outlet *outlet_open(const struct fabric *f, uint32_t node, const char *dir, uint32_t snap, struct diag *d);
/* A frame of `original` bytes whose last bit leaves `port` at `depart`; takes over `bytes` (malloc), `captured` of them
 * good. No frame handed over later departs before `now`. */
void outlet_put(struct outlet *o, uint16_t port, time_ps now, time_ps depart, uint8_t *bytes, size_t captured,
                size_t original);
/* Writes what is held back and frees o. False after filling *d: the file is not whole. */
bool outlet_close(struct outlet *o, struct diag *d);

#endif
