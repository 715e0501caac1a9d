/* SPDX-License-Identifier: Apache-2.0 */
/* Captures as lists of records, and the comparison of two of them. */
#ifndef HEDDLE_TESTS_RECORDS_H
#define HEDDLE_TESTS_RECORDS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "wire/capture.h"

struct record {
    time_ps at;
    char if_name[64];
    enum capture_direction direction;
    uint32_t captured, original;
    uint8_t *bytes;
};

struct records {
    struct record *record;
    size_t n;
    char path[512];
};

/* Reads the frames of one direction in the order of the file. */
static inline struct records records_read(const char *path, enum capture_direction direction) {
    struct records all = {0};
    struct diag d = {0};
    struct capture_frame f;
    enum capture_result got;
    snprintf(all.path, sizeof all.path, "%s", path);
    struct capture *c = capture_open(path, &d);
    if (!c) fail_msg("%s: %s", path, d.text);
    while ((got = capture_next(c, &f, &d)) == CAPTURE_FRAME) {
        if (f.direction != direction) continue;
        if (all.n % 1024 == 0) all.record = realloc(all.record, (all.n + 1024) * sizeof *all.record);
        struct record *r = &all.record[all.n++];
        *r = (struct record){.at = capture_time(&f, 0),
                             .direction = f.direction,
                             .captured = f.captured,
                             .original = f.original,
                             .bytes = malloc(f.captured + 1)};
        snprintf(r->if_name, sizeof r->if_name, "%s", f.if_name);
        memcpy(r->bytes, f.bytes, f.captured);
    }
    if (got != CAPTURE_END) fail_msg("%s: %s", path, d.text);
    capture_close(c);
    return all;
}

static inline void records_free(struct records *all) {
    for (size_t i = 0; i < all->n; i++) free(all->record[i].bytes);
    free(all->record);
}

static inline void record_print(const char *whose, const struct record *r) {
    print_error("%s: %lld ps, %s, %u of %u bytes\n    ", whose, (long long)r->at, r->if_name, r->captured, r->original);
    for (uint32_t i = 0; i < r->captured && i < 96; i++) print_error("%02x%s", r->bytes[i], i % 4 == 3 ? " " : "");
    print_error("\n");
}

/* Compares two records. Tags come and go, so a snap may have cut one shorter; the bytes that both have must be
 * equal. */
static inline bool record_is_same(const struct record *a, const struct record *b) {
    uint32_t common = a->captured < b->captured ? a->captured : b->captured;
    return a->at == b->at && strcmp(a->if_name, b->if_name) == 0 && a->original == b->original &&
           a->direction == b->direction && memcmp(a->bytes, b->bytes, common) == 0 &&
           (a->captured == b->captured || b->captured < b->original);
}

static inline void records_assert_same(const struct records *a, const struct records *b) {
    size_t n = a->n < b->n ? a->n : b->n;
    for (size_t i = 0; i < n; i++) {
        if (record_is_same(&a->record[i], &b->record[i])) continue;
        record_print(a->path, &a->record[i]);
        record_print(b->path, &b->record[i]);
        fail_msg("frame %zu is the first that differs", i);
    }
    if (a->n != b->n) fail_msg("%s has %zu frames, %s %zu", a->path, a->n, b->path, b->n);
}

#endif
