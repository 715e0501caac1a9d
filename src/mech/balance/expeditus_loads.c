/* SPDX-License-Identifier: Apache-2.0 */
/* Loads as Expeditus sees them: of a switch's own uplinks (EXP-7..EXP-11, EXP-38) and, with core_loads, of the core
 * links behind the uplinks of a ToR (docs/expeditus-extensions.md).
 *
 * Reports. An agg reads its core links once each core_loads_period. It reports the least level of egress and of ingress
 * to each of its ToRs, in a frame of its own, if they differ from its last report to that ToR. Levels above zero are
 * reported again after half a report's life, so that a lost report does not matter for long. A report lives for 2
 * (T_dre / alpha + core_loads_period): in that time a full register of an idle link falls below one level.
 *
 * A balancer has no timer. So a round of reports begins with the first frame that goes up through the agg after the
 * period has passed, and each such frame releases at most one report. An agg without upward traffic sends no reports,
 * and its ToRs then treat its core links as idle.
 */
#include "mech/balance/expeditus.h"
#include "wire/core_loads.h"
#include "wire/frame_size.h"

#define REPORT_TTL 2 /* enough to reach the ToR; a foreign switch there forwards it no further */

bool expeditus_is_inter_pod(const struct expeditus *s, const struct balance_query *q) {
    const struct path_view *v = s->fib.paths;
    if (s->place->tiers != 3 || q->src_leaf >= v->n_leaves) return s->place->tiers == 3; /* unknown racks: no pod */
    return v->leaf_pod[q->src_leaf] != v->leaf_pod[q->dst_leaf];
}

/* Returns X scaled up by the share of its upward capacity that the switch behind the uplink has lost. */
static int64_t expeditus_scale(const struct expeditus *s, uint16_t port, int64_t x_ps) {
    const struct place_beyond *b = &s->place->beyond[port];
    if (b->total == 0 || b->alive == b->total) return x_ps;
    return b->alive ? x_ps * b->total / b->alive : s->dre.full_ps;
}

static uint8_t expeditus_level(const struct expeditus *s, uint16_t port, int64_t x_ps, bool scaled) {
    if (!s->port[port].up) return DRE_MAX;
    return dre_quantize(scaled ? expeditus_scale(s, port, x_ps) : x_ps, s->dre.full_ps);
}

static uint8_t expeditus_egress(const struct expeditus *s, uint16_t port, time_ps now, bool scaled) {
    return expeditus_level(s, port, dre_egress(&s->port[port], &s->dre, now), scaled);
}

static uint8_t expeditus_ingress(const struct expeditus *s, uint16_t port, time_ps now, bool scaled) {
    return expeditus_level(s, port, dre_ingress(&s->port[port], &s->dre, now), scaled);
}

uint8_t expeditus_onward(const struct expeditus *s, const struct packet *p, uint16_t port, time_ps now, bool scaled) {
    return p->proto == PROTO_CREDIT ? expeditus_ingress(s, port, now, scaled) : expeditus_egress(s, port, now, scaled);
}

uint8_t expeditus_homeward(const struct expeditus *s, const struct packet *p, uint16_t port, time_ps now, bool scaled) {
    return p->proto == PROTO_CREDIT ? expeditus_egress(s, port, now, scaled) : expeditus_ingress(s, port, now, scaled);
}

/* ---- core loads ---- */

static const struct core_report *expeditus_told(const struct expeditus *s, uint16_t port, time_ps now) {
    static const struct core_report idle;
    return s->core_loads && now - s->report[port].at <= s->report_life ? &s->report[port] : &idle;
}

uint8_t expeditus_onward_far(const struct expeditus *s, const struct packet *p, uint16_t port, time_ps now) {
    const struct core_report *far = expeditus_told(s, port, now);
    uint8_t own = expeditus_onward(s, p, port, now, s->multipliers);
    return (uint8_t)max_i64(own, p->proto == PROTO_CREDIT ? far->ingress : far->egress);
}

uint8_t expeditus_homeward_far(const struct expeditus *s, const struct packet *p, uint16_t port, time_ps now) {
    const struct core_report *far = expeditus_told(s, port, now);
    uint8_t own = expeditus_homeward(s, p, port, now, s->multipliers);
    return (uint8_t)max_i64(own, p->proto == PROTO_CREDIT ? far->egress : far->ingress);
}

/* Returns the least levels over the agg's links to the cores; links that are down read 7. */
static struct core_report expeditus_best_core(const struct expeditus *s, time_ps now) {
    struct core_report best = {.at = now, .egress = DRE_MAX, .ingress = DRE_MAX};
    for (uint16_t i = 0; i < s->n_uplinks; i++) {
        uint16_t port = (uint16_t)(s->first_uplink + i);
        best.egress = (uint8_t)min_i64(best.egress, expeditus_egress(s, port, now, false));
        best.ingress = (uint8_t)min_i64(best.ingress, expeditus_ingress(s, port, now, false));
    }
    return best;
}

static bool expeditus_has_news(const struct expeditus *s, uint16_t port, time_ps now) {
    const struct core_report *told = &s->report[port], *is = &s->round;
    if (!s->port[port].up) return false;
    if (told->egress != is->egress || told->ingress != is->ingress) return true;
    return (is->egress || is->ingress) && now - told->at > s->report_life / 2;
}

static uint32_t expeditus_make_report(const struct expeditus *s, uint16_t port) {
    uint32_t rack = s->place->port[port].neighbour - s->fib.paths->n_hosts;
    uint32_t address = (10u << 24) + (rack << s->host_bits) + 1;
    uint32_t index = packet_get(s->pool);
    struct packet *r = packet_at(s->pool, index);
    *r = (struct packet){.src_ip = address,
                         .dst_ip = address,
                         .proto = PROTO_UDP,
                         .ttl = REPORT_TTL,
                         .shape = SHAPE_CORE_LOADS,
                         .path = PATH_NONE,
                         .overlay = core_loads_pack(s->round.egress, s->round.ingress),
                         .ext = EXT_NONE,
                         .flow = FLOW_NONE};
    r->wire_bytes = packet_computed_wire_bytes(r, NULL);
    expeditus_promote(s, r);
    return index;
}

void expeditus_report(struct expeditus *s, time_ps now, struct balance_out *out) {
    if (now >= s->next_round) {
        s->next_round = now + s->report_period;
        s->report_turn = 0;
        s->round = expeditus_best_core(s, now);
    }
    while (s->report_turn < s->first_uplink) {
        uint16_t port = s->report_turn++;
        if (!expeditus_has_news(s, port, now)) continue;
        s->report[port] = s->round;
        s->report[port].at = now;
        s->counters[CORE_REPORTS_SENT]++;
        out->emit = expeditus_make_report(s, port);
        out->emit_port = port;
        return;
    }
}

void expeditus_hear(struct expeditus *s, uint16_t port, time_ps now, const struct packet *p) {
    s->counters[CORE_REPORTS_HEARD]++;
    s->report[port] = (struct core_report){
        .at = now, .egress = core_loads_egress(p->overlay), .ingress = core_loads_ingress(p->overlay)};
}
