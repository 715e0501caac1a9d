/* SPDX-License-Identifier: Apache-2.0 */
/* Reads any bytes as a fabric file of a format. It must refuse them with a message, or return a fabric with consistent routes
 * which, written in the format and read back, is written the same. */
#ifndef HEDDLE_TESTS_FUZZ_FABRIC_H
#define HEDDLE_TESTS_FUZZ_FABRIC_H

#include <stdlib.h>
#include <string.h>

#include "fabric/fabric_build.h"
#include "fabric/formats.h"
#include "fabric/kinds.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts unless each set of next hops that a switch may use exists and names ports of that switch. */
static inline void check_routes(const struct fabric *f) {
    for (uint32_t s = 0; s < f->n_switches; s++) {
        const struct route_row *row = &f->paths.state[0].row[s];
        for (uint32_t leaf = 0; leaf < f->n_leaves; leaf++) {
            uint16_t entry = row->to_leaf[leaf];
            if (entry == ROUTE_NONE) continue;
            bool fine = entry & ROUTE_SET ? (entry & ~ROUTE_SET) < row->n_sets : entry < f->place[s].n_ports;
            if (!fine) abort();
        }
    }
}

static inline struct fabric *fabric_of(uint8_t format, const char *text, size_t size) {
    struct fabric_spec spec = {
        .kind = &fabric_file,
        .path = "fuzz",
        .format = format,
        .host_bps = 10000000000,
        .uplink_bps = 10000000000,
        .core_bps = 10000000000,
        .where = {.file = "fuzz"},
    };
    struct diag d = {.file = ""};
    struct fabric *f = fabric_create_text(&spec, text, size, &d);
    if (!f && d.text[0] == '\0') abort(); /* a refusal without a message */
    return f;
}

static inline char *text_of(const struct fabric *f, uint8_t format, size_t *size) {
    const char *name;
    char *text = NULL;
    struct diag d;
    FILE *out = open_memstream(&text, size);
    if (!out || !fabric_format(format, &name)->write(f, out, &d)) abort();
    fclose(out);
    return text;
}

static inline void fabric_fuzz(uint8_t format, const uint8_t *data, size_t size) {
    struct fabric *f = fabric_of(format, (const char *)data, size);
    if (!f) return;
    struct fabric_bound bound;
    fabric_bound(f, 0, f->n_hosts - 1, 1538, &bound);
    if (bound.bottleneck_bps <= 0) abort();
    check_routes(f);
    size_t length, again_length;
    char *text = text_of(f, format, &length);
    struct fabric *back = fabric_of(format, text, length);
    if (!back) abort();
    char *again = text_of(back, format, &again_length);
    if (strcmp(text, again) != 0) abort();
    free(again);
    free(text);
    fabric_destroy(back);
    fabric_destroy(f);
}

#endif
