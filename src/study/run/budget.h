/* SPDX-License-Identifier: Apache-2.0 */
/* `heddle run --budget TIME`: which run starts next, and whether it still fits.
 *
 *    struct budget *b = budget_create(e, x, result, foreseen_s, seconds, ends_s);
 *    for each run that the store holds:            budget_hold(b, run)
 *    for each run that an earlier command ended:   budget_tried(b, run, after_s)
 *    while ((run = budget_next(b, now)) != SIZE_MAX) start it
 *        when it has finished, and result[run] is there:   budget_finished(b, run, now)
 *    if (budget_is_over(b, now)) end the runs under way; they stay missing
 *    budget_text(b, now, ...)                      why runs are missing
 *    budget_free(b)
 *
 * The budget is time of the wall clock, from the start of the command. Runs start in the order of study/run/order.h. A
 * run starts if the time that it will take (study/run/pace.h) and a fifth more fit in the time left: estimates are
 * rough, and a run that has to be ended is lost. Runs under way when the budget is over are ended.
 */
#ifndef HEDDLE_STUDY_RUN_BUDGET_H
#define HEDDLE_STUDY_RUN_BUDGET_H

#include "study/claims/expect.h"

/* Reads a time: as in an experiment file (90s, 500ms), or in minutes or hours: 90min, 1.5h. False after filling *d. */
bool budget_read(const char *text, double *seconds, struct diag *d);

struct budget;

/* Returns the budget of a command: `seconds` in all, of which the last is at ends_s of the caller's clock. Copies
 * foreseen_s[run]. *e, *x and result[run], NULL for a run without one, must outlive it; budget_free frees it. */
struct budget *budget_create(const struct experiment *e, const struct expectations *x, json_t *const *result,
                             const double *foreseen_s, double seconds, double ends_s);
void budget_free(struct budget *b);

/* Notes that the store holds the result of a run, which therefore does not start. */
void budget_hold(struct budget *b, size_t run);
/* Notes that an earlier command ended a run after this time. */
void budget_tried(struct budget *b, size_t run, double after_s);

/* Returns the run to start at `now`; SIZE_MAX: no run that is left fits. */
size_t budget_next(struct budget *b, double now);
/* Notes that a run of budget_next has finished. Learns its pace if result[run] is there. */
void budget_finished(struct budget *b, size_t run, double now);

/* Returns the time left in seconds, at least 0. */
double budget_left(const struct budget *b, double now);
bool budget_is_over(const struct budget *b, double now);

/* Writes why runs are missing: "the budget of 2:00 h is over", or "no run that is left fits in the 3:10 min left of
 * 2:00 h: the shortest takes about 5:00 min". If none would fit in the whole budget, it adds that a longer one is
 * needed. Returns buf. */
const char *budget_text(const struct budget *b, double now, char *buf, size_t size);

#endif
