/* SPDX-License-Identifier: Apache-2.0 */
/* Ports to the outside of a process: where real frames come in and leave.
 *
 *     struct live_port *p = live_port_open("veth0", &d);         an interface: AF_PACKET
 *     struct live_port *p = live_port_open("xdp:veth0", &d);     the same past the kernel's protocols: AF_XDP
 *     struct live_port *p = live_port_open("tap:h0", &d);        a TAP device, made if it is missing
 *     struct live_port *p = live_port_open("ring:a", &d);        one end of a ring in memory; the second open is the other
 *
 *     n = live_port_receive(p, frames, arrival, 32);             frames in cells with headroom (live/frames.h)
 *     live_port_send(p, frame, n);                               all of them, now; what the port refuses is lost
 *
 * No call waits. `fd` becomes readable when frames have come, for poll(). A frame is Ethernet without FCS; one longer
 * than the port's MTU is counted and lost, as on a wire. Frames that the kernel or a full ring dropped before they were
 * seen here are counted in rx_lost, those that could not be sent in tx_lost: nothing is lost silently.
 *
 * A kind of port is a file that ends in its table, and a row of LIVE_PORTS.
 */
#ifndef HEDDLE_LIVE_PORT_PORT_H
#define HEDDLE_LIVE_PORT_PORT_H

#include "base/diag.h"
#include "live/frames.h"

struct port_arrival {
    uint32_t index; /* of the frames it was received into; the caller's now */
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
    const char *name;                                            /* "tap": before the colon */
    const char *doc;                                             /* one line */
    bool is_default;                                             /* a word without a colon is of this kind */
    struct live_port *(*open)(const char *what, struct diag *d); /* NULL after filling *d */
    void (*close)(struct live_port *p);
    uint32_t (*receive)(struct live_port *p, struct frames *f, struct port_arrival *arrival, uint32_t n);
    uint32_t (*send)(struct live_port *p, const struct port_bytes *frame, uint32_t n); /* returns how many went */
    bool (*idle)(struct live_port *p);                                                 /* NULL: `fd` alone tells */
    bool (*has_carrier)(struct live_port *p);
};

/* What all kinds begin with. */
struct live_port {
    const struct live_port_ops *ops;
    char name[64]; /* as it was asked for */
    int fd;        /* readable when frames have come */
    struct port_counts count;
};

/* Rows of the table: id and variable. */
#define LIVE_PORTS(X) X(packet) X(xdp) X(tap) X(ring)
#define LIVE_PORT_DECLARE(id) extern const struct live_port_ops live_port_##id;
LIVE_PORTS(LIVE_PORT_DECLARE)
#undef LIVE_PORT_DECLARE

const struct live_port_ops *const *live_ports(size_t *n);

struct live_port *live_port_open(const char *what, struct diag *d);
void live_port_close(struct live_port *p); /* NULL is fine */

#define PORT_BURST 64 /* most frames of one call */

static inline uint32_t live_port_receive(struct live_port *p, struct frames *f, struct port_arrival *arrival,
                                         uint32_t n) {
    return p->ops->receive(p, f, arrival, n);
}

/* Sends what can be sent and counts all. */
void live_port_send(struct live_port *p, const struct port_bytes *frame, uint32_t n);

/* Call before waiting for `fd`: false if frames have come already. */
static inline bool live_port_idle(struct live_port *p) { return !p->ops->idle || p->ops->idle(p); }

/* Whether the other end is there: a link that is up. */
static inline bool live_port_has_carrier(struct live_port *p) { return p->ops->has_carrier(p); }

/* Counts a frame that was received. */
static inline void live_port_count(struct live_port *p, uint32_t bytes) {
    p->count.rx_frames++;
    p->count.rx_bytes += bytes;
}

#endif
