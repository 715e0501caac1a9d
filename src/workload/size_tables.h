/* SPDX-License-Identifier: Apache-2.0 */
/* The named flow-size distributions: rows of bytes and cumulative parts per million. Private to sizes.
 *
 * The points are those of the published figures, as other simulators tabulate them. Where their tables disagree, each
 * has a name of its own.
 */
#ifndef HEDDLE_WORKLOAD_SIZE_TABLES_H
#define HEDDLE_WORKLOAD_SIZE_TABLES_H

#include "base/types.h"

struct table_point {
    int64_t units;
    int64_t cumulative_ppm;
};

struct size_table {
    const char *name, *source, *doc;
    int64_t unit_bytes; /* 1, or 1460 for tables in packets */
    const struct table_point *point;
    uint32_t n;
};

extern const struct size_table size_table[];
extern const uint32_t n_size_tables;

#endif
