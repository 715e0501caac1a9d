/* SPDX-License-Identifier: Apache-2.0 */
/* What figures of kind `time` show: the samples of a run (measure.queues, links, goodput), over ports or hosts.
 *
 * These are no keys of the result, which study/metrics has, but of the table `samples` of the store.
 */
#ifndef HEDDLE_STUDY_EXPERIMENT_SAMPLED_H
#define HEDDLE_STUDY_EXPERIMENT_SAMPLED_H

#include "study/metrics/metrics.h"

/* What is drawn of the samples of one time. */
enum sampled_over { SAMPLED_EACH, SAMPLED_MEAN, SAMPLED_MAX, SAMPLED_JAIN };

struct sampled {
    const char *metric; /* as a figure names it: "queue.max" */
    const char *kind;   /* of the samples: "queue" */
    enum sampled_over over;
    double scale; /* a stored sample times this is in `unit` */
    enum metric_unit unit;
    const char *label;
};

/* Returns NULL if nothing of this name is sampled. */
const struct sampled *sampled_find(const char *metric);
/* Writes "goodput.host, goodput.mean, ..." into buf, which is returned. */
const char *sampled_names(char *buf, size_t size);

#endif
