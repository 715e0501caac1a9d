/* SPDX-License-Identifier: Apache-2.0 */
/* The ways through a switch of a large fabric: in loops over the frames of a slot.
 *
 * A run of a large fabric waits for memory: each frame touches its own cache line, its egress port and what says where that
 * port leads, none of which a near cache holds. Where routes depend on no port (node/switch.h: routes_alone), a switch takes its
 * frames through three loops, of up to 64 frames each: routes, ports, links. What a loop needs was prefetched
 * by the one before, for as many frames as there are, and each loop is so short that the processor waits for several
 * lines at a time. docs/notebook has the figures; small fabrics lose by it. Frames that the lists of links carry (sim/engine/flight.h)
 * are copied from list to list, and have no descriptor here.
 */
#include "sim/ways/steps.h"
#include "sim/ways/ways.h"

#define AHEAD 64 /* frames in a loop */
/* A frame came into a near cache several nodes ago, and may have left the nearest one. So it is prefetched again, as many frames
 * before it is routed. */
#define FETCH_AGAIN 8

/* A frame on its way through a switch: its arrival, its egress port, its departure. */
struct passing {
    time_ps at, depart;
    struct packet *frame; /* its descriptor, or in the list that carries it */
    uint16_t port;
};

/* Returns the frame's descriptor; a carried frame gets one. */
static inline uint32_t descriptor_of(struct partition *part, const struct packet *frame, const bool carried) {
    return carried ? flight_unload(frame, &part->pool) : packet_index(&part->pool, frame);
}

/* Routes frames, and prefetches their egress ports and where these lead. Returns how many pass. */
STEP uint32_t ahead_route(struct partition *part, struct sim_node *n, const struct arrival *a, uint32_t count,
                          time_ps start, struct passing passing[AHEAD], const bool carried) {
    uint32_t kept = 0;
    struct forward_rest rest = {0};
    for (uint32_t i = 0; i < count; i++, a++) {
        struct passing *f = &passing[kept];
        if (carried && i + FETCH_AGAIN < count)
            __builtin_prefetch(flights_carried(&part->flights, a[FETCH_AGAIN].packet));
        struct packet *p = carried ? flights_carried(&part->flights, a->packet) : packet_at(&part->pool, a->packet);
        *f = (struct passing){.at = start + (time_ps)(a->key >> 16), .frame = p};
        AUDIT_COUNT(part, arrived, n->first_port + (uint16_t)a->key);
        part->digest += digest_frame(f->at, n->node, (uint16_t)a->key, p, 0);
        if (__builtin_expect(!switch_route(n->sw, f->at, (uint16_t)a->key, p, &f->port, &rest), 0)) {
            step_finish(part, n, f->at, (uint16_t)a->key, descriptor_of(part, p, carried), rest);
            continue;
        }
        __builtin_prefetch(&n->sw->port[f->port], 1);
        __builtin_prefetch(&part->hop[n->first_port + f->port]);
        kept++;
    }
    return kept;
}

/* Hands frames to their ports. Returns how many leave. */
STEP uint32_t ahead_enqueue(struct partition *part, struct sim_node *n, struct passing passing[AHEAD], uint32_t count,
                            const bool carried) {
    uint32_t kept = 0;
    struct forward_rest rest = {.emit = UINT32_MAX};
    for (uint32_t i = 0; i < count; i++) {
        struct passing f = passing[i];
        if (__builtin_expect(!switch_enqueue(n->sw, f.at, f.frame, f.port, &f.depart, &rest), 0)) {
            rest.port = f.port;
            step_finish(part, n, f.at, 0, descriptor_of(part, f.frame, carried), rest);
            continue;
        }
        passing[kept++] = f;
    }
    return kept;
}

STEP void ahead_loops(struct partition *part, const struct batch *b, time_ps start, const bool carried) {
    struct passing passing[AHEAD];
    for (uint32_t first = 0; first < b->n; first += AHEAD) {
        uint32_t n = b->n - first < AHEAD ? b->n - first : AHEAD;
        n = ahead_route(part, b->node, b->arrival + first, n, start, passing, carried);
        n = ahead_enqueue(part, b->node, passing, n, carried);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t global = b->node->first_port + passing[i].port;
            if (carried)
                partition_send_carried(part, global, passing[i].depart, passing[i].frame);
            else
                partition_send(part, global, passing[i].depart, packet_index(&part->pool, passing[i].frame));
        }
    }
}

/* A switch with an event within the slot takes one frame after the other. */
STEP time_ps ahead_slot(struct partition *part, const struct batch *b, time_ps start, time_ps end, const bool carried) {
    if (__builtin_expect(switch_next_timer(b->node->sw) < end, 0)) {
        if (carried) flights_unload(&part->flights, &part->pool, b->arrival, b->n);
        return way_plain(part, b, start, end);
    }
    ahead_loops(part, b, start, carried);
    return switch_next_timer(b->node->sw);
}

time_ps way_ahead(struct partition *part, const struct batch *b, time_ps start, time_ps end) {
    return ahead_slot(part, b, start, end, false);
}

time_ps way_ahead_carried(struct partition *part, const struct batch *b, time_ps start, time_ps end) {
    return ahead_slot(part, b, start, end, true);
}
