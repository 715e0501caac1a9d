/* SPDX-License-Identifier: Apache-2.0 */
#include "live/trust.h"

static bool is_group(const uint8_t mac[6]) { return mac[0] & 1; }

static bool is_answer_of_switch(const struct packet *p) {
    return p->proto == PROTO_CREDIT && !(p->shape & SHAPE_OPAQUE) && credit_kind(p) == CREDIT_ANSWER;
}

int trust_frame(const struct trust *t, bool from_host, const struct packet *p, const struct packet_ext *ext,
                const struct frame_info *info) {
    if (p->shape & SHAPE_PAUSE)
        return t->flow && t->flow->by_class == (bool)ext->pause.opcode_pfc ? FRAME_OK : REFUSED_PAUSE_KIND;
    if (t->routes && info->ether_type == ETHERTYPE_IPV4 && is_group(info->dst_mac)) return REFUSED_GROUP_MAC;
    return from_host && is_answer_of_switch(p) ? REFUSED_SWITCH_ANSWER : FRAME_OK;
}

static const struct expeditus_tag *tag_of(const struct packet_pool *pool, const struct packet *p) {
    return p->shape & SHAPE_EXPEDITUS ? &packet_ext_at(pool, p->ext)->tag : NULL;
}

uint32_t trust_tags(const struct packet_pool *pool, const struct packet *p) {
    const struct expeditus_tag *tag = tag_of(pool, p);
    uint32_t found = 0;
    if (tag) found |= 1u << (tag->stage ? STRIPPED_EXP_RESPONSE : STRIPPED_EXP_REQUEST);
    if (p->shape & SHAPE_CONGA) found |= 1u << STRIPPED_CONGA;
    if (p->shape & SHAPE_CORE_LOADS) found |= 1u << STRIPPED_CORE_LOADS;
    return found;
}

void trust_strip(struct packet_pool *pool, struct packet *p) {
    const struct expeditus_tag *tag = tag_of(pool, p);
    uint32_t before = packet_tag_bytes(p->shape, tag ? tag->entries : 0);
    p->shape &= (uint8_t)~SHAPE_TAGS;
    p->overlay = 0;
    packet_retag(p, before, 0);
    if (p->ext == EXT_NONE || p->shape & (SHAPE_SACK | SHAPE_STAMP)) return;
    packet_ext_put(pool, p->ext);
    p->ext = EXT_NONE;
}

const char *refusal_name(int reason) {
#define TRUST_REFUSAL_TEXT(id, key, text) text,
    static const char *const texts[] = {TRUST_REFUSALS(TRUST_REFUSAL_TEXT)};
    return reason < FRAME_ERROR_COUNT ? frame_error_name((enum frame_error)reason) : texts[reason - FRAME_ERROR_COUNT];
}

const char *refusal_key(int reason) {
#define TRUST_REFUSAL_KEY(id, key, text) key,
    static const char *const keys[] = {TRUST_REFUSALS(TRUST_REFUSAL_KEY)};
    return reason < FRAME_ERROR_COUNT ? frame_error_key((enum frame_error)reason) : keys[reason - FRAME_ERROR_COUNT];
}

const char *stripped_key(enum stripped tag) {
#define TRUST_TAG_KEY(id, key) key,
    static const char *const keys[] = {TRUST_TAGS(TRUST_TAG_KEY)};
    return keys[tag];
}
