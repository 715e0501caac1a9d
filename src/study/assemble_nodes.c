#include "study/assemble_parts.h"

#include "base/units.h"
#include "mech/admit/phantom.h"
#include "mech/crossbar/crossbar.h"
#include "node/host.h"
#include "wire/expeditus_tag.h"
#include "wire/packet.h"

#include <inttypes.h>
#include <string.h>

static const int64_t *params_read(struct assembly *a, const struct config *c, const char *block, const char *name,
                                  const struct param *param, size_t n) {
    int64_t *value = assembly_own(a, n, sizeof *value);
    for (size_t i = 0; i < n; i++) value[i] = config_value(c, param[i].def, "%s.%s.%s", block, name, param[i].name);
    return value;
}

#define DEFAULT_BUFFER 225000 /* of a port of up to 10 Gbps */

/* ---- transports: first, since what they send decides what switches must hold ---- */

static bool transport_add(struct assembly *a, const struct config *c, const char *name, const char *path,
                          struct diag *d) {
    struct host_settings *h = &a->world.hosts;
    const struct transport_ops *t = transport_find(name);
    for (uint32_t i = 0; i < h->n_transports; i++) {
        if (h->transport[i] == t) return true;
    }
    if (h->n_transports == MAX_TRANSPORTS) {
        return config_fail(c, d, path, "%s: more than %d transports in one run; use fewer", path, MAX_TRANSPORTS);
    }
    h->transport[h->n_transports] = t;
    h->transport_params[h->n_transports++] = params_read(a, c, "host", t->name, t->params, t->n_params);
    return true;
}

/* Frame bytes of a transport's full frame. */
static uint32_t full_frame_of(const struct host_settings *h, uint32_t i) {
    const struct transport_ops *t = h->transport[i];
    uint32_t payload = (uint32_t)h->transport_params[i][t->max_payload_param];
    return packet_wire_bytes(0, t->header_bytes - 20, payload) - 20;
}

static bool transports_fill(struct assembly *a, const struct config *c, struct diag *d) {
    struct host_settings *h = &a->world.hosts;
    bool ok = transport_add(a, c, config_text(c, "host.transport"), "host.transport", d);
    size_t n = config_count(c, "workload");
    for (size_t i = 0; ok && i < n; i++) {
        char path[KEY_PATH_MAX], entry[KEY_PATH_MAX];
        const char *name = config_text(c, "%s", path_join(path, path_item(entry, "workload", i), "transport"));
        if (name) ok = transport_add(a, c, name, path, d);
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
    const struct switch_settings *s = &a->world.switches;
    if (!s->balance->fits) return true;
    struct diag reason = {0};
    if (s->balance->fits(a->fabric->tiers, most_uplinks(a->fabric), s->balance_params, &reason)) return true;
    return config_fail(c, d, "switch.balance", "%s", reason.text);
}

static void marking_fill(struct switch_settings *s, const struct config *c) {
    const char *admit = config_text(c, "switch.admit");
    if (strcmp(admit, "phantom") == 0) {
        s->phantom_bytes_per_10g = config_value(c, 10000, "switch.phantom_threshold_per_10g");
        s->phantom_drain_ppb = config_value(c, PHANTOM_DRAIN_PPB, "switch.phantom_drain");
    }
    if (strcmp(admit, "ecn") != 0) return;
    s->ecn_bytes = config_value(c, 0, "switch.ecn_threshold");
    if (!s->ecn_bytes) s->ecn_bytes_per_10g = config_value(c, 0, "switch.ecn_threshold_per_10g");
}

/* The frame bytes a port of this rate marks above; 0: it does not mark. */
static int64_t marks_above(const struct switch_settings *s, int64_t rate_bps) {
    if (s->ecn_bytes) return s->ecn_bytes;
    return (int64_t)((__int128)s->ecn_bytes_per_10g * rate_bps / 10000000000LL);
}

/* A port that drops before it marks leaves its senders without a signal. */
static bool marking_fits(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct switch_settings *s = &a->world.switches;
    const struct fabric *f = a->fabric;
    for (uint32_t g = f->paths.first_port[f->n_hosts]; g < f->paths.first_port[f->n_nodes]; g++) {
        int64_t rate = f->paths.port[g].rate_bps, threshold = marks_above(s, rate);
        if (threshold < switch_buffer_at(s, rate)) continue;
        char buffer[UNITS_TEXT_MAX], mark[UNITS_TEXT_MAX], at[UNITS_TEXT_MAX];
        return config_fail(c, d, "switch.buffer",
                           "switch.buffer: %s fill before ports of %s mark, above %s; give a larger buffer, or a lower "
                           "switch.ecn_threshold",
                           units_print(PARAM_BYTES, switch_buffer_at(s, rate), buffer, sizeof buffer),
                           units_print(PARAM_RATE, rate, at, sizeof at),
                           units_print(PARAM_BYTES, threshold, mark, sizeof mark));
    }
    return true;
}

static bool classes_check(const struct config *c, struct diag *d) {
    int64_t classes = config_value(c, 1, "switch.classes");
    if (classes == 1 || config_value(c, 0, "switch.schedule") != SCHEDULE_FIFO) return true;
    return config_fail(c, d, "switch.classes",
                       "switch.classes: fifo has one class; write switch.schedule: strict or drr");
}

static bool reserve_check(const struct config *c, struct diag *d) {
    int64_t classes = config_value(c, 1, "switch.classes"), buffer = config_value(c, DEFAULT_BUFFER, "switch.buffer");
    if (config_value(c, 0, "switch.class_reserve") <= buffer / classes) return true;
    return config_fail(c, d, "switch.class_reserve",
                       "switch.class_reserve: %" PRId64
                       " classes cannot have that much each of switch.buffer; write at most "
                       "%" PRId64 "B",
                       classes, buffer / classes);
}

/* ---- the inside of a switch, and flow control ---- */

static void cioq_fill(struct switch_settings *s, const struct config *c) {
    if (config_value(c, 0, "switch.crossbar") != CROSSBAR_ISLIP) return;
    s->push_out = config_value(c, 0, "switch.push_out") != 0;
    s->cioq = (struct cioq_settings){
        .on = true,
        .hold = strcmp(config_text(c, "switch.islip.full"), "hold") == 0,
        .iterations = (uint32_t)config_value(c, 4, "switch.islip.iterations"),
        .speedup = (uint32_t)config_value(c, 4, "switch.islip.speedup"),
        .ingress_bytes = config_value(c, 0, "switch.islip.ingress"),
        .reserve_bytes = config_value(c, 0, "switch.islip.reserve"),
        .forward_delay = config_value(c, 0, "switch.islip.forward_delay"),
    };
}

/* AM-4: what the switch port that needs most is given, all have. */
static void preset_fill(const struct assembly *a, struct switch_settings *s, const struct config *c) {
    const struct path_view *paths = &a->fabric->paths;
    struct flowctl_settings *f = &s->cioq.flow;
    int64_t fastest = 0;
    uint32_t from = paths->first_port[a->fabric->n_hosts], end = paths->first_port[a->fabric->n_nodes];
    for (uint32_t g = from; g < end; g++) fastest = max_i64(fastest, paths->port[g].rate_bps);
    uint32_t classes = flowctl_preset_classes(fastest);
    if (!config_value(c, 0, "switch.pause_classes") && f->ops->by_class && classes < f->params.classes)
        f->params.classes = classes;
    s->cioq.ingress_bytes = 0;
    for (uint32_t g = from; g < end; g++) {
        struct flowctl_params p = flowctl_params_at(f, paths->port[g].rate_bps, paths->port[g].delay);
        s->cioq.ingress_bytes = max_i64(s->cioq.ingress_bytes, flowctl_preset_buffer(&p));
    }
    f->params.buffer_bytes = s->cioq.ingress_bytes;
}

/* Thresholds count a frame with 12 of its 20 B of preamble and gap (mech/flowctl/flowctl.h): 1530 B for 1518. */
static uint32_t frame_on_link(const struct switch_settings *s) { return (uint32_t)switch_largest_frame(s) + 12; }

static void flowctl_fill(const struct assembly *a, struct switch_settings *s, const struct config *c) {
    struct flowctl_settings *f = &s->cioq.flow;
    f->ops = flowctls(&(size_t){0})[config_value(c, 0, "switch.flowctl")];
    if (!f->ops->pauses) return;
    f->reaction = config_value(c, 0, "switch.pause_reaction");
    f->transceiver = config_value(c, 0, "switch.transceiver_delay");
    f->high_bytes = config_value(c, 0, "switch.pause_above");
    f->low_bytes = config_value(c, 0, "switch.release_below");
    f->storm = config_value(c, 0, "switch.pause_storm");
    f->params = (struct flowctl_params){
        .max_frame_bytes = frame_on_link(s),
        .buffer_bytes = s->cioq.ingress_bytes,
        .classes = (uint32_t)config_value(c, f->ops->by_class ? s->classes : 1, "switch.pause_classes"),
        .headroom = (enum flowctl_headroom)config_value(c, HEADROOM_EXACT, "switch.headroom"),
    };
    if (config_value(c, 0, "switch.pause_preset")) preset_fill(a, s, c);
}

/* The key that is to blame for thresholds that do not fit. */
static const char *threshold_key(const struct flowctl_settings *f, const struct config *c) {
    const struct setting *classes = config_find(c, "switch.pause_classes");
    if (f->high_bytes) return "switch.pause_above";
    if (f->low_bytes) return "switch.release_below";
    return classes && classes->given && !classes->none ? "switch.pause_classes" : "switch.flowctl";
}

/* Every rate and length of link must have room for what arrives after a pause. */
static bool thresholds_check(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct flowctl_settings *f = &a->world.switches.cioq.flow;
    const struct path_view *paths = &a->fabric->paths;
    for (uint32_t g = paths->first_port[a->fabric->n_hosts]; g < paths->first_port[a->fabric->n_nodes]; g++) {
        struct diag reason = {0};
        struct flowctl_params p = flowctl_params_at(f, paths->port[g].rate_bps, paths->port[g].delay);
        struct flowctl_thresholds t = flowctl_thresholds_at(f, &p);
        if (!flowctl_check(&p, &t, &reason)) return config_fail(c, d, threshold_key(f, c), "%s", reason.text);
    }
    return true;
}

static bool flowctl_check_parts(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct switch_settings *s = &a->world.switches;
    if (!flowctl_is_on(&s->cioq.flow)) return true;
    if (!s->cioq.on)
        return config_fail(c, d, "switch.flowctl",
                           "switch.flowctl: %s watches ingress queues; write switch.crossbar: islip, which has them",
                           s->cioq.flow.ops->name);
    const struct setting *ingress = config_find(c, "switch.islip.ingress");
    if (config_value(c, 0, "switch.pause_preset") && ingress && ingress->given)
        return config_fail(c, d, "switch.islip.ingress",
                           "switch.islip.ingress: switch.pause_preset: by-rate computes it; leave out one of them");
    return thresholds_check(a, c, d);
}

/* Where frames are held, one of the lowest class needs room beside what is kept for all others, or it never crosses. */
static bool reserves_check(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct switch_settings *s = &a->world.switches;
    int64_t frame = switch_largest_frame(s), needed = (s->classes - 1) * s->cioq.reserve_bytes + 2 * frame;
    char buffer[UNITS_TEXT_MAX], least[UNITS_TEXT_MAX];
    if (!s->cioq.hold || s->buffer_bytes >= needed) return true;
    return config_fail(c, d, "switch.buffer",
                       "switch.buffer: %s, and switch.islip.reserve of it for each of %u higher classes, leave class 0 "
                       "no room; write at least %s, or a smaller reserve",
                       units_print(PARAM_BYTES, s->buffer_bytes, buffer, sizeof buffer), s->classes - 1,
                       units_print(PARAM_BYTES, needed, least, sizeof least));
}

static bool cioq_check(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct fabric *f = a->fabric;
    if (!a->world.switches.cioq.on) return true;
    if (!reserves_check(a, c, d)) return false;
    for (uint32_t s = 0; s < f->n_switches; s++) {
        char name[64];
        if (f->place[s].n_ports <= CROSSBAR_PORTS) continue;
        return config_fail(c, d, "switch.crossbar",
                           "switch.crossbar: islip pairs at most %d ports, %s has %u; use output-queued, or a smaller "
                           "switch",
                           CROSSBAR_PORTS, fabric_node_name(f, f->place[s].node, name, sizeof name),
                           f->place[s].n_ports);
    }
    return true;
}

static bool switches_fill(struct assembly *a, const struct config *c, struct diag *d) {
    struct switch_settings *s = &a->world.switches;
    s->balance = balancer_find(config_text(c, "switch.balance"));
    s->balance_params = params_read(a, c, "switch", s->balance->name, s->balance->params, s->balance->n_params);
    s->buffer_bytes = config_value(c, DEFAULT_BUFFER, "switch.buffer");
    s->buffer_scales = config_value(c, 0, "switch.buffer") == 0;
    s->schedule = (enum schedule_kind)config_value(c, 0, "switch.schedule");
    s->classes = (uint32_t)config_value(c, 1, "switch.classes");
    for (size_t i = 0; i < MAX_CLASSES; i++) s->drr_quantum_bytes[i] = config_value(c, 1518, "switch.drr_quantum");
    s->class_reserve_bytes = config_value(c, 0, "switch.class_reserve");
    marking_fill(s, c);
    cioq_fill(s, c);
    flowctl_fill(a, s, c);
    return classes_check(c, d) && reserve_check(c, d) && cioq_check(a, c, d) && flowctl_check_parts(a, c, d) &&
           marking_fits(a, c, d) && balancer_fits(a, c, d);
}

/* ---- hosts ---- */

static void hosts_fill(struct assembly *a, const struct config *c) {
    struct host_settings *h = &a->world.hosts;
    int64_t queue = config_value(c, 0, "host.nic_queue");
    h->nic = (enum nic_kind)config_value(c, 0, "host.nic");
    h->nic_queue_bytes = queue < 0 ? 0 : queue;
    h->nic_queue_frames = queue < 0 ? (uint32_t)-queue : 0;
    h->processing_delay = config_value(c, 0, "host.processing_delay");
    h->jitter = config_value(c, 0, "host.jitter");
    h->void_credits = config_value(c, 0, "host.void_credits") != 0;
    h->flow = a->world.switches.cioq.flow;
    h->classes = a->world.switches.classes;
}

/* Ports mark in one way; where the transports need two it is for the experiment to say whose. */
static bool marking_check(const struct assembly *a, const struct config *c, struct diag *d) {
    const char *ecn = NULL, *phantom = NULL;
    for (uint32_t i = 0; i < a->world.hosts.n_transports; i++) {
        const struct transport_ops *t = a->world.hosts.transport[i];
        if (t->needs.ecn) ecn = t->name;
        if (t->needs.phantom_bytes_per_10g) phantom = t->name;
    }
    const struct setting *admit = config_find(c, "switch.admit");
    if (!ecn || !phantom || (admit && admit->given)) return true;
    return config_fail(c, d, "switch.admit", "%s needs switch.admit: ecn, %s needs phantom; write one of them", ecn,
                       phantom);
}

/* The class of credits is there if a transport needs it, in every port and NIC alike. */
static void credits_fill(struct assembly *a, const struct config *c) {
    struct credit_settings credit = {
        .queue = (uint32_t)config_value(c, 16, "switch.credit_queue"),
        .share_ppb = config_value(c, 51787916, "switch.credit_share"),
        .burst_bytes = config_value(c, 168, "switch.credit_burst"),
        .spread = (uint32_t)config_value(c, 0, "host.credit_spread"),
        .mark_stale = config_value(c, 0, "switch.credit_mark_stale"),
    };
    for (uint32_t i = 0; i < a->world.hosts.n_transports; i++) {
        const struct port_needs *needs = &a->world.hosts.transport[i]->needs;
        credit.on |= needs->credit;
        if (needs->credit_marking) credit.mark_window = (uint32_t)config_value(c, 4, "switch.credit_mark_window");
    }
    a->world.switches.credit = a->world.hosts.credit = credit;
    a->world.switches.unscheduled_bytes = config_value(c, 0, "switch.unscheduled_limit");
    a->world.switches.record_path = config_value(c, 0, "switch.record_path") != 0;
}

/* Without queues of the NIC a frame on its way there could not be paused any more, which headroom does not count. */
static bool jitter_check(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct host_settings *h = &a->world.hosts;
    struct port_setup nic = {0};
    host_nic_setup(h, &nic);
    if (!h->jitter || !flowctl_is_on(&h->flow) || nic.queues) return true;
    return config_fail(
        c, d, "host.jitter",
        "host.jitter: under flow control only a NIC with queues can hold delayed frames; write host.nic: "
        "fifo");
}

/* Queues of a NIC know classes of data, and frames that are there at once. */
static bool nic_check(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct host_settings *h = &a->world.hosts;
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

/* ---- what must fit ---- */

/* Frame bytes of a queue that takes a full frame of every transport; by the rule of node/port.h a short frame needs a
 * little more than its own bytes. */
static int64_t full_frame_room(const struct host_settings *h, const char **transport) {
    int64_t most = 0;
    for (uint32_t i = 0; i < h->n_transports; i++) {
        const struct transport_ops *t = h->transport[i];
        int64_t wire = full_frame_of(h, i) + 20;
        int64_t room = max_i64(wire - 20, (wire * 1518 + 1537) / 1538);
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
    const struct host_settings *h = &a->world.hosts;
    const struct cioq_settings *cioq = &a->world.switches.cioq;
    return room_check(a, c, "switch.buffer", a->world.switches.buffer_bytes, d) &&
           (!cioq->on || room_check(a, c, "switch.islip.ingress", cioq->ingress_bytes, d)) &&
           (h->nic != NIC_FIFO || h->nic_queue_frames || room_check(a, c, "host.nic_queue", h->nic_queue_bytes, d));
}

bool assemble_nodes(struct assembly *a, const struct config *c, struct diag *d) {
    if (!transports_fill(a, c, d) || !switches_fill(a, c, d) || !marking_check(a, c, d)) return false;
    hosts_fill(a, c);
    credits_fill(a, c);
    return nic_check(a, c, d) && jitter_check(a, c, d) && queues_check(a, c, d);
}
