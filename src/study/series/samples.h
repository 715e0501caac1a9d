/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of a stored run: read by kind and time, summed over ports, and divided into bins of time. */
#ifndef HEDDLE_STUDY_SERIES_SAMPLES_H
#define HEDDLE_STUDY_SERIES_SAMPLES_H

#include "study/store/store_reader.h"

/* ---- reading ---- */

/* Samples of one kind ("queue", "link", "goodput", "pause") from from_ps to to_ps, both included. */
struct sample_window {
    const char *kind;
    int64_t from_ps, to_ps;
};

/* Takes a sample; `node` is the name of the port's node, NULL if it has none. */
typedef void sample_visitor(void *to, int64_t at_ps, const char *node, double value);
/* Calls `visit` with `to` for each sample of the window, by time, then port. False after filling *d. */
bool run_samples_each(const struct store_reader *r, const struct run_row *run, const struct sample_window *w,
                      sample_visitor *visit, void *to, struct diag *d);
/* Sets *n_times to the number of distinct times in the window and *length_ps to the time from the first to the last;
 * 0 without samples. False after filling *d. */
bool run_samples_extent(const struct store_reader *r, const struct run_row *run, const struct sample_window *w,
                        int64_t *n_times, int64_t *length_ps, struct diag *d);

/* ---- over ports or hosts ---- */

/* Running sums of the samples of one time. */
struct over_ports {
    double sum, squares, most;
    size_t n;
};
void over_ports_add(struct over_ports *o, double value);
double over_ports_mean(const struct over_ports *o);
/* Returns Jain's index, (sum x)^2 / (n sum x^2); NaN if all values are 0. */
double over_ports_jain(const struct over_ports *o);

/* ---- bins of time ---- */

/* Divides distinct times into `n` bins of equally many times, at most as many as there are times. */
struct time_bins {
    size_t n, n_times, at; /* at: index of the current time */
    const int64_t *time;   /* [n_times], ascending; the caller's */
};
struct time_bins time_bins_of(const int64_t *time, size_t n_times, size_t most);
/* Returns the bin of a time. Times are asked for in ascending order. */
size_t time_bins_find(struct time_bins *b, int64_t at_ps);
/* Returns the last time of a bin. */
int64_t time_bins_end(const struct time_bins *b, size_t bin);

/* Sum, count and maximum by row (a group of ports, a host) and bin. */
struct bin_sums {
    double *sum, *max; /* [rows x bins] */
    uint32_t *count;
    size_t rows, bins;
};
struct bin_sums bin_sums_make(size_t rows, size_t bins);
void bin_sums_add(struct bin_sums *s, size_t row, size_t bin, double value);
double bin_sums_mean(const struct bin_sums *s, size_t row, size_t bin); /* NaN: no value */
bool bin_sums_has(const struct bin_sums *s, size_t row);
void bin_sums_free(struct bin_sums *s);

#endif
