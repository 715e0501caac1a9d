/* SPDX-License-Identifier: Apache-2.0 */
/* Impairments that an operator adds to one direction of a live link, to test hosts: loss, corruption, duplicates,
 * reordering, delay. They apply after the port has sent the frame, so the switch does not notice them.
 *
 *  loss       the frame never arrives
 *  corrupt    one bit behind the MACs is inverted; hosts and switches detect it by their checksums
 *  duplicate  the frame arrives twice
 *  delay      added to the delay of the link
 *  reorder    the frame arrives IMPAIR_LATE later, so that later frames overtake it
 */
#ifndef HEDDLE_LIVE_IMPAIR_H
#define HEDDLE_LIVE_IMPAIR_H

#include "base/diag.h"
#include "base/random.h"
#include "base/types.h"

#define IMPAIR_LATE PS_PER_MS

struct impairment {
    int64_t loss_ppb, corrupt_ppb, duplicate_ppb, reorder_ppb; /* parts per billion */
    span_ps delay;
};

/* Parses "loss=1% delay=1ms corrupt=0.1% duplicate=0.1% reorder=1%": any subset, in any order; the others are 0. "none"
 * removes all. Returns false after filling *d. */
bool impairment_parse(const char *text, struct impairment *x, struct diag *d);
static inline bool impairment_is_none(const struct impairment *x) {
    return !x->loss_ppb && !x->corrupt_ppb && !x->duplicate_ppb && !x->reorder_ppb && !x->delay;
}

/* Returns true with a probability of `ppb` parts per billion. */
static inline bool impairment_strikes(int64_t ppb, struct random_stream *r) {
    return ppb > 0 && (int64_t)random_below(r, PPB) < ppb;
}
/* Inverts one bit. */
void impairment_corrupt(uint8_t *frame, size_t bytes, struct random_stream *r);

#endif
