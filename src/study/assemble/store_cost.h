/* SPDX-License-Identifier: Apache-2.0 */
/* Foresees how many bytes of a results store a run fills, before it is made.
 *
 * Every run stores its configuration and its result, its nodes, ports and flows; by the file, also queries, jobs, samples, imbalance of
 * uplinks and timelines. Their numbers are known or follow from the length of the run, which is at least that of its arrivals and
 * of the bytes of the last ones on their hosts' links; samples are thinned at measure.max_samples. The bytes
 * of a row are measured on stores, the pages of SQLite included (docs/store.md has the figures).
 *
 * Captures (measure.pcap) are files of their own, and are left out.
 */
#ifndef HEDDLE_STUDY_ASSEMBLE_STORE_COST_H
#define HEDDLE_STUDY_ASSEMBLE_STORE_COST_H

#include "study/assemble/assemble.h"

#define STORE_EMPTY_BYTES 122000 /* tables and indices without a row */

/* Returns the bytes of a run that lasts until `end` at least. */
uint64_t store_cost(const struct assembly *a, time_ps end);

#endif
