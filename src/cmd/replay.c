/* SPDX-License-Identifier: Apache-2.0 */
#include "live/replay.h"

#include "cmd/commands.h"
#include "cmd/experiment_request.h"
#include "study/assemble/assemble.h"
#include "study/experiment/experiment.h"

#include <inttypes.h>
#include <string.h>

#define MAX_INPUTS (sizeof((struct word_list *)0)->item / sizeof(char *))

struct request {
    struct experiment_request experiment;
    struct word_list in;
    const char *node, *out;
    uint32_t run;
    bool force, answers;
    struct inlet_source source[MAX_INPUTS];
    char port[MAX_INPUTS][FABRIC_PORT_NAME_MAX];
};

/* ---- results ---- */

static void print_drops(const struct replay_report *r) {
    static const char *const why[DROP_COUNT] = {
        [DROP_NONE] = "",
        [DROP_BUFFER] = "the port's buffer was full",
        [DROP_LINK_DOWN] = "the link was down",
        [DROP_LOSS] = "lost on a gray link after they had left",
        [DROP_NO_ROUTE] = "no route to their destination, or it is outside this fabric",
        [DROP_TTL] = "TTL at its end",
        [DROP_CREDIT] = "the queue of credits was full",
        [DROP_UNSCHEDULED] = "sent without a credit, and frames were waiting",
        [DROP_STORM] = "their class was paused without end",
        [DROP_NIC] = "the queue of their host's NIC was full",
    };
    for (int i = DROP_NONE + 1; i < DROP_COUNT; i++)
        if (r->count.dropped[i]) printf("dropped %" PRIu64 ": %s\n", r->count.dropped[i], why[i]);
}

static void print_report(const struct request *q, const struct assembly *a, const struct replay_report *r) {
    printf("%s, %s, run %u: %" PRIu64 " frames received", q->node, a->world.switches.balance->name, q->run,
           r->count.received);
    if (r->count.received) printf(" from %.3f us to %.3f us", (double)r->first_at / 1e6, (double)r->last_at / 1e6);
    printf("; %" PRIu64 " left, %" PRIu64 " made by the switch, %" PRIu64 " meant for it\n",
           r->count.left + r->count.dropped[DROP_LOSS], r->created, r->count.consumed);
    for (int i = FRAME_OK + 1; i < REFUSAL_COUNT; i++)
        if (r->count.refused[i]) printf("skipped %" PRIu64 ": %s\n", r->count.refused[i], refusal_name(i));
    print_drops(r);
    if (r->late) printf("late %" PRIu64 ": stamped before the frame before them, taken at its time\n", r->late);
    printf("written: %s\n", r->path);
}

/* ---- request ---- */

/* Takes --in number i, whose port ends at an equals sign. Returns false if it is no PORT=FILE. */
static bool input_take(struct request *q, size_t i, const char *equals) {
    const char *item = q->in.item[i];
    size_t length = equals ? (size_t)(equals - item) : 0;
    if (length == 0 || length >= sizeof q->port[i] || !equals[1]) return false;
    snprintf(q->port[i], sizeof q->port[i], "%.*s", (int)length, item);
    q->source[i] = (struct inlet_source){.port = q->port[i], .path = equals + 1};
    return true;
}

/* Reads --in PORT=FILE. */
static bool inputs_read(struct request *q) {
    for (size_t i = 0; i < q->in.n; i++)
        if (!input_take(q, i, strchr(q->in.item[i], '=')))
            return exit_usage("--in %s: write PORT=FILE, the port named by its neighbour, or all=FILE",
                              q->in.item[i]) == 0;
    return true;
}

/* Names may have equals signs: the first one that ends the name of a port of the node counts. */
static void inputs_settle(struct request *q, const struct fabric *f, uint32_t node) {
    for (size_t i = 0; i < q->in.n; i++) {
        const char *first = strchr(q->in.item[i], '='), *at = first;
        bool known = strcmp(q->port[i], "all") == 0;
        while (at && !known) {
            known = input_take(q, i, at) && fabric_port_find(f, node, q->port[i]) != PORT_NONE;
            at = strchr(at + 1, '=');
        }
        if (!known) input_take(q, i, first);
    }
}

/* ---- replaying ---- */

static int replay_node(struct request *q, const struct assembly *a) {
    struct replay_config c = {.fabric = a->fabric,
                              .switches = a->world.switches,
                              .seed = a->world.seed,
                              .node = fabric_node_find(a->fabric, q->node),
                              .in = q->source,
                              .n_in = q->in.n,
                              .out_dir = q->out,
                              .force = q->force,
                              .answers = q->answers};
    struct replay_report r;
    struct diag d = {0};
    char first[FABRIC_NODE_NAME_MAX], last[FABRIC_NODE_NAME_MAX];
    if (c.node == NODE_NONE)
        return exit_usage("--node %s: there is no such node; the switches are %s to %s", q->node,
                          fabric_node_name(a->fabric, a->fabric->n_hosts, first, sizeof first),
                          fabric_node_name(a->fabric, a->fabric->n_nodes - 1, last, sizeof last));
    inputs_settle(q, a->fabric, c.node);
    enum replay_outcome outcome = replay_run(&c, &r, &d);
    if (outcome == REPLAY_DONE) print_report(q, a, &r);
    if (outcome == REPLAY_DONE) return 0;
    exit_diag(&d);
    return outcome == REPLAY_REFUSED ? 2 : 3;
}

static int replay_of(struct request *q, const struct experiment *e) {
    struct diag d = {0};
    if (q->run > e->n_runs) return exit_no_run(q->run, e->n_runs);
    struct assembly *a = assembly_create_network(&e->run[q->run - 1].config, e->base_dir, &d);
    if (!a) return exit_diag(&d);
    int code = replay_node(q, a);
    assembly_free(a);
    return code;
}

#define T struct request

static int replay(void *request) {
    struct request *q = request;
    if (!inputs_read(q)) return 2;
    struct experiment *e = experiment_request_open(&q->experiment);
    if (!e) return 2;
    int code = replay_of(q, e);
    experiment_free(e);
    return code;
}

const struct command command_replay = {
    .name = "replay",
    .purpose = "feed captured frames through a switch of an experiment",
    .about =
        "Reads frames from captures, gives them at their times to a switch that runs the same code as the simulated "
        "one "
        "of that run, and writes the frames that leave the switch to DIR/NODE.pcapng. Captures of a simulated switch "
        "come from measure: {pcap: [NODE]}.",
    .arguments = (const struct argument[]){EXPERIMENT_ARGUMENT(T), {0}},
    .options =
        (const struct option_row[]){
            EXPERIMENT_OPTIONS(T),
            NUMBER(T, run, "run", 0, "N", 1, MAX_RUNS, 1, "the run whose switch this is"),
            WORD_REQUIRED(T, node, "node", 0, "NODE", VALUE_SWITCH, "the switch, such as tor0.1 or leaf3"),
            WORD_REQUIRED(
                T, in, "in", 0, "PORT=FILE.pcapng", VALUE_CAPTURE,
                "frames that arrive at a port, which is named by its neighbour; all=FILE takes every port of a "
                "capture by measure: {pcap: [NODE]}"),
            WORD_REQUIRED(T, out, "out", 'o', "DIR", VALUE_FOLDER, "the folder of what is written; made if missing"),
            FLAG(T, answers, "answers", 0, "answers ARP and ICMP as heddle switch does, for what its --record wrote"),
            FLAG(T, force, "force", 0, "replaces a file that heddle replay did not write"),
            {0}},
    .exits = (const struct exit_row[]){{0, "done"},
                                       {2, "usage or configuration error: nothing was written"},
                                       {3, "the replay failed or was interrupted"},
                                       {0, NULL}},
    .examples =
        (const struct example_row[]){{"replay first.yaml --node leaf0 --in all=first.captures/run1/leaf0.pcapng "
                                      "--out replayed",
                                      "writes replayed/leaf0.pcapng"},
                                     {0}},
    .see = "run",
    .request_size = sizeof(T),
    .run = replay,
};
