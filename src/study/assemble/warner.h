/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that warn about an assembly (warnings.h) and by nobody else. */
#ifndef HEDDLE_STUDY_ASSEMBLE_WARNER_H
#define HEDDLE_STUDY_ASSEMBLE_WARNER_H

#include "study/assemble/warnings.h"

struct warner {
    const struct assembly *a;
    const struct config *c;
    struct diag *warning; /* [WARNINGS_MAX] */
    size_t n;
};

/* Returns a place for one more warning; the last place again if all are taken. */
struct diag *next_warning(struct warner *v);

/* ---- headroom.c ---- */

/* Warns of thresholds that cannot keep an ingress queue from overflowing, and of classes that nobody uses: room kept for
 * them makes every class pause too early. */
void warn_of_headroom(struct warner *v);
void warn_of_classes(struct warner *v);

/* ---- rings.c ---- */

/* Warns of links that lossless flow control may stop for ever. */
void warn_of_rings(struct warner *v);

/* ---- marking.c ---- */

/* Warns of ports that are full a few frames after they mark. */
void warn_of_marking(struct warner *v);
/* Returns the room above a marking threshold at which warn_of_marking is silent, in frame bytes. */
int64_t marking_room(const struct assembly *a);

/* ---- rates.c ---- */

/* Warns of a rate at which serialization is wrong by more than 0.1 % on average. */
void warn_of_rates(struct warner *v);

/* ---- far_pairs.c ---- */

/* Warns of timeouts, windows and buffers that are too small for the base round trips of the workload's pairs. */
void warn_of_far_pairs(struct warner *v);

#endif
