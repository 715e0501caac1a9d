/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/recorder.h"

#include "base/memory.h"
#include "base/output_file.h"
#include "base/text.h"
#include "wire/frame.h"
#include "wire/pcapng_queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SNAP 128

struct recorder {
    const struct fabric *fabric;
    uint32_t node, snap;
    struct output_file file;
    struct pcapng_writer writer;
    struct pcapng_queue queue;
};

static bool recorder_interfaces(struct recorder *r, struct diag *d) {
    const uint32_t *first = r->fabric->paths.first_port;
    char name[FABRIC_PORT_NAME_MAX];
    for (uint32_t g = first[r->node]; g < first[r->node + 1]; g++) {
        fabric_port_name(r->fabric, r->node, (uint16_t)(g - first[r->node]), name, sizeof name);
        if (!pcapng_add_interface(&r->writer, name, r->fabric->paths.port[g].rate_bps, d)) return false;
    }
    return true;
}

struct recorder *recorder_open(const struct fabric *f, uint32_t node, const char *dir, uint32_t snap, struct diag *d) {
    static const struct output_rules rules = {.kind = "a capture of heddle run",
                                              .is_ours = pcapng_is_by,
                                              .context = "heddle",
                                              .remedy = "move it away, or name another store with -o"};
    char name[FABRIC_NODE_NAME_MAX], *path = NULL;
    struct recorder *r = memory_get(1, sizeof *r);
    r->fabric = f;
    r->node = node;
    r->snap = snap ? snap : DEFAULT_SNAP;
    path = text_format("%s/%s.pcapng", dir ? dir : ".", fabric_node_name(f, node, name, sizeof name));
    bool ok = output_begin(&r->file, path, &rules, d) &&
              pcapng_begin(&r->writer, r->file.out, r->file.path, r->snap, d) && recorder_interfaces(r, d);
    free(path);
    if (ok) {
        pcapng_queue_init(&r->queue, &r->writer);
        return r;
    }
    output_abandon(&r->file);
    free(r);
    return NULL;
}

/* Holds a frame for the file. It is captured between this port and its neighbour's, so their MACs are its addresses. */
static void recorder_hold(struct recorder *r, const struct packet_pool *pool, uint16_t port, time_ps at,
                          enum capture_direction direction, uint32_t packet) {
    const struct packet *p = packet_at(pool, packet);
    const struct packet_ext *ext = p->ext == EXT_NONE ? NULL : packet_ext_at(pool, p->ext);
    const struct place_port *link = &r->fabric->paths.port[r->fabric->paths.first_port[r->node] + port];
    uint8_t mine[6], theirs[6];
    fabric_port_mac(r->node, port, mine);
    fabric_port_mac(link->neighbour, r->fabric->paths.port[link->peer].port, theirs);
    bool out = direction == CAPTURE_OUTBOUND;
    uint8_t *bytes = memory_get(r->snap, 1);
    size_t original = frame_build(p, ext, out ? mine : theirs, out ? theirs : mine, bytes, r->snap);
    pcapng_queue_put(&r->queue, port, at, direction, bytes, original < r->snap ? original : r->snap, original);
}

void recorder_in(struct recorder *r, const struct packet_pool *pool, uint16_t port, time_ps at, uint32_t packet) {
    pcapng_queue_flush(&r->queue, at);
    recorder_hold(r, pool, port, at, CAPTURE_INBOUND, packet);
}

void recorder_out(struct recorder *r, const struct packet_pool *pool, uint16_t port, time_ps now, time_ps depart,
                  uint32_t packet) {
    pcapng_queue_flush(&r->queue, now);
    recorder_hold(r, pool, port, depart, CAPTURE_OUTBOUND, packet);
}

bool recorder_close(struct recorder *r, struct diag *d) {
    bool good = pcapng_queue_finish(&r->queue, d);
    if (good)
        good = output_end(&r->file, d);
    else
        output_abandon(&r->file);
    free(r);
    return good;
}
