/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings about configurations that can run but are hardly intended. Each is one line with its place and a remedy.
 *
 *   a load above the capacity of the tier that is loaded most (study/assemble/overload.h)
 *   rates at which serialization is wrong by more than 0.1 % on average; more than 1 % is an error (rates.c)
 *   rounds of an incast by the clock whose bytes a link cannot carry within the gap: they overlap
 *   a trace that lasts as if its microseconds had been read as seconds
 *   what is asked for outside the time of the run, and hosts that failures cut off (study/assemble/outside.h)
 *   a balancer that reorders packets, under a transport that takes late packets for lost
 *   ports that are full a few frames after they mark (marking.c)
 *   timeouts, windows and buffers that are too small for the base round trip of the farthest hosts (far_pairs.c)
 *   flow-control thresholds that cannot keep an ingress queue from overflowing with the classes that the workload uses
 *   flow-control thresholds that divide the queue among more classes than it uses (switch.headroom: exact)
 *
 * study/experiment/effect.h warns of keys without any effect. A configuration that cannot work at all is an error of
 * study/assemble.
 */
#ifndef HEDDLE_STUDY_ASSEMBLE_WARNINGS_H
#define HEDDLE_STUDY_ASSEMBLE_WARNINGS_H

#include "study/assemble/assemble.h"

#define WARNINGS_MAX 32

/* Fills `warning` and returns the number of warnings. */
size_t assembly_warnings(const struct assembly *a, const struct config *c, struct diag warning[WARNINGS_MAX]);

#endif
