/* SPDX-License-Identifier: Apache-2.0 */
#include "study/assemble/fill.h"

#include "base/memory.h"
#include "base/units.h"
#include "fabric/nics.h"
#include "study/assemble/parts.h"
#include "wire/packet.h"

#include <stdlib.h>
#include <string.h>

#define ETHERNET_BYTES 18 /* header 14, FCS 4 */

/* One entry of the workload while it is read. */
struct entry {
    struct assembly *a;
    const struct config *c;
    const char *base_dir;
    size_t number;
    struct workload_spec *spec;
    struct diag *d;
};

/* Writes the path of a key of the entry. */
static const char *path_of(const struct entry *e, const char *key, char path[KEY_PATH_MAX]) {
    char list[KEY_PATH_MAX];
    return path_join(path, path_item(list, "workload", e->number), key);
}

static bool entry_fail(const struct entry *e, const char *key, const char *text) {
    char path[KEY_PATH_MAX];
    path_of(e, key, path);
    return config_fail(e->c, e->d, path, "%s: %s", path, text);
}

/* ---- what is sent ---- */

static bool takes_sizes(const struct workload_ops *kind) {
    for (const struct param *const *key = kind->keys; key && *key; key++)
        if ((*key)->type == PARAM_SIZES) return true;
    return false;
}

static bool sizes_fill(const struct entry *e) {
    char path[KEY_PATH_MAX];
    const char *what = config_text(e->c, "%s", path_of(e, "sizes", path));
    if (what && e->spec->total_bytes)
        return entry_fail(e, "sizes", "`total` says what is sent; leave `sizes` or `total` out");
    if (!what) {
        if (!takes_sizes(e->spec->kind) || e->spec->kind->sizes_optional || e->spec->total_bytes) return true;
        return entry_fail(e, "sizes",
                          "it is missing; give a distribution such as web-search, a size such as 1MB, or a file");
    }
    struct diag reason = {0};
    e->spec->sizes = sizes_create(what, e->base_dir, e->spec->max_bytes, &reason);
    if (e->spec->sizes) return true;
    if (!reason.file[0]) return entry_fail(e, "sizes", reason.text);
    *e->d = reason;
    return false;
}

/* Sets the entry's transport and the sizes of its frames: payload and wire bytes of a full frame, handshake, ACKs. */
static void transport_fill(const struct entry *e) {
    const struct host_config *h = &e->a->world.hosts;
    char path[KEY_PATH_MAX];
    const struct transport_ops *t = config_row(e->c, "transports", path_of(e, "transport", path));
    struct workload_spec *s = e->spec;
    for (uint32_t i = 0; t && i < h->n_transports; i++) {
        if (h->transport[i] == t) s->transport = (int32_t)i;
    }
    t = h->transport[s->transport];
    s->payload_full_bytes = (uint32_t)h->transport_params[s->transport][t->base->max_payload_param];
    s->wire_full_bytes = s->payload_full_bytes + transport_header_bytes(t) + ETHERNET_BYTES + WIRE_OVERHEAD_BYTES;
    struct transport_talk talk = {0};
    if (t->base->talk) talk = t->base->talk(h->transport_params[s->transport]);
    s->handshake_wire_bytes = talk.opening_bytes + talk.closing_bytes;
    s->ack_wire_bytes = talk.ack_bytes;
    s->ack_every = talk.ack_every;
}

/* Fails if the kind of entry can go on for ever and neither the entry nor run.until ends it. */
static bool ends_check(const struct entry *e) {
    const char *key = NULL, *why = e->spec->kind->endless ? e->spec->kind->endless(e->spec, &key) : NULL;
    return !why || e->spec->until != TIME_NONE || entry_fail(e, key, why);
}

/* Fails if flows send as fast as their NIC takes frames, and the NIC always takes them. */
static bool pace_check(const struct entry *e) {
    const struct host_config *h = &e->a->world.hosts;
    bool paced = h->transport[e->spec->transport]->takes_rate && e->spec->rate_bps == 0;
    if (!paced || h->nic != NIC_FIFO || h->nic_full != NIC_FULL_DROP) return true;
    return entry_fail(e, "rate",
                      "at line rate a NIC that drops (host.nic_full) would never stop these flows; give rate: 1Gbps, "
                      "say, or host.nic_full: block");
}

/* Fails if only one of src and dst is given. */
static bool ends_given(const struct entry *e) {
    const struct workload_spec *s = e->spec;
    if ((s->src == NODE_NONE) == (s->dst == NODE_NONE)) return true;
    return entry_fail(e, s->src == NODE_NONE ? "src" : "dst", "give both src and dst, or neither");
}

/* Finds the host of a trace. */
static bool host_find(void *fabric, const char *text, bool quoted, uint32_t *host, char *why, size_t size) {
    return fabric_host_find(fabric, text, quoted, host, why, size);
}

static bool entry_fill(const struct entry *e) {
    struct workload_spec *s = e->spec;
    const struct fill f = {e->a, e->c, e->base_dir, e->d};
    char block[KEY_PATH_MAX];
    const struct workload_ops *kind = config_row(e->c, "workloads", path_of(e, "kind", block));
    path_item(block, "workload", e->number);
    *s = (struct workload_spec){
        .kind = kind,
        .entry = (uint32_t)e->number,
        .until = e->a->world.until,
        .stop = TIME_NONE,
        .src = NODE_NONE,
        .dst = NODE_NONE,
        .host_find = host_find,
        .host_context = e->a->fabric,
    };
    entry_fail(&(struct entry){.c = e->c, .number = e->number, .d = &s->where}, "kind", "");
    transport_fill(e);
    void *own = assembly_own(e->a, 1, kind->fields_size);
    s->fields = own;
    if (!fill_row(&f, block, kind->keys, s, own) || !fill_list(&f, block, workload_entry_keys, s)) return false;
    s->own = fill_values(&f, block, kind->params, kind->n_params);
    return sizes_fill(e) && ends_given(e) && ends_check(e) && pace_check(e);
}

/* ---- can flows arrive? ---- */

static bool has_way(const struct fabric *f, const struct flow *flow) {
    for (uint32_t i = 0; i < f->paths.n_states; i++)
        if (fabric_hosts_have_way(f, i, flow->src, flow->dst)) return true;
    return false;
}

/* Fails if no settled state of the fabric has a path between the racks of a flow: without run.until the run could not
 * finish. */
static bool ways_check(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct fabric *f = a->fabric;
    const char *path = a->fabric_spec.n_fail_random ? "fabric.fail_random" : "fabric.failed";
    if (a->world.until != TIME_NONE || f->n_events == 0) return true;
    for (uint32_t i = 0; i < a->flows.n; i++) {
        char from[FABRIC_NODE_NAME_MAX], to[FABRIC_NODE_NAME_MAX];
        if (has_way(f, &a->flows.flow[i])) continue;
        return config_fail(c, d, path,
                           "with these failures there is never a path from %s to %s, as flow %u needs; have fewer, or "
                           "repair_at, or run.until",
                           fabric_node_name(f, a->flows.flow[i].src, from, sizeof from),
                           fabric_node_name(f, a->flows.flow[i].dst, to, sizeof to), i);
    }
    return true;
}

bool assemble_workload(struct assembly *a, const struct config *c, const char *base_dir, struct diag *d) {
    size_t n = config_count(c, "workload");
    if (n == 0) return config_fail(c, d, "fabric", "there is no workload; give workload: [{kind: ...}]");
    a->workload = memory_get(n, sizeof *a->workload);
    a->n_workload = n;
    for (size_t i = 0; i < n; i++) {
        if (!entry_fill(&(struct entry){a, c, base_dir, i, &a->workload[i], d})) return false;
    }
    if (!assemble_flows_check(a, c, d)) return false;
    return workload_generate(a->workload, n, &a->fabric->population, a->world.seed, &a->flows, d) &&
           assemble_pins(a, c, d) && ways_check(a, c, d);
}
