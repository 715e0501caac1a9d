#include "base/memory.h"
#include "base/units.h"
#include "mech/balance/balance.h"
#include "mech/flowctl/flowctl.h"
#include "mech/transport/transport.h"
#include "study/config.h"
#include "study/schema.h"
#include "study/schema_rows.h"
#include "study/schemes.h"
#include "wire/credit_header.h"

#include <stdlib.h>
#include <string.h>

#define CREDITS "host.transport=expresspass|spraypass"
static const char *admit_by_transport(const void *input);
static const char *ecn_by_transport(const void *input);
static const char *phantom_by_transport(const void *input);
static const char *full_by_flowctl(const void *input);
static const char *spread_by_transport(const void *input);

#define KINDS "clos|leaf-spine|fat-tree|star|dumbbell|parking-lot|file"

static const struct row rows[] = {
    {TEXT("title", "none", "what the experiment is about"), NULL},
    {TEXT("scheme", "none",
          "a named combination of mechanisms (`heddle list schemes`); the blocks below override parts"),
     NULL},

    {MAP("fabric", "the topology"), NULL},
    {TEXT("fabric.preset", "none", "a named fabric (`heddle list presets`); the keys below override parts"), NULL},
    {CHOICE("fabric.kind", NULL, KINDS, "its kind"), NULL},
    {COUNT("fabric.pods", NULL, 1, MAX_COUNT, "pods"), "kind=clos"},
    {COUNT("fabric.tors", NULL, 1, MAX_COUNT, "ToRs per pod"), "kind=clos"},
    {COUNT("fabric.aggs", NULL, 1, MAX_COUNT, "aggs per pod; as many core planes"), "kind=clos"},
    {COUNT("fabric.cores", NULL, 1, MAX_COUNT, "cores per plane"), "kind=clos"},
    {COUNT("fabric.leaves", NULL, 1, MAX_COUNT, "leaf switches"), "kind=leaf-spine"},
    {COUNT("fabric.spines", NULL, 1, MAX_COUNT, "spine switches"), "kind=leaf-spine"},
    {COUNT("fabric.hosts", NULL, 1, MAX_COUNT, "hosts per ToR or leaf; star: hosts in all"),
     "kind=clos|leaf-spine|star"},
    {COUNT("fabric.k", NULL, 2, 1024, "ports of every switch, an even number"), "kind=fat-tree"},
    {COUNT("fabric.pairs", NULL, 1, MAX_COUNT, "senders on the left, receivers on the right"), "kind=dumbbell"},
    {COUNT("fabric.bottlenecks", NULL, 1, MAX_COUNT, "links between switches in a row"), "kind=parking-lot"},
    {{.path = "fabric.path", .kind = KEY_FILE, .param.doc = "an adjacency in YAML: nodes and links"}, "kind=file"},
    {RATE("fabric.rate", "10Gbps", "of every link"), NULL},
    {RATE("fabric.host_rate", "=rate", "of links between hosts and switches"), NULL},
    {RATE("fabric.uplink_rate", "=rate", "of links between ToRs and aggs, leaves and spines, switches in a row"),
     "kind=clos|leaf-spine|fat-tree|dumbbell|parking-lot"},
    {RATE("fabric.core_rate", "=rate", "of links between aggs and cores"), "kind=clos|fat-tree"},
    {TIME("fabric.delay", "2us", 0, "propagation delay of every link"), NULL},
    {TIME("fabric.host_link_delay", "=delay", 0, "of links between hosts and switches"), NULL},
    {TIME("fabric.uplink_delay", "=delay", 0, "of links between ToRs and aggs, leaves and spines, switches in a row"),
     "kind=clos|leaf-spine|fat-tree|dumbbell|parking-lot"},
    {TIME("fabric.core_delay", "=delay", 0, "of links between aggs and cores"), "kind=clos|fat-tree"},
    {LIST("fabric.links", "links that differ from the rest"), NULL},
    {TEXT("fabric.links.#.match", NULL, "names of both ends, with * and ?: agg0.1-*"), NULL},
    {RATE("fabric.links.#.rate", "none", "their rate"), NULL},
    {TIME("fabric.links.#.delay", "none", 0, "their propagation delay"), NULL},
    {VALUE("fabric.links.#.loss", PARAM_FRACTION, "none", 0, PPB, "share of frames lost on the wire"), NULL},
    {LIST("fabric.failed", "links that fail, or get slower or lossy, at a time"), NULL},
    {TEXT("fabric.failed.#.link", NULL, "the link: agg0.1-core1.0, parallel ones leaf0-spine1#1"), NULL},
    {TIME("fabric.failed.#.at", "0us", 0, "when"), NULL},
    {TIME("fabric.failed.#.repair_at", "none", 0, "when it is whole again"), NULL},
    {TIME("fabric.failed.#.detect", "0us", 0, "how much later ports show it and routing withdraws"), NULL},
    {RATE("fabric.failed.#.rate", "none", "no failure but this rate"), NULL},
    {VALUE("fabric.failed.#.loss", PARAM_FRACTION, "none", 1, PPB, "no failure but this share of frames lost"), NULL},
    {LIST("fabric.fail_random", "links drawn at random (by run.seed) that fail"), NULL},
    {CHOICE("fabric.fail_random.#.tier", NULL, "tor-agg|agg-core|leaf-spine", "among which links"), NULL},
    {COUNT("fabric.fail_random.#.pod", "none", 0, MAX_COUNT, "only in this pod"), NULL},
    {COUNT("fabric.fail_random.#.links", NULL, 0, MAX_COUNT, "how many"), NULL},
    {COUNT("fabric.fail_random.#.max_per_switch", "0", 0, MAX_COUNT, "at most so many per switch; 0 = no limit"), NULL},
    {TIME("fabric.fail_random.#.at", "0us", 0, "when"), NULL},
    {TIME("fabric.fail_random.#.repair_at", "none", 0, "when they are whole again"), NULL},
    {TIME("fabric.fail_random.#.detect", "0us", 0, "how much later ports show it and routing withdraws"), NULL},

    {MAP("host", "the end systems; the parameters of the transport may stand here or in a block of its name"), NULL},
    {CHOICE("host.transport", "newreno", NULL, "how flows are carried (`heddle list transports`)"), NULL},
    {CHOICE(
         "host.nic", "pull", "pull|fifo",
         "pull: the NIC asks flows in turn for a frame; fifo: a queue before the wire for each of switch.classes, the "
         "higher first, that holds the transports when it is full"),
     NULL},
    {VALUE("host.nic_queue", PARAM_QUEUE, "1518KB", 1518, INT64_MAX / 2,
           "what a queue holds of frame bytes, or of frames (100 frames), before it stops taking"),
     "nic=fifo"},
    {{.path = "host.credit_spread",
      .kind = KEY_VALUE,
      .def = "8B with spraypass and the schemes of ExpressPass 2017, else 0B",
      .derive = spread_by_transport,
      .param = {.type = PARAM_BYTES,
                .min = 0,
                .max = CREDIT_SPREAD_MAX,
                .doc =
                    "each credit's wire bytes are drawn from 84 +- that many, which limiters charge: equal sizes and "
                    "clocks keep their phase for ever [AM-20]"}},
     CREDITS},
    {VALUE("host.void_credits", PARAM_BOOL, "false", 0, 1,
           "answer each 1538 B that came without a credit (requests, unscheduled data, TCP, UDP) with a credit that "
           "admits nothing, so that queues drain [ExpressPass 4 (XP-23)]"),
     CREDITS},
    {TIME("host.jitter", "0us", 0,
          "most that a frame waits between its transport and the NIC, drawn uniformly for each; frames of a host keep "
          "their order"),
     NULL},
    {TIME("host.processing_delay", "0us", 0, "per traversal of the stack, each way"), NULL},

    {MAP("switch", "the switches; the parameters of a balancer stand in a block of its name"), NULL},
    {CHOICE("switch.balance", "ecmp", NULL, "which of the equal-cost next hops a frame takes (`heddle list balance`)"),
     NULL},
    {{.path = "switch.admit",
      .kind = KEY_VALUE,
      .def = "what the transports need",
      .derive = admit_by_transport,
      .param = {.type = PARAM_CHOICE,
                .choices = "droptail|ecn|phantom",
                .doc =
                    "what a port takes in: until full, marking above a threshold of its queue, or of a phantom queue"}},
     NULL},
    {VALUE("switch.ecn_threshold", PARAM_BYTES, "none", 1, INT64_MAX / 2,
           "mark frames that find more frame bytes queued; at every rate"),
     "admit=ecn"},
    {{.path = "switch.ecn_threshold_per_10g",
      .kind = KEY_VALUE,
      .def = "what the transports need, else 99970B",
      .derive = ecn_by_transport,
      .param = {.type = PARAM_BYTES,
                .min = 1,
                .max = INT64_MAX / 2,
                .doc = "the same, per 10 Gbps of the port's rate; without ecn_threshold"}},
     "admit=ecn"},
    {{.path = "switch.phantom_threshold_per_10g",
      .kind = KEY_VALUE,
      .def = "what the transports need, else 10KB",
      .derive = phantom_by_transport,
      .param = {.type = PARAM_BYTES,
                .min = 1,
                .max = INT64_MAX / 2,
                .doc = "mark frames that find more wire bytes in the phantom queue; per 10 Gbps of the port's rate"}},
     "admit=phantom"},
    {VALUE("switch.phantom_drain", PARAM_FRACTION, "95%", 1, PPB,
           "of the link's rate, at which a phantom queue drains"),
     "admit=phantom"},
    {CHOICE("switch.schedule", "fifo", "fifo|strict|drr", "in which order classes leave"), NULL},
    {COUNT("switch.classes", "1", 1, 8, "classes of a port; a frame's is its priority, at most classes - 1"), NULL},
    {VALUE("switch.class_reserve", PARAM_BYTES, "0B", 0, 1LL << 40,
           "of the buffer of a port without a crossbar, kept for each class from the others; what is left they share"),
     "switch.schedule=strict|drr"},
    {VALUE("switch.drr_quantum", PARAM_BYTES, "1518B", 64, 1 << 30, "frame bytes a class may send per turn"),
     "schedule=drr"},
    {COUNT("switch.credit_queue", "16", 1, 1000000, "credits a port holds; more are dropped"), CREDITS},
    {VALUE("switch.credit_share", PARAM_FRACTION, "0.051787916", 1, PPB,
           "of a link's rate that its credits may take; 84/1622, so that their data fill the rest"),
     CREDITS},
    {VALUE("switch.credit_burst", PARAM_BYTES, "168B", 84, 1 << 30, "wire bytes of credits that may leave at once"),
     CREDITS},
    {COUNT("switch.credit_mark_window", "4", 0, 1000000,
           "credits over which the share of dropped ones is counted, N_cdt; only for transports with marked credits"),
     CREDITS},
    {TIME("switch.credit_mark_stale", "none", 1, "without a credit for that long the share counts as 0"), CREDITS},
    {VALUE("switch.unscheduled_limit", PARAM_BYTES, "6072B", 0, 1LL << 40,
           "data sent without a credit that finds more frame bytes queued is dropped"),
     CREDITS},
    {VALUE("switch.record_path", PARAM_BOOL, "false", 0, 1,
           "credits note which way the balancer sent them, and their data go back the same way"),
     CREDITS},
    {VALUE("switch.push_out", PARAM_BOOL, "false", 0, 1,
           "a frame that finds its egress queue full pushes out the newest frame of a lower class"),
     "switch.crossbar=islip"},
    {CHOICE("switch.crossbar", "output-queued", "output-queued|islip", "how frames get from ingress to egress"), NULL},
    {MAP("switch.islip", "parameters of the crossbar"), "switch.crossbar=islip"},
    {COUNT("switch.islip.iterations", "4", 1, 64, "of the matching"), "switch.crossbar=islip"},
    {COUNT("switch.islip.speedup", "4", 1, 64, "of the crossbar over the links"), "switch.crossbar=islip"},
    {VALUE("switch.islip.ingress", PARAM_BYTES, "131072B", 1538, 1LL << 40, "frame bytes an ingress port holds"),
     "switch.crossbar=islip"},
    {VALUE("switch.islip.reserve", PARAM_BYTES, "6120B", 0, 1LL << 40,
           "of the egress queue, kept for each class from those below it; where frames are held"),
     "switch.crossbar=islip"},
    {TIME("switch.islip.forward_delay", "0us", 0, "of the forwarding engine"), "switch.crossbar=islip"},
    {{.path = "switch.islip.full",
      .kind = KEY_VALUE,
      .def = "hold under flow control, else drop",
      .derive = full_by_flowctl,
      .param = {.type = PARAM_CHOICE,
                .choices = "hold|drop",
                .doc = "a full egress queue holds frames in the ingress queue, or drops what has crossed"}},
     "switch.crossbar=islip"},
    {CHOICE("switch.flowctl", "none", "none|pause|pfc", "flow control between neighbours (`heddle list flowctl`)"),
     NULL},
    {CHOICE("switch.headroom", "exact", FLOWCTL_HEADROOM_CHOICES,
            "what pause thresholds leave room for: all that may still arrive, or what DeTail's equation counts of it"),
     "switch.flowctl=pause|pfc"},
    {COUNT("switch.pause_classes", "none", 1, 8,
           "classes among which thresholds divide the ingress queue; none: as many as can be paused"),
     "switch.flowctl=pause|pfc"},
    {CHOICE("switch.pause_preset", "none", "none|by-rate",
            "by-rate: switch.islip.ingress as the fastest link needs it, 131072B below 10Gbps, from there on "
            "pause_classes "
            "(by default 2) times twice the response and a largest frame"),
     "switch.flowctl=pause|pfc"},
    {VALUE("switch.pause_above", PARAM_BYTES, "none", 1, 1LL << 40, "pause above so many bytes; none: computed"),
     "switch.flowctl=pause|pfc"},
    {VALUE("switch.release_below", PARAM_BYTES, "none", 1, 1LL << 40, "go on below so many bytes; none: computed"),
     "switch.flowctl=pause|pfc"},
    {TIME("switch.transceiver_delay", "0us", 0, "of each end of a link, where fabric.delay leaves it out"),
     "switch.flowctl=pause|pfc"},
    {TIME("switch.pause_reaction", "none", 0, "from a pause frame to its effect; none: by the link's rate"),
     "switch.flowctl=pause|pfc"},
    {TIME(
         "switch.pause_storm", "100ms", 1,
         "a class paused that long without a break counts as a pause storm; rings of ports paused that long are found"),
     "switch.flowctl=pause|pfc"},
    {VALUE("switch.buffer", PARAM_BYTES, "none", 64, 1LL << 40,
           "frame bytes an egress port holds; none: 225KB for each 10Gbps of its rate, at least 225KB"),
     NULL},

    {MAP("run", "one run"), NULL},
    {COUNT("run.seed", "1", 0, INT64_MAX, "of all random streams"), NULL},
    {TIME("run.until", "none", 1, "end of simulated time; none: when every flow has finished"), NULL},

    {MAP("measure", "what is observed; nothing here changes what happens"), NULL},
    {TIME("measure.from", "0us", 0,
          "flows that start earlier are left out; utilisation and goodput of hosts count from it"),
     NULL},
    {LIST("measure.starts", "[20%, 80%]: keep the flows of that part of the arrivals; all by default"), NULL},
    {VALUE("measure.starts.#", PARAM_FRACTION, NULL, 0, PPB, "a share of the arrivals"), NULL},
    {LIST("measure.classes", "ascending sizes, at most 7, that part flows into classes of FCT and slowdown"), NULL},
    {VALUE("measure.classes.#", PARAM_BYTES, NULL, 1, INT64_MAX, "where a class begins and the one before it ends"),
     NULL},
    {TIME("measure.queues", "none", 1, "period of samples of queues"), NULL},
    {TIME("measure.links", "none", 1, "period of samples of link utilisation"), NULL},
    {TIME("measure.pauses", "none", 1, "period of samples of paused classes of links"), "switch.flowctl=pause|pfc"},
    {TIME("measure.imbalance", "10ms", 1, "period of throughput imbalance"), NULL},
    {VALUE("measure.imbalance_min_load", PARAM_FRACTION, "5%", 0, PPB,
           "intervals count in which the uplinks of the switch carried that share of what they can, and more"),
     NULL},
    {TIME("measure.goodput", "none", 1,
          "period of samples of what each host receives, and intervals of the variation of flows"),
     NULL},
    {LIST("measure.jain", "intervals for Jain's fairness index of flows, up to six"), NULL},
    {TIME("measure.jain.#", NULL, 1, "an interval"), NULL},
    {MAP("measure.convergence", "time from a join of flows until all have their share"), NULL},
    {VALUE("measure.convergence.band", PARAM_FRACTION, "10%", 1, PPB, "how far a rate may be from the fair share"),
     NULL},
    {TIME("measure.convergence.interval", "none", 1, "over which rates are taken; none: not measured"), NULL},
    {LIST("measure.watch", "links whose use is summed up as links.watch"), NULL},
    {TEXT("measure.watch.#", NULL, "leaf0-leaf1: the busier direction; leaf0->leaf1: this one; with * and ?"), NULL},
    {LIST("measure.flow", "flows whose timeline is stored, by number"), NULL},
    {COUNT("measure.flow.#", NULL, 0, UINT32_MAX - 1, "a flow's number"), NULL},
    {LIST("measure.pcap", "nodes whose ports are captured into a pcapng each"), NULL},
    {TEXT("measure.pcap.#", NULL, "a node: tor0.0"), NULL},
    {VALUE("measure.snap", PARAM_BYTES, "128B", 64, 65535, "bytes kept of each captured frame"), NULL},
    {COUNT("measure.max_samples", "1000000", 2, 1000000000, "above it every second sample is dropped"), NULL},

    {MAP("clairvoyant", "what Clairvoyant sees"), NULL},
    {TIME("clairvoyant.epoch", "1us", 1000, "how often the board of link loads is renewed"),
     "switch.balance=clairvoyant"},

    {MAP("sweep", "KEY: [values]; every combination is a run, the last key fastest"), NULL},
    {MAP("profiles", "NAME: {keys}; laid over the experiment by --profile NAME"), NULL},
    {LIST("expect", "claims about the results"), NULL},
    {TEXT("expect.#.claim", NULL, "its name, printed with the outcome"), NULL},
    {TEXT("expect.#.metric", NULL, "a path of the --json object: fct_us.mice.p95"), NULL},
    {ANY("expect.#.of", "{KEY: value}: the runs that are measured; all by default"), NULL},
    {ANY("expect.#.against", "{KEY: value}: the runs they are compared with; what it leaves out is as in `of`"), NULL},
    {ANY("expect.#.than", "{KEY: value}: the figure is compared with the same one there: figure less figure there"),
     NULL},
    {ANY("expect.#.each", "a swept key (or several, or {KEY: [values]}): one outcome for each value"), NULL},
    {ANY("expect.#.change", "[low, high] of (of - against) / against; null leaves an end open"), NULL},
    {ANY("expect.#.value", "[low, high] of the metric"), NULL},
    {ANY("expect.#.ratio", "[low, high] of of / against"), NULL},
    {ANY("expect.#.difference", "[low, high] of of - against"), NULL},
    {VALUE("expect.#.every", PARAM_BOOL, "false", 0, 1, "each run must lie in the range; needs no standard error"),
     NULL},
    {TEXT("expect.#.roughly", "none",
          "why the range is wider than the paper's number: the verdict is at best 'roughly'"),
     NULL},
    {TEXT("expect.#.paper", "none", "what the paper says"), NULL},
    {LIST("expect.#.known", "verdicts other than 'holds' and what was measured (`scripts/record` writes them)"), NULL},
    {CHOICE("expect.#.known.#.holds", NULL, "true|roughly|false|undecided|unmeasured", "the verdict here"), NULL},
    {ANY("expect.#.known.#.measured", "[low, high] that was measured"), NULL},
    {TEXT("expect.#.known.#.note", "none", "why"), NULL},
    {TEXT("expect.#.known.#.profile", "none", "for runs of this profile only; full: without a profile"), NULL},
    {ANY("expect.#.known.#.where", "{KEY: value}: for this part of `each` only"), NULL},
};

/* ---- what depends on the transports ---- */

/* Of two thresholds the lower one: all get their signal. */
static int64_t lower_threshold(int64_t a, int64_t b) { return a > 0 && (b <= 0 || a < b) ? a : b; }

static void needs_add(struct port_needs *sum, const char *transport) {
    const struct transport_ops *t = transport ? transport_find(transport) : NULL;
    if (!t) return;
    sum->ecn |= t->needs.ecn;
    sum->ecn_bytes = lower_threshold(sum->ecn_bytes, t->needs.ecn_bytes);
    sum->phantom_bytes_per_10g = lower_threshold(sum->phantom_bytes_per_10g, t->needs.phantom_bytes_per_10g);
}

static void needs_add_entry(struct port_needs *sum, const struct tree_node *entry) {
    const struct tree_node *t = tree_get(entry, "transport");
    if (t && t->kind == TREE_SCALAR) needs_add(sum, t->text);
}

/* Of the hosts' transport and of those that entries of the workload name. */
static struct port_needs needs_of(const struct config_input *in) {
    struct port_needs sum = {0};
    const struct tree_node *workload = tree_get(in->root, "workload");
    needs_add(&sum, config_input_text(in, "host.transport"));
    needs_add_entry(&sum, workload); /* one without brackets */
    for (size_t i = 0; workload && workload->kind == TREE_LIST && i < workload->n; i++)
        needs_add_entry(&sum, workload->item[i]);
    return sum;
}

static const char *admit_by_transport(const void *input) {
    struct port_needs needs = needs_of(input);
    return needs.phantom_bytes_per_10g ? "phantom" : needs.ecn ? "ecn" : "droptail";
}

static const char *spread_by_transport(const void *input) {
    const char *transport = config_input_text(input, "host.transport");
    return transport && strcmp(transport, "spraypass") == 0 ? "8B" : "0B";
}

static const char *phantom_by_transport(const void *input) {
    static char text[32];
    int64_t bytes = needs_of(input).phantom_bytes_per_10g;
    snprintf(text, sizeof text, "%lldB", (long long)(bytes > 0 ? bytes : 10000)); /* 1 KB per Gbps (CLAIMS AM-12) */
    return text;
}

static const char *ecn_by_transport(const void *input) {
    static char text[32];
    int64_t bytes = needs_of(input).ecn_bytes;
    if (bytes <= 0) return "99970B"; /* 65 full frames of 1538 B (CLAIMS AM-12) */
    snprintf(text, sizeof text, "%lldB", (long long)bytes);
    return text;
}

static const char *full_by_flowctl(const void *input) {
    const char *flowctl = config_input_text(input, "switch.flowctl");
    return flowctl && strcmp(flowctl, "none") != 0 ? "hold" : "drop";
}

/* ---- the whole table ---- */

static struct key *keys;
static size_t n_keys;

static char *text_format(const char *fmt, const char *a, const char *b, const char *c) {
    char *text = NULL;
    if (asprintf(&text, fmt, a, b, c) < 0) abort();
    return text;
}

static struct key *keys_add(struct key k) {
    keys = memory_grow(keys, n_keys + 1, sizeof *keys);
    keys[n_keys] = k;
    return &keys[n_keys++];
}

static const char *default_print(const struct param *p) {
    char buf[128];
    return strdup(param_print(p, p->def, buf, sizeof buf));
}

/* Rows "host.newreno" and "host.newreno.min_rto" of one mechanism. */
static void mechanism_add(const char *block, const char *deciding, const char *name, const char *doc,
                          const struct param *params, size_t n) {
    if (n == 0) return;
    const char *path = text_format("%s.%s", block, name, NULL), *when = text_format("%s=%s", deciding, name, NULL);
    keys_add((struct key){.path = path, .kind = KEY_MAP, .param.doc = doc, .when = when, .optional_block = true});
    for (size_t i = 0; i < n; i++) {
        keys_add((struct key){.path = text_format("%s.%s", path, params[i].name, NULL),
                              .kind = KEY_VALUE,
                              .param = params[i],
                              .def = default_print(&params[i]),
                              .when = when,
                              .optional_block = true});
    }
}

/* After the last row of `host` and of `switch` come their mechanisms. */
static void mechanisms_add(const char *last_path) {
    size_t n;
    if (strcmp(last_path, "host.processing_delay") == 0) {
        const struct transport_ops *const *t = transports(&n);
        for (size_t i = 0; i < n; i++)
            mechanism_add("host", "transport", t[i]->name, t[i]->doc, t[i]->params, t[i]->n_params);
    }
    if (strcmp(last_path, "switch.buffer") == 0) {
        const struct balancer_ops *const *b = balancers(&n);
        for (size_t i = 0; i < n; i++)
            mechanism_add("switch", "balance", b[i]->name, b[i]->doc, b[i]->params, b[i]->n_params);
    }
}

/* "ecmp|expeditus|...", kept for the life of the process. */
static const char *balance_choices(void) {
    char *text = NULL;
    size_t size = 0, n;
    FILE *out = open_memstream(&text, &size);
    const struct balancer_ops *const *b = balancers(&n);
    for (size_t i = 0; i < n; i++) fprintf(out, "%s%s", i ? "|" : "", b[i]->name);
    fclose(out);
    return text;
}

static const char *transport_choices(void) {
    char *text = NULL;
    size_t size = 0, n;
    FILE *out = open_memstream(&text, &size);
    const struct transport_ops *const *t = transports(&n);
    for (size_t i = 0; i < n; i++) fprintf(out, "%s%s", i ? "|" : "", t[i]->name);
    fclose(out);
    return text;
}

static void choices_fill(struct key *k) {
    if (k->kind != KEY_VALUE || k->param.type != PARAM_CHOICE || k->param.choices) return;
    k->param.choices = strcmp(k->path, "switch.balance") == 0 ? balance_choices() : transport_choices();
}

static void row_add(const struct row *r) {
    struct key *k = keys_add(r->key);
    k->when = r->when;
    choices_fill(k);
    mechanisms_add(r->key.path);
}

/* What is sent stands before the run. */
static void keys_build(void) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t k = 0; strcmp(rows[i].key.path, "run") == 0 && k < n_workload_rows; k++) row_add(&workload_rows[k]);
        row_add(&rows[i]);
    }
    for (size_t i = 0; i < n_figure_rows; i++) row_add(&figure_rows[i]);
}

const struct key *schema_keys(size_t *n) {
    if (!keys) keys_build();
    *n = n_keys;
    return keys;
}

/* Do the parts of `path` fit the pattern? A # takes a number, or nothing. */
static bool path_fits(const char *pattern, const char *path) {
    while (*pattern) {
        size_t length = strcspn(path, "."), wanted = strcspn(pattern, ".");
        bool is_item = wanted == 1 && *pattern == '#';
        if (is_item && *path == '#' && length == 1) is_item = false;
        bool number = length > 0 && strspn(path, "0123456789") == length;
        if (is_item ? number : length == wanted && memcmp(pattern, path, length) == 0) {
            path += length + (path[length] == '.');
        } else if (!is_item) {
            return false;
        }
        pattern += wanted + (pattern[wanted] == '.');
    }
    return *path == '\0';
}

const struct key *schema_find(const char *path) {
    size_t n;
    const struct key *k = schema_keys(&n);
    for (size_t i = 0; i < n; i++) {
        if (path_fits(k[i].path, path)) return &k[i];
    }
    return NULL;
}

const char *key_name(const struct key *k) {
    const char *dot = strrchr(k->path, '.');
    return dot ? dot + 1 : k->path;
}

bool key_is_child(const struct key *k, const char *parent) {
    size_t length = strlen(parent);
    const char *rest = k->path;
    if (length) {
        if (strncmp(k->path, parent, length) != 0 || k->path[length] != '.') return false;
        rest += length + 1;
    }
    return strchr(rest, '.') == NULL;
}

const char *path_join(char out[KEY_PATH_MAX], const char *parent, const char *name) {
    size_t used = 0;
    const char *const part[] = {parent, parent[0] ? "." : "", name};
    for (size_t i = 0; i < 3; i++) {
        for (const char *c = part[i]; *c && used + 1 < KEY_PATH_MAX; c++) out[used++] = *c;
    }
    out[used] = '\0';
    return out;
}

const char *path_item(char out[KEY_PATH_MAX], const char *list, size_t index) {
    char number[24];
    snprintf(number, sizeof number, "%zu", index);
    return path_join(out, list, number);
}
