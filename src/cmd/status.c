/* SPDX-License-Identifier: Apache-2.0 */
#include "live/control.h"

#include "cmd/commands.h"
#include "cmd/sockets.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct request {
    const char *name;
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

static void print_switch(const json_t *sw) {
    const json_t *frames = json_object_get(sw, "frames"), *ports = json_object_get(sw, "ports");
    printf("%s %s: %lld frames received, %lld sent, %lld made\n", json_string_value(json_object_get(sw, "name")),
           json_string_value(json_object_get(sw, "address")), (long long)number(frames, "received"),
           (long long)number(frames, "left"), (long long)number(frames, "made"));
    print_counts("  dropped: ", json_object_get(frames, "dropped"));
    print_counts("  refused: ", json_object_get(frames, "refused"));
    print_counts("  ", json_object_get(sw, "counters"));
    printf("  %-16s %-9s %6s %10s %10s %9s %8s %8s  %s\n", "port", "link", "load %", "queue B", "largest B", "dropped",
           "marked", "pauses", "is");
    for (size_t i = 0; i < json_array_size(ports); i++) print_port(json_array_get(ports, i));
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

/* ---- requests ---- */

static int status_once(const struct request *q, const char *path) {
    struct diag d = {0};
    const char *ask = q->metrics ? "metrics" : q->tables ? "status tables" : "status";
    char *reply = control_ask(path, ask, &d);
    if (!reply) return exit_diag(&d);
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
    char path[512];
    if (!socket_path(q->name, path, sizeof path, false, &d)) return exit_diag(&d);
    int code = status_once(q, path);
    while (q->watch && !code && !ferror(stdout)) {
        fflush(stdout);
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
        if (isatty(STDOUT_FILENO)) printf("\033[H\033[2J");
        code = status_once(q, path);
    }
    return code;
}

#define T struct request

const struct command command_status = {
    .name = "status",
    .purpose = "show what a running switch or NIC does",
    .about = "Asks a process of heddle switch for its counters, queues, loads, pauses and tables, or one of heddle nic "
             "for its counters and queues. NODE is the first --node that the switch was given, the host of the NIC, or "
             "the socket.",
    .arguments =
        (const struct argument[]){ARGUMENT(T, name, "NODE|SOCKET", VALUE_TEXT, "the switch or host, or its socket"),
                                  {0}},
    .options = (const struct option_row[]){FLAG(T, json, "json", 0, "prints JSON"),
                                           FLAG(T, metrics, "metrics", 0, "prints Prometheus text"),
                                           FLAG(T, tables, "tables", 0,
                                                "shows the balancer's tables too: paths and congestion"),
                                           FLAG(T, watch, "watch", 'w', "again each second, until it is interrupted"),
                                           {0}},
    .exits = EXITS_PLAIN,
    .examples = (const struct example_row[]){{"status tor0.1 --watch", "shows tor0.1 once a second"}, {0}},
    .see = "switch",
    .request_size = sizeof(T),
    .run = status,
};
