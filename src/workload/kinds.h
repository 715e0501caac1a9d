/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of workload, a row each, in the order in which they are listed. keys.c makes the table of them.
 *
 * The rows stand apart from the interface (workload.h): another row rebuilds the table and what names single rows.
 */
#ifndef HEDDLE_WORKLOAD_KINDS_H
#define HEDDLE_WORKLOAD_KINDS_H

#include "workload/workload.h"

#define WORKLOADS(ROW)                                                                                                 \
    ROW(poisson)                                                                                                       \
    ROW(permutation)                                                                                                   \
    ROW(stride)                                                                                                        \
    ROW(bijection)                                                                                                     \
    ROW(random)                                                                                                        \
    ROW(incast)                                                                                                        \
    ROW(long)                                                                                                          \
    ROW(trace)                                                                                                         \
    ROW(shuffle)                                                                                                       \
    ROW(query)                                                                                                         \
    ROW(web_sequential)                                                                                                \
    ROW(web_partition)                                                                                                 \
    ROW(background)                                                                                                    \
    ROW(collective)                                                                                                    \
    ROW(training)                                                                                                      \
    ROW(matrix)                                                                                                        \
    ROW(goal)                                                                                                          \
    ROW(chakra)                                                                                                        \
    ROW(simai)

#define WORKLOAD_DECLARE(id) extern const struct workload_ops workload_##id;
WORKLOADS(WORKLOAD_DECLARE)

#endif
