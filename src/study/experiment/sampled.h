/* SPDX-License-Identifier: Apache-2.0 */
/* The metrics of figures of kind `time`: samples of a run (measure.queues, links, goodput), over ports or hosts.
 *
 * They are no keys of the result (study/metrics has those); they come from the table `samples` of the store.
 */
#ifndef HEDDLE_STUDY_EXPERIMENT_SAMPLED_H
#define HEDDLE_STUDY_EXPERIMENT_SAMPLED_H

#include "study/metrics/metrics.h"

/* The value that is drawn for the samples of one time. */
enum sampled_over { SAMPLED_EACH, SAMPLED_MEAN, SAMPLED_MAX, SAMPLED_JAIN };

struct sampled {
    const char *metric; /* as a figure names it: "queue.max" */
    const char *kind;   /* kind of the samples: "queue" */
    enum sampled_over over;
    double scale; /* factor from a stored sample to `unit` */
    enum metric_unit unit;
    const char *label;
};

/* Returns the row of this name; NULL if there is none. */
const struct sampled *sampled_find(const char *metric);
/* Writes "goodput.host, goodput.mean, ...". Returns buf. */
const char *sampled_names(char *buf, size_t size);

#endif
