/* SPDX-License-Identifier: Apache-2.0 */
/* Expeditus' tags on frames: added, resized, removed; and the Exp-response, which consists of headers and a tag. */
#include "mech/balance/expeditus.h"
#include "wire/frame_size.h"

#define RESPONSE_TTL 64

void expeditus_promote(const struct expeditus *s, struct packet *p) {
    if (s->control_priority) p->tos = (uint8_t)(TAG_CLASS_TOP << 5 | (p->tos >> 5) << 2 | (p->tos & ECN_MASK));
}

static void expeditus_demote(const struct expeditus *s, struct packet *p) {
    if (s->control_priority) p->tos = (uint8_t)((p->tos >> 2 & 7u) << 5 | (p->tos & ECN_MASK));
}

struct expeditus_tag *expeditus_tag(const struct expeditus *s, const struct packet *p) {
    return &packet_ext_at(s->pool, p->ext)->tag;
}

struct expeditus_tag *expeditus_add_tag(const struct expeditus *s, struct packet *p, uint8_t entries) {
    uint32_t before = packet_tag_bytes(p->shape, 0);
    p->ext = packet_ext_widen(s->pool, p->ext);
    p->shape |= SHAPE_EXPEDITUS;
    struct expeditus_tag *tag = expeditus_tag(s, p);
    tag->stage = STAGE_REQUEST;
    tag->entries = entries;
    packet_retag(p, before, packet_tag_bytes(p->shape, entries));
    expeditus_promote(s, p);
    return tag;
}

void expeditus_strip_tag(const struct expeditus *s, struct packet *p) {
    uint32_t before = packet_tag_bytes(p->shape, expeditus_tag(s, p)->entries);
    p->shape &= (uint8_t)~SHAPE_EXPEDITUS;
    packet_retag(p, before, packet_tag_bytes(p->shape, 0));
    expeditus_demote(s, p);
    if (p->shape & (SHAPE_SACK | SHAPE_STAMP)) return; /* the cell still carries SACK blocks or a stamp */
    packet_ext_put(s->pool, p->ext);
    p->ext = EXT_NONE;
}

void expeditus_add_ingress(const struct expeditus *s, time_ps now, struct packet *p) {
    struct expeditus_tag *tag = expeditus_tag(s, p);
    uint32_t before = packet_tag_bytes(p->shape, tag->entries);
    tag->entries = (uint8_t)s->n_uplinks;
    for (uint16_t i = 0; i < s->n_uplinks; i++)
        tag->load[i] = expeditus_homeward(s, p, (uint16_t)(s->first_uplink + i), now, false);
    packet_retag(p, before, packet_tag_bytes(p->shape, tag->entries));
}

uint32_t expeditus_answer(const struct expeditus *s, const struct packet *p) {
    uint32_t index = packet_get(s->pool);
    struct packet *r = packet_at(s->pool, index);
    *r = *p;
    r->src_ip = p->dst_ip;
    r->dst_ip = p->src_ip;
    r->payload_bytes = 0;
    r->l4_foreign = 0;
    r->ttl = RESPONSE_TTL;
    r->path = PATH_NONE;
    r->overlay = 0;
    if (r->proto == PROTO_CREDIT) r->tcp_flags = CREDIT_ANSWER, r->window = 0; /* no stamp */
    r->shape = SHAPE_EXPEDITUS | (p->shape & SHAPE_OPAQUE);
    r->ext = packet_ext_get_wide(s->pool);
    struct packet_ext *ext = packet_ext_at(s->pool, r->ext);
    ext->tag.stage = STAGE_RESPONSE;
    r->wire_bytes = packet_computed_wire_bytes(r, ext);
    return index;
}
