/* SPDX-License-Identifier: Apache-2.0 */
/* Traces: a CSV file of flows, one `start, source, destination, bytes` per line.
 *
 * start: with a unit (10us), or a plain number of seconds, unless the header names another unit (start_ns, start_us,
 * start_ms, start_s, start_ps). source, destination: names of hosts, or host numbers; in quotes always names
 * (fabric_host_find). bytes: plain or with a unit (10KB). Lines need not be in order.
 *
 * Header: a first line in which at least one field is the name of a column. It names each column once, in any order,
 * and gives the order of the fields in the lines below, which have as many fields. Columns of other names are not read,
 * so that tables of other programs are traces: those with an index (pandas), and flows.csv of `heddle export`. If one of
 * the four columns is missing, the header is an error, so that a mistyped line is never taken for a header and dropped.
 * The header's comma or semicolon is the only separator of the lines below.
 *
 * Several runs: flows.csv may have the flows of several runs, told apart by its columns store, experiment and run. All
 * lines of a trace have the same value in such a column; a second one is an error.
 */
#include "workload/fields.h"
#include "workload/generate.h"

#include "base/units.h"
#include "workload/files/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct trace_fields *trace_fields(const struct workload_spec *spec) { return spec->fields; }

#define TEXT_MAX 128 /* buffer size for the text of a field; no name of a host is as long */
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

/* Columns that have one value in all lines of a trace. */
static const char *const run_column[] = {"run", "experiment", "store"};
#define RUN_COLUMNS (sizeof run_column / sizeof *run_column)

/* Layout of the lines. */
struct trace_layout {
    int field[TRACE_COLUMNS];      /* field of each column */
    int scale;                     /* power of ten of plain starts */
    int n_fields;                  /* fields of each line; 0: there is no header */
    int run_field[RUN_COLUMNS];    /* field of each of run_column; -1: none */
    struct field run[RUN_COLUMNS]; /* its value in the first line; at NULL: none yet */
};

static const struct column_name {
    const char *name;
    enum trace_column column;
} column_name[] = {{"start", START},     {"source", SOURCE}, {"src", SOURCE}, {"destination", DESTINATION},
                   {"dst", DESTINATION}, {"bytes", BYTES},   {"size", BYTES}};

#define COLUMN_LIST "start, source, destination, bytes"
/* What a header names; the unit of the starts comes first, since plain numbers under `start` are seconds. */
#define HEADER_LIST "start_us (or start_s, start_ms, start_ns), source, destination, bytes"

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

/* Returns whether no field begins as a number does, so that the line is no flow. */
static bool is_words(const struct columns *c) {
    for (int i = 0; i < c->n && i < COLUMNS_MAX; i++)
        if (c->field[i].n == 0 || strchr("0123456789.+-", c->field[i].at[0])) return false;
    return true;
}

static const char *const column_title[TRACE_COLUMNS] = {"start", "source", "destination", "bytes"};

/* Fails: the header lacks a column. A column of a similar name is probably that one, mistyped. */
static bool column_lacks(const struct columns *c, enum trace_column column, struct diag *d) {
    char text[TEXT_MAX];
    int scale;
    for (int i = 0; i < c->n; i++) {
        if (column_named(c, i, &scale) != TRACE_COLUMNS ||
            !diag_nearest(field_text(c, i, text), &column_title[column], 1))
            continue;
        return columns_fail(c, i, d, "'%s' is no column of a trace; a header names " HEADER_LIST, text);
    }
    return columns_fail(c, c->n, d, "this header lacks the %s; name " HEADER_LIST, column_title[column]);
}

static void note_run_column(const struct columns *c, int i, struct trace_layout *l) {
    for (size_t k = 0; k < RUN_COLUMNS; k++)
        if (field_is(&c->field[i], run_column[k])) l->run_field[k] = i;
}

static bool read_header(struct columns *c, struct trace_layout *l, struct diag *d) {
    columns_separate(c);
    if (c->n > COLUMNS_MAX) return columns_fail(c, c->n, d, "more than %d columns; keep " COLUMN_LIST, COLUMNS_MAX);
    l->n_fields = c->n;
    for (int k = 0; k < TRACE_COLUMNS; k++) l->field[k] = -1;
    for (int i = 0; i < c->n; i++) {
        enum trace_column column = column_named(c, i, &l->scale);
        note_run_column(c, i, l);
        if (column == TRACE_COLUMNS) continue;
        if (l->field[column] >= 0) return columns_fail(c, i, d, "this header names the %s twice", column_title[column]);
        l->field[column] = i;
    }
    for (int k = 0; k < TRACE_COLUMNS; k++)
        if (l->field[k] < 0) return column_lacks(c, (enum trace_column)k, d);
    return true;
}

/* Puts the fields of a line into the order of enum trace_column. */
static void order_fields(struct columns *c, const struct trace_layout *l) {
    struct field by_column[TRACE_COLUMNS];
    for (int k = 0; k < TRACE_COLUMNS; k++) by_column[k] = c->field[l->field[k]];
    memcpy(c->field, by_column, sizeof by_column);
}

/* ---- a line ---- */

/* Fails unless the line has as many fields as the header, or four without one. */
static bool fields_check(const struct columns *c, const struct trace_layout *l, struct diag *d) {
    int wanted = l->n_fields ? l->n_fields : TRACE_COLUMNS;
    if (c->n == wanted) return true;
    if (l->n_fields > TRACE_COLUMNS || (l->n_fields && c->n > wanted))
        return columns_fail(c, wanted, d, "%d fields, but the header names %d columns; give each column a name", c->n,
                            wanted);
    if (c->n < wanted) return columns_fail(c, wanted, d, "%d of 4 columns; give " COLUMN_LIST, c->n);
    return columns_fail(c, wanted, d, "more than 4 columns; give " COLUMN_LIST ", or name all columns in a first line");
}

static bool field_same(const struct field *a, const struct field *b) {
    return a->n == b->n && memcmp(a->at, b->at, a->n) == 0;
}

/* Fails if the line is of another run than the lines above. */
static bool run_check(const struct columns *c, struct trace_layout *l, struct diag *d) {
    char first[TEXT_MAX], here[TEXT_MAX];
    for (size_t k = 0; k < RUN_COLUMNS; k++) {
        if (l->run_field[k] < 0) continue;
        const struct field *f = &c->field[l->run_field[k]];
        if (!l->run[k].at) l->run[k] = *f;
        if (field_same(f, &l->run[k])) continue;
        return columns_fail(c, l->run_field[k], d,
                            "a flow of %s %s after flows of %s %s; keep the lines of one, or give each a file",
                            run_column[k], field_show(f, here, sizeof here), run_column[k],
                            field_show(&l->run[k], first, sizeof first));
    }
    return true;
}

static bool read_start(const struct columns *c, int scale, time_ps offset, time_ps *at, struct diag *d) {
    const struct field *f = &c->field[START];
    char text[TEXT_MAX], why[200];
    struct decimal v;
    if (f->n == 0)
        return columns_fail(c, START, d, "the start is missing; give a time such as 20us, or remove the line");
    bool plain = decimal_parse(f->at, f->n, &v) == f->n;
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
    size_t n = f->n < sizeof text - 1 ? f->n : sizeof text - 1;
    memcpy(text, f->at, n);
    text[n] = '\0';
    if (g->spec->host_find(g->spec->host_context, text, f->quoted, host, why, sizeof why)) return true;
    return columns_fail(c, i, g->d, "%s: %s", column_title[i], why);
}

static bool read_bytes(const struct columns *c, uint64_t *bytes, struct diag *d) {
    const struct field *f = &c->field[BYTES];
    char text[TEXT_MAX], why[200];
    struct decimal v;
    int64_t value;
    if (f->n == 0)
        return columns_fail(c, BYTES, d,
                            "the bytes are missing; give a size such as 250KB, or remove the line (flows "
                            "without an end are of kind long)");
    bool plain = decimal_parse(f->at, f->n, &v) == f->n;
    if (plain && !decimal_scaled(v, 0, &value))
        return columns_fail(c, BYTES, d, "'%s' bytes are too many", field_text(c, BYTES, text));
    if (plain && !decimal_is_whole(v))
        return columns_fail(c, BYTES, d, "'%s' is no number of whole bytes; round it", field_text(c, BYTES, text));
    if (!plain && !units_parse(PARAM_BYTES, field_text(c, BYTES, text), &value, why, sizeof why)) {
        return columns_fail(c, BYTES, d, "bytes: %s", why);
    }
    if (value < 1) return columns_fail(c, BYTES, d, "a flow has at least 1 byte");
    *bytes = (uint64_t)value;
    return true;
}

static bool read_flow(struct generator *g, struct columns *c, struct trace_layout *l) {
    if (!fields_check(c, l, g->d) || !run_check(c, l, g->d)) return false;
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
    if (!columns_check(&c, g->d)) return false;
    struct trace_layout layout = {
        .field = {START, SOURCE, DESTINATION, BYTES}, .scale = start_unit[0].scale, .run_field = {-1, -1, -1}};
    for (bool first = true; columns_next(&c);) {
        if (c.n == 0) continue;
        bool header = first && is_header(&c);
        if (first && !header && is_words(&c))
            return columns_fail(&c, 0, g->d,
                                "no field of this line is a column of a trace; a header names " HEADER_LIST);
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
    const struct trace_fields *f = trace_fields(g->spec);
    bool ok =
        f->format == TRACE_HPCC ? trace_hpcc_parse(g, text, length, f->path) : trace_parse(g, text, length, f->path);
    free(text);
    return ok;
}

/* ---- the table ---- */

#define TRACE_LINE_BYTES 14 /* bytes of a short line such as "0.123,10,20,1000" */

static uint64_t trace_foresee(const struct workload_spec *spec, const struct population *p) {
    struct stat s;
    (void)p;
    if (trace_fields(spec)->path && trace_fields(spec)->format == TRACE_HPCC)
        return trace_hpcc_foresee(trace_fields(spec)->path);
    if (!trace_fields(spec)->path || stat(trace_fields(spec)->path, &s) != 0 || s.st_size <= 0) return 0;
    return (uint64_t)s.st_size / TRACE_LINE_BYTES;
}

static const struct param trace_path = {
    .name = "path",
    .type = PARAM_FILE,
    .text = PARAM_REQUIRED,
    .doc = "a CSV file: start, source, destination, bytes; or one in another format",
    PARAM_OWN_IN(struct trace_fields, path),
};
static const struct param trace_format = {
    .name = "format",
    .type = PARAM_CHOICE,
    .choices = PARAM_CHOICES(TRACE_FORMATS),
    .doc = "its format; hpcc: a flow file of the HPCC simulator (source, destination, priority group, port, bytes, "
           "start in "
           "seconds)",
    PARAM_OWN_IN(struct trace_fields, format),
};
static const struct param *const trace_keys[] = {&trace_path, &trace_format, NULL};

const struct workload_ops workload_trace = {
    .name = "trace",
    .paper = "ours",
    .doc = "flows read from a file",
    .keys = trace_keys,
    .fields_size = sizeof(struct trace_fields),
    .generate = trace_generate,
    .foresee = trace_foresee,
    .load = LOAD_FLOWS,
};
