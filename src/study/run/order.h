/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which `heddle run --budget` starts the runs of a sweep: the most telling first.
 *
 * A place is a combination of all swept values but the seed. Its runs differ in run.seed only.
 *
 * First every place has a run with the first seed, level by level:
 *    level 0   the least and the largest value of each axis of numbers, with every value of the other axes
 *    level 1   adds the values in the middle between those ends
 *    level 2   adds the values in the middle of the halves, and so on
 * The level of a place is the largest level of its values, so each level completes a grid that is twice as fine. Inside
 * a level, places with fewer middles come first. Then the axes of numbers count, the last key fastest, and then the
 * other axes. So runs that the table compares, say of two schemes at one load, start one after the other.
 *
 * Then further seeds follow in passes. A pass gives one more seed to each open place: a place is open while further
 * seeds may decide something about it (study/claims/open.h). When no place is open, the others have their turn, those
 * with the fewest seeds first. Equal places have the order of the first seed.
 *
 * An example, one line of runs per step:
 *    sweep: {workload.0.load: [0.1, 0.3, 0.5, 0.7, 0.9], switch.balance: [ecmp, spray], run.seed: [1, 2]}
 *
 *    0.1 ecmp 1, 0.1 spray 1, 0.9 ecmp 1, 0.9 spray 1        ends
 *    0.5 ecmp 1, 0.5 spray 1                                 their middle
 *    0.3 ecmp 1, 0.3 spray 1, 0.7 ecmp 1, 0.7 spray 1        the middles of the halves
 *    0.1 ecmp 2, 0.1 spray 2, ...                            seed 2, open places first
 *
 * The order depends on the sweep and on the results alone, not on the budget. A run that does not fit in the time left
 * is passed over, and the next one that fits starts.
 *
 * An axis value is a number if its key takes a quantity, a count, a share or a size. A value that is no number on such
 * an axis ("none", "web-search") is of level 0.
 */
#ifndef HEDDLE_STUDY_RUN_ORDER_H
#define HEDDLE_STUDY_RUN_ORDER_H

#include "study/experiment/experiment.h"

struct order;

/* Questions that the order asks its caller. */
struct order_asks {
    /* Returns whether this run may start now. */
    bool (*fits)(void *context, size_t run);
    /* Sets open[i] of run i if further seeds may decide something about its place. Called once for each pass. */
    void (*open)(void *context, bool *open);
    void *context;
};

/* Returns the order of the experiment's runs, none of them taken; order_free frees it. *e must outlive it. */
struct order *order_create(const struct experiment *e);
void order_free(struct order *o);

/* Returns the number of places, and the place of a run, below that number. */
size_t order_places(const struct order *o);
size_t order_place(const struct order *o, size_t run);

/* Notes that a run needs not start: it is done, has failed or is under way. */
void order_take(struct order *o, size_t run);
/* Returns the first run in the order that is not taken and fits, and takes it. SIZE_MAX: there is none. Its cost grows
 * with the number of places. */
size_t order_next(struct order *o, const struct order_asks *asks);

#endif
