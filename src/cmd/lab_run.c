/* SPDX-License-Identifier: Apache-2.0 */
/* heddle lab run: carries out the runs of an experiment on real frames, into an ordinary results store. */
#include "live/lab/endpoint.h"
#include "live/lab/lab.h"
#include "live/lab/timetable.h"

#include "base/memory.h"
#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/experiment_request.h"
#include "cmd/lab_program.h"
#include "cmd/lab_serve.h"
#include "cmd/out_name.h"
#include "cmd/sockets.h"
#include "cmd/table_request.h"
#include "live/control.h"
#include "measure/link_use.h"
#include "measure/run_counters.h"
#include "sim/world.h"
#include "study/run/run.h"

#include <jansson.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define SILENCE (30 * PS_PER_S)

struct request {
    struct experiment_request experiment;
    struct run_options run;
    const char *name, *detect, *serve;
    uint32_t threads;
    char id[LAB_ID_BYTES]; /* of the lab of each run, by which the parent of a killed run knows it */
};

/* ---- counts of the switches ---- */

static uint64_t count_of(const json_t *o, const char *key) {
    return (uint64_t)json_integer_value(json_object_get(o, key));
}

/* How long the switches have counted, how long the flows took, and what ports had sent by measure.from and measure.until. */
struct run_span {
    const struct world_config *config;
    span_ps uptime, end;
    uint64_t *before; /* [ports] */
    uint64_t *after;  /* [ports]; NULL: at the end */
    time_ps until;    /* measure.until, or the end of the flows if that came first */
};

/* The status of the switches at measure.from and at measure.until; NULL: none was taken, since the key is not given or the
 * flows had ended. */
struct run_notes {
    char *before, *after;
};

static void set_sent(struct port_total *t, uint64_t bytes, const struct run_span *span) {
    span_ps measured = span->until - span->config->measure.arrivals.from;
    t->sent_bytes = bytes;
    t->utilisation_ppb = t->data_ppb =
        link_share_ppb((span->after ? span->after[t->port] : bytes) - span->before[t->port],
                       span->config->fabric->paths.port[t->port].rate_bps, max_i64(measured, 0));
}

/* Returns the global number of a port that a status tells of. */
static uint32_t port_of(const struct fabric *f, const json_t *sw, const json_t *port) {
    uint32_t node = fabric_node_find(f, json_string_value(json_object_get(sw, "name")));
    return f->paths.first_port[node] + fabric_port_find(f, node, json_string_value(json_object_get(port, "name")));
}

/* Returns what each port had sent when the status was made; nothing if it is NULL. The NIC of a host is no port of a
 * switch: what it sent is what the leaf received. The caller frees it. */
static uint64_t *sent_by(const struct fabric *f, const char *text) {
    json_t *status = text ? json_loads(text, 0, NULL) : NULL, *sw, *port;
    size_t i, k;
    uint64_t *sent = memory_get(f->paths.first_port[f->n_nodes], sizeof *sent);
    json_array_foreach(json_object_get(status, "switches"), i, sw) {
        json_array_foreach(json_object_get(sw, "ports"), k, port) {
            uint32_t g = port_of(f, sw, port);
            sent[g] = count_of(port, "sent_bytes");
            if (f->paths.port[g].neighbour_tier == TIER_HOST) sent[f->paths.port[g].peer] = count_of(port, "rx_bytes");
        }
    }
    json_decref(status);
    return sent;
}

/* A queue is empty before the flows start and soon after they end, so its mean over the flows' time is the longer mean times
 * the ratio of both times. */
static void take_port(const struct run_span *span, const json_t *sw, const json_t *port, struct run_result *r) {
    const struct fabric *f = span->config->fabric;
    uint32_t g = port_of(f, sw, port);
    const struct place_port *link = &f->paths.port[g];
    struct port_total *t = &r->port[g];
    double longer = span->end > 0 ? (double)span->uptime / (double)span->end : 0;
    t->mean_queue_bytes = (int64_t)((double)count_of(port, "mean_queue_bytes") * longer);
    t->max_queue_bytes = (int64_t)count_of(port, "max_queue_bytes");
    uint64_t lost = count_of(json_object_get(port, "impaired_out"), "lost"); /* behind the port, which does not know */
    t->dropped = count_of(port, "drops") + lost;
    r->packets.dropped_by[DROP_LOSS] += lost + count_of(json_object_get(port, "impaired_in"), "lost");
    set_sent(t, count_of(port, "sent_bytes"), span);
    if (link->neighbour_tier == TIER_HOST) set_sent(&r->port[link->peer], count_of(port, "rx_bytes"), span);
    r->packets.marked += count_of(port, "marks");
    r->pauses.sent += count_of(port, "pauses_sent");
    r->pauses.watchdog_found += count_of(port, "storms_found");
    r->pauses.watchdog_ended += count_of(port, "storms_ended");
    bool is_edge = link->neighbour_tier == TIER_HOST;
    if (is_edge) r->packets.sent += count_of(port, "rx_frames");
    if (is_edge) r->packets.delivered += count_of(port, "tx_frames");
}

static void take_drops(const json_t *sw, struct run_result *r) {
    const json_t *frames = json_object_get(sw, "frames"), *dropped = json_object_get(frames, "dropped");
    for (int i = DROP_NONE + 1; i < DROP_COUNT; i++)
        r->packets.dropped_by[i] += count_of(dropped, drop_counters[i].name + strlen("drop_"));
    r->packets.dropped_by[DROP_LINK_DOWN] += count_of(frames, "not_arrived"); /* what hosts sent over a cut link */
}

/* Takes what the NICs of hosts dropped (host.nic_full: drop), which no switch saw. */
static void take_nics(const struct lab *lab, struct run_result *r) {
    char path[LAB_PATH_MAX];
    struct diag none = {0};
    for (uint32_t h = 0; lab->has_nics && h < lab->n_hosts; h++) {
        char *reply = control_ask(lab_nic_socket(lab, h, path), "status", &none);
        json_t *nic = reply ? json_loads(reply, 0, NULL) : NULL;
        uint64_t n = count_of(json_object_get(nic, "frames"), "dropped");
        r->packets.dropped_by[DROP_NIC] += n;
        r->packets.sent += n;
        json_decref(nic);
        free(reply);
    }
}

/* Keeps the rows of switches: of the queues of NICs nothing is known. */
static void forget_nics(const struct fabric *f, struct run_result *r) {
    uint32_t first = f->paths.first_port[f->n_hosts];
    r->n_ports -= first;
    memmove(r->port, r->port + first, r->n_ports * sizeof *r->port);
    r->queue[QUEUE_NIC] = (struct queue_use){0};
}

static bool take_status(const struct lab *lab, const struct world_config *config, const struct run_notes *notes,
                        time_ps end, struct run_result *r, struct diag *d) {
    const struct fabric *f = config->fabric;
    char *reply = control_ask(lab->socket, "status", d);
    json_t *status = reply ? json_loads(reply, 0, NULL) : NULL, *sw, *port;
    size_t i, k;
    free(reply);
    if (!status) return false;
    double uptime = json_real_value(json_object_get(status, "uptime_s"));
    struct run_span span = {.config = config, .uptime = (span_ps)(uptime * (double)PS_PER_S), .end = end};
    span.before = sent_by(f, notes->before);
    span.after = notes->after ? sent_by(f, notes->after) : NULL;
    span.until = min_i64(end, config->measure.arrivals.until);
    r->n_ports = f->paths.first_port[f->n_nodes];
    r->port = memory_get(r->n_ports, sizeof *r->port);
    for (uint32_t g = 0; g < r->n_ports; g++) r->port[g].port = g;
    json_array_foreach(json_object_get(status, "switches"), i, sw) {
        take_drops(sw, r);
        json_array_foreach(json_object_get(sw, "ports"), k, port) take_port(&span, sw, port, r);
    }
    take_nics(lab, r);
    for (int cause = DROP_NONE + 1; cause < DROP_COUNT; cause++) r->packets.dropped += r->packets.dropped_by[cause];
    r->packets.in_flight = count_of(status, "frames_held");
    json_decref(status);
    free(span.before);
    free(span.after);
    world_summarise_ports(config, r);
    forget_nics(f, r);
    return true;
}

/* ---- one run ---- */

static bool on_progress(void *to, time_ps now, uint64_t done) {
    const struct world_config *w = to;
    struct progress p = {.now = now, .flows_done = done, .flows_total = w->flows->n, .wall_ns = now / PS_PER_NS};
    return !w->progress || w->progress(&p, w->progress_context);
}

/* Finds the kernel's congestion control of each transport. Returns false after filling *d: the kernel has none for it. */
static bool congestion_of(const struct host_config *hosts, const struct lab *lab, const char *name[MAX_TRANSPORTS],
                          struct diag *d) {
    for (uint32_t i = 0; i < hosts->n_transports; i++) {
        name[i] = hosts->transport[i]->kernel;
        if (!name[i])
            return diag_say(d, "%s is no transport of this machine's kernel; newreno, cubic and dctcp are",
                            hosts->transport[i]->name);
        if (strcmp(name[i], "dctcp") == 0 && lab->dctcp[0]) name[i] = lab->dctcp;
    }
    return true;
}

/* Returns a digest of the flows' results, which tells runs apart. */
static uint64_t digest_of(const struct run_result *r, uint32_t n) {
    uint64_t digest = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < n; i++) digest = (digest ^ (uint64_t)r->tally[i].finished_at) * 0x100000001b3u;
    return digest;
}

/* Sends the flows of one run through a running lab. */
static enum world_outcome carry_flows(const struct assembly *a, const struct lab *lab, struct run_result *r,
                                      struct diag *d) {
    const char **space = memory_get(lab->n_hosts, sizeof *space), *congestion[MAX_TRANSPORTS];
    for (uint32_t h = 0; h < lab->n_hosts; h++) space[h] = lab->host[h].space;
    struct lab_timetable *timetable = lab_timetable_create(lab->socket);
    struct run_notes notes = {NULL, NULL};
    const struct selection *measured = &a->world.measure.arrivals;
    lab_timetable_add_failures(timetable, a->fabric);
    if (measured->from > 0) lab_timetable_add(timetable, measured->from, "status", &notes.before);
    if (measured->until != TIME_NONE) lab_timetable_add(timetable, measured->until, "status", &notes.after);
    struct endpoint_config c = {.fabric = a->fabric,
                                .flows = &a->flows,
                                .space = space,
                                .congestion = congestion,
                                .until = a->world.until,
                                .silence = SILENCE,
                                .begun = lab_timetable_begin,
                                .begun_to = timetable,
                                .progress = on_progress,
                                .to = (void *)&a->world};
    time_ps end = 0;
    r->tally = memory_get(a->flows.n, sizeof *r->tally);
    enum endpoint_outcome outcome =
        congestion_of(&a->world.hosts, lab, congestion, d) ? endpoint_run(&c, r->tally, &end, d) : ENDPOINT_FAILED;
    free(space);
    struct diag why = {0};
    if (!lab_timetable_end(timetable, &why) && !d->text[0]) *d = why;
    if (outcome == ENDPOINT_DONE || outcome == ENDPOINT_STUCK) take_status(lab, &a->world, &notes, end, r, d);
    free(notes.before);
    free(notes.after);
    if (outcome == ENDPOINT_ABANDONED) return WORLD_ABANDONED;
    for (uint32_t i = 0; i < a->flows.n; i++) r->packets.retransmitted += r->tally[i].retransmitted_pkts;
    r->averaged = (struct averaged){max_i64(measured->from, 0), min_i64(measured->until, end)};
    world_summarise(&a->world, end, r);
    r->is_live = true;
    r->engine = (struct engine_totals){
        .sim_ps = end, .wall_ns = end / PS_PER_NS, .digest = digest_of(r, a->flows.n), .threads = 1};
    return outcome == ENDPOINT_DONE && !d->text[0] ? WORLD_DONE : WORLD_FAILED;
}

/* Lets this process, and the switches and NICs that it starts, run before all that has no real-time priority. Whatever else
 * the machine does would otherwise show in the flows' times. Where that is not allowed, a run takes its chances. */
static void be_in_time(void) {
    const struct sched_param least = {.sched_priority = 1};
    sched_setscheduler(0, SCHED_RR, &least);
}

static bool up_goes_on(void *world) { return on_progress(world, 0, 0); }

/* Removes the lab of a run if it is there: not one that only has the same name. */
static void lab_end(const struct request *q) {
    char state[LAB_PATH_MAX];
    struct diag none = {0};
    if (labs_folder(state, &none)) lab_down_own(state, q->name, q->id, &lab_tell_user);
}

static enum world_outcome carry_run(void *to, const struct experiment *e, size_t run, const struct assembly *a,
                                    struct run_result *r) {
    const struct request *q = to;
    be_in_time();
    lab_end(q); /* of the run before, if its process was killed */
    struct diag d = {0};
    char detect[UNITS_TEXT_MAX];
    units_print(PARAM_TIME, lab_failures_detect(&a->fabric_spec), detect, sizeof detect);
    const struct lab_program program = {.experiment = &q->experiment,
                                        .run = e->run[run].number,
                                        .threads = q->threads,
                                        .detect = q->detect ? q->detect : detect,
                                        .id = q->id,
                                        .goes_on = up_goes_on,
                                        .to = (void *)&a->world};
    enum world_outcome outcome = WORLD_FAILED;
    struct lab *lab = lab_program_up(&program, &a->world, q->name, &d);
    if (lab) outcome = carry_flows(a, lab, r, &d);
    if (lab) lab_end(q);
    if (!lab && !up_goes_on(program.to)) outcome = WORLD_ABANDONED;
    if (outcome == WORLD_FAILED) snprintf(r->failure, sizeof r->failure, "%s", d.text);
    lab_free(lab);
    return outcome;
}

/* ---- the command ---- */

static int lab_run_run(void *request) {
    struct request *q = request;
    struct diag d = {0};
    char *store = NULL;
    if (!out_name_is_store(q->run.store, &d)) return exit_usage("%s", d.text);
    if (!q->run.judge && !lab_possible(&d)) return exit_diag(&d);
    struct experiment *e = experiment_request_open(&q->experiment);
    if (!e) return 2;
    experiment_mark_live(e, "on real frames");
    if (!q->name) q->name = "run";
    if (!q->run.store && asprintf(&store, "%s.lab.db", e->stem) > 0) q->run.store = store;
    q->run.version = HEDDLE_VERSION;
    q->run.jobs = q->run.threads = 1; /* parallel runs would compete for the machine */
    q->run.table.width = terminal_width();
    q->run.carrier = carry_run;
    q->run.carrier_to = q;
    lab_id_draw(q->id);
    struct lab_page page;
    bool is_served = lab_page_begin(&page, q->serve, q->name);
    fputs(page.line, stderr);
    enum run_exit code = is_served ? experiment_run(e, &q->run, &d) : RUN_BAD_CONFIG;
    lab_page_end(&page);
    lab_end(q); /* of a run whose process was killed */
    experiment_free(e);
    free(store);
    if (!is_served) return 2;
    return code == RUN_BAD_CONFIG ? exit_diag(&d) : (int)code;
}

#define T struct request

const struct command command_lab_run = {
    .name = "lab-run",
    .purpose = "run an experiment on real frames on this machine",
    .about =
        "Builds a lab for each run of the experiment, carries its flows over TCP sockets of the kernel, and stores "
        "what came of it: the same flows, tables, expectations and reports as heddle run, in a store of its own. "
        "Transports are newreno, cubic and dctcp, as the kernel has them, with the file's min_rto, initial window "
        "and SACK, and with ECN where switches mark. Links fail and come back as the file says. The switches count "
        "frames and measure queues and links; what only a simulator can see is null. A key without effect on real "
        "frames gets a warning.\n\n"
        "One run lasts as long as it says: choose rates that this machine can carry, 10 to 100 Mbps where queues "
        "matter. Runs are never side by side.",
    .arguments = (const struct argument[]){EXPERIMENT_ARGUMENT(T), {0}},
    .options =
        (const struct option_row[]){
            EXPERIMENT_OPTIONS(T),
            WORD(T, name, "name", 0, "LAB", VALUE_TEXT,
                 "the lab that each run makes and removes; \"run\" if it is not given"),
            NUMBER(T, threads, "threads", 'j', "N", 1, 256, 1, "threads that share the switches"),
            WORD(T, detect, "detect", 0, "TIME", VALUE_TEXT,
                 "as heddle switch --detect, in place of the file's detect"),
            LAB_SERVE(T, serve,
                      "serves the live page of lab status --serve there while the runs last; PORT alone is one of "
                      "127.0.0.1"),
            WORD(T, run.store, "out", 'o', "RESULTS.db", VALUE_STORE,
                 "the results store; without it, the name of the experiment file with .lab.db, in the current folder"),
            FLAG(T, run.json, "json", 0, "prints one JSON object per run and per outcome instead of the table"),
            FLAG(T, run.quiet, "quiet", 'q', "prints neither table nor progress; warnings and notes stay"),
            FLAG(T, run.judge, "judge", 0, "starts no run: compares what the store holds with what the file expects"),
            FLAG(T, run.record, "record", 0,
                 "writes what came out into the record of the file, FILE.record.json, once all runs are done"),
            {0}},
    .exits =
        (const struct exit_row[]){
            {0, "done; all is as recorded, or every expectation holds where there is no record; or --set asks "
                "something else, and nothing is compared"},
            {1, "done; an outcome differs from the record, the record is stale, or an "
                "expectation does not hold or is not decided where there is none"},
            {2, "usage or configuration error: nothing was run, nothing was written"},
            {3, "a run failed or was interrupted, and the same command continues"},
            {0, NULL}},
    .examples = (const struct example_row[]){{"lab run first.yaml", "results go to first.lab.db"},
                                             {"lab run first.yaml --serve 8080",
                                              "each run can be watched at http://127.0.0.1:8080/"},
                                             {0}},
    .see = "run lab-up report",
    .request_size = sizeof(T),
    .run = lab_run_run,
};
