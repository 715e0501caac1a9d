/* SPDX-License-Identifier: Apache-2.0 */
/* Carries out, in a running lab, what fabric.failed and fabric.fail_random of an experiment say:
 *
 *    c.begun = lab_failures_begin, c.begun_to = failures;      (live/lab/endpoint.h)
 *    struct lab_failures *failures = lab_failures_create(fabric, lab->socket);
 *    endpoint_run(&c, ...);
 *    lab_failures_end(failures, &d);
 *
 * A thread asks the switches to cut a link, to restore it, or to lose a share of its frames, each at its time after time 0
 * of the flows (heddle lab link, heddle lab impair). What is due at time 0 is done before any flow starts. When the ends of
 * a link know of it is up to the switches, which have one time for all links (lab_failures_detect).
 */
#ifndef HEDDLE_LIVE_LAB_FAILURES_H
#define HEDDLE_LIVE_LAB_FAILURES_H

#include "fabric/fabric.h"

#include <time.h>

/* The time that all failures of the fabric give as `detect`; 0: there are none. */
span_ps lab_failures_detect(const struct fabric_spec *spec);

struct lab_failures;

/* The failures of a fabric, whose switches answer at `socket`. Both outlive what is returned. */
struct lab_failures *lab_failures_create(const struct fabric *f, const char *socket);
/* Does what is due at time 0, `zero` of CLOCK_MONOTONIC, and starts the thread for the rest. */
void lab_failures_begin(void *failures, const struct timespec *zero);
/* Ends the thread, and frees *failures. Returns false after filling *d: the switches could not be asked. */
bool lab_failures_end(struct lab_failures *failures, struct diag *d);

#endif
