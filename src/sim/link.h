/* SPDX-License-Identifier: Apache-2.0 */
/* Links as the simulator sees them: rings of frames in flight.
 *
 * A ring names the frames that the sender has put on a link, in the order of arrival; `packet.at` is the time of arrival.
 * That includes queued frames: an analytic port knows at enqueue when a frame will arrive. Both ends of a link and a
 * small ring are one cache line, which lies with the receiving node: sender and receiver touch this line and the
 * frame, which they need anyway. Beside the frame, an entry has the last bits of the slot in which it arrives, so the
 * receiver leaves later frames alone without reading them. A link between partitions belongs to the receiving one;
 * frames get there by the exchange (sim/exchange.h).
 */
#ifndef HEDDLE_SIM_LINK_H
#define HEDDLE_SIM_LINK_H

#include "wire/packet_pool.h"

/* An entry: the frame, the last bits of its slot, and whether it arrives beyond the wheel's reach. The slot of such a
 * frame is marked by the receiver, once it is the first one on the link. */
#define LINK_FRAME_BITS 27
#define LINK_FRAME ((1u << LINK_FRAME_BITS) - 1)
#define LINK_SLOT (15u << LINK_FRAME_BITS)
#define LINK_FAR (1u << 31)
_Static_assert(POOL_MAX_PACKETS == 1u << LINK_FRAME_BITS, "an entry holds every frame");
static inline uint32_t link_slot(int64_t slot) { return (uint32_t)slot << LINK_FRAME_BITS & LINK_SLOT; }

#define LINK_SMALL_BITS 3
#define LINK_FRAMES (1 << LINK_SMALL_BITS) /* that the ring holds before it grows */

struct link {            /* an input of a node; a node's timers are an input too, without frames */
    uint32_t *ring;      /* [2^bits] entries: `small`, or memory of its own */
    span_ps delay;       /* propagation, and the receiving host's delay up the stack */
    uint32_t head, tail; /* positions of the first frame and after the last one; they wrap */
    uint32_t node;       /* receiver: index in the partition's node list */
    uint16_t port;       /* its port */
    uint8_t bits;        /* of the size of the ring */
    bool is_timer;
    uint32_t small[LINK_FRAMES];
};
_Static_assert(sizeof(struct link) == 64, "one line");

/* Initialises a link without frames. It must not be moved afterwards. */
void link_init(struct link *l, uint32_t node, uint16_t port, bool is_timer);
void link_fini(struct link *l);
/* Doubles a ring that is full. */
void link_grow(struct link *l);
/* Frees the memory of a ring that has grown and is empty. So only links whose queues are long now have rings of their
 * own, however many queues were long at some time in a run. */
void link_shrink(struct link *l);
/* Returns the bytes of the ring beyond the link itself. */
uint64_t link_bytes(const struct link *l);

static inline uint32_t link_length(const struct link *l) { return l->tail - l->head; }

/* Returns the entry at a position from head to tail - 1. */
static inline uint32_t *link_entry(const struct link *l, uint32_t at) { return &l->ring[at & ((1u << l->bits) - 1)]; }
static inline uint32_t link_frame(const struct link *l, uint32_t at) { return *link_entry(l, at) & LINK_FRAME; }

/* Puts a frame that arrives at `at`, in `slot`, on the link. Frames are put on it in the order in which they arrive. */
static inline void link_push(struct link *l, struct packet_pool *pool, uint32_t packet, time_ps at, int64_t slot,
                             bool far) {
    packet_at(pool, packet)->at = at;
    if (__builtin_expect(link_length(l) >> l->bits, 0)) link_grow(l);
    *link_entry(l, l->tail++) = packet | link_slot(slot) | (far ? LINK_FAR : 0);
}

#endif
