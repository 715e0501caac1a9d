/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations between ranks, as communication libraries carry them out: n ranks with a buffer of S bytes each.
 *
 * A row of `rows` for each operation and algorithm: into how many parts it cuts S, what it sends, and how much of S crosses
 * a rank's link at least (bus bandwidth; NVIDIA nccl-tests, doc/PERFORMANCE.md). job.h says what waits for what.
 *
 *     ring                an all-reduce takes 2 (n - 1) steps of S / n to the next rank: half of them add, half copy
 *     bidirectional-ring  two opposite rings of S / 2
 *     halving-doubling    partner r xor n/2, n/4, .. 1 with S/2, S/4, .. S/n, and back (Rabenseifner); a broadcast: a
 *                         binomial tree, in which the ranks that have the data double
 *     direct              S / n to every other rank, `window` of them at once; a broadcast: S from the first rank to each
 *     double-binary-tree  two trees, each of which adds S / 2 on the way up and copies it on the way down; a rank with
 *                         children in one has none in the other (Sanders, Speck, Traeff 2009; NCCL's trees)
 *
 * A lane may be cut into chunks, which follow each other through its steps: a rank passes one on while the next arrives.
 *
 * An all-to-all may be skewed (skew.h): then the shares of a buffer differ, the same for all senders.
 *
 * The buffer of a reduce-scatter and an all-gather is the whole one, n shares. send-recv sends S to the next rank.
 */
#ifndef HEDDLE_WORKLOAD_COLLECTIVES_H
#define HEDDLE_WORKLOAD_COLLECTIVES_H

#include "workload/fields.h"
#include "workload/jobs/job.h"
#include "workload/jobs/skew.h"

/* Keys that several kinds of jobs have, with a field of this name in each. */
#define COLLECTIVE_ALGORITHM_KEY(fields, text_of_doc)                                                                  \
    {                                                                                                                  \
        .name = "algorithm", .type = PARAM_CHOICE, .text = "none", .without = ALGORITHM_COUNT,                         \
        .choices = PARAM_CHOICES(COLLECTIVE_ALGORITHMS), .doc = (text_of_doc), PARAM_OWN_IN(fields, algorithm),        \
    }
#define COLLECTIVE_SCALE_UP_KEY(fields)                                                                                \
    {                                                                                                                  \
        .name = "scale_up", .type = PARAM_RATE, .text = "none", .without = SCALE_UP_OF_MODEL, .min = 0,                \
        .max = 1000000LL * 1000000000,                                                                                 \
        .doc = "rate of a rank inside of its server: what is exchanged there (hierarchical, and tensor groups) takes " \
               "its ideal time; 0bps: it uses the fabric; none: the model's, or 0bps",                                 \
        PARAM_OWN_IN(fields, scale_up_bps),                                                                            \
    }
#define COLLECTIVE_SKEW_KEY(fields)                                                                                    \
    {                                                                                                                  \
        .name = "skew", .type = PARAM_FRACTION, .max = SKEW_MAX_PPB,                                                   \
        .doc =                                                                                                         \
            "of an all-to-all, or of what goes to the experts of a layer and back: the k-th most popular rank gets a " \
            "share of each buffer in proportion to 1 / k^skew; who is popular is drawn for each iteration (and "       \
            "layer), "                                                                                                 \
            "the same for all senders; 0: all shares are alike",                                                       \
        PARAM_OWN_IN(fields, skew_ppb),                                                                                \
    }

/* How an operation is carried out by an algorithm. */
struct collective_row;

/* Returns the row; NULL if the operation has no such algorithm. ALGORITHM_COUNT: the operation's own. */
const struct collective_row *collective_row(enum collective_op op, enum collective_algorithm algorithm);
const char *collective_op_name(enum collective_op op);
const char *collective_algorithm_name(const struct collective_row *row);
/* Says in *d that the operation has no such algorithm, and which it has; returns false. */
bool collective_none(const struct generator *g, enum collective_op op, enum collective_algorithm algorithm);

/* Returns whether a rank may send to many at once, so that a window acts. */
bool collective_has_window(const struct collective_row *row);
/* Returns into how many equal parts n ranks cut the buffer over one channel. */
uint64_t collective_parts(const struct collective_row *row, uint32_t n);
/* Fails if n ranks cannot carry it out. */
bool collective_fits(const struct generator *g, const struct collective_row *row, uint32_t n);
/* Sets bus and bus_per of a job. */
void collective_bus(const struct collective_row *row, uint32_t n, struct workload_job *job);
/* Returns how long an operation on `bytes` takes n ranks of a server over their own links, each of this rate, in its ideal:
 * what must cross a link, and nothing else. */
span_ps collective_scale_up_time(enum collective_op op, uint64_t bytes, uint32_t n, int64_t rate_bps);
/* Returns the messages of one channel. */
flow_count collective_messages(const struct collective_row *row, uint32_t n);

/* Some ranks of a job: first, first + stride, first + 2 stride, ... */
struct rank_group {
    uint32_t n, first, stride;
};

/* The lanes that carry a buffer: so many channels from number `channel` on, in so many chunks each. */
struct lane_plan {
    uint32_t channel, channels, chunks;
    enum job_wait wait;
    const struct skew
        *skew; /* of an all-to-all, among so many members as the group has; NULL: all send the same to all */
};

/* Returns the number of the stream in which the skew of an iteration, and of one of its layers, is drawn. */
uint64_t collective_skew_number(const struct job_builder *b, uint32_t layer);
/* Adds the lanes that carry a buffer of `bytes`, a multiple of channels x chunks x collective_parts. False as
 * generator_add. */
bool collective_carry(struct job_builder *b, const struct collective_row *row, const struct rank_group *group,
                      uint64_t bytes, const struct lane_plan *plan);
/* Returns how many channel numbers it uses. */
uint32_t collective_lanes(const struct collective_row *row, uint32_t channels);

#endif
