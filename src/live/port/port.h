/* SPDX-License-Identifier: Apache-2.0 */
/* Ports to the outside of a process: they receive and send real frames.
 *
 *    struct live_port *p = live_port_open("veth0", &d);         an interface: AF_PACKET
 *    struct live_port *p = live_port_open("xdp:veth0", &d);     an interface, past the kernel's protocols: AF_XDP
 *    struct live_port *p = live_port_open("tap:h0", &d);        a TAP device, made if it is missing
 *    struct live_port *p = live_port_open("ring:a", &d);        one end of a ring in memory; the second open is the
 *    other
 *
 *    n = live_port_receive(p, frames, arrival, 32);             frames in cells with headroom (live/frames.h)
 *    live_port_send(p, frame, n);                               sends all now; refused frames are lost
 *
 * An interface that is deleted and made again has its name, and another index. A port stays with the name: it has no
 * carrier meanwhile, and live_port_has_carrier binds it anew, with the same `fd`, when the name is back.
 *
 * No call blocks. `fd` becomes readable for poll() when frames have arrived. A frame is Ethernet without FCS; a frame
 * longer than the port's MTU is counted and lost, as on a wire. rx_lost counts frames that the kernel or a full ring
 * dropped before they were read, or that were longer than a cell of the ring (an MTU that was raised since the port was
 * opened); tx_lost counts frames that could not be sent: no loss is silent.
 *
 * A kind of port is a file that ends in its table, and a row of LIVE_PORTS.
 */
#ifndef HEDDLE_LIVE_PORT_PORT_H
#define HEDDLE_LIVE_PORT_PORT_H

#include "base/diag.h"
#include "live/frames.h"

struct port_arrival {
    uint32_t index; /* descriptor in `frames`; the caller owns it */
    uint32_t captured, length;
};

struct port_bytes {
    const uint8_t *at;
    uint32_t bytes;
};

struct port_counts {
    uint64_t rx_frames, rx_bytes, rx_lost;
    uint64_t tx_frames, tx_bytes, tx_lost;
};

struct live_port;

struct live_port_ops {
    const char *name;                                            /* "tap": the word before the colon */
    const char *doc;                                             /* one line */
    bool is_default;                                             /* the kind of a name without a colon */
    struct live_port *(*open)(const char *what, struct diag *d); /* returns NULL after filling *d */
    void (*close)(struct live_port *p);
    uint32_t (*receive)(struct live_port *p, struct frames *f, struct port_arrival *arrival, uint32_t n);
    uint32_t (*send)(struct live_port *p, const struct port_bytes *frame, uint32_t n); /* returns the number sent */
    bool (*idle)(struct live_port *p);                                                 /* NULL: `fd` is enough */
    bool (*has_carrier)(struct live_port *p);
};

/* The common beginning of all kinds. */
struct live_port {
    const struct live_port_ops *ops;
    char name[64]; /* as given to live_port_open */
    int fd;        /* readable when frames have arrived */
    struct port_counts count;
};

/* Rows of the table: id of the variable. */
#define LIVE_PORTS(X) X(packet) X(xdp) X(tap) X(ring)
#define LIVE_PORT_DECLARE(id) extern const struct live_port_ops live_port_##id;
LIVE_PORTS(LIVE_PORT_DECLARE)
#undef LIVE_PORT_DECLARE

const struct live_port_ops *const *live_ports(size_t *n);

struct live_port *live_port_open(const char *what, struct diag *d);
void live_port_close(struct live_port *p); /* NULL is allowed */

#define PORT_BURST 64 /* most frames of one call */

static inline uint32_t live_port_receive(struct live_port *p, struct frames *f, struct port_arrival *arrival,
                                         uint32_t n) {
    return p->ops->receive(p, f, arrival, n);
}

/* Sends the frames that can be sent, and counts all. */
void live_port_send(struct live_port *p, const struct port_bytes *frame, uint32_t n);

/* Prepares a wait for `fd`. Returns false if frames have arrived already. */
static inline bool live_port_idle(struct live_port *p) { return !p->ops->idle || p->ops->idle(p); }

/* Returns true if the other end is there: the link is up. Frames pass only while it was called after the interface came
 * back. */
static inline bool live_port_has_carrier(struct live_port *p) { return p->ops->has_carrier(p); }

/* Counts a received frame. */
static inline void live_port_count(struct live_port *p, uint32_t bytes) {
    p->count.rx_frames++;
    p->count.rx_bytes += bytes;
}

#endif
