/* SPDX-License-Identifier: Apache-2.0 */
/* How long a run will take: what `heddle check` foresees, corrected by the runs that have finished.
 *
 * `heddle check` counts the packet-hops that a run will take and assumes a speed (study/assemble/run_cost.h). Its estimate
 * may be several times off, so finished runs correct it. The closest evidence is used, in this order:
 *    1. runs of the same place (study/run/order.h), which differ in the seed alone: the mean time that they simulated
 *    2. all runs that finished in this command: the time that they simulated over the time that was foreseen for them
 *    3. all runs of the results store, which another machine may have carried out: the same
 *    4. nothing: what was foreseen
 * What a run takes besides simulating (a process, building its fabric, storing) is added: the mean over the runs that
 * finished in this command. A run that was ended after some time takes at least that time, and so do the others of its
 * place.
 *
 * All times are seconds. Every function takes constant time.
 */
#ifndef HEDDLE_STUDY_RUN_PACE_H
#define HEDDLE_STUDY_RUN_PACE_H

#include "base/types.h"

struct pace_sums {
    double simulated_s, foreseen_s; /* sums over finished runs */
    uint32_t n;
};

struct pace {
    double foreseen_s;     /* of a run of this place; the seed does not matter for it */
    struct pace_sums runs; /* of this place */
    double at_least_s;     /* the longest time after which a run of this place was ended; 0: none was */
};

struct paces {
    struct pace *place;            /* [n] */
    struct pace_sums here, stored; /* runs of this command; runs of the store */
    double beside_s;               /* sum over runs of this command of the time besides simulating */
};

/* Makes n places, of which nothing is foreseen yet. paces_free frees what *p holds. */
void paces_init(struct paces *p, size_t n);
void paces_free(struct paces *p);

/* Notes that a run of the place has finished in this command, after took_s, of which it simulated simulated_s. */
void pace_finished(struct paces *p, size_t place, double simulated_s, double took_s);
/* Notes that the store holds a finished run of the place. */
void pace_stored(struct paces *p, size_t place, double simulated_s);
/* Notes that a run of the place was ended after this time. */
void pace_ended(struct paces *p, size_t place, double after_s);

/* Returns how long a run of the place will take. */
double pace_expects(const struct paces *p, size_t place);

#endif
