/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/check_lab.h"
#include "cmd/check_ranks.h"
#include "cmd/commands.h"
#include "cmd/experiment_request.h"

#include "base/time_text.h"
#include "base/units.h"
#include "study/assemble/assemble.h"
#include "study/assemble/credits.h"
#include "study/assemble/overload.h"
#include "study/assemble/round_trip.h"
#include "study/assemble/store_cost.h"
#include "study/claims/expect.h"
#include "study/claims/record.h"
#include "study/config/pause_classes.h"
#include "study/metrics/numbers.h"
#include "study/results/json_out.h"
#include "study/run/run.h"

#include <stdlib.h>

struct check_request {
    struct experiment_request experiment;
    uint32_t run, ranks, threads; /* threads: 0: not given */
    bool json, lab;
};

static uint32_t threads_of(const struct check_request *q) { return q->threads ? q->threads : 1; }

static const char *text_of(enum param_type type, int64_t value, char buf[UNITS_TEXT_MAX]) {
    return units_print(type, value, buf, UNITS_TEXT_MAX);
}

static void print_runs(const struct experiment *e, const struct planned_run *r) {
    printf("# %s: %zu run%s", e->title, e->n_runs, e->n_runs == 1 ? "" : "s");
    for (size_t i = 0; i < e->n_axes; i++) printf("%s %s (%zu)", i ? " x" : ":", e->axis[i].key, e->axis[i].list->n);
    printf("\n# effective configuration of run %u, identity %.16s\n%s", r->number, r->identity, r->text);
}

static void print_fabric(const struct assembly *a) {
    const struct fabric *f = a->fabric;
    struct fabric_scale s;
    fabric_scale(f, &s);
    printf("# fabric: %u hosts, %u switches (%u at the leaves), %llu links\n", f->n_hosts, f->n_switches, f->n_leaves,
           (unsigned long long)s.links);
    if (s.per_path_state == 0) return;
    printf("# equal-cost paths: %u between pods, %u between racks of a pod\n", f->paths_inter_pod, f->paths_intra_pod);
    printf("# state a ToR would keep: %llu entries with per-path state, %u with Expeditus (an agg: %u)\n",
           (unsigned long long)s.per_path_state, s.expeditus_tor_state, s.expeditus_agg_state);
    printf("# asking every switch of all paths: %u switches; per-pathlet knowledge: %llu concurrent flows to the same "
           "ToR\n",
           s.switches_asked, (unsigned long long)s.concurrent_flows_pathlet);
}

/* Prints what the ingress queues of a crossbar hold, where another key than their own decides. */
static void print_ingress(const struct assembly *a) {
    const struct switch_config *s = &a->world.switches;
    char bytes[UNITS_TEXT_MAX];
    if (!crossbar_has_queues(&s->cioq) || s->flow.preset != PAUSE_PRESET_BY_RATE) return;
    printf("# ingress queues of switch ports: %s, by switch.pause_preset\n",
           text_of(PARAM_BYTES, s->cioq.ingress_bytes, bytes));
}

/* Prints the buffers of switch ports by link rate. */
static void print_buffers(const struct assembly *a) {
    const struct path_view *p = &a->fabric->paths;
    uint32_t first = p->first_port[a->fabric->n_hosts], end = p->first_port[a->fabric->n_nodes];
    int64_t below = INT64_MAX;
    for (bool any = false;; any = true) {
        int64_t rate = 0;
        char bytes[UNITS_TEXT_MAX], at[UNITS_TEXT_MAX];
        for (uint32_t g = first; g < end; g++)
            if (p->port[g].rate_bps < below && p->port[g].rate_bps > rate) rate = p->port[g].rate_bps;
        if (rate == 0) break;
        printf("%s%s at %s", any ? ", " : "# buffers of switch ports: ",
               text_of(PARAM_BYTES, switch_buffer_at(&a->world.switches, rate), bytes), text_of(PARAM_RATE, rate, at));
        below = rate;
    }
    printf("\n");
}

/* Prints the time of a full frame to the most distant host and a minimum frame back, in an idle fabric. */
static void print_round_trip(const struct assembly *a) {
    struct round_trip r;
    if (!round_trip_of(a, &r)) return;
    char text[UNITS_TEXT_MAX], bare[UNITS_TEXT_MAX], from[FABRIC_NODE_NAME_MAX], to[FABRIC_NODE_NAME_MAX];
    printf("# base round trip %s to %s: %s (%u links each way; 1538 B out, 84 B back), %s without serialization\n",
           fabric_node_name(a->fabric, r.from, from, sizeof from), fabric_node_name(a->fabric, r.to, to, sizeof to),
           time_text(r.full_frame, text), r.links, time_text(r.bare, bare));
}

static void print_bound(const struct credit_bound *b, enum tier tier, bool upwards, const char *name) {
    uint64_t bytes = credit_bound_tier_bytes(b, tier, upwards);
    if (bytes == CREDIT_UNBOUNDED)
        printf("; %s: no bound", name);
    else if (bytes > 0)
        printf("; %s: %llu B", name, (unsigned long long)bytes);
}

/* Prints the bound that credits put on queues of data, tier by tier (XP-9). */
static void print_credit_bound(const struct assembly *a) {
    struct credit_bound *b = credits_bound(a);
    if (!b) return;
    bool pods = a->fabric->tiers == 3;
    printf("# data queues under credits hold at most, in wire bytes");
    print_bound(b, TIER_LEAF, false, pods ? "ToR down" : "leaf down");
    print_bound(b, TIER_LEAF, true, pods ? "ToR up" : "leaf up");
    print_bound(b, TIER_AGG, false, pods ? "agg down" : "spine down");
    print_bound(b, TIER_AGG, true, pods ? "agg up" : "spine up");
    print_bound(b, TIER_CORE, false, "core down");
    printf("\n");
    credit_bound_destroy(b);
}

/* Prints DeTail's load factor, which counts response bytes. The wire carries more bytes, and fewer of them cross the
 * uplinks (AM-6). */
static bool print_queries(const struct assembly *a, size_t i, struct diag *d) {
    struct query_rate r;
    if (!query_rate(&a->workload[i], &a->fabric->population, &r, d)) return false;
    char size[UNITS_TEXT_MAX], wire[UNITS_TEXT_MAX];
    printf("# workload.%zu: %.1f queries/s, in the busiest phase %.1f; mean response %s, %s a query on the wire\n", i,
           (double)r.per_1000_s / 1e3, (double)r.peak_per_1000_s / 1e3,
           text_of(PARAM_BYTES, units_rounded(r.response_bytes), size),
           text_of(PARAM_BYTES, units_rounded(r.wire_bytes), wire));
    printf("# workload.%zu: load of %s: %.3f by the paper's factor (response bytes), %.3f on the wire; in the busiest "
           "phase %.3f and %.3f\n",
           i, r.at_uplinks ? "ToR uplinks" : "host links", (double)r.paper_load_ppb / 1e9,
           (double)r.wire_load_ppb / 1e9, (double)r.paper_peak_ppb / 1e9, (double)r.wire_peak_ppb / 1e9);
    return true;
}

/* Prints what the switch that failures hit hardest is offered, tier by tier. */
static void print_offered_after(const struct assembly *a, const struct offered_load *load) {
    struct load_after_failures after[3];
    offered_load_after(a, load, after);
    for (int t = 0; t < 3; t++) {
        char name[FABRIC_NODE_NAME_MAX], at[UNITS_TEXT_MAX];
        if (after[t].share <= 0) continue;
        printf("# offered after failures: %.3f of what the %s of %s carry, from %s on\n", after[t].share,
               load_tier_name(t), fabric_node_name(a->fabric, after[t].node, name, sizeof name),
               time_text(after[t].at, at));
    }
}

/* Prints the offered load with all bytes, tier by tier. */
static void print_offered(const struct assembly *a) {
    struct offered_load load = offered_load(a);
    const char *before = "# offered, with headers, ACKs and credits: ";
    for (int t = 0; t < 3; t++) {
        if (load.share[t] <= 0) continue;
        printf("%s%.3f of what the %s carry", before, load.share[t], load_tier_name(t));
        before = ", ";
    }
    if (*before == ',') printf("\n");
    print_offered_after(a, &load);
}

static bool print_workload(const struct assembly *a, struct diag *d) {
    for (size_t i = 0; i < a->n_workload; i++) {
        struct workload_rate r;
        enum workload_load load = a->workload[i].kind->load;
        if (load == LOAD_QUERIES && !print_queries(a, i, d)) return false;
        if (load != LOAD_RATE) continue;
        if (!workload_rate(&a->workload[i], &a->fabric->population, &r, d)) return false;
        char size[UNITS_TEXT_MAX];
        printf("# workload.%zu: %.1f flows/s, mean size %s, %.1f %% of flows cross the named tier, load %.3f in wire "
               "bytes\n",
               i, (double)r.flows_per_s_milli / 1e3, text_of(PARAM_BYTES, units_rounded(r.mean_bytes), size),
               (double)r.crossing_ppb / 1e7, (double)r.wire_load_ppb / 1e9);
    }
    print_offered(a);
    uint32_t listed = a->flows.n - a->flows.gates.n_gated;
    time_ps last = listed ? a->flows.flow[listed - 1].start : 0;
    char text[UNITS_TEXT_MAX];
    printf("# flows: %u, the last starts at %s", a->flows.n, time_text(last, text));
    if (a->flows.gates.n_gated) printf(" but for %u that answer or follow others", a->flows.gates.n_gated);
    printf("\n");
    return true;
}

/* Prints how many threads pay. asked: what --threads said; 0: nothing. */
static void print_threads(const struct assembly *a, uint32_t ranks, uint32_t asked) {
    uint32_t threads = world_useful_threads(&a->world, ranks);
    printf("# threads: ");
    if (ranks > 1) printf("on each of %u ranks ", ranks);
    if (threads == 1)
        printf("a second does not help");
    else
        printf("at most %u help", threads);
    if (asked > threads) printf("; --threads %u takes %u", asked, threads);
    printf("\n");
}

/* Prints what a store takes of the disk. */
static void print_store(const struct experiment *e, const struct run_cost *one, const struct run_cost *all) {
    char each[UNITS_TEXT_MAX], whole[UNITS_TEXT_MAX];
    text_of(PARAM_BYTES, units_rounded((int64_t)one->store_bytes), each);
    text_of(PARAM_BYTES, units_rounded((int64_t)(all->store_bytes + STORE_EMPTY_BYTES)), whole);
    if (e->n_runs > 1)
        printf("# store: about %s for all %zu runs, %s for this one\n", whole, e->n_runs, each);
    else
        printf("# store: about %s\n", whole);
}

static void print_cost(const struct experiment *e, const struct assembly *a, const struct run_cost *all,
                       const struct check_request *q) {
    char text[UNITS_TEXT_MAX], time[32], times[32], hops[NUMBER_TEXT_MAX];
    struct run_cost one = {.program_bytes = all->program_bytes};
    run_cost_add(&one, a, world_memory_foreseen(&a->world, q->ranks));
    printf("# memory: about %s a run%s\n", text_of(PARAM_BYTES, units_rounded((int64_t)one.memory_bytes), text),
           q->ranks > 1 ? ", on each rank" : "");
    print_store(e, &one, all);
    print_threads(a, q->ranks, q->threads);
    printf("# foreseen: %s packet-hops, %s for this run",
           number_text(UNIT_COUNT, (double)one.packet_hops, hops, sizeof hops),
           run_cost_time_text(one.seconds, time, sizeof time));
    if (e->n_runs > 1)
        printf("; %s, %s for all %zu one after another",
               number_text(UNIT_COUNT, (double)all->packet_hops, hops, sizeof hops),
               run_cost_time_text(all->seconds, times, sizeof times), e->n_runs);
    printf(" (assumes %g million packet-hops a second)\n", run_cost_hops_per_s(a) / 1e6);
}

/* Reads what the file expects and its record, and says what of the record is out of date. False after filling *d. */
static bool claims_check(const struct experiment *e, enum record_state *state, struct diag *d) {
    struct expectations x;
    struct record r;
    if (!expectations_read(e, &x, d)) return false;
    bool ok = record_read(&r, e, &x, d);
    *state = r.state;
    if (ok) record_tell(&r, &(struct record_comparison){0}, e, stderr);
    record_free(&r);
    expectations_free(&x);
    return ok;
}

static json_t *foreseen_json(const struct run_cost *f) {
    json_t *o = json_object();
    json_object_set_new(o, "runs", json_integer((json_int_t)f->runs));
    json_object_set_new(o, "flows", json_integer((json_int_t)f->flows));
    json_object_set_new(o, "memory_bytes", json_integer((json_int_t)f->memory_bytes));
    json_object_set_new(o, "store_bytes", json_integer((json_int_t)f->store_bytes));
    json_object_set_new(o, "packet_hops", json_integer((json_int_t)f->packet_hops));
    json_object_set_new(o, "seconds", json_real(f->seconds));
    return o;
}

/* Prints one line: the experiment and the requested run. */
static void print_json(const struct experiment *e, const struct planned_run *r, const struct assembly *a,
                       const struct run_cost *all, enum record_state state, const struct check_request *q) {
    char asked[SHA256_TEXT];
    experiment_asked(e, asked);
    struct run_cost one = {.program_bytes = all->program_bytes};
    run_cost_add(&one, a, world_memory_foreseen(&a->world, q->ranks));
    json_t *o = foreseen_json(all), *run = foreseen_json(&one);
    json_object_set_new(o, "experiment", json_string(e->name));
    json_object_set_new(o, "identity", json_string(asked));
    json_object_set_new(o, "record", json_string(record_state_word(state)));
    json_object_set_new(run, "run", json_integer(r->number));
    json_object_set_new(run, "identity", json_string(r->identity));
    json_object_set_new(run, "settings", json_deep_copy(r->settings));
    json_object_set_new(run, "hops_per_s", json_real(run_cost_hops_per_s(a)));
    if (q->ranks > 1) json_object_set_new(run, "ranks", check_ranks_json(a, q->ranks, threads_of(q)));
    json_object_set_new(o, "run", run);
    json_line(o, stdout);
    json_decref(o);
}

static bool print_text(const struct experiment *e, const struct planned_run *r, const struct assembly *a,
                       const struct run_cost *all, const struct check_request *q, struct diag *d) {
    print_runs(e, r);
    print_fabric(a);
    print_buffers(a);
    print_ingress(a);
    print_round_trip(a);
    print_credit_bound(a);
    if (!print_workload(a, d)) return false;
    print_cost(e, a, all, q);
    if (q->ranks > 1) check_ranks_print(a, q->ranks, threads_of(q));
    return true;
}

static int check(const struct experiment *e, const struct check_request *q) {
    uint32_t number = q->run;
    struct diag d = {0};
    enum record_state state;
    struct run_cost all = {0};
    if (number > e->n_runs) return exit_no_run(number, e->n_runs);
    if (!claims_check(e, &state, &d)) return exit_diag(&d);
    const struct planned_run *r = &e->run[number - 1];
    int code = runs_foresee(e, q->ranks, threads_of(q), stderr, &all, &d) ? 0 : exit_diag(&d);
    struct assembly *a = code == 0 ? assembly_create(&r->config, e->base_dir, &d) : NULL;
    if (a && q->json)
        print_json(e, r, a, &all, state, q);
    else if (a && !print_text(e, r, a, &all, q, &d))
        code = exit_diag(&d);
    assembly_free(a);
    return code;
}

/* What this machine can do for the lab of one run. */
static int check_lab_of(const struct experiment *e, uint32_t number, bool json) {
    struct diag d = {0};
    if (number > e->n_runs) return exit_no_run(number, e->n_runs);
    pause_classes_of_all(&e->run[number - 1].config);
    struct assembly *a = assembly_create_network(&e->run[number - 1].config, e->base_dir, &d);
    int code = a ? check_lab(&a->world, json) : exit_diag(&d);
    assembly_free(a);
    return code;
}

#define T struct check_request

static int check_run(void *request) {
    struct check_request *q = request;
    if (!q->experiment.file && q->lab) return check_lab(NULL, q->json);
    if (!q->experiment.file) return exit_usage("FILE.yaml is missing; write heddle check FILE.yaml");
    struct experiment *e = experiment_request_open(&q->experiment);
    if (!e) return 2;
    int code = q->lab ? check_lab_of(e, q->run, q->json) : check(e, q);
    experiment_free(e);
    return code;
}

const struct command command_check = {
    .name = "check",
    .purpose = "validate an experiment and print its settings and what it needs",
    .about =
        "Validates all runs of the experiment and starts none. Prints the effective configuration of one run with "
        "all defaults, and what follows from it: hosts, switches, links, equal-cost paths, the round trip of an "
        "idle fabric, arrival rates, and the memory and packet-hops that a run needs. What it prints is itself an "
        "experiment file.\n\n"
        "With --ranks-per-run it also shows the part of each rank, the links between ranks, the length of a window, "
        "and the messages and bytes that the ranks are expected to send in a window (docs/scale.md has the "
        "formula).\n\n"
        "With --lab it tests instead whether this machine can run labs, and prints one line for each ability, with "
        "the remedy if it is missing. With FILE.yaml too, the abilities that this run needs are required. Some "
        "tests need root.",
    .arguments = (const struct argument[]){EXPERIMENT_ARGUMENT_OPTIONAL(T), {0}},
    .options = (const struct option_row[]){EXPERIMENT_OPTIONS(T),
                                           NUMBER(T, run, "run", 0, "N", 1, UINT32_MAX, 1, "the run that is printed"),
                                           NUMBER(T, ranks, "ranks-per-run", 0, "K", 1, RANKS_PER_RUN_MAX, 1,
                                                  "shows how K ranks divide the fabric, and what they send each other"),
                                           NUMBER(T, threads, "threads", 0, "N", 1, MAX_THREADS, 0,
                                                  "threads of each run, or of each of its ranks"),
                                           FLAG(T, lab, "lab", 0, "tells what this machine can do for heddle lab"),
                                           FLAG(T, json, "json", 0,
                                                "prints one JSON object: sizes and costs; with --lab, what "
                                                "was found"),
                                           EXPERIMENT_FORCE(T),
                                           {0}},
    .exits = (const struct exit_row[]){{0, "done; with --lab: all that is needed is there"},
                                       {1, "with --lab: something that is needed is missing"},
                                       {2, "usage or configuration error: one line on standard error names the remedy"},
                                       {3, "standard output could not be written"},
                                       {0, NULL}},
    .examples =
        (const struct example_row[]){{"check first.yaml", "is the file right, and how long will it take?"},
                                     {"check first.yaml --run 3", "the settings of the third run"},
                                     {"check large.yaml --ranks-per-run 4", "what would four ranks send each other?"},
                                     {"check --lab", "can this machine have labs, and of which transports?"},
                                     {0}},
    .see = "run list show lab-up",
    .request_size = sizeof(T),
    .run = check_run,
};
