/* SPDX-License-Identifier: Apache-2.0 */
/* What the switches of a lab are asked while flows run, each request at its time:
 *
 *    struct lab_timetable *t = lab_timetable_create(lab->socket);
 *    lab_timetable_add_failures(t, fabric);
 *    lab_timetable_add(t, measure_from, "status", &status);
 *    c.begun = lab_timetable_begin, c.begun_to = t;      (live/lab/endpoint.h)
 *    endpoint_run(&c, ...);
 *    lab_timetable_end(t, &d);
 *
 * What is due at time 0 of the flows is asked before any of them starts; a thread asks the rest. Requests of one time keep
 * the order in which they were added. What is due after the end of the run is left out.
 */
#ifndef HEDDLE_LIVE_LAB_TIMETABLE_H
#define HEDDLE_LIVE_LAB_TIMETABLE_H

#include "fabric/fabric.h"

#include <time.h>

struct lab_timetable;

/* An empty timetable of the switches that answer at `socket`, which outlives it. */
struct lab_timetable *lab_timetable_create(const char *socket);
/* Adds a request of live/control.h. *reply: NULL until it is answered, then the reply, which the caller frees; `reply` may
 * be NULL. */
void lab_timetable_add(struct lab_timetable *t, time_ps at, const char *request, char **reply);
/* Adds what fabric.failed and fabric.fail_random say: links are cut, restored, or lose a share of their frames. When the
 * ends of a link know of it is up to the switches, which have one time for all links (lab_failures_detect). */
void lab_timetable_add_failures(struct lab_timetable *t, const struct fabric *f);

/* Asks what is due at time 0, `zero` of CLOCK_MONOTONIC, and starts the thread for the rest. */
void lab_timetable_begin(void *timetable, const struct timespec *zero);
/* Ends the thread, and frees *timetable. Returns false after filling *d: a request was refused, or nobody answered. */
bool lab_timetable_end(struct lab_timetable *t, struct diag *d);

/* The time that all failures of the fabric give as `detect`; 0: there are none. */
span_ps lab_failures_detect(const struct fabric_spec *spec);

#endif
