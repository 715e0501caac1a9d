/* SPDX-License-Identifier: Apache-2.0 */
/* What an operator adds to one direction of a live link, to see what hosts make of it: loss, corruption, duplicates,
 * reordering, delay. It happens after the port has sent the frame, so the switch notices none of it.
 *
 *   loss       the frame never arrives
 *   corrupt    one bit behind the MACs is turned over; hosts and switches find it by their checksums
 *   duplicate  the frame arrives twice
 *   delay      added to the delay of the link
 *   reorder    the frame arrives IMPAIR_LATE later than it would, so that later ones overtake it
 */
#ifndef HEDDLE_LIVE_IMPAIR_H
#define HEDDLE_LIVE_IMPAIR_H

#include "base/diag.h"
#include "base/random.h"
#include "base/types.h"

#define IMPAIR_LATE PS_PER_MS

struct impairment {
    int64_t loss_ppb, corrupt_ppb, duplicate_ppb, reorder_ppb; /* parts per thousand million */
    span_ps delay;
};

/* Reads "loss=1% delay=1ms corrupt=0.1% duplicate=0.1% reorder=1%", any of them, in any order; what is not named is 0.
 * "none" takes all away. False after filling *d. */
bool impairment_parse(const char *text, struct impairment *x, struct diag *d);
static inline bool impairment_is_none(const struct impairment *x) {
    return !x->loss_ppb && !x->corrupt_ppb && !x->duplicate_ppb && !x->reorder_ppb && !x->delay;
}

/* Returns whether something of this chance happens now. */
static inline bool impairment_strikes(int64_t ppb, struct random_stream *r) {
    return ppb > 0 && (int64_t)random_below(r, PPB) < ppb;
}
/* Turns one bit over. */
void impairment_corrupt(uint8_t *frame, size_t bytes, struct random_stream *r);

#endif
