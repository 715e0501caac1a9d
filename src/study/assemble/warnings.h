/* SPDX-License-Identifier: Apache-2.0 */
/* Settings that can be run but hardly mean what they say: warnings, each one line with its place and a remedy.
 *
 *   a load above what the narrowest tier carries (study/assemble/overload.h)
 *   a balancer that reorders packets, under a transport that takes reordering for loss
 *   thresholds of flow control that cannot keep an ingress queue from overflowing with the classes that the workload
 *   uses, and thresholds that divide the queue among more classes than it uses (switch.headroom: exact)
 *
 * Keys that cannot have any effect are told of by study/experiment/effect.h.
 *
 * What cannot work at all is an error of study/assemble.
 */
#ifndef HEDDLE_STUDY_ASSEMBLE_WARNINGS_H
#define HEDDLE_STUDY_ASSEMBLE_WARNINGS_H

#include "study/assemble/assemble.h"

#define WARNINGS_MAX 8

/* Fills `warning`, returns how many there are. */
size_t assembly_warnings(const struct assembly *a, const struct config *c, struct diag warning[WARNINGS_MAX]);

#endif
