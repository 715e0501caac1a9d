/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/schemes.h"

#include <string.h>

/* AM-24, AM-34: the paper was simulated on ns-3, whose devices hold 100 frames. Here a NIC holds 100 of each class. */
#define NIC_NS3                                                                                                        \
    {"host.nic", "fifo"}, { "host.nic_queue", "100 frames" }
/* AM-14: a NIC holds 1,000 frames before the wire. */
#define NIC_1000                                                                                                       \
    {"host.nic", "fifo"}, { "host.nic_queue", "1518KB" }
/* A scheme names a design. The NIC that its paper used is set by the experiment instead (experiments/expeditus). */
#define NIC_PULLS                                                                                                      \
    { "host.nic", "pull" }

/* DeTail 7.1 (DT-2, DT-3, DT-22, AM-2): the settings that all its environments share, at 1 Gbps. FIN closes the
 * connection of a query. */
#define DETAIL_SWITCH                                                                                                  \
    {"switch.crossbar", "islip"}, {"switch.buffer", "131072B"}, {"switch.islip.forward_delay", "3100ns"},              \
        {"host.transport", "newreno"}, {"host.newreno.initial_window", "3"},                                           \
        {"host.newreno.receive_window", "65535B"}, {"host.newreno.fin", "true"}, NIC_NS3
#define DETAIL_RTO(rto)                                                                                                \
    {"host.newreno.min_rto", rto}, { "host.newreno.initial_rto", rto }
#define DETAIL_CLASSES                                                                                                 \
    {"switch.classes", "8"}, { "switch.schedule", "strict" }
#define DETAIL_PAUSES(kind, headroom, classes)                                                                         \
    {"switch.flowctl", kind}, {"switch.headroom", headroom}, {"switch.pause_classes", classes}, DETAIL_RTO("50ms"), {  \
        "host.newreno.fast_retransmit", "false"                                                                        \
    }
/* AM-50 (inferred from Figures 5 to 9): thresholds for the classes that carry frames, with room for all that may arrive. */
#define DETAIL_FLOWCTL(kind) DETAIL_PAUSES(kind, "exact", "used")
/* DT-11: the thresholds that the paper prints, for eight classes; with 802.3x the same, so that the schemes differ only
 * in what is paused. */
#define DETAIL_PRINTED(kind) DETAIL_PAUSES(kind, "paper", "8")

/* Credits as in the authors' scripts (AM-20): sizes of 76 to 92 B, a queue of 8, gaps +-10 % (jitter 0.2). */
#define DRAWN_CREDITS                                                                                                  \
    {"switch.credit_queue", "8"}, { "host.credit_spread", "8B" }
#define EXPRESSPASS                                                                                                    \
    {"switch.balance", "ecmp"}, {"switch.ecmp.hash", "symmetric"}, {"host.transport", "expresspass"}, NIC_PULLS
/* AM-36: uniform random dropping is the property that the feedback of 2016 relies on. The printed means, a drop-tail queue and
 * jitter, does not have it, in the authors' own simulator either. */
#define EXPRESSPASS_RANDOM                                                                                             \
    EXPRESSPASS, { "switch.credit_drop", "random" }
#define EXPRESSPASS_DRAWN                                                                                              \
    EXPRESSPASS, DRAWN_CREDITS, {"host.expresspass.jitter", "0.2"}, { "host.expresspass.initial_rate", "0.5" }
#define SPRAYPASS                                                                                                      \
    {"switch.balance", "ecmp"}, {"switch.ecmp.hash", "symmetric"}, {"host.transport", "spraypass"}, NIC_PULLS,         \
        DRAWN_CREDITS

/* AM-55, ours. Under Algorithm 1 a third and more of all credits are dropped, so two spare ones are too few for a short flow
 * beside long ones (experiments/expresspass/extension-sized.yaml). */
#define EXPRESSPASS_SIZED                                                                                              \
    EXPRESSPASS_RANDOM, {"host.expresspass.credit_end", "size"}, { "host.expresspass.credit_spare", "16" }

/* AM-48: SprayPass's figures come out with the rule that its authors' baseline ran, not with the printed listing. */
#define SPRAYPASS_RELEASED                                                                                             \
    { "host.spraypass.feedback", "released" }

static const struct scheme scheme_table[] = {
    {"ecmp",
     "Expeditus 6.1",
     "static hashing of flows over equal-cost paths, TCP NewReno",
     SCHEME_COMPARE,
     {{"switch.balance", "ecmp"}, {"host.transport", "newreno"}, NIC_PULLS}},
    {"expeditus",
     "Expeditus",
     "congestion-aware choice of the path of each flow by ToRs and aggs, TCP NewReno",
     SCHEME_TAKE,
     {{"switch.balance", "expeditus"}, {"host.transport", "newreno"}, NIC_PULLS}},
    {"clairvoyant",
     "Expeditus 6.1",
     "the best of all paths for each new flow, with full knowledge of link loads, TCP NewReno",
     SCHEME_COMPARE,
     {{"switch.balance", "clairvoyant"}, {"host.transport", "newreno"}, NIC_PULLS}},
    {"conga-flow",
     "Expeditus 6.1",
     "CONGA per flow instead of per flowlet, for leaf-spine fabrics, TCP NewReno",
     SCHEME_COMPARE,
     {{"switch.balance", "conga-flow"}, {"host.transport", "newreno"}, NIC_PULLS}},
    {"dctcp",
     "ExpressPass",
     "static hashing, DCTCP with marking at 65 frames per 10 Gbps",
     SCHEME_COMPARE,
     {{"switch.balance", "ecmp"}, {"host.transport", "dctcp"}, NIC_1000}},
    {"hull",
     "ExpressPass",
     "static hashing, HULL: DCTCP on phantom queues of 1 KB per Gbps",
     SCHEME_COMPARE,
     {{"switch.balance", "ecmp"}, {"host.transport", "hull"}, NIC_1000}},
    {"dx",
     "ExpressPass",
     "static hashing, DX: windows by one-way queueing delay",
     SCHEME_COMPARE,
     {{"switch.balance", "ecmp"}, {"host.transport", "dx"}, NIC_1000}},
    {"expresspass",
     "ExpressPass 2016",
     "credits over symmetric hashing, feedback of 2016 (Algorithm 1), a full credit queue drops any of its credits",
     SCHEME_FIGURE,
     {EXPRESSPASS_RANDOM}},
    {"expresspass-printed",
     "ExpressPass 2016",
     "the same as printed: a full credit queue drops the newcomer",
     SCHEME_READING,
     {EXPRESSPASS}},
    {"expresspass-literal",
     "ExpressPass 2016",
     "as printed and to the letter: no floor, and a period of silence is one without loss",
     SCHEME_READING,
     {EXPRESSPASS, {"host.expresspass.floor", "none"}, {"host.expresspass.empty", "success"}}},
    {"expresspass-2017",
     "ExpressPass 2017, SprayPass 4",
     "credits over symmetric hashing, feedback by the share of lost credits as its authors ran it",
     SCHEME_TAKE,
     {EXPRESSPASS_DRAWN, {"host.expresspass.feedback", "released"}}},
    {"expresspass-2017-printed",
     "ExpressPass 2017, SprayPass 4",
     "credits over symmetric hashing, feedback by the share of lost credits as SprayPass prints it",
     SCHEME_READING,
     {EXPRESSPASS_DRAWN, {"host.expresspass.feedback", "printed"}}},
    {"expresspass-naive",
     "ExpressPass 2.2",
     "credits always at the maximum rate, a full credit queue drops any of its credits",
     SCHEME_FIGURE,
     {EXPRESSPASS_RANDOM, {"host.expresspass.feedback", "naive"}}},
    {"expresspass-naive-printed",
     "ExpressPass 2.2",
     "credits always at the maximum rate, a full credit queue drops the newcomer",
     SCHEME_READING,
     {EXPRESSPASS, {"host.expresspass.feedback", "naive"}}},
    {"expresspass-sized",
     "ours",
     "expresspass with credits that end with the flow, 16 spare ones: requests tell its size",
     SCHEME_COMPARE,
     {EXPRESSPASS_SIZED}},
    {"spraypass-1",
     "SprayPass table II",
     "credits sprayed at random, feedback by the share of lost credits as ExpressPass 2017 ran it",
     SCHEME_FIGURE,
     {SPRAYPASS,
      SPRAYPASS_RELEASED,
      {"host.spraypass.signal", "losses"},
      {"host.spraypass.spray", "random"},
      {"host.spraypass.probing", "false"}}},
    {"spraypass-1-printed",
     "SprayPass table II",
     "the same with the feedback of the paper's Algorithm 1",
     SCHEME_READING,
     {SPRAYPASS,
      {"host.spraypass.signal", "losses"},
      {"host.spraypass.spray", "random"},
      {"host.spraypass.probing", "false"}}},
    {"spraypass-2",
     "SprayPass table II",
     "credits sprayed at random, sequence-free feedback",
     SCHEME_FIGURE,
     {SPRAYPASS, SPRAYPASS_RELEASED, {"host.spraypass.spray", "random"}, {"host.spraypass.probing", "false"}}},
    {"spraypass-2-printed",
     "SprayPass table II",
     "the same with the feedback of the paper's Algorithm 1",
     SCHEME_READING,
     {SPRAYPASS, {"host.spraypass.spray", "random"}, {"host.spraypass.probing", "false"}}},
    {"spraypass",
     "SprayPass",
     "credits sprayed uniformly, slow paths excluded, the feedback that ExpressPass 2017 ran with marks for losses",
     SCHEME_TAKE,
     {SPRAYPASS, SPRAYPASS_RELEASED}},
    {"spraypass-printed",
     "SprayPass",
     "the same with the feedback of the paper's Algorithm 1",
     SCHEME_READING,
     {SPRAYPASS}},
    {"spraypass-sized",
     "ours",
     "spraypass with credits that end with the flow: requests tell its size",
     SCHEME_COMPARE,
     {SPRAYPASS, SPRAYPASS_RELEASED, {"host.spraypass.credit_end", "size"}}},
    {"detail-baseline",
     "DeTail 7.1",
     "static hashing of flows, drop-tail switches with queues at both ends of a crossbar",
     SCHEME_COMPARE,
     {{"switch.balance", "ecmp"}, DETAIL_SWITCH, DETAIL_RTO("10ms")}},
    {"detail-priority",
     "DeTail 7.1",
     "the same with eight classes in strict priority",
     SCHEME_FIGURE,
     {{"switch.balance", "ecmp"}, DETAIL_SWITCH, DETAIL_RTO("10ms"), DETAIL_CLASSES, {"switch.push_out", "false"}}},
    {"detail-fc",
     "DeTail 7.1",
     "the baseline with pause frames for whole links",
     SCHEME_FIGURE,
     {{"switch.balance", "ecmp"}, DETAIL_SWITCH, DETAIL_FLOWCTL("pause")}},
    {"detail-priority-pfc",
     "DeTail 7.1",
     "eight classes, paused one by one",
     SCHEME_FIGURE,
     {{"switch.balance", "ecmp"}, DETAIL_SWITCH, DETAIL_CLASSES, DETAIL_FLOWCTL("pfc")}},
    {"detail-alb",
     "DeTail",
     "the baseline with adaptive load balancing of packets alone",
     SCHEME_COMPARE,
     {{"switch.balance", "alb"}, DETAIL_SWITCH, DETAIL_RTO("10ms")}},
    {"detail",
     "DeTail",
     "DeTail for links of 1 Gbps: eight classes, paused one by one, and adaptive load balancing of packets by drain "
     "bytes",
     SCHEME_TAKE,
     {{"switch.balance", "alb"}, DETAIL_SWITCH, DETAIL_CLASSES, DETAIL_FLOWCTL("pfc")}},
    {"detail-fc-printed",
     "DeTail 6.1",
     "detail-fc with the pause thresholds that the paper prints, for eight classes",
     SCHEME_READING,
     {{"switch.balance", "ecmp"}, DETAIL_SWITCH, DETAIL_PRINTED("pause")}},
    {"detail-priority-pfc-printed",
     "DeTail 6.1",
     "detail-priority-pfc with the pause thresholds that the paper prints, for eight classes",
     SCHEME_READING,
     {{"switch.balance", "ecmp"}, DETAIL_SWITCH, DETAIL_CLASSES, DETAIL_PRINTED("pfc")}},
    {"detail-printed",
     "DeTail 6.1",
     "detail with the pause thresholds that the paper prints, for eight classes",
     SCHEME_READING,
     {{"switch.balance", "alb"}, DETAIL_SWITCH, DETAIL_CLASSES, DETAIL_PRINTED("pfc")}},
    {"detail-fast",
     "DeTail",
     "DeTail for links of 10 Gbps and more: two classes, exact thresholds, ingress queues by the links' rate",
     SCHEME_TAKE,
     {{"switch.balance", "alb"},
      {"switch.crossbar", "islip"},
      {"switch.buffer", "225KB"},
      {"switch.classes", "2"},
      {"switch.schedule", "strict"},
      {"switch.flowctl", "pfc"},
      {"switch.headroom", "exact"},
      {"switch.pause_preset", "by-rate"},
      {"host.transport", "newreno"},
      DETAIL_RTO("50ms"),
      {"host.newreno.fast_retransmit", "false"},
      NIC_PULLS}},
};

static const struct scheme preset_table[] = {
    {"altoona",
     "Expeditus",
     "Facebook Altoona: 96 pods of 48 ToRs, 4 planes of 12 cores, 40 Gbps fabric, 73,728 hosts at 10 Gbps",
     SCHEME_TAKE,
     {{"fabric.kind", "clos"},
      {"fabric.pods", "96"},
      {"fabric.tors", "48"},
      {"fabric.aggs", "4"},
      {"fabric.cores", "12"},
      {"fabric.hosts", "16"},
      {"fabric.host_rate", "10Gbps"},
      {"fabric.uplink_rate", "40Gbps"},
      {"fabric.core_rate", "40Gbps"}}},
};

static const struct scheme_answer answer_table[] = {
    {"TCP; switches choose the path of a flow", "`expeditus`",
     "`ecmp`; `clairvoyant`, the bound; in two tiers `conga-flow`"},
    {"credits on my fabric", "`expresspass-2017`", "`dctcp`, `hull`, `dx`"},
    {"credits, several paths between the racks", "`spraypass`", "`expresspass-2017`"},
    {"no credits wasted at the end of flows", "`expresspass-sized`, `spraypass-sized`", "the same without `-sized`"},
    {"a switch that drops credits at random", "`expresspass`", "`expresspass-printed`"},
    {"lossless switches, links of 1 Gbps", "`detail`", "`detail-baseline`, `detail-priority-pfc`"},
    {"lossless switches, 10 Gbps and more: 25, 40, 100", "`detail-fast`", "the same with `switch.balance: ecmp`"},
    {"many senders to one receiver, shallow buffers", "`expresspass-2017`, `detail-fast`", "`dctcp`, `ecmp`"},
};

static const struct former_scheme formers[] = {
    {"expresspass-drawn", "is no reading of ExpressPass 2016; write expresspass-2017, whose credits have drawn sizes"},
    {"spraypass-released", "is the scheme spraypass; write spraypass"},
};

const char *scheme_remedy(const char *name) {
    for (size_t i = 0; i < sizeof formers / sizeof *formers; i++)
        if (strcmp(formers[i].name, name) == 0) return formers[i].remedy;
    return NULL;
}

const struct scheme *schemes(size_t *n) {
    *n = sizeof scheme_table / sizeof *scheme_table;
    return scheme_table;
}

const struct scheme_answer *scheme_answers(size_t *n) {
    *n = sizeof answer_table / sizeof *answer_table;
    return answer_table;
}

const struct scheme *fabric_presets(size_t *n) {
    *n = sizeof preset_table / sizeof *preset_table;
    return preset_table;
}

const struct scheme *scheme_find(const struct scheme *table, size_t n, const char *name) {
    for (size_t i = 0; name && i < n; i++) {
        if (strcmp(table[i].name, name) == 0) return &table[i];
    }
    return NULL;
}

const char *scheme_use_word(enum scheme_use use) {
    static const char *const word[] = {"take", "compare", "figure", "reading"};
    return word[use];
}

const char *scheme_value(const struct scheme *s, const char *path) {
    for (size_t i = 0; s && i < sizeof s->part / sizeof *s->part && s->part[i].path; i++) {
        if (strcmp(s->part[i].path, path) == 0) return s->part[i].value;
    }
    return NULL;
}
