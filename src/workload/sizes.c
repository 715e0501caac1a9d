/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/sizes.h"

#include "base/memory.h"
#include "base/units.h"
#include "workload/files/columns.h"
#include "workload/size_tables.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIZE_MAX_BYTES 1000000000000LL /* a terabyte; larger sizes would overflow the arithmetic below */
#define PPB_PER_PPM 1000
#define PACKET_BYTES 1460 /* bytes of a packet in CDF files that count packets */
#define NAMES_MAX 32

/* ---- Means ----
 *
 * Every mean is E[f] of a function f of the size. Between two points a and b sizes are uniform, so the piece adds
 * mass x (F(b) - F(a)) / (b - a), where F is the integral of f from 0; a jump adds mass x f(a). */

struct measure {
    int128 (*at)(int64_t x, int64_t unit);               /* f */
    int128 (*integral_doubled)(int64_t x, int64_t unit); /* 2 F, which is an integer */
};

static int128 bytes_at(int64_t x, int64_t unit) {
    (void)unit;
    return x;
}

static int128 bytes_integral_doubled(int64_t x, int64_t unit) {
    (void)unit;
    return (int128)x * x;
}

static int128 frames_at(int64_t x, int64_t payload) { return (x + payload - 1) / payload; }

static int128 frames_integral_doubled(int64_t x, int64_t payload) {
    int64_t full = x / payload;
    return (int128)payload * full * (full + 1) + 2 * (int128)(x - full * payload) * (full + 1);
}

static const struct measure bytes_measure = {bytes_at, bytes_integral_doubled};
static const struct measure frames_measure = {frames_at, frames_integral_doubled};

static int128 divide_rounded(int128 n, int128 d) { return (n + d / 2) / d; }

/* Returns mass x the mean of f between a and b, in units of 2^-16 so that the rounding errors of pieces stay small. */
static int128 piece_q16(const struct measure *f, int64_t unit, int64_t a, int64_t b, int64_t mass) {
    if (a == b) return f->at(a, unit) * mass << 16;
    int128 area = f->integral_doubled(b, unit) - f->integral_doubled(a, unit), width = 2 * (int128)(b - a);
    return ((area / width) * mass << 16) + divide_rounded(((area % width) << 16) * mass, width);
}

/* Returns mass x the mean of f between a and b with all sizes above `cap` cut to it (0 = no cap): the piece below cap is unchanged,
 * the mass above it is at cap. */
static int128 piece_capped_q16(const struct measure *f, int64_t unit, int64_t a, int64_t b, int64_t mass, int64_t cap) {
    if (cap == 0 || b <= cap) return piece_q16(f, unit, a, b, mass);
    if (a >= cap) return piece_q16(f, unit, cap, cap, mass);
    int128 below = piece_q16(f, unit, a, cap, mass) * (cap - a);
    int128 above = piece_q16(f, unit, cap, cap, mass) * (b - cap);
    return divide_rounded(below + above, b - a);
}

/* Returns E[f] x 10^9 in units of 2^-16. */
static int128 expected_ppb_q16(const struct sizes *s, const struct measure *f, int64_t unit) {
    const struct size_point *p = s->point;
    int128 sum = piece_capped_q16(f, unit, p[0].bytes, p[0].bytes, p[0].cumulative_ppb, s->cap_bytes);
    for (uint32_t i = 1; i < s->n; i++) {
        int64_t mass = p[i].cumulative_ppb - p[i - 1].cumulative_ppb;
        sum += piece_capped_q16(f, unit, p[i - 1].bytes, p[i].bytes, mass, s->cap_bytes);
    }
    return sum;
}

int64_t sizes_mean_wire_bytes(const struct sizes *s, uint32_t wire_full_bytes, uint32_t payload_full_bytes) {
    int128 headers = expected_ppb_q16(s, &frames_measure, payload_full_bytes) * (wire_full_bytes - payload_full_bytes);
    int128 payload = expected_ppb_q16(s, &bytes_measure, 0);
    return (int64_t)divide_rounded(payload + headers, (int128)PPB << 16);
}

/* ---- Drawing ---- */

/* Returns the index of the first point whose cumulative probability is above u. */
static uint32_t point_above(const struct sizes *s, int64_t u_ppb) {
    uint32_t low = 0, high = s->n - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (s->point[middle].cumulative_ppb > u_ppb) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

int64_t sizes_draw(const struct sizes *s, struct random_stream *r) {
    int128 u_q32 = ((int128)random_u64(r) * PPB) >> 32;
    uint32_t i = point_above(s, (int64_t)(u_q32 >> 32));
    const struct size_point *b = &s->point[i];
    int64_t bytes = b->bytes;
    if (i > 0) {
        const struct size_point *a = b - 1;
        int128 into_q32 = u_q32 - ((int128)a->cumulative_ppb << 32);
        int128 mass_q32 = (int128)(b->cumulative_ppb - a->cumulative_ppb) << 32;
        bytes = a->bytes + (int64_t)divide_rounded(into_q32 * (b->bytes - a->bytes), mass_q32);
    }
    if (s->cap_bytes > 0) bytes = min_i64(bytes, s->cap_bytes);
    return max_i64(bytes, 1);
}

/* ---- Making ---- */

static struct sizes *sizes_new(const char *name, int64_t cap_bytes, uint32_t n) {
    struct sizes *s = memory_get(1, sizeof *s);
    snprintf(s->name, sizeof s->name, "%s", name);
    s->cap_bytes = cap_bytes;
    s->point = memory_get(n, sizeof *s->point);
    s->n = n;
    return s;
}

static struct sizes *sizes_finish(struct sizes *s) {
    s->mean_bytes = (int64_t)divide_rounded(expected_ppb_q16(s, &bytes_measure, 0), (int128)PPB << 16);
    return s;
}

void sizes_destroy(struct sizes *s) {
    if (!s) return;
    free(s->point);
    free(s);
}

static struct sizes *sizes_of_table(const struct size_table *t, int64_t cap_bytes) {
    struct sizes *s = sizes_new(t->name, cap_bytes, t->n);
    for (uint32_t i = 0; i < t->n; i++) {
        s->point[i].bytes = t->point[i].units * t->unit_bytes;
        s->point[i].cumulative_ppb = t->point[i].cumulative_ppm * PPB_PER_PPM;
    }
    return sizes_finish(s);
}

static struct sizes *sizes_of_one(const char *name, int64_t bytes, int64_t cap_bytes, struct diag *d) {
    if (bytes < 1 || bytes > SIZE_MAX_BYTES) {
        diag_say(d, "a flow of %s; sizes are from 1B to 1TB", name);
        return NULL;
    }
    struct sizes *s = sizes_new(name, cap_bytes, 1);
    s->point[0] = (struct size_point){bytes, PPB};
    return sizes_finish(s);
}

const char *const *sizes_names(size_t *n) {
    static const char *name[NAMES_MAX];
    for (uint32_t i = 0; i < n_size_tables; i++) name[i] = size_table[i].name;
    *n = n_size_tables;
    return name;
}

static const struct size_table *table_of(const char *name) {
    for (uint32_t i = 0; i < n_size_tables; i++)
        if (strcmp(size_table[i].name, name) == 0) return &size_table[i];
    return NULL;
}

const char *sizes_source(const char *name) { return table_of(name) ? table_of(name)->source : NULL; }
const char *sizes_doc(const char *name) { return table_of(name) ? table_of(name)->doc : NULL; }

/* ---- CDF files ---- */

struct cdf_line {
    int64_t bytes;
    struct decimal probability;
    int line, col; /* place of the probability, for errors */
};

struct cdf {
    struct columns text;
    int64_t unit_bytes; /* bytes of a size of 1; 0 = not said, which is 1 */
    struct cdf_line *line;
    size_t n, room;
};

static bool field_number(const struct columns *c, int i, const char *what, struct decimal *v, struct diag *d) {
    const struct field *f = &c->field[i];
    char shown[40];
    if (f->n == 0 || decimal_parse(f->at, f->n, v) != f->n) {
        return columns_fail(c, i, d, "'%s' is no number; write the %s as a plain decimal",
                            field_show(f, shown, sizeof shown), what);
    }
    if (v->mantissa < 0) return columns_fail(c, i, d, "the %s is negative; it must be 0 or more", what);
    return true;
}

static bool cdf_take_line(struct cdf *cdf, struct diag *d) {
    const struct columns *c = &cdf->text;
    if (c->n < 2) return columns_fail(c, 1, d, "one column; give a size and its cumulative probability");
    if (c->n > 3) return columns_fail(c, 3, d, "more than three columns; give a size and its cumulative probability");
    if (c->n == 3 && cdf->unit_bytes == 0)
        return columns_fail(c, 0, d,
                            "three columns, as in tables of ns-2, which count packets; write '# packets' (of %d B) or "
                            "'# bytes' above the first point",
                            PACKET_BYTES);
    struct decimal size, probability;
    int last = c->n - 1;
    if (!field_number(c, 0, "size", &size, d) || !field_number(c, last, "probability", &probability, d)) return false;
    int64_t units, unit_bytes = max_i64(cdf->unit_bytes, 1);
    if (!decimal_scaled(size, 0, &units) || units > SIZE_MAX_BYTES / unit_bytes) {
        return columns_fail(c, 0, d, "the size is above 1 TB; give smaller ones");
    }
    if (cdf->n == cdf->room) {
        cdf->room = cdf->room ? 2 * cdf->room : 64;
        cdf->line = memory_grow(cdf->line, cdf->room, sizeof *cdf->line);
    }
    cdf->line[cdf->n++] = (struct cdf_line){units * unit_bytes, probability, c->line, c->field[last].col};
    return true;
}

/* Takes the unit from a comment that names one. */
static bool cdf_take_unit(struct cdf *cdf, struct diag *d) {
    const struct field *comment = &cdf->text.comment;
    int64_t unit_bytes = field_is(comment, "packets") ? PACKET_BYTES : field_is(comment, "bytes");
    char text[16];
    if (unit_bytes == 0) return true;
    field_show(comment, text, sizeof text);
    if (cdf->n > 0) return columns_fail(&cdf->text, 0, d, "'# %s' after the first point; put it above", text);
    if (cdf->unit_bytes > 0 && cdf->unit_bytes != unit_bytes)
        return columns_fail(&cdf->text, 0, d, "'# %s' after another unit; keep one", text);
    cdf->unit_bytes = unit_bytes;
    return true;
}

static bool cdf_read(struct cdf *cdf, struct diag *d) {
    if (!columns_check(&cdf->text, d)) return false;
    while (columns_next(&cdf->text)) {
        if (!cdf_take_unit(cdf, d)) return false;
        if (cdf->text.n > 0 && !cdf_take_line(cdf, d)) return false;
    }
    if (cdf->n > 0 && cdf->n < UINT32_MAX) return true;
    return diag_fail(d, cdf->text.file, cdf->text.line, 0,
                     "no points in this file; give lines of a size and its cumulative probability");
}

/* Returns the power of ten that turns the file's probabilities into ppb: 9 if the last one is 1, 7 if it is 100
 * (percent), 0 if it is neither. */
static int cdf_scale(const struct cdf *cdf) {
    const struct decimal last = cdf->line[cdf->n - 1].probability;
    int64_t ppb;
    if (decimal_scaled(last, 9, &ppb) && ppb == PPB) return 9;
    if (decimal_scaled(last, 7, &ppb) && ppb == PPB) return 7;
    return 0;
}

static bool cdf_check_point(const struct cdf *cdf, size_t i, const struct size_point *p, struct diag *d) {
    const struct cdf_line *at = &cdf->line[i];
    const char *file = cdf->text.file;
    if (i == 0 && p[0].bytes == 0 && p[0].cumulative_ppb > 0) {
        return diag_fail(d, file, at->line, at->col, "flows of 0 bytes have a probability; give 0 bytes probability 0");
    }
    if (i == 0) return true;
    if (p[i].bytes < p[i - 1].bytes) {
        return diag_fail(d, file, at->line, 1, "the size is smaller than on the point before; sort the points by size");
    }
    if (p[i].cumulative_ppb < p[i - 1].cumulative_ppb) {
        return diag_fail(d, file, at->line, at->col,
                         "the cumulative probability falls from the point before; it must never fall");
    }
    return true;
}

static bool cdf_points(const struct cdf *cdf, struct sizes *s, struct diag *d) {
    const struct cdf_line *last = &cdf->line[cdf->n - 1];
    const int scale = cdf_scale(cdf);
    if (scale == 0) {
        return diag_fail(d, cdf->text.file, last->line, last->col,
                         "the last cumulative probability is neither 1 nor 100 (percent); end the file with it");
    }
    for (size_t i = 0; i < cdf->n; i++) {
        const struct cdf_line *at = &cdf->line[i];
        s->point[i].bytes = at->bytes;
        if (!decimal_scaled(at->probability, scale, &s->point[i].cumulative_ppb) || s->point[i].cumulative_ppb > PPB) {
            return diag_fail(d, cdf->text.file, at->line, at->col,
                             "the cumulative probability is above the last one, %d", scale == 9 ? 1 : 100);
        }
        if (!cdf_check_point(cdf, i, s->point, d)) return false;
    }
    if (s->point[s->n - 1].bytes > 0) return true;
    return diag_fail(d, cdf->text.file, last->line, 1, "every size is 0; give sizes in bytes");
}

struct sizes *sizes_parse(const char *text, size_t length, const char *file, int64_t cap_bytes, struct diag *d) {
    struct cdf cdf = {0};
    columns_init(&cdf.text, text, length, file);
    struct sizes *s = NULL;
    if (cdf_read(&cdf, d)) {
        s = sizes_new(file, cap_bytes, (uint32_t)cdf.n);
        if (cdf_points(&cdf, s, d)) {
            sizes_finish(s);
        } else {
            sizes_destroy(s);
            s = NULL;
        }
    }
    free(cdf.line);
    return s;
}

static struct sizes *sizes_of_file(const char *path, int64_t cap_bytes, struct diag *d) {
    size_t length;
    char *text = text_file_read(path, &length, d);
    if (!text) return NULL;
    struct sizes *s = sizes_parse(text, length, path, cap_bytes, d);
    free(text);
    return s;
}

/* ---- Names, sizes and paths ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Returns whether the text is a number followed by nothing but a unit, known or not: "1.5MB", "1.5XB", "3000". A point
 * without a digit behind it belongs to a file ("10.cdf"). */
static bool is_quantity(const char *what) {
    const char *s = what + (what[0] == '-' || what[0] == '+');
    bool digits = is_digit(*s) || (*s == '.' && is_digit(s[1]));
    while (is_digit(*s)) s++;
    if (*s == '.' && is_digit(s[1]))
        for (s++; is_digit(*s);) s++;
    while (*s == ' ') s++;
    while (isalnum((unsigned char)*s) || *s == '%') s++;
    return digits && *s == '\0';
}

bool sizes_is_file(const char *what) { return !table_of(what) && !is_quantity(what); }

static void unknown_name(const char *what, struct diag *d) {
    size_t n;
    const char *const *name = sizes_names(&n);
    const char *near = diag_nearest(what, name, n);
    char list[400] = "";
    for (size_t i = 0; i < n && !near; i++) {
        size_t at = strlen(list);
        snprintf(list + at, sizeof list - at, "%s%s", i ? ", " : "", name[i]);
    }
    if (near) {
        diag_say(d, "unknown sizes '%s'; did you mean '%s'?", what, near);
    } else {
        diag_say(d, "unknown sizes '%s'; a size such as 50MB, a CDF file, or one of %s", what, list);
    }
}

static struct sizes *sizes_of_quantity(const char *what, int64_t cap_bytes, struct diag *d) {
    int64_t bytes;
    char why[200];
    if (units_parse(PARAM_BYTES, what, &bytes, why, sizeof why)) return sizes_of_one(what, bytes, cap_bytes, d);
    diag_say(d, "sizes: %s", why);
    return NULL;
}

struct sizes *sizes_create(const char *what, const char *base_dir, int64_t cap_bytes, struct diag *d) {
    if (table_of(what)) return sizes_of_table(table_of(what), cap_bytes);
    char path[4096];
    if (is_quantity(what)) return sizes_of_quantity(what, cap_bytes, d);
    bool absolute = what[0] == '/' || !base_dir || !base_dir[0];
    snprintf(path, sizeof path, "%s%s%s", absolute ? "" : base_dir, absolute ? "" : "/", what);
    if (strpbrk(what, "/.") || access(path, F_OK) == 0) return sizes_of_file(path, cap_bytes, d);
    unknown_name(what, d);
    return NULL;
}
