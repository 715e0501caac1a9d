/* SPDX-License-Identifier: Apache-2.0 */
#include "node/cioq_egress.h"
#include "wire/pause_frame.h"

/* ---- pause frames that the switch sends ---- */

static void cioq_find_renewal(struct fabric_switch *sw, uint16_t changed) {
    struct cioq *c = sw->cioq;
    uint64_t bit = 1ull << changed;
    c->renewing = c->input[changed].meter.renew_at == TIME_NONE ? c->renewing & ~bit : c->renewing | bit;
    c->next_renewal = TIME_NONE;
    for (uint64_t bits = c->renewing; bits; bits &= bits - 1)
        c->next_renewal = min_i64(c->next_renewal, c->input[__builtin_ctzll(bits)].meter.renew_at);
    c->next = min_i64(c->next, c->next_renewal);
    switch_find_timer(sw);
}

void input_say(struct fabric_switch *sw, time_ps now, uint16_t in, uint8_t changed, struct switch_out *out) {
    cioq_harden(sw, in, now);
    uint32_t index = packet_get(sw->pool), ext = packet_ext_get(sw->pool);
    struct packet *p = packet_at(sw->pool, index);
    *p = pause_packet(ext);
    p->origin = sw->node;
    p->serial = sw->serial++;
    p->birth = now;
    packet_ext_at(sw->pool, ext)->pause = ingress_fields(&sw->cioq->input[in].meter, changed, now);
    cioq_find_renewal(sw, in);
    sw->pauses_made++;
    port_control_push(&sw->extra[in], sw->pool, index);
    switch_serve(sw, in, now, out);
}

void cioq_renew(struct fabric_switch *sw, time_ps now, struct switch_out *out) {
    struct cioq *c = sw->cioq;
    for (uint64_t bits = c->renewing; bits; bits &= bits - 1) {
        uint16_t in = (uint16_t)__builtin_ctzll(bits);
        if (c->input[in].meter.renew_at > now) continue;
        input_say(sw, now, in, 0, out);
        return;
    }
}

/* ---- pause frames that it obeys ---- */

void cioq_obey(struct fabric_switch *sw, time_ps now, uint16_t in, uint32_t index, struct switch_out *out) {
    struct packet *p = packet_at(sw->pool, index);
    struct pause_state *pause = sw->extra[in].classes->pause;
    if (pause) {
        cioq_harden(sw, in, now);
        int64_t rate = sw->view[in].rate_bps;
        pause_obey(pause, &packet_ext_at(sw->pool, p->ext)->pause, now, flowctl_reaction_at(&sw->cioq->flow, rate),
                   flowctl_quantum(rate));
        switch_note_service(sw, in, now);
    }
    out_consume(out, index, in, now);
}
