/* SPDX-License-Identifier: Apache-2.0 */
/* Pins flows to NICs (workload.#.nic).
 *
 *     nic: 1          NIC 1 of the sender and NIC 1 of the receiver; a host with one link has nothing to choose
 *     nic: leaf0      the NIC of each end that is linked to this switch; an end without such a link is free
 *     nic: channels   NIC k mod n for channel k of a job, n being the number of NICs of the host
 *
 * A pin is checked when it is set: each host has the NIC, and the NICs have a path to each other if nothing fails. What becomes of a
 * pinned flow when a link fails is decided where its NICs are chosen (fabric/nics.h).
 */
#include "study/assemble/parts.h"

#include "base/memory.h"
#include "fabric/nics.h"

#include <stdlib.h>
#include <string.h>

#define NICS_MAX 255 /* of a host; a flow has a byte for its pin */

/* What an entry says. */
struct pin {
    enum { PIN_NUMBER, PIN_SWITCH, PIN_CHANNELS } by;
    uint32_t number;
    const char *name;
};

struct pinning {
    struct assembly *a;
    const struct config *c;
    char path[KEY_PATH_MAX];
    struct pin pin;
    uint8_t *of_host; /* PIN_SWITCH: [n_hosts] the pin of each host, 0: none */
    struct diag *d;
};

/* Returns the number in a text of digits, at most UINT32_MAX; -1: it has other characters. */
static int64_t number_in(const char *text) {
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0') return -1;
    return strlen(text) > 9 ? UINT32_MAX : atol(text);
}

static const char *host_name(const struct pinning *p, uint32_t host, char buf[FABRIC_NODE_NAME_MAX]) {
    return fabric_node_name(p->a->fabric, host, buf, FABRIC_NODE_NAME_MAX);
}

/* ---- what an entry says ---- */

static bool switch_find(struct pinning *p) {
    const struct fabric *f = p->a->fabric;
    bool any = false;
    for (uint32_t h = 0; h < f->n_hosts; h++) {
        uint16_t port = fabric_port_find(f, h, p->pin.name);
        if (port < NICS_MAX) p->of_host[h] = (uint8_t)(port + 1);
        any = any || port < NICS_MAX;
    }
    if (any) return true;
    char near[FABRIC_NODE_NAME_MAX];
    fabric_node_name(f, f->paths.port[0].neighbour, near, sizeof near);
    return config_fail(p->c, p->d, p->path,
                       "%s: no host has a link to '%s'; write the number of a NIC, channels, or a switch such as %s",
                       p->path, p->pin.name, near);
}

static bool pin_read(struct pinning *p, const struct workload_spec *spec) {
    int64_t number = number_in(spec->nic);
    p->pin = (struct pin){.by = PIN_SWITCH, .name = spec->nic};
    if (number >= 0) p->pin = (struct pin){.by = PIN_NUMBER, .number = (uint32_t)number};
    if (strcmp(spec->nic, "channels") == 0) p->pin.by = PIN_CHANNELS;
    if (p->pin.by == PIN_CHANNELS && !spec->kind->makes_jobs)
        return config_fail(p->c, p->d, p->path, "%s: %s has no channels; write the number of a NIC, or a switch",
                           p->path, spec->kind->name);
    return p->pin.by != PIN_SWITCH || switch_find(p);
}

/* ---- the flows of an entry ---- */

/* Sets *nic to the pin of one end. False after filling *d: the host has no such NIC. */
static bool end_pin(const struct pinning *p, uint32_t host, const struct flow *flow, uint8_t *nic) {
    const uint32_t n = fabric_host_nics(p->a->fabric, host);
    char name[FABRIC_NODE_NAME_MAX];
    *nic = 0;
    if (p->pin.by == PIN_SWITCH) *nic = p->of_host[host];
    if (p->pin.by == PIN_SWITCH || n == 1) return true;
    uint32_t number = p->pin.by == PIN_CHANNELS ? flow->channel % n : p->pin.number;
    if (number < n && number < NICS_MAX) {
        *nic = (uint8_t)(number + 1);
        return true;
    }
    return config_fail(p->c, p->d, p->path, "%s: %s has no NIC %u; its NICs are 0 to %u", p->path,
                       host_name(p, host, name), number, (n < NICS_MAX ? n : NICS_MAX) - 1);
}

static bool flow_pin(const struct pinning *p, struct flow *flow) {
    char from[FABRIC_NODE_NAME_MAX], to[FABRIC_NODE_NAME_MAX];
    if (!end_pin(p, flow->src, flow, &flow->src_nic) || !end_pin(p, flow->dst, flow, &flow->dst_nic)) return false;
    if (p->pin.by == PIN_SWITCH && !flow->src_nic && !flow->dst_nic)
        return config_fail(p->c, p->d, p->path,
                           "%s: neither %s nor %s has a link to %s; give their flows an entry of their own", p->path,
                           host_name(p, flow->src, from), host_name(p, flow->dst, to), p->pin.name);
    const struct nic_question q = {
        .src = flow->src, .dst = flow->dst, .src_nic = flow->src_nic, .dst_nic = flow->dst_nic};
    if (fabric_pins_have_way(p->a->fabric, &q)) return true;
    return config_fail(p->c, p->d, p->path,
                       "%s: these NICs of %s and %s have no path to each other; pin to others, or leave nic out",
                       p->path, host_name(p, flow->src, from), host_name(p, flow->dst, to));
}

static bool entry_pin(struct pinning *p, uint32_t entry) {
    char list[KEY_PATH_MAX];
    path_join(p->path, path_item(list, "workload", entry), "nic");
    if (!pin_read(p, &p->a->workload[entry])) return false;
    bool ok = true;
    for (uint32_t i = 0; ok && i < p->a->flows.n; i++)
        if (p->a->flows.flow[i].entry == entry) ok = flow_pin(p, &p->a->flows.flow[i]);
    return ok;
}

bool assemble_pins(struct assembly *a, const struct config *c, struct diag *d) {
    bool ok = true;
    for (uint32_t i = 0; ok && i < a->n_workload; i++) {
        if (!a->workload[i].nic) continue;
        struct pinning p = {.a = a, .c = c, .d = d, .of_host = memory_get(a->fabric->n_hosts, 1)};
        ok = entry_pin(&p, i);
        free(p.of_host);
    }
    return ok;
}
