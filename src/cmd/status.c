/* SPDX-License-Identifier: Apache-2.0 */
#include "live/control.h"

#include "base/memory.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "cmd/lab_program.h"
#include "cmd/sockets.h"
#include "live/lab/soundness.h"
#include "live/status.h"
#include "mech/flowctl/pause_state.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct request {
    const char *name, *lab;
    bool json, metrics, tables, watch;
};

/* ---- as text ---- */

static json_int_t number(const json_t *o, const char *key) { return json_integer_value(json_object_get(o, key)); }

/* Prints "cause 3, reason 4" from an object of counters, without counters of zero. */
static void print_counts(const char *what, const json_t *counts) {
    const char *key, *between = "";
    json_t *value;
    json_object_foreach((json_t *)counts, key, value) {
        if (json_integer_value(value) == 0) continue;
        printf("%s%s %lld", *between ? between : what, key, (long long)json_integer_value(value));
        between = ", ";
    }
    if (*between) printf("\n");
}

static const char *state_of(const json_t *port) {
    bool up = json_is_true(json_object_get(port, "up")), known = json_is_true(json_object_get(port, "known_up"));
    return up ? known ? "up" : "coming up" : known ? "dead" : "down";
}

static void print_port(const json_t *port) {
    const char *live = json_string_value(json_object_get(port, "live"));
    printf("  %-16s %-9s %6.1f %10lld %10lld %9lld %8lld %8lld  %s\n", json_string_value(json_object_get(port, "name")),
           state_of(port), 100 * json_number_value(json_object_get(port, "load")),
           (long long)number(port, "queue_bytes"), (long long)number(port, "max_queue_bytes"),
           (long long)number(port, "drops"), (long long)number(port, "marks"), (long long)number(port, "pauses_sent"),
           live ? live : "");
}

/* Prints what the watchdog did at a port; nothing if it found no storm. */
static void print_storms(const json_t *port) {
    long long stormed = number(port, "stormed");
    if (!number(port, "storms_found")) return;
    printf("  %-16s pause storms: %lld found, %lld over, %lld frames dropped",
           json_string_value(json_object_get(port, "name")), (long long)number(port, "storms_found"),
           (long long)number(port, "storms_ended"), (long long)number(port, "storm_drops"));
    if (stormed) printf("; not obeyed now:");
    for (int k = 0; stormed >> k; k++)
        if (stormed >> k & 1) printf(k == PAUSE_CREDIT_LANE ? " credits" : " class %d", k);
    printf("\n");
}

static void print_switch(const json_t *sw) {
    const json_t *frames = json_object_get(sw, "frames"), *ports = json_object_get(sw, "ports");
    printf("%s %s: %lld frames received, %lld sent, %lld made\n", json_string_value(json_object_get(sw, "name")),
           json_string_value(json_object_get(sw, "address")), (long long)number(frames, "received"),
           (long long)number(frames, "left"), (long long)number(frames, "made"));
    print_counts("  dropped: ", json_object_get(frames, "dropped"));
    print_counts("  refused: ", json_object_get(frames, "refused"));
    print_counts("  stripped from hosts: ", json_object_get(frames, "stripped"));
    print_counts("  ", json_object_get(sw, "counters"));
    printf("  %-16s %-9s %6s %10s %10s %9s %8s %8s  %s\n", "port", "link", "load %", "queue B", "largest B", "dropped",
           "marked", "pauses", "device");
    for (size_t i = 0; i < json_array_size(ports); i++) print_port(json_array_get(ports, i));
    for (size_t i = 0; i < json_array_size(ports); i++) print_storms(json_array_get(ports, i));
}

static void print_row(const json_t *row) {
    const char *key;
    json_t *value;
    printf("   ");
    json_object_foreach((json_t *)row, key, value) printf(" %s %lld", key, (long long)json_integer_value(value));
    printf("\n");
}

static void print_tables(const json_t *sw) {
    const char *name;
    json_t *rows;
    json_object_foreach(json_object_get(sw, "tables"), name, rows) {
        printf("  %s: %zu\n", name, json_array_size(rows));
        for (size_t i = 0; i < json_array_size(rows); i++) print_row(json_array_get(rows, i));
    }
}

static void print_nic(const json_t *nic) {
    const json_t *frames = json_object_get(nic, "frames"), *classes = json_object_get(nic, "classes");
    printf("NIC of %s, up %.1f s\n", json_string_value(json_object_get(nic, "nic")),
           json_number_value(json_object_get(nic, "uptime_s")));
    print_counts("  frames: ", frames);
    print_counts("  stack: ", json_object_get(nic, "stack"));
    print_counts("  link: ", json_object_get(nic, "link"));
    printf("  %-5s %10s %10s %12s\n", "class", "queue", "queue B", "paused ms");
    for (size_t k = 0; k < json_array_size(classes); k++) {
        const json_t *c = json_array_get(classes, k);
        printf("  %-5zu %10lld %10lld %12.3f%s\n", k, (long long)number(c, "queue_frames"),
               (long long)number(c, "queue_bytes"), json_number_value(json_object_get(c, "paused_us")) / 1000,
               json_is_true(json_object_get(c, "paused")) ? "  now" : "");
    }
}

static bool print_text(const char *reply) {
    json_t *o = json_loads(reply, 0, NULL), *switches = json_object_get(o, "switches");
    if (!o) return exit_usage("the process that answers is no switch of heddle") == 0;
    if (!switches) {
        print_nic(o);
        json_decref(o);
        return true;
    }
    printf("%s, %s, up %.1f s, %lld frames held\n", json_string_value(json_object_get(o, "fabric")),
           json_string_value(json_object_get(o, "balancer")), json_number_value(json_object_get(o, "uptime_s")),
           (long long)number(o, "frames_held"));
    for (size_t i = 0; i < json_array_size(switches); i++) {
        print_switch(json_array_get(switches, i));
        print_tables(json_array_get(switches, i));
    }
    json_decref(o);
    return true;
}

/* ---- where a node is ---- */

/* The socket of a node. */
struct node_socket {
    char socket[LAB_PATH_MAX];
    bool is_of_all; /* the replies tell of other switches too */
};

/* A search for a node among the labs. */
struct search {
    const struct request *request;
    const char *state;
    struct lab *lab; /* the first that has the node; NULL: none */
    uint32_t node, n;
    char names[300]; /* of the labs that have it, as "a, b and c" */
};

static void lab_look(void *to, const char *name) {
    struct search *s = to;
    struct diag none = {0};
    struct lab *lab = lab_find(s->state, name, &none);
    uint32_t node = lab ? lab_node_find(lab, s->request->name) : LAB_NO_NODE;
    if (node == LAB_NO_NODE) {
        lab_free(lab);
        return;
    }
    size_t used = strlen(s->names);
    snprintf(s->names + used, sizeof s->names - used, "%s%s", s->n ? " and " : "", name);
    if (s->n++ > 0) {
        lab_free(lab);
        return;
    }
    s->lab = lab;
    s->node = node;
}

/* Fills the place of the node that was found. Returns false after filling *d. */
static bool place_in_lab(const struct search *s, struct node_socket *p, struct diag *d) {
    const struct lab *lab = s->lab;
    const char *name = s->request->name;
    if (s->n > 1)
        return diag_say(d, "'%.64s' is a %s of the labs %s; add --name %s", name,
                        s->node < lab->n_hosts ? "host" : "switch", s->names, lab->name);
    if (s->node < lab->n_hosts && !lab->has_nics)
        return diag_say(
            d, "%.64s is a host of lab '%s', without a NIC of heddle; heddle lab status --name %s shows its link", name,
            lab->name, lab->name);
    p->is_of_all = s->node >= lab->n_hosts;
    if (!p->is_of_all) {
        lab_nic_socket(lab, s->node, p->socket);
        return control_is_served(p->socket) || lab_is_sound(lab, d);
    }
    snprintf(p->socket, sizeof p->socket, "%s", lab->socket);
    return lab_has_switches(lab, d);
}

/* Finds a node in the lab of --name, or in whichever lab has it. `own` is the socket at which a switch outside of labs would
 * answer. */
static bool place_search(const struct request *q, const char *own, struct node_socket *p, struct diag *d) {
    char state[LAB_PATH_MAX];
    if (!labs_folder(state, d)) return false;
    struct search s = {.request = q, .state = state};
    if (q->lab)
        lab_look(&s, q->lab);
    else
        labs_each(state, lab_look, &s);
    bool good = s.lab && place_in_lab(&s, p, d);
    if (!s.lab && q->lab) {
        lab_free(s.lab = lab_find(state, q->lab, d)); /* fills *d if there is no such lab */
        if (s.lab) diag_say(d, "lab '%s' has no node '%.64s'", q->lab, q->name);
        return false;
    }
    if (!s.lab) diag_say(d, "no switch answers at %.200s, and no lab has a node '%.64s'", own, q->name);
    lab_free(s.lab);
    return good;
}

/* Finds the socket of the node. Returns false after filling *d. */
static bool place_find(const struct request *q, struct node_socket *p, struct diag *d) {
    *p = (struct node_socket){0};
    if (!socket_path(q->name, p->socket, sizeof p->socket, false, d)) return false;
    if (strchr(q->name, '/') || (!q->lab && control_is_served(p->socket))) return true;
    char own[LAB_PATH_MAX];
    snprintf(own, sizeof own, "%s", p->socket);
    return place_search(q, own, p, d);
}

/* ---- the node's part of a reply ---- */

static char *json_part(const char *reply, const char *name) {
    json_t *o = json_loads(reply, 0, NULL), *switches = json_object_get(o, "switches");
    for (size_t i = json_array_size(switches); i-- > 0;) {
        const char *one = json_string_value(json_object_get(json_array_get(switches, i), "name"));
        if (!one || strcmp(one, name) != 0) json_array_remove(switches, i);
    }
    char *text = o ? json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    json_decref(o);
    return text ? text : strdup(reply);
}

/* Keeps the comments and the lines whose label `switch` is the name. */
static char *metrics_part(const char *reply, const char *name) {
    char *part = memory_get(strlen(reply) + 1, 1), *to = part, *escaped = status_label(name), *label;
    label = text_format("{switch=\"%s\"", escaped);
    while (*reply) {
        size_t length = strcspn(reply, "\n") + 1;
        const char *open = memchr(reply, '{', length);
        if (*reply == '#' || (open && strncmp(open, label, strlen(label)) == 0)) to = mempcpy(to, reply, length);
        reply += length;
    }
    free(label);
    free(escaped);
    return part;
}

/* ---- requests ---- */

static int status_once(const struct request *q, const struct node_socket *p) {
    struct diag d = {0};
    const char *ask = q->metrics ? "metrics" : q->tables ? "status tables" : "status";
    char *reply = control_ask(p->socket, ask, &d);
    if (!reply) return exit_diag(&d);
    if (p->is_of_all) {
        char *part = (q->metrics ? metrics_part : json_part)(reply, q->name);
        free(reply);
        reply = part;
    }
    bool good = true;
    if (q->json || q->metrics)
        printf("%s%s", reply, q->metrics ? "" : "\n");
    else
        good = print_text(reply);
    free(reply);
    return good ? 0 : 2;
}

static int status(void *request) {
    const struct request *q = request;
    struct diag d = {0};
    struct node_socket p;
    if (!place_find(q, &p, &d)) return exit_diag(&d);
    int code = status_once(q, &p);
    while (q->watch && !code && !ferror(stdout)) {
        fflush(stdout);
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
        if (isatty(STDOUT_FILENO)) printf("\033[H\033[2J");
        code = status_once(q, &p);
    }
    return code;
}

#define T struct request

const struct command command_status = {
    .name = "status",
    .purpose = "show what a running switch or NIC does",
    .about =
        "Asks a process of heddle switch for its counters, queues, loads, pauses and tables, or one of heddle nic "
        "for its counters and queues. NODE is the first --node that the switch was given, the host of the NIC, or "
        "the socket. A switch or host of a lab is found by its name too; where several labs have it, --name chooses. "
        "Loads are of the last second; a device is what a port is joined to outside of the switches.",
    .arguments =
        (const struct argument[]){ARGUMENT(T, name, "NODE|SOCKET", VALUE_LAB_NODE, "the switch or host, or its socket"),
                                  {0}},
    .options = (const struct option_row[]){WORD(T, lab, "name", 0, "LAB", VALUE_LAB, "the lab of the node"),
                                           FLAG(T, json, "json", 0, "prints JSON"),
                                           FLAG(T, metrics, "metrics", 0, "prints Prometheus text"),
                                           FLAG(T, tables, "tables", 0,
                                                "shows the balancer's tables too: paths and congestion"),
                                           FLAG(T, watch, "watch", 'w', "again each second, until it is interrupted"),
                                           {0}},
    .exits = EXITS_PLAIN,
    .examples = (const struct example_row[]){{"status tor0.1 --watch", "shows tor0.1 once a second"},
                                             {"status tor0.1 --name lab", "shows tor0.1 of the lab \"lab\""},
                                             {0}},
    .see = "switch lab-status",
    .request_size = sizeof(T),
    .run = status,
};
