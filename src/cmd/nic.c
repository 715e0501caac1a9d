/* SPDX-License-Identifier: Apache-2.0 */
/* heddle nic: the NIC of a real host (live/nicd.h). */
#include "live/control.h"
#include "live/nicd.h"

#include "cmd/commands.h"
#include "cmd/ending.h"
#include "cmd/network_request.h"
#include "cmd/sockets.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define SERVE_MS 100

struct request {
    struct experiment_request experiment;
    const char *host, *tap, *link, *socket;
    uint32_t run;
};

/* ---- requests on the socket ---- */

struct server {
    struct nicd *nicd;
    const char *host;
};

static void set_count(json_t *o, const char *key, uint64_t n) {
    json_object_set_new(o, key, json_integer((json_int_t)n));
}

static json_t *frames_json(const struct nicd_reading *r) {
    const struct nic_counts *c = &r->nic.count;
    json_t *o = json_object();
    set_count(o, "taken", c->taken);
    set_count(o, "left", c->left);
    set_count(o, "held", r->held);
    set_count(o, "lost", c->lost);
    set_count(o, "held_back", c->held_back);
    set_count(o, "dropped", c->dropped);
    set_count(o, "unplaced", c->unplaced);
    set_count(o, "unplaced_bytes", c->unplaced_bytes);
    set_count(o, "passed", c->passed);
    set_count(o, "pauses", c->pauses);
    set_count(o, "ignored", c->ignored);
    return o;
}

static json_t *classes_json(const struct nic_view *v) {
    json_t *classes = json_array();
    for (uint32_t k = 0; k < v->classes; k++) {
        json_t *o = json_object();
        set_count(o, "queue_frames", v->queued_frames[k]);
        set_count(o, "queue_bytes", v->queued_bytes[k]);
        json_object_set_new(o, "paused", json_boolean(v->paused >> k & 1));
        json_object_set_new(o, "paused_us", json_real((double)v->paused_time[k] / (double)PS_PER_US));
        json_array_append_new(classes, o);
    }
    return classes;
}

static json_t *port_json(const struct port_counts *c) {
    json_t *o = json_object();
    set_count(o, "rx_frames", c->rx_frames);
    set_count(o, "rx_lost", c->rx_lost);
    set_count(o, "tx_frames", c->tx_frames);
    set_count(o, "tx_lost", c->tx_lost);
    return o;
}

static char *answer(void *to, const char *request, struct diag *d) {
    const struct server *s = to;
    struct nicd_reading r;
    if (strcmp(request, "status") != 0) {
        diag_say(d, "a NIC knows no request '%.40s'", request);
        return NULL;
    }
    nicd_read(s->nicd, &r);
    json_t *o = json_object();
    json_object_set_new(o, "nic", json_string(s->host));
    json_object_set_new(o, "uptime_s", json_real((double)r.now / (double)PS_PER_S));
    json_object_set_new(o, "late_max_us", json_real((double)r.late_max / (double)PS_PER_US));
    set_count(o, "sent_bytes", r.nic.count.left_bytes);
    set_count(o, "max_queue_bytes", (uint64_t)r.nic.max_queue_bytes);
    json_object_set_new(o, "frames", frames_json(&r));
    set_count(o, "frames_peak", r.frames_peak);
    json_object_set_new(o, "classes", classes_json(&r.nic));
    set_count(o, "gate_halvings", r.gate.halvings);
    set_count(o, "gate_refused", r.gate.refused);
    json_object_set_new(o, "stack", port_json(&r.stack));
    json_object_set_new(o, "link", port_json(&r.link));
    char *text = json_dumps(o, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    json_decref(o);
    return text;
}

/* ---- serving ---- */

static int serve(const struct request *q, struct nicd *s, const char *path) {
    struct diag d = {0};
    struct server server = {s, q->host};
    struct control *c = control_open(path, answer, &server, &d);
    if (c) {
        printf("%s: %s to %s; heddle status %s\n", q->host, q->tap, q->link, path);
        fflush(stdout);
        while (!ending_is_asked()) control_serve(c, SERVE_MS);
    }
    control_close(c);
    uint64_t lost = nicd_stop(s);
    if (lost) fprintf(stderr, "heddle: %llu frames were still held and are lost\n", (unsigned long long)lost);
    return c ? 0 : exit_diag(&d);
}

static int nic_of(void *request, const struct experiment *e, const struct assembly *a) {
    (void)e;
    const struct request *q = request;
    const struct world_config *w = &a->world;
    char path[512], first[FABRIC_NODE_NAME_MAX], last[FABRIC_NODE_NAME_MAX], stack[64];
    struct diag d = {0};
    if (network_refuse_links(a)) return 2;
    uint32_t host = fabric_node_find(w->fabric, q->host);
    if (host == NODE_NONE || host >= w->fabric->n_hosts)
        return exit_usage("--host %s: there is no such host; the hosts are %s to %s", q->host,
                          fabric_node_name(w->fabric, 0, first, sizeof first),
                          fabric_node_name(w->fabric, w->fabric->n_hosts - 1, last, sizeof last));
    snprintf(stack, sizeof stack, "tap:%s", q->tap);
    if (!socket_path(q->socket ? q->socket : q->host, path, sizeof path, true, &d)) return exit_diag(&d);
    const struct nicd_setup setup = {.nic = {.fabric = w->fabric, .config = &w->hosts, .host = host, .seed = w->seed},
                                     .stack = stack,
                                     .device = q->tap,
                                     .link = q->link};
    ending_await();
    struct nicd *s = nicd_start(&setup, &d);
    return s ? serve(q, s, path) : exit_diag(&d);
}

static int nic_run(void *request) {
    struct request *q = request;
    return network_request(&q->experiment, q->run, nic_of, q);
}

#define T struct request

const struct command command_nic = {
    .name = "nic",
    .purpose = "be the NIC of a real host, with priorities and pause frames",
    .about =
        "Carries frames between a host's stack, behind a TAP device, and its link to a switch, at the rate and delay "
        "that the file gives the link. Frames wait in a queue for each of switch.classes, by their DSCP, and obey "
        "the pause frames of the switch, which Linux does not: with it a link is lossless. A queue holds what "
        "host.nic_queue says; a full one holds the stack, or drops (host.nic_full).\n\n"
        "heddle lab up starts one for each host where the switches have flow control or several classes, or hosts "
        "host.nic_full: drop. SIGTERM ends it after the "
        "frames that it holds have left, at the latest after a second.",
    .arguments = (const struct argument[]){EXPERIMENT_ARGUMENT(T), {0}},
    .options =
        (const struct option_row[]){
            EXPERIMENT_OPTIONS(T),
            WORD_REQUIRED(T, host, "host", 0, "HOST", VALUE_TEXT, "the host of the fabric, such as host0.1.2"),
            WORD_REQUIRED(T, tap, "tap", 0, "NAME", VALUE_TEXT,
                          "the TAP device of its stack; made if it is missing, and gone with the process then"),
            WORD_REQUIRED(T, link, "link", 0, "LIVE", VALUE_TEXT,
                          "what leads to the switch: an interface (AF_PACKET), tap:NAME or ring:NAME"),
            NUMBER(T, run, "run", 0, "N", 1, MAX_RUNS, 1, "the run of the file whose configuration is taken"),
            WORD(T, socket, "socket", 0, "PATH", VALUE_TEXT,
                 "where heddle status finds it; /run/heddle/HOST.sock if it is not given"),
            {0}},
    .exits = (const struct exit_row[]){{0, "done: it was ended by SIGTERM or SIGINT"},
                                       {2, "usage or configuration error, or a port cannot be opened"},
                                       {0, NULL}},
    .examples =
        (const struct example_row[]){{"nic first.yaml --host host0.1 --tap eth0 --link nic0", "is the NIC of host0.1"},
                                     {0}},
    .see = "switch status lab-up",
    .request_size = sizeof(T),
    .run = nic_run,
};
