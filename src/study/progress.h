/* The line on a terminal that says how far the runs are. */
#ifndef HEDDLE_STUDY_PROGRESS_H
#define HEDDLE_STUDY_PROGRESS_H

#include "study/job.h"

struct progress_line {
    bool shown;                /* standard error is a terminal and wants it */
    bool dirty;                /* something stands in the line */
    size_t n_runs, n_finished; /* those of this command, not the ones the store had */
    double started;            /* seconds of a clock */
    double drawn;
};

void progress_begin(struct progress_line *p, bool shown, size_t n_runs);
/* At most a few times a second. */
void progress_draw(struct progress_line *p, const struct job *job, size_t n_jobs);
/* Before anything else is printed. */
void progress_clear(struct progress_line *p);

#endif
