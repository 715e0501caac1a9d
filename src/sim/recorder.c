#include "sim/recorder.h"

#include "wire/frame.h"
#include "wire/pcapng.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SNAP 128

struct record {
    time_ps at;
    uint64_t number; /* order in which the node handled it */
    uint8_t *bytes;
    uint32_t captured, original;
    uint16_t port;
    uint8_t direction;
};

struct recorder {
    const struct fabric *fabric;
    uint32_t node, snap;
    FILE *file;
    struct pcapng_writer writer;
    char path[512];
    struct record *held; /* a binary heap by (at, number) */
    size_t n, room;
    uint64_t next_number;
    bool failed;
    struct diag why;
};

static bool record_before(const struct record *a, const struct record *b) {
    return a->at != b->at ? a->at < b->at : a->number < b->number;
}

static void held_add(struct recorder *r, struct record x) {
    if (r->n == r->room) {
        r->room = r->room ? 2 * r->room : 256;
        r->held = realloc(r->held, r->room * sizeof *r->held);
        if (!r->held) abort();
    }
    size_t i = r->n++;
    for (; i && record_before(&x, &r->held[(i - 1) / 2]); i = (i - 1) / 2) r->held[i] = r->held[(i - 1) / 2];
    r->held[i] = x;
}

static struct record held_take(struct recorder *r) {
    struct record first = r->held[0], last = r->held[--r->n];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= r->n) break;
        if (child + 1 < r->n && record_before(&r->held[child + 1], &r->held[child])) child++;
        if (!record_before(&r->held[child], &last)) break;
        r->held[i] = r->held[child];
        i = child;
    }
    if (r->n) r->held[i] = last;
    return first;
}

static void recorder_flush(struct recorder *r, time_ps before) {
    while (r->n && r->held[0].at < before) {
        struct record x = held_take(r);
        if (!r->failed && !pcapng_write(&r->writer, x.port, x.at, (enum capture_direction)x.direction, x.bytes,
                                        x.captured, x.original, &r->why))
            r->failed = true;
        free(x.bytes);
    }
}

static bool recorder_interfaces(struct recorder *r, struct diag *d) {
    const uint32_t *first = r->fabric->paths.first_port;
    char name[64];
    for (uint32_t g = first[r->node]; g < first[r->node + 1]; g++) {
        fabric_port_name(r->fabric, r->node, (uint16_t)(g - first[r->node]), name, sizeof name);
        if (!pcapng_add_interface(&r->writer, name, r->fabric->paths.port[g].rate_bps, d)) return false;
    }
    return true;
}

struct recorder *recorder_open(const struct fabric *f, uint32_t node, const char *dir, uint32_t snap, struct diag *d) {
    char name[64];
    struct recorder *r = calloc(1, sizeof *r);
    if (!r) abort();
    r->fabric = f;
    r->node = node;
    r->snap = snap ? snap : DEFAULT_SNAP;
    snprintf(r->path, sizeof r->path, "%s/%s.pcapng", dir ? dir : ".", fabric_node_name(f, node, name, sizeof name));
    r->file = fopen(r->path, "wb");
    if (!r->file) {
        diag_fail(d, r->path, 0, 0, "cannot write the capture: %s", strerror(errno));
        free(r);
        return NULL;
    }
    if (!pcapng_begin(&r->writer, r->file, r->path, r->snap, d) || !recorder_interfaces(r, d)) {
        fclose(r->file);
        free(r);
        return NULL;
    }
    return r;
}

/* A frame stands between this port and its neighbour's: their MACs are its addresses. */
static void recorder_hold(struct recorder *r, const struct packet_pool *pool, uint16_t port, time_ps at,
                          enum capture_direction direction, uint32_t packet) {
    const struct packet *p = packet_at(pool, packet);
    const struct packet_ext *ext = p->ext == EXT_NONE ? NULL : packet_ext_at(pool, p->ext);
    const struct place_port *link = &r->fabric->paths.port[r->fabric->paths.first_port[r->node] + port];
    uint8_t mine[6], theirs[6];
    fabric_port_mac(r->node, port, mine);
    fabric_port_mac(link->neighbour, r->fabric->paths.port[link->peer].port, theirs);
    bool out = direction == CAPTURE_OUTBOUND;
    struct record x = {.at = at, .number = r->next_number++, .port = port, .direction = (uint8_t)direction};
    x.bytes = malloc(r->snap);
    if (!x.bytes) abort();
    x.original = (uint32_t)frame_build(p, ext, out ? mine : theirs, out ? theirs : mine, x.bytes, r->snap);
    x.captured = x.original < r->snap ? x.original : r->snap;
    held_add(r, x);
}

void recorder_in(struct recorder *r, const struct packet_pool *pool, uint16_t port, time_ps at, uint32_t packet) {
    recorder_flush(r, at);
    recorder_hold(r, pool, port, at, CAPTURE_INBOUND, packet);
}

void recorder_out(struct recorder *r, const struct packet_pool *pool, uint16_t port, time_ps now, time_ps depart,
                  uint32_t packet) {
    recorder_flush(r, now);
    recorder_hold(r, pool, port, depart, CAPTURE_OUTBOUND, packet);
}

bool recorder_close(struct recorder *r, struct diag *d) {
    recorder_flush(r, TIME_NONE);
    if (!r->failed && !pcapng_finish(&r->writer, &r->why)) r->failed = true;
    if (fclose(r->file) && !r->failed) {
        r->failed = true;
        diag_fail(&r->why, r->path, 0, 0, "cannot write the capture: %s", strerror(errno));
    }
    bool good = !r->failed;
    if (!good) *d = r->why;
    free(r->held);
    free(r);
    return good;
}
