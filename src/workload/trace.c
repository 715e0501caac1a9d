/* SPDX-License-Identifier: Apache-2.0 */
/* Traces: a CSV file of flows, one `start, source, destination, bytes` per line.
 *
 * start: with a unit (10us), or a plain number of seconds, unless the header names another unit (start_ns, start_us,
 * start_ms, start_s, start_ps). source, destination: names of hosts, or host numbers; in quotes always names
 * (fabric_host_find). bytes: plain or with a unit (10KB). Lines need not be in order.
 *
 * Header: a first line in which at least one field is the name of a column. It names each column once, in any order,
 * and gives the order of the fields in the lines below. An unknown name in it is an error, so that a mistyped line is
 * never taken for a header and dropped.
 */
#include "workload/fields.h"
#include "workload/generate.h"

#include "base/units.h"
#include "workload/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct trace_fields *trace_fields(const struct workload_spec *spec) { return spec->fields; }

#define TEXT_MAX 64 /* buffer size for the text of a field, which holds any name of a host */
#define START_MAX (INT64_MAX / 2)

enum trace_column { START, SOURCE, DESTINATION, BYTES, TRACE_COLUMNS };

/* For each header of the start column, the power of ten that turns its plain numbers into picoseconds. */
static const struct start_unit {
    const char *header;
    int scale;
} start_unit[] = {{"start_s", 12}, {"start_ms", 9}, {"start_us", 6}, {"start_ns", 3}, {"start_ps", 0}};

static const char *field_text(const struct columns *c, int i, char buf[TEXT_MAX]) {
    const struct field *f = &c->field[i];
    return field_show(f, buf, TEXT_MAX);
}

/* Layout of the lines: the field of each column, and the power of ten of plain starts. */
struct trace_layout {
    int field[TRACE_COLUMNS];
    int scale;
};

static const struct column_name {
    const char *name;
    enum trace_column column;
} column_name[] = {{"start", START},     {"source", SOURCE}, {"src", SOURCE}, {"destination", DESTINATION},
                   {"dst", DESTINATION}, {"bytes", BYTES},   {"size", BYTES}};

#define COLUMN_LIST "start, source, destination, bytes"

/* Returns the column that field i names, or TRACE_COLUMNS if it names none; sets *scale if the name has a unit. */
static enum trace_column column_named(const struct columns *c, int i, int *scale) {
    const struct field *f = &c->field[i];
    for (size_t k = 0; k < sizeof column_name / sizeof column_name[0]; k++)
        if (field_is(f, column_name[k].name)) return column_name[k].column;
    for (size_t k = 0; k < sizeof start_unit / sizeof start_unit[0]; k++) {
        if (!field_is(f, start_unit[k].header)) continue;
        *scale = start_unit[k].scale;
        return START;
    }
    return TRACE_COLUMNS;
}

static bool is_header(const struct columns *c) {
    int scale;
    for (int i = 0; i < c->n && i < COLUMNS_MAX; i++)
        if (column_named(c, i, &scale) != TRACE_COLUMNS) return true;
    return false;
}

static bool read_header(const struct columns *c, struct trace_layout *l, struct diag *d) {
    static const char *const name[TRACE_COLUMNS] = {"start", "source", "destination", "bytes"};
    char text[TEXT_MAX];
    for (int k = 0; k < TRACE_COLUMNS; k++) l->field[k] = -1;
    for (int i = 0; i < c->n && i < COLUMNS_MAX; i++) {
        enum trace_column column = column_named(c, i, &l->scale);
        if (column == TRACE_COLUMNS)
            return columns_fail(c, i, d, "'%s' is no column of a trace; a header names " COLUMN_LIST,
                                field_text(c, i, text));
        if (l->field[column] >= 0) return columns_fail(c, i, d, "this header names the %s twice", name[column]);
        l->field[column] = i;
    }
    for (int k = 0; k < TRACE_COLUMNS; k++)
        if (l->field[k] < 0) return columns_fail(c, c->n, d, "this header lacks the %s; name " COLUMN_LIST, name[k]);
    return true;
}

/* Puts the fields of a line into the order of enum trace_column. */
static void order_fields(struct columns *c, const struct trace_layout *l) {
    struct field by_column[TRACE_COLUMNS];
    for (int k = 0; k < TRACE_COLUMNS; k++) by_column[k] = c->field[l->field[k]];
    memcpy(c->field, by_column, sizeof by_column);
}

static bool read_start(const struct columns *c, int scale, time_ps offset, time_ps *at, struct diag *d) {
    const struct field *f = &c->field[START];
    char text[TEXT_MAX], why[200];
    struct decimal v;
    bool plain = f->n > 0 && decimal_parse(f->at, f->n, &v) == f->n;
    if (plain && !decimal_scaled(v, scale, at))
        return columns_fail(c, START, d, "the start is too late; at most 53 days");
    if (!plain && !units_parse(PARAM_TIME, field_text(c, START, text), at, why, sizeof why)) {
        return columns_fail(c, START, d, "start: %s", why);
    }
    if (*at < 0) return columns_fail(c, START, d, "the start is negative; the run begins at 0");
    if (*at > START_MAX || offset > START_MAX - *at)
        return columns_fail(c, START, d, "the start is too late; at most 53 days");
    *at += offset;
    return true;
}

static bool read_host(const struct generator *g, const struct columns *c, int i, uint32_t *host) {
    const struct field *f = &c->field[i];
    char text[TEXT_MAX], why[400];
    if (f->n >= TEXT_MAX)
        return columns_fail(c, i, g->d, "'%s...' is longer than the name of a host", field_text(c, i, text));
    memcpy(text, f->at, f->n);
    text[f->n] = '\0';
    if (g->spec->host_find(g->spec->host_context, text, f->quoted, host, why, sizeof why)) return true;
    return columns_fail(c, i, g->d, "%s", why);
}

static bool read_bytes(const struct columns *c, uint64_t *bytes, struct diag *d) {
    const struct field *f = &c->field[BYTES];
    char text[TEXT_MAX], why[200];
    struct decimal v;
    int64_t value;
    bool plain = f->n > 0 && decimal_parse(f->at, f->n, &v) == f->n;
    if (plain && !decimal_scaled(v, 0, &value))
        return columns_fail(c, BYTES, d, "'%s' bytes are too many", field_text(c, BYTES, text));
    if (!plain && !units_parse(PARAM_BYTES, field_text(c, BYTES, text), &value, why, sizeof why)) {
        return columns_fail(c, BYTES, d, "bytes: %s", why);
    }
    if (value < 1) return columns_fail(c, BYTES, d, "a flow has at least 1 byte");
    *bytes = (uint64_t)value;
    return true;
}

static bool read_flow(struct generator *g, struct columns *c, const struct trace_layout *l) {
    if (c->n < TRACE_COLUMNS) return columns_fail(c, TRACE_COLUMNS, g->d, "%d of 4 columns; give " COLUMN_LIST, c->n);
    if (c->n > TRACE_COLUMNS) return columns_fail(c, TRACE_COLUMNS, g->d, "more than 4 columns; give " COLUMN_LIST);
    order_fields(c, l);
    time_ps at;
    uint32_t src = NODE_NONE, dst = NODE_NONE;
    uint64_t bytes = 0;
    if (!read_start(c, l->scale, g->spec->start, &at, g->d) || !read_host(g, c, SOURCE, &src) ||
        !read_host(g, c, DESTINATION, &dst) || !read_bytes(c, &bytes, g->d)) {
        return false;
    }
    if (src == dst)
        return columns_fail(c, DESTINATION, g->d, "host %u would send to itself; give another destination", src);
    return generator_add(g, at, src, dst, bytes);
}

bool trace_parse(struct generator *g, const char *text, size_t length, const char *file) {
    struct columns c;
    columns_init(&c, text, length, file);
    struct trace_layout layout = {.field = {START, SOURCE, DESTINATION, BYTES}, .scale = start_unit[0].scale};
    for (bool first = true; columns_next(&c);) {
        if (c.n == 0) continue;
        bool header = first && is_header(&c);
        first = false;
        if (header ? !read_header(&c, &layout, g->d) : !read_flow(g, &c, &layout)) return false;
    }
    if (g->made > 0) return true;
    return diag_fail(g->d, file, c.line, 0, "no flows in this file; give lines of " COLUMN_LIST);
}

static bool trace_generate(struct generator *g) {
    size_t length;
    struct diag d;
    char *text = text_file_read(trace_fields(g->spec)->path, &length, &d);
    if (!text) return generator_fail(g, "%s", d.text);
    bool ok = trace_parse(g, text, length, trace_fields(g->spec)->path);
    free(text);
    return ok;
}

/* ---- the table ---- */

#define TRACE_LINE_BYTES 14 /* bytes of a short line such as "0.123,10,20,1000" */

static uint64_t trace_foresee(const struct workload_spec *spec, const struct population *p) {
    struct stat s;
    (void)p;
    if (!trace_fields(spec)->path || stat(trace_fields(spec)->path, &s) != 0 || s.st_size <= 0) return 0;
    return (uint64_t)s.st_size / TRACE_LINE_BYTES;
}

static const struct param trace_path = {
    .name = "path",
    .type = PARAM_FILE,
    .text = PARAM_REQUIRED,
    .doc = "a CSV file: start, source, destination, bytes",
    PARAM_OWN_IN(struct trace_fields, path),
};
static const struct param *const trace_keys[] = {&trace_path, NULL};

const struct workload_ops workload_trace = {
    .name = "trace",
    .paper = "ours",
    .doc = "flows read from a CSV file",
    .keys = trace_keys,
    .fields_size = sizeof(struct trace_fields),
    .generate = trace_generate,
    .foresee = trace_foresee,
    .load = LOAD_FLOWS,
};
