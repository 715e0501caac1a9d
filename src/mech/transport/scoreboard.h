/* SPDX-License-Identifier: Apache-2.0 */
/* The segments that a TCP sender has in flight (RFC 6675), and the segments that a receiver holds out of order (RFC 2018).
 *
 * Both live in a cell that is taken at the first event out of order and given back when order is restored, so a
 * connection without trouble has none. Both count in segments: segment i is the payload from i * MSS on, because both
 * ends of a flow cut it at multiples of the MSS.
 *
 * RFC 6675's rules, with all segments of one size:
 *   IsLost(i)  at least `threshold` SACKed segments lie above i. So everything not SACKed below the threshold-th
 *              highest SACKed segment is lost. One mark, `lost_end`, states this; a timeout moves it to `nxt`
 *   HighRxt    `high_rxt`: everything below it that is not SACKed has been retransmitted
 *   pipe       segments not SACKed below high_rxt (the retransmissions) + those not SACKed from lost_end on (the
 *              originals), updated incrementally
 *
 * Without SACK the set stays empty, and each duplicate ACK counts as one segment that left the network (`reno`). This
 * has the effect of RFC 6582's window inflation.
 */
#ifndef HEDDLE_MECH_TRANSPORT_SCOREBOARD_H
#define HEDDLE_MECH_TRANSPORT_SCOREBOARD_H

#include "mech/transport/bit_ring.h"
#include "wire/packet.h"

struct scoreboard {
    uint64_t una, nxt; /* segments in flight: [una, nxt) */
    uint64_t high_rxt; /* >= una */
    uint64_t lost_end; /* >= una */
    uint64_t fack;     /* one more than the highest SACKed segment, or una */
    uint64_t rescue;   /* RescueRxt: a rescue is allowed once una is above it */
    uint32_t n_sacked;
    uint32_t pipe;
    uint32_t reno;
    uint32_t mask; /* ring bits - 1 */
    uint64_t sacked[];
};

/* Returns the bytes of a scoreboard or reassembly for a window of this many segments. */
size_t scoreboard_bytes(uint64_t window_segments);

void scoreboard_init(struct scoreboard *b, uint64_t window_segments, uint64_t una, uint64_t nxt);
void scoreboard_on_sent(struct scoreboard *b);                         /* new data was sent: nxt moves by one segment */
void scoreboard_on_retransmit(struct scoreboard *b, uint64_t segment); /* segment >= high_rxt, not SACKed */
void scoreboard_on_ack(struct scoreboard *b, uint64_t una);
/* Records that [begin, end) arrived, clipped to what is in flight. Returns how many of the segments were not SACKed
 * before. */
uint32_t scoreboard_on_sack(struct scoreboard *b, uint64_t begin, uint64_t end);
void scoreboard_on_reno_dupack(struct scoreboard *b);
void scoreboard_mark_lost(struct scoreboard *b, uint32_t threshold); /* applies IsLost */
void scoreboard_mark_first_lost(struct scoreboard *b);               /* without SACK: una is lost */
/* Marks all in flight lost, after a timeout. If una itself is SACKed, the receiver reneged (or has closed): all SACK
 * information is dropped (RFC 2018, 8). */
void scoreboard_mark_all_lost(struct scoreboard *b);
uint64_t scoreboard_next(const struct scoreboard *b,
                         uint64_t limit);                     /* first not SACKed in [high_rxt, limit), or limit */
uint64_t scoreboard_last_missing(const struct scoreboard *b); /* highest segment not SACKed; there must be one */
uint32_t scoreboard_counted_pipe(const struct scoreboard *b); /* recomputes pipe, for tests and asserts */

#define REASSEMBLY_RECENT 4

/* Segments held above the next expected one. */
struct reassembly {
    struct {
        uint64_t begin, end;
    } recent[REASSEMBLY_RECENT]; /* blocks, the last changed first (RFC 2018, section 4) */
    uint64_t next;               /* the next expected segment */
    uint64_t high;               /* one more than the highest segment held */
    uint32_t high_serial;        /* serial of the frame that brought the highest segment */
    uint32_t n_recent;
    uint32_t n_held;
    uint32_t mask;
    uint64_t held[];
};

void reassembly_init(struct reassembly *r, uint64_t window_segments, uint64_t next);
bool reassembly_has(const struct reassembly *r, uint64_t segment);
void reassembly_add(struct reassembly *r, uint64_t segment); /* segment is above next and not held */
/* Takes in segment `next`: removes the held segments that now follow in order, and returns the new next. */
uint64_t reassembly_advance(struct reassembly *r);

#endif
