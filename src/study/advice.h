/* Settings that can be run but hardly mean what they say: warnings, each one line with its place and a remedy.
 *
 *   thresholds of flow control that cannot keep an ingress queue from overflowing with the classes that the workload
 * uses thresholds that divide the queue among more classes than it uses (switch.headroom: exact) a balancer that
 * reorders packets, on a lossless fabric, under a transport that takes reordering for loss
 *
 * What cannot work at all is an error of study/assemble.
 */
#ifndef HEDDLE_STUDY_ADVICE_H
#define HEDDLE_STUDY_ADVICE_H

#include "study/assemble.h"

#define ADVICE_MAX 8

/* Fills `advice`, returns how many there are. */
size_t advice_of(const struct assembly *a, const struct config *c, struct diag advice[ADVICE_MAX]);

#endif
