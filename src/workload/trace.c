/* Traces: a CSV file of flows, `start, source, destination, bytes` a line.
 *
 * start: with a unit (10us), or a plain number of seconds, unless the header's first column names another unit
 * (start_ns, start_us, start_ms, start_s, start_ps). source, destination: host numbers, or names where the caller knows
 * them. bytes: plain or with a unit (10KB). A first line whose start is no number is a header. Lines need not be in
 * order.
 */
#include "workload/generate.h"

#include "base/units.h"
#include "workload/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 64 /* of a field */
#define START_MAX (INT64_MAX / 2)

enum trace_column { START, SOURCE, DESTINATION, BYTES, TRACE_COLUMNS };

/* The power of ten from the plain numbers of a column named so to picoseconds. */
static const struct start_unit {
    const char *header;
    int scale;
} start_unit[] = {{"start_s", 12}, {"start_ms", 9}, {"start_us", 6}, {"start_ns", 3}, {"start_ps", 0}};

static const char *field_text(const struct columns *c, int i, char buf[TEXT_MAX]) {
    const struct field *f = &c->field[i];
    return field_show(f, buf, TEXT_MAX);
}

static bool read_header(const struct columns *c, int *scale) {
    struct decimal v;
    if (decimal_parse(c->field[0].at, c->field[0].n, &v) > 0) return false;
    for (size_t i = 0; i < sizeof start_unit / sizeof start_unit[0]; i++) {
        if (field_is(&c->field[0], start_unit[i].header)) *scale = start_unit[i].scale;
    }
    return true;
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
    char text[TEXT_MAX];
    field_text(c, i, text);
    bool number = f->n > 0 && f->n <= 10 && strspn(text, "0123456789") == f->n;
    if (number) {
        unsigned long long value = strtoull(text, NULL, 10);
        if (value < g->p->n_hosts) {
            *host = (uint32_t)value;
            return true;
        }
    } else if (g->spec->host_by_name && f->n > 0 && f->n < TEXT_MAX) {
        *host = g->spec->host_by_name(g->spec->host_context, text);
        if (*host < g->p->n_hosts) return true;
    }
    return columns_fail(c, i, g->d, "there is no host '%s'; hosts are numbered 0 to %u", text, g->p->n_hosts - 1);
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

static bool read_flow(struct generator *g, const struct columns *c, int scale) {
    if (c->n < TRACE_COLUMNS) {
        return columns_fail(c, TRACE_COLUMNS, g->d, "%d of 4 columns; give start, source, destination, bytes", c->n);
    }
    if (c->n > TRACE_COLUMNS) {
        return columns_fail(c, TRACE_COLUMNS, g->d, "more than 4 columns; give start, source, destination, bytes");
    }
    time_ps at;
    uint32_t src = NODE_NONE, dst = NODE_NONE;
    uint64_t bytes = 0;
    if (!read_start(c, scale, g->spec->start, &at, g->d) || !read_host(g, c, SOURCE, &src) ||
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
    int scale = start_unit[0].scale;
    bool first = true;
    while (columns_next(&c)) {
        if (c.n == 0) continue;
        bool header = first && read_header(&c, &scale);
        first = false;
        if (!header && !read_flow(g, &c, scale)) return false;
    }
    if (g->made > 0) return true;
    return diag_fail(g->d, file, c.line, 0, "no flows in this file; give lines of start, source, destination, bytes");
}

bool trace_generate(struct generator *g) {
    size_t length;
    struct diag d;
    char *text = text_file_read(g->spec->path, &length, &d);
    if (!text) return generator_fail(g, "%s", d.text);
    bool ok = trace_parse(g, text, length, g->spec->path);
    free(text);
    return ok;
}
