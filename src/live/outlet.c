#include "live/outlet.h"

#include "base/memory.h"
#include "wire/pcapng.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct held {
    time_ps at;
    uint64_t number; /* order in which they came */
    uint8_t *bytes;
    size_t captured, original;
    uint16_t port;
};

struct outlet {
    FILE *file;
    struct pcapng_writer writer;
    char path[512];
    struct held *held; /* a binary heap by (at, number) */
    size_t n, room;
    uint64_t next_number;
    bool failed;
    struct diag why;
};

const char *outlet_path(const struct fabric *f, uint32_t node, const char *dir, char *buf, size_t size) {
    char name[64];
    snprintf(buf, size, "%s/%s.pcapng", dir, fabric_node_name(f, node, name, sizeof name));
    return buf;
}

static bool outlet_interfaces(struct outlet *o, const struct fabric *f, uint32_t node, struct diag *d) {
    const uint32_t *first = f->paths.first_port;
    for (uint32_t g = first[node]; g < first[node + 1]; g++) {
        char name[64];
        fabric_port_name(f, node, (uint16_t)(g - first[node]), name, sizeof name);
        if (!pcapng_add_interface(&o->writer, name, f->paths.port[g].rate_bps, d)) return false;
    }
    return true;
}

struct outlet *outlet_open(const struct fabric *f, uint32_t node, const char *dir, uint32_t snap, struct diag *d) {
    struct outlet *o = memory_get(1, sizeof *o);
    outlet_path(f, node, dir, o->path, sizeof o->path);
    if (mkdir(dir, 0777) == 0 || errno == EEXIST) o->file = fopen(o->path, "wb");
    if (!o->file)
        diag_fail(d, o->path, 0, 0, "cannot write the capture: %s", strerror(errno));
    else if (pcapng_begin(&o->writer, o->file, o->path, snap, d) && outlet_interfaces(o, f, node, d))
        return o;
    if (o->file) fclose(o->file);
    free(o);
    return NULL;
}

/* ---- in the order of time ---- */

static bool held_before(const struct held *a, const struct held *b) {
    return a->at != b->at ? a->at < b->at : a->number < b->number;
}

static void held_add(struct outlet *o, struct held x) {
    if (o->n == o->room) {
        o->room = o->room ? 2 * o->room : 256;
        o->held = memory_grow(o->held, o->room, sizeof *o->held);
    }
    size_t i = o->n++;
    for (; i && held_before(&x, &o->held[(i - 1) / 2]); i = (i - 1) / 2) o->held[i] = o->held[(i - 1) / 2];
    o->held[i] = x;
}

static struct held held_take(struct outlet *o) {
    struct held first = o->held[0], last = o->held[--o->n];
    size_t i = 0;
    for (size_t child = 1; child < o->n; child = 2 * i + 1) {
        if (child + 1 < o->n && held_before(&o->held[child + 1], &o->held[child])) child++;
        if (!held_before(&o->held[child], &last)) break;
        o->held[i] = o->held[child];
        i = child;
    }
    o->held[i] = last;
    return first;
}

static void outlet_flush(struct outlet *o, time_ps before) {
    while (o->n && o->held[0].at < before) {
        struct held x = held_take(o);
        if (!o->failed)
            o->failed =
                !pcapng_write(&o->writer, x.port, x.at, CAPTURE_OUTBOUND, x.bytes, x.captured, x.original, &o->why);
        free(x.bytes);
    }
}

void outlet_put(struct outlet *o, uint16_t port, time_ps now, time_ps depart, uint8_t *bytes, size_t captured,
                size_t original) {
    outlet_flush(o, now);
    held_add(o, (struct held){.at = depart,
                              .number = o->next_number++,
                              .bytes = bytes,
                              .captured = captured,
                              .original = original,
                              .port = port});
}

bool outlet_close(struct outlet *o, struct diag *d) {
    outlet_flush(o, TIME_NONE);
    if (!o->failed) o->failed = !pcapng_finish(&o->writer, &o->why);
    if (fclose(o->file) && !o->failed) {
        o->failed = true;
        diag_fail(&o->why, o->path, 0, 0, "cannot write the capture: %s", strerror(errno));
    }
    bool good = !o->failed;
    if (!good) *d = o->why;
    free(o->held);
    free(o);
    return good;
}
