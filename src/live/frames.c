/* SPDX-License-Identifier: Apache-2.0 */
#include "live/frames.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_MIN 2048 /* a frame of 1,500 bytes of IPv4, and the slack of frame_rewrite_in_place */

static struct frame_cell *cell_of(struct frames *f, uint32_t index) {
    if (index >= f->n_cells) {
        uint32_t n = (index / POOL_BLOCK + 1) * POOL_BLOCK;
        f->cell = memory_grow(f->cell, n, sizeof *f->cell);
        memset(f->cell + f->n_cells, 0, (n - f->n_cells) * sizeof *f->cell);
        f->n_cells = n;
    }
    return &f->cell[index];
}

/* The first block of descriptors, cells and extensions is there from the start. */
void frames_init(struct frames *f) {
    *f = (struct frames){.n_cells = 0};
    packet_pool_init(&f->pool);
    packet_pool_grow(&f->pool);
    packet_ext_put(&f->pool, packet_ext_get(&f->pool));
    packet_ext_put(&f->pool, packet_ext_get_wide(&f->pool));
    cell_of(f, 0);
}

void frames_fini(struct frames *f) {
    for (uint32_t i = 0; i < f->n_cells; i++) free(f->cell[i].bytes);
    free(f->cell);
    packet_pool_fini(&f->pool);
}

static uint8_t *cell_room(struct frame_cell *cell, size_t bytes) {
    if (bytes > cell->room) {
        cell->room = bytes > ROOM_MIN ? (uint32_t)bytes : ROOM_MIN;
        free(cell->bytes);
        cell->bytes = memory_get(FRAME_HEADROOM + cell->room, 1);
    }
    return cell->bytes + FRAME_HEADROOM;
}

uint32_t frames_take(struct frames *f, size_t bytes, uint8_t **at) {
    uint32_t index = packet_get(&f->pool);
    struct frame_cell *cell = cell_of(f, index);
    *at = cell_room(cell, bytes > 0 ? bytes : 1);
    cell->begin = FRAME_HEADROOM;
    packet_at(&f->pool, index)->ext = EXT_NONE;
    cell->is_parsed = false;
    return index;
}

enum frame_error frames_parse(struct frames *f, uint32_t index, size_t captured, size_t original) {
    struct frame_cell *cell = &f->cell[index];
    struct packet *p = packet_at(&f->pool, index);
    struct packet_ext ext;
    if (p->ext != EXT_NONE) packet_ext_put(&f->pool, p->ext);
    enum frame_error error = frame_parse_headers(cell->bytes + cell->begin, captured, original, p, &ext, &cell->info);
    if (error && error != FRAME_NOT_IPV4) return error;
    if (p->shape & (SHAPE_EXPEDITUS | SHAPE_SACK | SHAPE_STAMP | SHAPE_PAUSE)) {
        p->ext = packet_ext_get_wide(&f->pool); /* whatever it has, all of `ext` is copied */
        *packet_ext_at(&f->pool, p->ext) = ext;
    }
    cell->is_parsed = error == FRAME_OK;
    return error;
}

#define BRIDGED_TTL 64

void frames_bridge(struct frames *f, uint32_t index, uint32_t src_ip, uint32_t dst_ip) {
    struct frame_cell *cell = &f->cell[index];
    struct packet *p = packet_at(&f->pool, index);
    uint32_t body = cell->info.original - cell->info.l2_bytes;
    p->src_ip = src_ip;
    p->dst_ip = dst_ip;
    p->ttl = BRIDGED_TTL;
    p->shape |= SHAPE_OPAQUE;
    p->payload_bytes = (uint16_t)(body > IPV4_BYTES ? body - IPV4_BYTES : 0);
    cell->is_parsed = true;
}

const uint8_t *frames_bytes(const struct frames *f, uint32_t index, const struct frame_info **info) {
    const struct frame_cell *cell = &f->cell[index];
    *info = &cell->info;
    return cell->bytes + cell->begin;
}

const struct frame_info *frames_info(const struct frames *f, uint32_t index) {
    return index < f->n_cells && f->cell[index].is_parsed ? &f->cell[index].info : NULL;
}

struct frame_bytes frames_emit(struct frames *f, uint32_t index, const uint8_t src_mac[6], const uint8_t dst_mac[6]) {
    struct frame_cell *cell = cell_of(f, index);
    const struct packet *p = packet_at(&f->pool, index);
    const struct packet_ext *ext = p->ext == EXT_NONE ? NULL : packet_ext_at(&f->pool, p->ext);
    struct frame_bytes b;
    bool is_bridged = cell->is_parsed && cell->info.ether_type != ETHERTYPE_IPV4 && !(p->shape & SHAPE_PAUSE);
    if (is_bridged) src_mac = cell->info.src_mac, dst_mac = cell->info.dst_mac;
    if (cell->is_parsed) {
        b.length = frame_rewrite_in_place(cell->bytes + cell->begin, &cell->info, p, ext, src_mac, dst_mac, &b.at,
                                          &b.captured);
        cell->is_parsed = false;
    } else {
        b.at = cell_room(cell, p->wire_bytes);
        b.length = frame_build(p, ext, src_mac, dst_mac, b.at, cell->room);
        b.captured = b.length < cell->room ? b.length : cell->room;
    }
    cell->begin = (uint32_t)(b.at - cell->bytes);
    return b;
}

void frames_release(struct frames *f, uint32_t index) {
    if (index < f->n_cells) f->cell[index].is_parsed = false;
    packet_put(&f->pool, index);
}
