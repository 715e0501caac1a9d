/* SPDX-License-Identifier: Apache-2.0 */
/* All-to-alls in which some members get more than others, as the ranks that hold popular experts do. Private to workload.
 *
 * The k-th most popular of n members gets a share of each rank's buffer in proportion to 1 / k^s (Zipf's law): S w_k / (w_1 + ...
 * + w_n) of S bytes. Which member is how popular is drawn, all orders alike. It is the same for all senders. A rank's own share
 * stays with it, so that the shares of a buffer add up to S. Each share has a byte at least: who sends to whom does not
 * depend on s. With s = 0 all shares are S / n.
 *
 *     struct skew skew = {.exponent_ppb = 800000000};
 *     skew_draw(&skew, n, seed, number);
 *     uint64_t *share = skew_shares(&skew, bytes);        share[m]: of member m
 *     free(share), skew_fini(&skew);
 *
 * The law is inferred: no source gives one for experts. Five models had Gini coefficients of their experts' tokens from 0.10 to
 * 0.38 (DODOCO, arXiv 2605.20982); that of Zipf's law is about s / (2 - s), so s from 0.2 to 0.55 covers them.
 */
#ifndef HEDDLE_WORKLOAD_SKEW_H
#define HEDDLE_WORKLOAD_SKEW_H

#include "base/types.h"

#define SKEW_MAX_PPB (4 * PPB)

struct skew {
    int64_t exponent_ppb;
    uint32_t n;      /* members */
    uint64_t *until; /* [n + 1] weights of the members before each, in 2^-32 of the most popular one's */
    bool back;       /* the members send what they got back, to whom it came from */
};

/* Draws how popular each of n members is, from the stream (seed, RANDOM_SKEW, number). skew_fini frees it. */
void skew_draw(struct skew *s, uint32_t n, uint64_t seed, uint64_t number);
void skew_fini(struct skew *s);
/* Returns the share of each member of a buffer of at least n bytes; the caller frees it. */
uint64_t *skew_shares(const struct skew *s, uint64_t bytes);
/* Returns k^-s in Q32, for k from 1 on: 2^32 for k = 1. */
uint64_t skew_weight_q32(uint32_t k, int64_t exponent_ppb);

#endif
