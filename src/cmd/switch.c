/* SPDX-License-Identifier: Apache-2.0 */
#include "live/control.h"
#include "live/status.h"

#include "base/memory.h"
#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/ending.h"
#include "cmd/network_request.h"
#include "cmd/sockets.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define SERVE_MS 100

struct request {
    struct experiment_request experiment;
    struct word_list node, port, cpu;
    const char *socket, *record, *detect;
    uint32_t run, threads;
    bool force, paced_hosts, unwatched;
    /* filled from the words above */
    uint32_t *nodes, n_nodes;
    struct switchd_edge *edges;
    uint32_t *cpus; /* NULL: not given */
};

/* ---- requests on the socket ---- */

struct server {
    struct switchd *switchd;
    struct status *status;
    struct control *control;
};

/* Splits "LINK REST" into one end of the link, and the rest. */
static bool link_read(const struct server *s, const char *words, uint32_t *node, uint16_t *port, const char **rest,
                      struct diag *d) {
    size_t length = strcspn(words, " ");
    char *link = strndup(words, length);
    char why[sizeof d->text];
    bool good =
        fabric_link_end(switchd_fabric(s->switchd), link, node, port, why, sizeof why) || diag_say(d, "%s", why);
    free(link);
    *rest = words + length + strspn(words + length, " ");
    return good;
}

static char *answer_link(const struct server *s, const char *words, bool up, struct diag *d) {
    const char *rest;
    uint32_t node;
    uint16_t port;
    if (!link_read(s, words, &node, &port, &rest, d)) return NULL;
    switchd_link(s->switchd, node, port, up);
    return strdup("");
}

static char *answer_switch(const struct server *s, const char *name, bool up, struct diag *d) {
    const struct fabric *f = switchd_fabric(s->switchd);
    uint32_t node = fabric_node_find(f, name);
    if (node == NODE_NONE || node < f->n_hosts) {
        diag_say(d, "there is no switch %s; heddle lab status --json lists them", name);
        return NULL;
    }
    switchd_switch(s->switchd, node, up);
    return strdup("");
}

static char *answer_impair(const struct server *s, const char *words, struct diag *d) {
    struct impairment what;
    const char *rest;
    uint32_t node;
    uint16_t port;
    if (!link_read(s, words, &node, &port, &rest, d) || !impairment_parse(rest, &what, d)) return NULL;
    switchd_impair(s->switchd, node, port, &what);
    return strdup("");
}

/* A capture of a link, while its client holds the connection. */
struct captured {
    uint32_t node;
    uint16_t port;
};

static bool capture_ended(void *to, void *what, struct diag *d) {
    const struct server *s = to;
    const struct captured *c = what;
    bool good = switchd_capture_end(s->switchd, c->node, c->port, d);
    free(what);
    return good;
}

/* Answers "LINK PATH", the path as a word (control_word): a capture, until its client ends the connection or is killed. */
static char *answer_capture(const struct server *s, const char *words, struct diag *d) {
    const char *rest;
    struct captured c;
    if (!link_read(s, words, &c.node, &c.port, &rest, d)) return NULL;
    char *path = strdup(rest);
    control_word_read(path);
    bool good = switchd_capture(s->switchd, c.node, c.port, path, d);
    free(path);
    if (!good) return NULL;
    struct captured *kept = memory_get(1, sizeof *kept);
    *kept = c;
    control_hold(s->control, capture_ended, kept);
    return strdup("");
}

static char *answer_status(const struct server *s, bool tables) {
    json_t *o = status_json(s->status, tables);
    char *text = json_dumps(o, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    json_decref(o);
    return text;
}

static char *answer_metrics(const struct server *s) {
    json_t *o = status_json(s->status, false);
    char *text = status_metrics(o);
    json_decref(o);
    return text;
}

static char *answer(void *to, const char *request, struct diag *d) {
    const struct server *s = to;
    if (strcmp(request, "status") == 0) return answer_status(s, false);
    if (strcmp(request, "status tables") == 0) return answer_status(s, true);
    if (strcmp(request, "metrics") == 0) return answer_metrics(s);
    if (strncmp(request, "link down ", 10) == 0) return answer_link(s, request + 10, false, d);
    if (strncmp(request, "link up ", 8) == 0) return answer_link(s, request + 8, true, d);
    if (strncmp(request, "switch down ", 12) == 0) return answer_switch(s, request + 12, false, d);
    if (strncmp(request, "switch up ", 10) == 0) return answer_switch(s, request + 10, true, d);
    if (strncmp(request, "impair ", 7) == 0) return answer_impair(s, request + 7, d);
    if (strncmp(request, "capture ", 8) == 0) return answer_capture(s, request + 8, d);
    diag_say(d, "a switch knows no request '%.40s'", request);
    return NULL;
}

/* ---- options ---- */

static bool is_all(const struct request *q) { return q->node.n == 1 && strcmp(q->node.item[0], "all") == 0; }

static bool nodes_read(struct request *q, const struct fabric *f) {
    char first[FABRIC_NODE_NAME_MAX], last[FABRIC_NODE_NAME_MAX];
    q->n_nodes = is_all(q) ? f->n_switches : (uint32_t)q->node.n;
    q->nodes = memory_get(q->n_nodes, sizeof *q->nodes);
    for (uint32_t i = 0; i < q->n_nodes; i++) {
        q->nodes[i] = is_all(q) ? f->n_hosts + i : fabric_node_find(f, q->node.item[i]);
        for (uint32_t k = 0; k < i; k++)
            if (q->nodes[k] == q->nodes[i])
                return exit_usage("--node %s is given twice; give each switch once", q->node.item[i]) == 0;
        if (q->nodes[i] == NODE_NONE)
            return exit_usage("--node %s: there is no such node; the switches are %s to %s, or all", q->node.item[i],
                              fabric_node_name(f, f->n_hosts, first, sizeof first),
                              fabric_node_name(f, f->n_nodes - 1, last, sizeof last)) == 0;
    }
    return true;
}

/* Returns how many ports have the name, of switch `only` or (NODE_NONE) of all switches of this process, and fills *edge with
 * the last of them. */
static uint32_t ports_named(const struct request *q, const struct fabric *f, const char *name, uint32_t only,
                            struct switchd_edge *edge) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < q->n_nodes; i++) {
        uint16_t port = fabric_port_find(f, q->nodes[i], name);
        if (port == PORT_NONE || (only != NODE_NONE && q->nodes[i] != only)) continue;
        edge->node = q->nodes[i];
        edge->port = port;
        found++;
    }
    return found;
}

/* Does the same for [NODE:]PORT. Names may have colons: a port of the whole name comes first, then each colon is tried. */
static uint32_t ports_meant(const struct request *q, const struct fabric *f, const char *name,
                            struct switchd_edge *edge) {
    uint32_t found = ports_named(q, f, name, NODE_NONE, edge);
    for (const char *colon = strchr(name, ':'); colon && found == 0; colon = strchr(colon + 1, ':')) {
        char *of = strndup(name, (size_t)(colon - name));
        uint32_t only = fabric_node_find(f, of);
        if (only != NODE_NONE) found = ports_named(q, f, colon + 1, only, edge);
        free(of);
    }
    return found;
}

static bool edge_refuse(const char *name, uint32_t found) {
    if (found > 1) return exit_usage("--port %s: %u switches have such a port; write NODE:PORT=LIVE", name, found) == 0;
    return exit_usage("--port %s: no switch of this process has such a port; ports are named by their neighbour",
                      name) == 0;
}

/* Reads [NODE:]PORT=LIVE. Names may have equals signs: the first one that ends the name of a port counts. */
static bool port_read(const struct request *q, const struct fabric *f, const char *item, struct switchd_edge *edge) {
    const char *equals = strchr(item, '=');
    if (!equals || equals == item || !equals[1])
        return exit_usage("--port %s: write PORT=LIVE, the port named by its neighbour, LIVE an interface, "
                          "tap:NAME or ring:NAME",
                          item) == 0;
    char *name = strndup(item, (size_t)(equals - item));
    uint32_t found = 0;
    for (const char *at = equals; at && at[1] && found == 0; at = strchr(at + 1, '=')) {
        char *longer = strndup(item, (size_t)(at - item));
        found = ports_meant(q, f, longer, edge);
        edge->live = at + 1;
        free(longer);
    }
    bool good = found == 1 || edge_refuse(name, found);
    free(name);
    return good;
}

/* Reads all --port. */
static bool ports_read(struct request *q, const struct fabric *f) {
    q->edges = memory_get(q->port.n, sizeof *q->edges);
    bool good = true;
    for (size_t i = 0; good && i < q->port.n; i++) good = port_read(q, f, q->port.item[i], &q->edges[i]);
    return good;
}

/* Reads --cpu, one for each thread. */
static bool cpus_read(struct request *q) {
    if (q->cpu.n == 0) return true;
    if (q->cpu.n != q->threads)
        return exit_usage("--cpu is given %zu times; give one for each of the %u threads", q->cpu.n, q->threads) == 0;
    q->cpus = memory_get(q->cpu.n, sizeof *q->cpus);
    for (size_t i = 0; i < q->cpu.n; i++) {
        int64_t number;
        char why[200];
        bool good = units_parse(PARAM_COUNT, q->cpu.item[i], &number, why, sizeof why);
        if (!good || number < 0 || number >= CPU_SETSIZE)
            return exit_usage("--cpu %s: write the number of a processor, from 0", q->cpu.item[i]) == 0;
        q->cpus[i] = (uint32_t)number;
    }
    return true;
}

static bool detect_read(const struct request *q, span_ps *detect) {
    char why[200];
    *detect = 0;
    if (!q->detect || (units_parse(PARAM_TIME, q->detect, detect, why, sizeof why) && *detect >= 0)) return true;
    return exit_usage("--detect %s: write a time, such as 10ms", q->detect) == 0;
}

/* ---- serving ---- */

static int serve(const struct request *q, struct switchd *s, const struct assembly *a, const char *path) {
    struct diag d = {0};
    struct server server = {.switchd = s, .status = status_create(s, &a->world.switches)};
    struct control *c = server.control = control_open(path, answer, &server, &d);
    if (c) {
        printf("%s%s: %u switch%s, %zu port%s to the outside; heddle status %s\n", q->node.item[0],
               q->node.n > 1 ? " .." : "", q->n_nodes, q->n_nodes == 1 ? "" : "es", q->port.n,
               q->port.n == 1 ? "" : "s", q->socket ? path : q->node.item[0]);
        fflush(stdout);
        network_warn_of_failures(&q->experiment, a, "heddle lab run carries failures out");
        while (!ending_is_asked()) {
            status_tick(server.status);
            control_serve(c, SERVE_MS);
        }
    }
    control_close(c);
    status_destroy(server.status);
    bool written = switchd_stop(s, c ? &d : &(struct diag){0});
    if (c && written) return 0;
    exit_diag(&d);
    return c ? 3 : 2;
}

/* Watches over pauses unless the experiment says otherwise: the neighbours are strangers. */
static struct switch_config watched(const struct request *q, const struct switch_config *c) {
    struct switch_config s = *c;
    if (s.flow.watchdog.action == WATCHDOG_AUTO && !q->unwatched) s.flow.watchdog.action = WATCHDOG_DROP;
    return s;
}

static int switch_of(void *request, const struct experiment *e, const struct assembly *a) {
    (void)e;
    struct request *q = request;
    const struct switch_config switches = watched(q, &a->world.switches);
    struct switchd_setup setup = {.spec = &a->fabric_spec,
                                  .switches = &switches,
                                  .seed = a->world.seed,
                                  .n_edges = (uint32_t)q->port.n,
                                  .threads = q->threads,
                                  .paces_hosts = !q->paced_hosts,
                                  .record_dir = q->record,
                                  .force = q->force};
    struct diag d = {0};
    char path[512];
    if (network_refuse_links(a)) return 2;
    if (!nodes_read(q, a->fabric) || !ports_read(q, a->fabric) || !detect_read(q, &setup.detect) || !cpus_read(q))
        return 2;
    if (!socket_path(q->socket ? q->socket : q->node.item[0], path, sizeof path, true, &d)) return exit_diag(&d);
    setup.node = q->nodes;
    setup.n = q->n_nodes;
    setup.edge = q->edges;
    setup.cpu = q->cpus;
    ending_await();
    struct switchd *s = switchd_start(&setup, &d);
    return s ? serve(q, s, a, path) : exit_diag(&d);
}

static int switch_run(void *request) {
    struct request *q = request;
    int code = network_request(&q->experiment, q->run, switch_of, q);
    free(q->nodes);
    free(q->edges);
    free(q->cpus);
    return code;
}

#define T struct request

const struct command command_switch = {
    .name = "switch",
    .purpose = "be a switch for real Ethernet frames",
    .about = "Runs switches of the experiment's fabric, with its mechanisms, on real ports: IPv4 is routed as in the "
             "simulator, tags, pause frames and congestion tables included; ARP and ICMP are answered; anything else "
             "goes to the host whose MAC it names. Links keep the rate and delay that the file gives them.\n\n"
             "A port is named by its neighbour. LIVE is an interface (AF_PACKET), tap:NAME or ring:NAME. Ports between "
             "switches of one process are joined in memory; a port without LIVE has no carrier. Hosts have the "
             "addresses that heddle fabric lists, and use the switch as gateway.\n\n"
             "SIGTERM ends it after the frames that it holds have left.",
    .arguments = (const struct argument[]){EXPERIMENT_ARGUMENT(T), {0}},
    .options =
        (const struct option_row[]){
            EXPERIMENT_OPTIONS(T),
            WORD_REQUIRED(T, node, "node", 0, "NODE", VALUE_TEXT,
                          "a switch of the fabric, such as tor0.1; may be given more than once; all: every switch"),
            WORD(T, port, "port", 0, "[NODE:]PORT=LIVE", VALUE_TEXT, "what is at a port; may be given more than once"),
            NUMBER(T, run, "run", 0, "N", 1, MAX_RUNS, 1, "the run of the file whose configuration is taken"),
            NUMBER(T, threads, "threads", 'j', "N", 1, 256, 1, "threads that share the switches"),
            WORD(T, cpu, "cpu", 0, "N", VALUE_TEXT,
                 "the processor on which a thread stays, given once for each thread; any if it is not given"),
            WORD(T, detect, "detect", 0, "TIME", VALUE_TEXT,
                 "how much later ports and routes know that a link failed or came back; 0us if it is not given"),
            WORD(T, socket, "socket", 0, "PATH", VALUE_TEXT,
                 "where heddle status finds it; /run/heddle/NODE.sock if it is not given"),
            WORD(T, record, "record", 0, "DIR", VALUE_FOLDER,
                 "writes every frame that comes in or leaves to DIR/NODE.pcapng, for heddle replay --answers"),
            FLAG(T, paced_hosts, "paced", 0,
                 "hosts keep the rates of their links themselves, as heddle nic does; else the switch holds back what "
                 "comes faster"),
            FLAG(T, unwatched, "unwatched", 0,
                 "with switch.pfc_watchdog.action: auto no neighbour is watched, as in a simulation; else frames for "
                 "one "
                 "that pauses a class without end are dropped"),
            FLAG(T, force, "force", 0, "replaces captures that heddle switch did not write"),
            {0}},
    .exits = (const struct exit_row[]){{0, "done: it was ended by SIGTERM or SIGINT"},
                                       {2, "usage or configuration error, or a port cannot be opened"},
                                       {3, "a capture could not be written"},
                                       {0, NULL}},
    .examples =
        (const struct example_row[]){
            {"switch first.yaml --node leaf0 --port host0.0=eth1 --port spine0=eth2", "is leaf0 with two ports"}, {0}},
    .see = "status replay",
    .request_size = sizeof(T),
    .run = switch_run,
};
