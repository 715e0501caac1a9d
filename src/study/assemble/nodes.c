/* SPDX-License-Identifier: Apache-2.0 */
#include "study/assemble/fill.h"

#include "base/units.h"
#include "mech/crossbar/crossbar.h"
#include "node/host.h"
#include "study/config/needs.h"
#include "wire/expeditus_tag.h"
#include "wire/packet.h"

#include <inttypes.h>
#include <string.h>

#define DEFAULT_BUFFER 225000 /* bytes of a port of up to 10 Gbps */

/* Returns the values of the parameters in the block of a mechanism. */
static const int64_t *mechanism_values(struct assembly *a, const struct config *c, const char *family,
                                       const char *name) {
    const struct fill f = {.a = a, .c = c};
    const struct catalogue_item *item = catalogue_find(family, name);
    return fill_values(&f, item->block, item->params, item->n_params);
}

/* ---- transports: first, since their frames decide how large the queues of switches must be ---- */

/* Adds the transport that a key names, unless it is there or the key names none. */
static bool transport_add(struct assembly *a, const struct config *c, const char *path, struct diag *d) {
    struct host_config *h = &a->world.hosts;
    const struct transport_ops *t = config_row(c, "transports", path);
    if (!t) return true;
    for (uint32_t i = 0; i < h->n_transports; i++) {
        if (h->transport[i] == t) return true;
    }
    if (h->n_transports == MAX_TRANSPORTS) {
        return config_fail(c, d, path, "%s: more than %d transports in one run; use fewer", path, MAX_TRANSPORTS);
    }
    h->transport[h->n_transports] = t;
    h->transport_params[h->n_transports++] = mechanism_values(a, c, "transports", t->name);
    return true;
}

/* Returns the frame bytes of a transport's full frame. */
static uint32_t full_frame_of(const struct host_config *h, uint32_t i) {
    const struct transport_ops *t = h->transport[i];
    uint32_t payload = (uint32_t)h->transport_params[i][t->base->max_payload_param];
    return packet_wire_bytes(0, transport_header_bytes(t) - 20, payload) - 20;
}

static bool transports_fill(struct assembly *a, const struct config *c, struct diag *d) {
    struct host_config *h = &a->world.hosts;
    bool ok = transport_add(a, c, "host.transport", d);
    size_t n = config_count(c, "workload");
    for (size_t i = 0; ok && i < n; i++) {
        char path[KEY_PATH_MAX], entry[KEY_PATH_MAX];
        ok = transport_add(a, c, path_join(path, path_item(entry, "workload", i), "transport"), d);
    }
    h->frame_bytes = FULL_FRAME_BYTES;
    for (uint32_t i = 0; i < h->n_transports; i++)
        h->frame_bytes = (uint32_t)max_i64(h->frame_bytes, full_frame_of(h, i));
    a->world.switches.frame_bytes = h->frame_bytes;
    return ok;
}

/* ---- switches ---- */

static uint16_t most_uplinks(const struct fabric *f) {
    uint16_t most = 0;
    for (uint32_t s = 0; s < f->n_switches; s++) {
        uint16_t n = (uint16_t)(f->place[s].n_ports - f->place[s].first_uplink);
        if (n > most) most = n;
    }
    return most;
}

static bool balancer_fits(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct switch_config *s = &a->world.switches;
    if (!s->balance->fits) return true;
    struct diag reason = {0};
    if (s->balance->fits(a->fabric->tiers, most_uplinks(a->fabric), s->balance_params, &reason)) return true;
    return config_fail(c, d, "switch.balance", "%s", reason.text);
}

static bool classes_check(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct port_config *s = &a->world.switches.port;
    if (s->classes == 1 || !schedule_of(&s->schedule)->one_queue) return true;
    return config_fail(c, d, "switch.classes",
                       "switch.classes: %s has one class; write switch.schedule: strict, or switch.schedule: drr",
                       schedule_of(&s->schedule)->name);
}

static bool reserve_check(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct switch_config *s = &a->world.switches;
    int64_t most = s->buffer_bytes / s->port.classes;
    if (s->port.schedule.class_reserve_bytes <= most) return true;
    return config_fail(c, d, "switch.class_reserve",
                       "switch.class_reserve: %u classes cannot have that much each of switch.buffer; write at most "
                       "%" PRId64 "B",
                       s->port.classes, most);
}

/* ---- crossbar and flow control ---- */

static void cioq_fill(struct switch_config *s, const struct fill *f) {
    s->cioq.ops = config_row(f->c, "crossbar", "switch.crossbar");
    for (size_t i = 0; i < s->cioq.ops->n_params; i++) {
        char block[KEY_PATH_MAX];
        fill_param(f, path_join(block, "switch", s->cioq.ops->name), &s->cioq.ops->params[i], &s->cioq);
    }
}

int64_t assemble_preset_ingress(const struct assembly *a, const struct flowctl_config *f) {
    const struct path_view *paths = &a->fabric->paths;
    int64_t most = 0;
    for (uint32_t g = paths->first_port[a->fabric->n_hosts]; g < paths->first_port[a->fabric->n_nodes]; g++) {
        struct flowctl_params p = flowctl_params_at(f, paths->port[g].rate_bps, paths->port[g].delay);
        most = max_i64(most, flowctl_preset_buffer(&p));
    }
    return most;
}

/* AM-4: sets the pause classes by the fastest port, unless the experiment does. All ports get the ingress buffer of the port that needs most. */
static void preset_fill(const struct assembly *a, struct switch_config *s, bool own_classes) {
    const struct path_view *paths = &a->fabric->paths;
    struct flowctl_config *f = &s->flow;
    int64_t fastest = 0;
    for (uint32_t g = paths->first_port[a->fabric->n_hosts]; g < paths->first_port[a->fabric->n_nodes]; g++)
        fastest = max_i64(fastest, paths->port[g].rate_bps);
    uint32_t classes = flowctl_preset_classes(fastest);
    if (!own_classes && f->ops->by_class && classes < f->params.classes) f->params.classes = classes;
    f->params.buffer_bytes = s->cioq.ingress_bytes = assemble_preset_ingress(a, f);
}

/* Returns the largest frame as thresholds count it, with 12 of its 20 B of preamble and gap: 1530 B for 1518
 * (mech/flowctl/flowctl.h). */
static uint32_t frame_on_link(const struct switch_config *s) { return (uint32_t)switch_largest_frame(s) + 12; }

static void flowctl_fill(const struct assembly *a, struct switch_config *s, const struct fill *f) {
    struct flowctl_config *flow = &s->flow;
    flow->ops = config_row(f->c, "flowctl", "switch.flowctl");
    if (!flow->ops->pauses) return;
    fill_list(f, "switch", flow->ops->keys, flow);
    fill_params(f, "switch.pfc_watchdog", watchdog_keys, &flow->watchdog);
    flow->params.max_frame_bytes = frame_on_link(s);
    flow->params.buffer_bytes = s->cioq.ingress_bytes;
    bool own_classes = flow->params.classes > 0;
    if (!own_classes) flow->params.classes = flow->ops->by_class ? s->port.classes : 1;
    if (flow->preset == PAUSE_PRESET_BY_RATE) preset_fill(a, s, own_classes);
}

static bool flowctl_check_parts(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct switch_config *s = &a->world.switches;
    if (!flowctl_is_on(&s->flow)) return true;
    if (!crossbar_has_queues(&s->cioq))
        return config_fail(c, d, "switch.flowctl",
                           "switch.flowctl: %s watches ingress queues; write switch.crossbar: islip, which has them",
                           s->flow.ops->name);
    return true;
}

/* Fails if held frames of class 0 could never cross: they need room beside the reserves of the higher classes. */
static bool reserves_check(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct switch_config *s = &a->world.switches;
    int64_t frame = switch_largest_frame(s), needed = (s->port.classes - 1) * s->cioq.reserve_bytes + 2 * frame;
    char buffer[UNITS_TEXT_MAX], least[UNITS_TEXT_MAX], reserve[UNITS_TEXT_MAX] = "", most[UNITS_TEXT_MAX + 40] = "";
    if (s->cioq.drops || s->buffer_bytes >= needed) return true;
    if (s->port.classes > 1 && s->buffer_bytes >= 2 * frame)
        snprintf(
            most, sizeof most, ", or switch.islip.reserve: %s",
            units_print(PARAM_BYTES, (s->buffer_bytes - 2 * frame) / (s->port.classes - 1), reserve, sizeof reserve));
    return config_fail(c, d, "switch.buffer",
                       "switch.buffer: %s, and switch.islip.reserve of it for each of %u higher classes, leave class 0 "
                       "no room; write switch.buffer: %s%s",
                       units_print(PARAM_BYTES, s->buffer_bytes, buffer, sizeof buffer), s->port.classes - 1,
                       units_print(PARAM_BYTES, needed, least, sizeof least), most);
}

static bool cioq_check(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct fabric *f = a->fabric;
    if (!crossbar_has_queues(&a->world.switches.cioq)) return true;
    if (!reserves_check(a, c, d)) return false;
    for (uint32_t s = 0; s < f->n_switches; s++) {
        char name[FABRIC_NODE_NAME_MAX];
        if (f->place[s].n_ports <= CROSSBAR_PORTS) continue;
        return config_fail(c, d, "switch.crossbar",
                           "switch.crossbar: islip pairs at most %d ports, %s has %u; use output-queued, or a smaller "
                           "switch",
                           CROSSBAR_PORTS, fabric_node_name(f, f->place[s].node, name, sizeof name),
                           f->place[s].n_ports);
    }
    return true;
}

/* Fills *s by the parameter rows of switches, ports, classes, credits, the admission and the schedule. */
static void keys_fill(struct switch_config *s, const struct fill *f) {
    s->admit.ops = config_row(f->c, "admit", "switch.admit");
    s->port.schedule.ops = config_row(f->c, "schedule", "switch.schedule");
    fill_list(f, "switch", s->admit.ops->keys, &s->admit);
    fill_list(f, "switch", s->port.schedule.ops->keys, &s->port.schedule);
    const struct param *const own[] = {class_keys, credit_keys, port_keys, switch_keys};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) fill_params(f, "switch", own[i], s);
    s->buffer_scales = s->buffer_bytes == 0;
    if (s->buffer_scales) s->buffer_bytes = DEFAULT_BUFFER;
}

static bool switches_fill(struct assembly *a, const struct config *c, struct diag *d) {
    struct switch_config *s = &a->world.switches;
    const struct fill f = {.a = a, .c = c, .d = d};
    s->balance = config_row(c, "balance", "switch.balance");
    s->balance_params = mechanism_values(a, c, "balance", s->balance->name);
    keys_fill(s, &f);
    cioq_fill(s, &f);
    flowctl_fill(a, s, &f);
    return classes_check(a, c, d) && reserve_check(a, c, d) && cioq_check(a, c, d) && flowctl_check_parts(a, c, d) &&
           assemble_marking_check(a, c, d) && balancer_fits(a, c, d);
}

/* ---- hosts ---- */

static void hosts_fill(struct assembly *a, const struct config *c) {
    struct host_config *h = &a->world.hosts;
    const struct fill f = {.a = a, .c = c};
    fill_params(&f, "host", host_keys, h);
    int64_t queue = h->nic_queue_bytes;
    h->nic_queue_bytes = queue < 0 ? 0 : queue;
    h->nic_queue_frames = queue < 0 ? (uint32_t)-queue : 0;
    h->flow = a->world.switches.flow;
    h->classes = a->world.switches.port.classes;
}

/* Fails if two transports need different values for a key and the experiment does not set it. */
static bool need_check(const struct assembly *a, const struct config *c, const char *key, struct diag *d) {
    const struct host_config *h = &a->world.hosts;
    const struct setting *s = config_find(c, "%s", key);
    const char *first = NULL, *wants = NULL;
    for (uint32_t i = 0; i < h->n_transports; i++) {
        const char *text = need_of(h->transport[i]->needed, key);
        if (!text || (wants && strcmp(text, wants) == 0)) continue;
        if (wants && s && !s->given)
            return config_fail(c, d, key, "%s needs %s: %s, %s needs %s; write one of them", first, key, wants,
                               h->transport[i]->name, text);
        first = h->transport[i]->name, wants = text;
    }
    return true;
}

static bool needs_check(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct host_config *h = &a->world.hosts;
    for (uint32_t i = 0; i < h->n_transports; i++)
        for (const struct need *n = h->transport[i]->needed; n && n->key; n++) {
            const struct key *k = schema_find(n->key);
            if (k->param.type == PARAM_CHOICE && !need_check(a, c, n->key, d)) return false;
        }
    return true;
}

/* Turns on the class of credits in every port and NIC if a transport needs it. */
static void credits_fill(struct assembly *a) {
    struct credit_config *credit = &a->world.switches.credit;
    bool marked = false;
    for (uint32_t i = 0; i < a->world.hosts.n_transports; i++) {
        const struct port_needs *needs = &a->world.hosts.transport[i]->needs;
        credit->on |= needs->credit;
        marked |= needs->credit_marking;
    }
    if (!marked) credit->mark_window = 0;
    credit->spread = a->world.hosts.credit.spread;
    a->world.hosts.credit = *credit;
}

/* Fails if jitter delays frames before a NIC without queues under flow control. Such frames could not be paused any
 * more, and headroom does not count them. */
static bool jitter_check(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct host_config *h = &a->world.hosts;
    struct port_setup nic = {0};
    host_nic_setup(h, &nic);
    if (!h->jitter || !flowctl_is_on(&h->flow) || nic.queues) return true;
    return config_fail(
        c, d, "host.jitter",
        "host.jitter: under flow control only a NIC with queues can hold delayed frames; write host.nic: "
        "fifo");
}

/* Fails if a NIC with queues would need to hold credits or frames of a later time (processing delay). Its queues hold
 * classes of data that is ready to send. */
static bool nic_check(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct host_config *h = &a->world.hosts;
    struct port_setup nic = {0};
    host_nic_setup(h, &nic);
    if (!nic.queues) return true;
    const char *what = h->credit.on ? "credits" : h->processing_delay ? "host.processing_delay" : NULL;
    const char *why = flowctl_is_on(&h->flow) ? "under flow control the"
                      : h->nic_queue_frames   ? "counted in frames the"
                                              : "with several switch.classes the";
    if (!what) return true;
    return config_fail(c, d, "host.nic", "host.nic: %s queues of fifo have no place for %s; write pull", why, what);
}

/* Fails if the NIC would have to drop credits, whose limiter is in the NIC and waits for room. */
static bool drops_check(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct host_config *h = &a->world.hosts;
    if (h->nic != NIC_FIFO || h->nic_full != NIC_FULL_DROP || !h->credit.on) return true;
    return config_fail(c, d, "host.nic_full",
                       "host.nic_full: credits and their data leave when the NIC has room; write block");
}

/* ---- smallest queues ---- */

/* Returns the frame bytes of the smallest queue that takes a full frame of every transport, and sets *transport to the
 * one with the largest. By the rule of node/port.h a short frame needs a little more than its own bytes. */
static int64_t full_frame_room(const struct host_config *h, const char **transport) {
    int64_t most = 0;
    for (uint32_t i = 0; i < h->n_transports; i++) {
        const struct transport_ops *t = h->transport[i];
        int64_t wire = full_frame_of(h, i) + 20;
        int64_t room =
            max_i64(wire - WIRE_OVERHEAD_BYTES, (wire * FULL_FRAME_BYTES + FULL_WIRE_BYTES - 1) / FULL_WIRE_BYTES);
        if (room > most) *transport = t->name;
        most = max_i64(most, room);
    }
    return most;
}

static bool room_check(const struct assembly *a, const struct config *c, const char *path, int64_t bytes,
                       struct diag *d) {
    const char *transport = "";
    int64_t needed = full_frame_room(&a->world.hosts, &transport);
    char text[UNITS_TEXT_MAX];
    if (bytes >= needed) return true;
    return config_fail(c, d, path, "%s: no full frame of %s fits in; write at least %s", path, transport,
                       units_print(PARAM_BYTES, needed, text, sizeof text));
}

static bool queues_check(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct host_config *h = &a->world.hosts;
    const struct crossbar_config *cioq = &a->world.switches.cioq;
    return room_check(a, c, "switch.buffer", a->world.switches.buffer_bytes, d) &&
           (!crossbar_has_queues(cioq) || room_check(a, c, "switch.islip.ingress", cioq->ingress_bytes, d)) &&
           (h->nic != NIC_FIFO || h->nic_queue_frames || room_check(a, c, "host.nic_queue", h->nic_queue_bytes, d));
}

bool assemble_nodes(struct assembly *a, const struct config *c, struct diag *d) {
    if (!transports_fill(a, c, d) || !switches_fill(a, c, d) || !needs_check(a, c, d)) return false;
    hosts_fill(a, c);
    credits_fill(a);
    return nic_check(a, c, d) && jitter_check(a, c, d) && drops_check(a, c, d) && queues_check(a, c, d);
}
