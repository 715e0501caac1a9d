/* SPDX-License-Identifier: Apache-2.0 */
/* Flow-size distributions: named tables, CDF files, or one size.
 *
 * Points are (bytes, cumulative probability) with linear interpolation between them. A repeated size is a jump (a point
 * mass), and a first probability above 0 is the mass at the first size. The mean is the exact mean of the interpolated
 * distribution.
 */
#ifndef HEDDLE_WORKLOAD_SIZES_H
#define HEDDLE_WORKLOAD_SIZES_H

#include "base/diag.h"
#include "base/random.h"
#include "base/types.h"

struct size_point {
    int64_t bytes;
    int64_t cumulative_ppb;
};

struct sizes {
    char name[64]; /* "web-search", a path, or a size */
    struct size_point *point;
    uint32_t n;
    int64_t mean_bytes; /* rounded */
    int64_t cap_bytes;  /* larger draws are cut to it, and the mean is that of the cut distribution; 0 = no cap */
};

/* Returns the distribution that `what` names: a named one, one size with unit ("50MB"), or a CDF file. NULL after
 * filling *d, without file and line if `what` itself is wrong. Relative paths start at `base_dir`; NULL: at the working
 * directory.
 *
 * A CDF file has a line per point: the size, then the cumulative probability, as percent (the last is 100) or as a
 * fraction (the last is 1), separated by blanks, tabs or a comma. A third column between the two is skipped. `#` begins
 * a comment; a comment `# packets` or `# bytes` above the first point is the unit of the sizes. Packets have 1460 B.
 * Without it sizes are bytes; a file of three columns must have it, since ns-2's tables, which have three, count
 * packets. */
struct sizes *sizes_create(const char *what, const char *base_dir, int64_t cap_bytes, struct diag *d);
/* Returns the distribution of the text of a CDF file, which need not end in NUL; `file` is its name in errors. */
struct sizes *sizes_parse(const char *text, size_t length, const char *file, int64_t cap_bytes, struct diag *d);
/* Returns whether sizes_create would read `what` from a file: false for a named distribution and for whatever begins
 * like a size, also one with a unit that does not exist ("1.5MB", "1.5XB"). "./1.5MB" is a file. */
bool sizes_is_file(const char *what);
void sizes_destroy(struct sizes *s);
int64_t sizes_draw(const struct sizes *s, struct random_stream *r); /* at least 1 */
/* Return the names of the named distributions, the source of one and its description; NULL if no distribution has that
 * name. To add one, write its points and a row in size_tables.c. */
const char *const *sizes_names(size_t *n);
const char *sizes_source(const char *name);
const char *sizes_doc(const char *name);
/* Returns the mean wire bytes of a flow, rounded: its payload and the headers and gaps of its ceil(bytes / payload)
 * frames. Ignores the padding of frames with less than 6 B of payload. */
int64_t sizes_mean_wire_bytes(const struct sizes *s, uint32_t wire_full_bytes, uint32_t payload_full_bytes);

#endif
