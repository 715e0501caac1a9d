/* SPDX-License-Identifier: Apache-2.0 */
/* The range of each parameter of a mechanism is the one that docs/keys.md promises. */
#include "base/units.h"
#include "mech/balance/balance.h"
#include "mech/crossbar/crossbar.h"
#include "mech/transport/transport.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *document;

static void document_read(const char *path) {
    FILE *in = fopen(path, "r");
    if (!in) return;
    document = calloc(1, 1 << 20);
    if (fread(document, 1, (1 << 20) - 1, in) == 0) document = NULL;
    fclose(in);
}

/* Returns whether the document has a row "| `PREFIX.NAME` | ..." whose range is `range`. Counts the rows of the name. */
static bool has_row(const char *prefix, const char *name, const char *range, int *rows) {
    char head[128];
    snprintf(head, sizeof head, "\n| `%s.%s` | ", prefix, name);
    for (const char *at = document; (at = strstr(at, head)); at++) {
        const char *cell = at + strlen(head), *comma = strstr(cell, ", ");
        ++*rows;
        if (comma && comma < strstr(cell, " |") && strncmp(comma + 2, range, strlen(range)) == 0) return true;
    }
    return false;
}

static bool has_range(const struct param *p) {
    return p->type == PARAM_COUNT || p->type == PARAM_TIME || p->type == PARAM_BYTES || p->type == PARAM_RATE ||
           p->type == PARAM_FRACTION || p->type == PARAM_FREQUENCY;
}

/* Asserts that a parameter stands in the document, below its mechanism or among the parameters that several share, with its range. */
static void param_check(const char *block, const char *mechanism, const struct param *p) {
    char range[2 * UNITS_TEXT_MAX + 16], own[64], shared[64], min[UNITS_TEXT_MAX], max[UNITS_TEXT_MAX];
    int rows = 0;
    units_print(p->type, p->min, min, sizeof min);
    units_print(p->type, p->max, max, sizeof max);
    snprintf(range, sizeof range, p->max >= INT64_MAX / 2 ? "at least %s" : "%s to %s", min, max);
    snprintf(own, sizeof own, "%s.%s", block, mechanism);
    snprintf(shared, sizeof shared, "%s.NAME", block);
    if (has_row(own, p->name, range, &rows) || has_row(shared, p->name, range, &rows)) return;
    fail_msg("%s.%s is %s here, and is not so in %d rows of docs/keys.md", own, p->name, range, rows);
}

static int param_count(const char *block, const char *mechanism, const struct param *p) {
    if (has_range(p)) param_check(block, mechanism, p);
    return has_range(p);
}

static void ranges__are_those_of_the_document(void **state) {
    (void)state;
    size_t n;
    int checked = 0;
    if (!document) skip();
    const struct transport_ops *const *t = transports(&n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < param_list_n(t[i]->params); k++)
            checked += param_count("host", t[i]->name, param_list_at(t[i]->params, k));
    const struct balancer_ops *const *b = balancers(&n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < b[i]->n_params; k++) checked += param_count("switch", b[i]->name, &b[i]->params[k]);
    const struct crossbar_ops *const *c = crossbars(&n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < c[i]->n_params; k++) checked += param_count("switch", c[i]->name, &c[i]->params[k]);
    assert_in_range(checked, 80, 1000);
}

int main(int argc, char **argv) {
    if (argc > 1) document_read(argv[1]);
    const struct CMUnitTest tests[] = {UNIT(ranges__are_those_of_the_document)};
    return RUN_UNITS(tests);
}
