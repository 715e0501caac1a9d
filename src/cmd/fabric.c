/* SPDX-License-Identifier: Apache-2.0 */
/* heddle fabric: the nodes and links of an experiment, with names, roles, addresses, rates and failures, before a run. */
#include "cmd/commands.h"
#include "cmd/network_request.h"

#include "base/time_text.h"
#include "base/units.h"
#include "fabric/nics.h"
#include "study/results/json_out.h"

#include <arpa/inet.h>
#include <string.h>

struct fabric_request {
    struct experiment_request experiment;
    uint32_t run;
    bool json;
};
#define T struct fabric_request

/* ---- parts ---- */

/* Returns the role of a node in the words of its names: tor0.1 is a tor, spine2 a spine. */
static const char *role_of(const struct fabric *f, uint32_t node) {
    static const char *const word[][TIER_COUNT] = {[NAMES_LEAVES] = {"host", "leaf", "spine", "core"},
                                                   [NAMES_PODS] = {"host", "tor", "agg", "core"},
                                                   [NAMES_OWN] = {"host", "leaf", "agg", "core"}};
    return word[f->kind->naming][f->node[node].tier];
}

static const char *address_text(uint32_t ip, char buf[INET_ADDRSTRLEN]) {
    struct in_addr a = {.s_addr = htonl(ip)};
    if (!ip || !inet_ntop(AF_INET, &a, buf, INET_ADDRSTRLEN)) snprintf(buf, INET_ADDRSTRLEN, "-");
    return buf;
}

/* Writes the address of a node; "-" if it has none. */
static const char *address_of(const struct fabric *f, uint32_t node, char buf[INET_ADDRSTRLEN]) {
    return address_text(node < f->n_hosts ? fabric_host_ip(f, node) : fabric_switch_ip(f, node), buf);
}

enum { MAC_TEXT = sizeof "02:00:00:00:00:00" };

static const char *mac_of(uint32_t node, uint16_t port, char buf[MAC_TEXT]) {
    uint8_t m[6];
    fabric_port_mac(node, port, m);
    snprintf(buf, MAC_TEXT, "%02x:%02x:%02x:%02x:%02x:%02x", m[0], m[1], m[2], m[3], m[4], m[5]);
    return buf;
}

/* Counts the ports of a node that lead down and up; links between nodes of one tier lead up. */
static void ports_count(const struct fabric *f, uint32_t node, uint32_t *down, uint32_t *up) {
    uint32_t all = f->paths.first_port[node + 1] - f->paths.first_port[node];
    *down = node < f->n_hosts ? 0 : f->place[node - f->n_hosts].first_uplink;
    *up = all - *down;
}

/* Calls visit for each link once, at its lower end. */
typedef void (*link_visitor)(void *to, const struct fabric *f, const struct place_port *p);
static void links_each(const struct fabric *f, link_visitor visit, void *to) {
    for (uint32_t g = 0; g < f->paths.first_port[f->n_nodes]; g++)
        if (g < f->paths.port[g].peer) visit(to, f, &f->paths.port[g]);
}

/* The events of a link that are more than what its ports are told of it: from `*at` on the next one; NULL: no more. */
static const struct fabric_event *next_change(const struct fabric *f, const struct place_port *p, uint32_t *at) {
    for (; *at < f->first_event[p->node + 1]; ++*at) {
        const struct fabric_event *e = &f->event[*at];
        bool is_change =
            e->kind == EVENT_LINK_DOWN || e->kind == EVENT_LINK_UP || e->kind == EVENT_RATE || e->kind == EVENT_LOSS;
        if (e->port == p->port && is_change) return &f->event[(*at)++];
    }
    return NULL;
}

/* ---- text ---- */

static const char *text_of(enum param_type type, int64_t value, char buf[UNITS_TEXT_MAX]) {
    return units_print(type, value, buf, UNITS_TEXT_MAX);
}

struct widths {
    int node, link;
};

static void width_of_link(void *to, const struct fabric *f, const struct place_port *p) {
    struct widths *w = to;
    char name[FABRIC_LINK_NAME_MAX];
    int length = (int)strlen(fabric_port_link(f, p->node, p->port, name, sizeof name));
    if (length > w->link) w->link = length;
}

static struct widths widths_of(const struct fabric *f) {
    struct widths w = {.node = 4, .link = 4};
    char name[FABRIC_NODE_NAME_MAX];
    for (uint32_t n = 0; n < f->n_nodes; n++) {
        int length = (int)strlen(fabric_node_name(f, n, name, sizeof name));
        if (length > w.node) w.node = length;
    }
    links_each(f, width_of_link, &w);
    return w;
}

/* Prints the NICs of a host, a line each; the first follows the host's name. */
static void print_nics(const struct fabric *f, uint32_t host, int width) {
    char address[INET_ADDRSTRLEN], mac[MAC_TEXT], leaf[FABRIC_NODE_NAME_MAX];
    uint32_t first = f->paths.first_port[host];
    for (uint32_t g = first; g < f->paths.first_port[host + 1]; g++) {
        uint16_t port = (uint16_t)(g - first);
        if (port > 0) printf("%-*s  %-5s  ", width, "", "");
        printf("%-15s  %s  %s\n", address_text(fabric_nic_ip(f, g), address), mac_of(host, port, mac),
               fabric_node_name(f, f->paths.port[g].neighbour, leaf, sizeof leaf));
    }
}

static void print_node(const struct fabric *f, uint32_t node, int width) {
    char name[FABRIC_NODE_NAME_MAX], address[INET_ADDRSTRLEN];
    uint32_t down, up;
    ports_count(f, node, &down, &up);
    printf("%-*s  %-5s  ", width, fabric_node_name(f, node, name, sizeof name), role_of(f, node));
    if (node < f->n_hosts)
        print_nics(f, node, width);
    else
        printf("%-15s  %-*s  %u down, %u up\n", address_of(f, node, address), MAC_TEXT - 1, "-", down, up);
}

static void print_change(const struct fabric_event *e) {
    char at[UNITS_TEXT_MAX], value[UNITS_TEXT_MAX];
    time_text(e->at, at);
    if (e->kind == EVENT_LINK_DOWN) printf("  fails at %s", at);
    if (e->kind == EVENT_LINK_UP) printf("  is back at %s", at);
    if (e->kind == EVENT_RATE) printf("  %s from %s", text_of(PARAM_RATE, e->value, value), at);
    if (e->kind == EVENT_LOSS) printf("  loses %s from %s", text_of(PARAM_FRACTION, e->value, value), at);
}

static void print_link(void *to, const struct fabric *f, const struct place_port *p) {
    const struct widths *w = to;
    char name[FABRIC_LINK_NAME_MAX], rate[UNITS_TEXT_MAX], delay[UNITS_TEXT_MAX], loss[UNITS_TEXT_MAX];
    printf("%-*s  %-9s  %s", w->link, fabric_port_link(f, p->node, p->port, name, sizeof name),
           text_of(PARAM_RATE, p->rate_bps, rate), text_of(PARAM_TIME, p->delay, delay));
    if (p->loss_ppb) printf("  loses %s", text_of(PARAM_FRACTION, p->loss_ppb, loss));
    uint32_t at = f->first_event[p->node];
    for (const struct fabric_event *e; (e = next_change(f, p, &at));) print_change(e);
    putchar('\n');
}

static void print_text(const struct fabric *f) {
    struct widths w = widths_of(f);
    struct fabric_scale s;
    fabric_scale(f, &s);
    printf("%s: %u hosts, %u switches, %llu links\n\n", f->kind->name, f->n_hosts, f->n_switches,
           (unsigned long long)s.links);
    printf("%-*s  %-5s  %-15s  %-*s  %s\n", w.node, "node", "role", "address", MAC_TEXT - 1, "mac", "ports");
    for (uint32_t n = 0; n < f->n_nodes; n++) print_node(f, n, w.node);
    printf("\n%-*s  %-9s  %s\n", w.link, "link", "rate", "delay");
    links_each(f, print_link, &w);
}

/* ---- JSON ---- */

static json_t *text_or_null(const char *text) { return strcmp(text, "-") == 0 ? json_null() : json_string(text); }

static json_t *nic_json(const struct fabric *f, uint32_t host, uint16_t port) {
    char address[INET_ADDRSTRLEN], mac[MAC_TEXT], leaf[FABRIC_NODE_NAME_MAX];
    uint32_t g = f->paths.first_port[host] + port;
    return json_pack("{s:s, s:s, s:s}", "address", address_text(fabric_nic_ip(f, g), address), "mac",
                     mac_of(host, port, mac), "leaf",
                     fabric_node_name(f, f->paths.port[g].neighbour, leaf, sizeof leaf));
}

/* Adds what a host has beside other nodes: MAC and leaf of its first NIC, and all NICs if they are several. */
static void host_json(json_t *o, const struct fabric *f, uint32_t host) {
    json_t *first = nic_json(f, host, 0), *nics = json_array();
    json_object_set(o, "mac", json_object_get(first, "mac"));
    json_object_set(o, "leaf", json_object_get(first, "leaf"));
    json_decref(first);
    for (uint32_t p = 0; p < fabric_host_nics(f, host); p++)
        json_array_append_new(nics, nic_json(f, host, (uint16_t)p));
    if (json_array_size(nics) > 1) json_object_set(o, "nics", nics);
    json_decref(nics);
}

static json_t *node_json(const struct fabric *f, uint32_t node) {
    char name[FABRIC_NODE_NAME_MAX], address[INET_ADDRSTRLEN];
    uint32_t down, up;
    ports_count(f, node, &down, &up);
    json_t *o = json_pack("{s:s, s:s, s:o, s:I, s:I}", "name", fabric_node_name(f, node, name, sizeof name), "role",
                          role_of(f, node), "address", text_or_null(address_of(f, node, address)), "down",
                          (json_int_t)down, "up", (json_int_t)up);
    if (node < f->n_hosts) host_json(o, f, node);
    return o;
}

static json_t *change_json(const struct fabric_event *e) {
    json_t *o = json_object();
    json_object_set_new(o, "at_us", json_real((double)e->at / 1e6));
    if (e->kind == EVENT_LINK_DOWN || e->kind == EVENT_LINK_UP)
        json_object_set_new(o, "up", json_boolean(e->kind == EVENT_LINK_UP));
    if (e->kind == EVENT_RATE) json_object_set_new(o, "rate_bps", json_integer(e->value));
    if (e->kind == EVENT_LOSS) json_object_set_new(o, "loss", json_real((double)e->value / 1e9));
    return o;
}

static void link_json(void *to, const struct fabric *f, const struct place_port *p) {
    char name[FABRIC_LINK_NAME_MAX], a[FABRIC_NODE_NAME_MAX], b[FABRIC_NODE_NAME_MAX];
    json_t *changes = json_array();
    uint32_t at = f->first_event[p->node];
    for (const struct fabric_event *e; (e = next_change(f, p, &at));) json_array_append_new(changes, change_json(e));
    json_array_append_new(to, json_pack("{s:s, s:s, s:s, s:o, s:f, s:f, s:o}", "name",
                                        fabric_port_link(f, p->node, p->port, name, sizeof name), "a",
                                        fabric_node_name(f, p->node, a, sizeof a), "b",
                                        fabric_node_name(f, p->neighbour, b, sizeof b), "rate_bps",
                                        json_integer(p->rate_bps), "delay_us", (double)p->delay / 1e6, "loss",
                                        (double)p->loss_ppb / 1e9, "changes", changes));
}

static void print_json(const struct fabric *f) {
    json_t *nodes = json_array(), *links = json_array();
    for (uint32_t n = 0; n < f->n_nodes; n++) json_array_append_new(nodes, node_json(f, n));
    links_each(f, link_json, links);
    json_t *o = json_pack("{s:s, s:o, s:o}", "kind", f->kind->name, "nodes", nodes, "links", links);
    json_line(o, stdout);
    json_decref(o);
}

/* ---- heddle fabric ---- */

/* The times of failures at a share of the arrivals are those of the flows, which are made for them alone. */
static int fabric_of(void *request, const struct experiment *e, const struct assembly *a) {
    const struct fabric_request *q = request;
    struct diag d = {0};
    struct assembly *whole = NULL;
    if (a->n_shares > 0) {
        whole = assembly_create(&e->run[q->run - 1].config, e->base_dir, &d);
        if (!whole) return exit_diag(&d);
    }
    if (q->json)
        print_json(whole ? whole->fabric : a->fabric);
    else
        print_text(whole ? whole->fabric : a->fabric);
    assembly_free(whole);
    return 0;
}

static int fabric_run(void *request) {
    struct fabric_request *q = request;
    return network_request(&q->experiment, q->run, fabric_of, q);
}

const struct command command_fabric = {
    .name = "fabric",
    .purpose = "list the nodes and links of an experiment's fabric",
    .about =
        "Prints every host and switch with its role and address, hosts also with their MAC and their leaf (a host with "
        "several links has a line for each), switches with their ports down and up; then every link with its rate and "
        "delay, and when it fails, changes and comes "
        "back. "
        "Experiments, labs and results use the same names. The file may leave the workload out.\n\n"
        "A link that a lab leaves without a rate (rate: none) is listed with 100Gbps and no delay. --json prints one "
        "object with nodes and links; rates are in bits per second.",
    .arguments = (const struct argument[]){EXPERIMENT_ARGUMENT(T), {0}},
    .options =
        (const struct option_row[]){EXPERIMENT_OPTIONS(T),
                                    NUMBER(T, run, "run", 0, "N", 1, MAX_RUNS, 1, "the run whose fabric is listed"),
                                    FLAG(T, json, "json", 0, "prints one JSON object instead"),
                                    {0}},
    .exits = EXITS_PLAIN,
    .examples =
        (const struct example_row[]){
            {"fabric first.yaml", "names, roles, addresses, rates; heddle show fabric does the same"},
            {"fabric first.yaml --json | jq -r '.links[].name'", "all links, for a script"},
            {0}},
    .see = "check switch lab-up init",
    .request_size = sizeof(T),
    .run = fabric_run,
};
