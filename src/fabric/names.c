/* SPDX-License-Identifier: Apache-2.0 */
/* Names of nodes and ports, and the addresses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "fabric/fabric_build.h"
#include "fabric/nics.h"

/* Returns whether names are tor, agg, core instead of leaf, spine; a clos of one pod without cores has tor and agg. */
static bool names_have_pods(const struct fabric *f) { return f->kind->naming == NAMES_PODS; }

const char *fabric_node_name(const struct fabric *f, uint32_t node, char *buf, size_t size) {
    const struct fabric_node *n = &f->node[node];
    if (f->kind->naming == NAMES_OWN) {
        snprintf(buf, size, "%s", fabric_store(f)->name[node]);
    } else if (names_have_pods(f)) {
        static const char *const word[] = {"host", "tor", "agg", "core"};
        uint32_t tor = n->tier == TIER_HOST ? f->node[f->n_hosts + n->leaf].index : 0;
        if (n->tier == TIER_HOST)
            snprintf(buf, size, "host%u.%u.%u", n->pod, tor, n->index);
        else
            snprintf(buf, size, "%s%u.%u", word[n->tier], n->pod, n->index);
    } else if (n->tier == TIER_HOST) {
        snprintf(buf, size, "host%u.%u", n->leaf, n->index);
    } else {
        snprintf(buf, size, "%s%u", n->tier == TIER_LEAF ? "leaf" : "spine", n->index);
    }
    return buf;
}

const char *fabric_port_name(const struct fabric *f, uint32_t node, uint16_t port, char *buf, size_t size) {
    uint32_t first = f->paths.first_port[node], i = first + port;
    const struct place_port *all = f->paths.port;
    fabric_node_name(f, all[i].neighbour, buf, size);
    uint32_t parallel = 0;
    while (i - parallel > first && all[i - parallel - 1].neighbour == all[i].neighbour) parallel++;
    size_t used = strlen(buf);
    if (parallel > 0) snprintf(buf + used, size - used, "#%u", parallel);
    return buf;
}

/* ---- from names to numbers ---- */

/* Reads `word` followed by one to three numbers separated by dots; returns how many, 0 if `name` is no such name. */
static uint32_t name_numbers(const char *name, const char *word, uint32_t out[3]) {
    size_t length = strlen(word);
    if (strncmp(name, word, length) != 0) return 0;
    const char *at = name + length;
    for (uint32_t n = 0; n < 3; n++) {
        if (*at < '0' || *at > '9') return 0;
        uint64_t value = 0;
        const char *start = at;
        while (*at >= '0' && *at <= '9' && value < UINT32_MAX) value = value * 10 + (uint64_t)(*at++ - '0');
        if (value >= UINT32_MAX || (*start == '0' && at > start + 1)) return 0;
        out[n] = (uint32_t)value;
        if (*at == '\0') return n + 1;
        if (*at++ != '.') return 0;
    }
    return 0;
}

static uint32_t host_find(const struct fabric *f, uint32_t leaf, uint32_t index) {
    const uint32_t *first = fabric_store(f)->rack_first;
    if (leaf >= f->n_leaves || index >= first[leaf + 1] - first[leaf]) return NODE_NONE;
    return first[leaf] + index;
}

/* Returns the node of switch `index` in group `group`, for switches that start at node `first`; NODE_NONE if none. */
static uint32_t switch_find(uint32_t first, uint32_t groups, uint32_t per_group, uint32_t group, uint32_t index) {
    return group < groups && index < per_group ? first + group * per_group + index : NODE_NONE;
}

static uint32_t node_find_in_pods(const struct fabric *f, const char *name) {
    const struct fabric_store *store = f->store;
    uint32_t n[3], first_agg = f->n_hosts + f->n_leaves, first_core = first_agg + f->n_pods * store->pod_aggs;
    if (name_numbers(name, "host", n) == 3)
        return n[0] < f->n_pods && n[1] < store->pod_tors ? host_find(f, n[0] * store->pod_tors + n[1], n[2])
                                                          : NODE_NONE;
    if (name_numbers(name, "tor", n) == 2) return switch_find(f->n_hosts, f->n_pods, store->pod_tors, n[0], n[1]);
    if (name_numbers(name, "agg", n) == 2) return switch_find(first_agg, f->n_pods, store->pod_aggs, n[0], n[1]);
    if (name_numbers(name, "core", n) == 2) return switch_find(first_core, f->n_planes, store->plane_cores, n[0], n[1]);
    return NODE_NONE;
}

static uint32_t node_find_in_leaves(const struct fabric *f, const char *name) {
    uint32_t n[3];
    if (name_numbers(name, "host", n) == 2) return host_find(f, n[0], n[1]);
    if (name_numbers(name, "leaf", n) == 1) return switch_find(f->n_hosts, 1, f->n_leaves, 0, n[0]);
    if (name_numbers(name, "spine", n) == 1)
        return switch_find(f->n_hosts + f->n_leaves, 1, f->n_switches - f->n_leaves, 0, n[0]);
    return NODE_NONE;
}

static uint32_t node_find_in_file(const struct fabric *f, const char *name) {
    const struct fabric_store *store = f->store;
    uint32_t low = 0, high = f->n_nodes;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(name, store->name[store->by_name[middle]]);
        if (order == 0) return store->by_name[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NODE_NONE;
}

uint32_t fabric_node_find(const struct fabric *f, const char *name) {
    if (f->kind->naming == NAMES_OWN) return node_find_in_file(f, name);
    return names_have_pods(f) ? node_find_in_pods(f, name) : node_find_in_leaves(f, name);
}

/* Returns the host with the number that the text is; NODE_NONE if it is no number, or there is no such host. */
static uint32_t host_numbered(const struct fabric *f, const char *text) {
    int64_t number;
    char why[256];
    bool is = units_parse(PARAM_COUNT, text, &number, why, sizeof why) && number >= 0 && number < f->n_hosts;
    return is ? (uint32_t)number : NODE_NONE;
}

/* Writes "did you mean alpha? " for the host of a fabric file whose name is near; "" if there is none. */
static void host_near(const struct fabric *f, const char *text, char *buf, size_t size) {
    char *const *name = fabric_store(f)->name;
    const char *near = name ? diag_nearest(text, (const char *const *)name, f->n_hosts) : NULL;
    buf[0] = '\0';
    if (near) snprintf(buf, size, "did you mean %s? ", near);
}

bool fabric_host_find(const struct fabric *f, const char *text, bool quoted, uint32_t *host, char *why, size_t size) {
    uint32_t named = fabric_node_find(f, text), numbered = quoted ? NODE_NONE : host_numbered(f, text);
    char first[FABRIC_NODE_NAME_MAX], last[FABRIC_NODE_NAME_MAX];
    *host = named == NODE_NONE ? numbered : named;
    if (named != NODE_NONE && numbered != NODE_NONE && named != numbered) {
        snprintf(why, size,
                 "%s is the name of a %s and the number of host %s; write the name in quotes, \"%s\" or \"%s\"", text,
                 named < f->n_hosts ? "host" : "switch", fabric_node_name(f, numbered, last, sizeof last), text, last);
        return false;
    }
    if (*host < f->n_hosts) return true;
    fabric_node_name(f, 0, first, sizeof first);
    fabric_node_name(f, f->n_hosts - 1, last, sizeof last);
    char near[FABRIC_NODE_NAME_MAX + 32];
    host_near(f, text, near, sizeof near);
    if (*host != NODE_NONE)
        snprintf(why, size, "%s is a switch; name a host, %s to %s", text, first, last);
    else if (quoted && host_numbered(f, text) != NODE_NONE)
        snprintf(why, size,
                 "there is no host named \"%.80s\"; they are %s to %s; host number %.80s is written without quotes",
                 text, first, last, text);
    else if (quoted)
        snprintf(why, size, "there is no host named \"%.80s\"; %sthey are %s to %s", text, near, first, last);
    else
        snprintf(why, size, "there is no host '%.80s'; %sthey are %s to %s, or 0 to %u", text, near, first, last,
                 f->n_hosts - 1);
    return false;
}

bool name_split_parallel(const struct fabric *f, const char *name, size_t length, uint32_t *node, uint32_t *parallel) {
    char copy[256];
    if (length >= sizeof copy) return false;
    memcpy(copy, name, length);
    copy[length] = '\0';
    char *mark = strchr(copy, '#');
    uint32_t number[3] = {0};
    if (mark && name_numbers(mark, "#", number) != 1) return false;
    if (mark) *mark = '\0';
    *parallel = number[0];
    *node = fabric_node_find(f, copy);
    return *node != NODE_NONE;
}

uint16_t port_towards(const struct fabric *f, uint32_t node, uint32_t neighbour, uint32_t parallel) {
    uint32_t first = f->paths.first_port[node], end = f->paths.first_port[node + 1];
    for (uint32_t i = first; i < end; i++) {
        if (f->paths.port[i].neighbour != neighbour) continue;
        i += parallel;
        return i < end && f->paths.port[i].neighbour == neighbour ? (uint16_t)(i - first) : PORT_NONE;
    }
    return PORT_NONE;
}

uint16_t fabric_port_find(const struct fabric *f, uint32_t node, const char *name) {
    uint32_t neighbour, parallel;
    if (!name_split_parallel(f, name, strlen(name), &neighbour, &parallel)) return PORT_NONE;
    return port_towards(f, node, neighbour, parallel);
}

const char *fabric_names_hint(const struct fabric *f, const char *wanted, char *buf, size_t size) {
    if (f->kind->naming == NAMES_OWN && f->kind->arbitrary) { /* a file's names have no order */
        const struct fabric_store *store = f->store;
        const char *near = wanted[0] ? diag_nearest(wanted, (const char *const *)store->name, f->n_nodes) : NULL;
        if (near)
            snprintf(buf, size, "named in the file, for example %.64s", near);
        else
            snprintf(buf, size, "those named in the file");
        return buf;
    }
    size_t used = 0;
    buf[0] = '\0';
    for (int tier = TIER_HOST; tier < TIER_COUNT; tier++) {
        uint32_t first = 0, last = 0;
        while (first < f->n_nodes && f->node[first].tier != tier) first++;
        if (first == f->n_nodes) continue;
        for (last = first; last + 1 < f->n_nodes && f->node[last + 1].tier == tier;) last++;
        char a[FABRIC_NODE_NAME_MAX], b[FABRIC_NODE_NAME_MAX];
        used += (size_t)snprintf(buf + used, size - used, "%s%s%s%s", used ? ", " : "",
                                 fabric_node_name(f, first, a, sizeof a), last > first ? " to " : "",
                                 last > first ? fabric_node_name(f, last, b, sizeof b) : "");
        if (used >= size) break;
    }
    return buf;
}

/* ---- addresses ---- */

uint32_t fabric_host_ip(const struct fabric *f, uint32_t host) { return fabric_nic_ip(f, f->paths.first_port[host]); }

uint32_t fabric_host_of_ip(const struct fabric *f, uint32_t ip) {
    uint32_t index = ip & ((1u << f->host_bits) - 1), leaf = fabric_leaf_of_ip(f->host_bits, ip);
    if (ip >> 24 != 10 || index == 0 || leaf >= f->n_leaves) return NODE_NONE;
    const struct place *place = &f->place[leaf];
    if (index > place->n_ports || place->port[index - 1].neighbour_tier != TIER_HOST) return NODE_NONE;
    return place->port[index - 1].neighbour;
}

#define SWITCH_ADDRESSES ((10u << 24) | (255u << 16))

uint32_t fabric_switch_ip(const struct fabric *f, uint32_t node) {
    uint32_t place = node - f->n_hosts;
    bool taken = fabric_leaf_of_ip(f->host_bits, SWITCH_ADDRESSES) < f->n_leaves;
    return taken || place >= 0xfffe ? 0 : SWITCH_ADDRESSES + 1 + place;
}

uint32_t fabric_host_of_mac(const struct fabric *f, const uint8_t mac[6]) {
    uint32_t node = (uint32_t)mac[2] << 16 | (uint32_t)mac[3] << 8 | mac[4];
    return mac[0] == 0x02 && mac[1] == 0 && mac[5] == 0 && node < f->n_hosts ? node : NODE_NONE;
}

void fabric_port_mac(uint32_t node, uint16_t port, uint8_t mac[6]) {
    mac[0] = 0x02;
    mac[1] = (uint8_t)(port >> 8);
    mac[2] = (uint8_t)(node >> 16);
    mac[3] = (uint8_t)(node >> 8);
    mac[4] = (uint8_t)node;
    mac[5] = (uint8_t)port;
}
