/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/ahead.h"

#include "sim/digest.h"
#include "sim/sending.h"

#define AHEAD 64
/* A frame on its way through a switch: its arrival, its egress port, its departure. */
struct passing {
    time_ps at, depart;
    uint32_t packet;
    uint16_t port;
};

/* Routes frames, and prefetches their egress ports and where these lead. Returns how many pass. */
static inline uint32_t ahead_route(struct partition *part, struct sim_node *n, const struct arrival *a, uint32_t count,
                                   time_ps start, struct passing passing[AHEAD]) {
    uint32_t kept = 0;
    struct forward_rest rest = {0};
    for (uint32_t i = 0; i < count; i++, a++) {
        struct passing *f = &passing[kept];
        *f = (struct passing){.at = start + (time_ps)(a->key >> 16), .packet = a->packet};
        struct packet *p = packet_at(&part->pool, f->packet);
        AUDIT_COUNT(part, arrived, n->first_port + (uint16_t)a->key);
        part->digest += digest_frame(f->at, n->node, (uint16_t)a->key, p, 0);
        if (__builtin_expect(!switch_route(n->sw, f->at, (uint16_t)a->key, p, &f->port, &rest), 0)) {
            partition_finish(part, n, f->at, (uint16_t)a->key, f->packet, &rest);
            continue;
        }
        __builtin_prefetch(&n->sw->port[f->port], 1);
        __builtin_prefetch(&part->hop[n->first_port + f->port]);
        kept++;
    }
    return kept;
}

/* Hands frames to their ports. Returns how many leave. */
static inline uint32_t ahead_enqueue(struct partition *part, struct sim_node *n, struct passing passing[AHEAD],
                                     uint32_t count) {
    uint32_t kept = 0;
    struct forward_rest rest = {.emit = UINT32_MAX};
    for (uint32_t i = 0; i < count; i++) {
        struct passing f = passing[i];
        if (__builtin_expect(!switch_enqueue(n->sw, f.at, packet_at(&part->pool, f.packet), f.port, &f.depart, &rest),
                             0)) {
            rest.port = f.port;
            partition_finish(part, n, f.at, 0, f.packet, &rest);
            continue;
        }
        passing[kept++] = f;
    }
    return kept;
}

void ahead_run(struct partition *part, struct batch *b, time_ps start) {
    struct passing passing[AHEAD];
    for (uint32_t first = 0; first < b->n; first += AHEAD) {
        uint32_t n = b->n - first < AHEAD ? b->n - first : AHEAD;
        n = ahead_route(part, b->node, b->arrival + first, n, start, passing);
        n = ahead_enqueue(part, b->node, passing, n);
        for (uint32_t i = 0; i < n; i++)
            partition_send(part, b->node->first_port + passing[i].port, passing[i].depart, passing[i].packet);
    }
}
