/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/measure_keys.h"

#define TIME_MAX (1000 * PS_PER_S)
/* Least period of a measurement: a byte takes so long at 8 Gbps. Shorter ones would find nothing new, at an epoch each. */
#define PERIOD_MIN PS_PER_NS

#define PLAIN(field_) PARAM_IN(struct measure_keys, plain.field_)
#define PERIOD .type = PARAM_TIME, .min = PERIOD_MIN, .max = TIME_MAX
#define ITEM .text = PARAM_REQUIRED

static const struct param start_items[] = {
    {.type = PARAM_FRACTION, ITEM, .max = PPB, .doc = "a share of the arrivals"}};
static const struct param phase_items[] = {
    {.name = "name",
     .type = PARAM_TEXT,
     .text = PARAM_REQUIRED,
     .doc = "its name in results: phases.NAME.fct_us.mice.p99",
     PARAM_IN(struct phase_keys, name)},
    {.name = "from",
     .type = PARAM_TEXT,
     .text = PARAM_REQUIRED,
     .doc = "its begin: a time (2ms), a share of the open-loop arrivals (50%), failed.N.at or failed.N.repair_at",
     PARAM_IN(struct phase_keys, from)},
    {.name = "to",
     .type = PARAM_TEXT,
     .text = PARAM_REQUIRED,
     .doc = "its end, likewise; what starts at that time is not in it",
     PARAM_IN(struct phase_keys, to)},
};
static const struct param class_items[] = {{.type = PARAM_BYTES,
                                            ITEM,
                                            .min = 1,
                                            .max = INT64_MAX,
                                            .doc = "lower bound of a class, and upper bound of the class before it"}};
static const struct param jain_items[] = {{PERIOD, ITEM, .doc = "an interval"}};
static const struct param watch_items[] = {
    {.type = PARAM_TEXT, ITEM, .doc = "leaf0-leaf1: the busier direction; leaf0->leaf1: this one; with * and ?"}};
static const struct param flow_items[] = {{.type = PARAM_COUNT, ITEM, .max = UINT32_MAX - 1, .doc = "a flow's number"}};
static const struct param pcap_items[] = {{.type = PARAM_TEXT, ITEM, .doc = "a node: tor0.0"}};

const struct param measure_keys[] = {
    {.name = "from",
     .type = PARAM_TIME,
     .text = "0us",
     .max = TIME_MAX,
     .doc = "flows that start earlier are left out; averages over time begin with it",
     PLAIN(arrivals.from)},
    {.name = "until",
     .type = PARAM_TIME,
     .text = "none",
     .without = TIME_NONE,
     .min = 1,
     .max = TIME_MAX,
     .order = ">from",
     .doc =
         "flows that start then or later are left out; averages over time end with it. none: the end of the last flow",
     PLAIN(arrivals.until)},
    {.name = "starts",
     .type = PARAM_LIST,
     .doc = "[20%, 80%]: keep the flows of that part of the arrivals; all by default",
     PARAM_LIST_IN(struct measure_keys, starts, n_starts, start_items)},
    {.name = "phases",
     .type = PARAM_LIST,
     .by_name = true,
     .doc = "parts of the run's time with a name, at most 8: {before: [0us, failed.0.at], during: [failed.0.at, "
            "failed.0.repair_at]}; results have their metrics as phases.NAME",
     PARAM_LIST_IN(struct measure_keys, phases, n_phases, phase_items)},
    {.name = "classes",
     .type = PARAM_LIST,
     .doc = "ascending sizes, at most 7, that part flows into classes of FCT and slowdown",
     .items = class_items, /* size_classes_read takes them */
     .n_items = sizeof class_items / sizeof *class_items},
    {.name = "queues", PERIOD, .text = "none", .doc = "period of samples of queues", PLAIN(queues)},
    {.name = "links", PERIOD, .text = "none", .doc = "period of samples of link utilisation", PLAIN(links)},
    {.name = "pauses",
     PERIOD,
     .text = "none",
     .doc = "period of samples of paused classes of links",
     .when = "switch.flowctl:pauses",
     PLAIN(pauses)},
    {.name = "imbalance", PERIOD, .text = "10ms", .doc = "period of throughput imbalance", PLAIN(imbalance)},
    {.name = "imbalance_min_load",
     .type = PARAM_FRACTION,
     .text = "5%",
     .max = PPB,
     .doc = "least utilisation of a switch's uplinks in an interval that counts",
     PLAIN(imbalance_min_ppb)},
    {.name = "goodput",
     PERIOD,
     .text = "none",
     .doc = "period of samples of the goodput of each host, and interval of the variation of flows",
     PLAIN(goodput)},
    {.name = "jain",
     .type = PARAM_LIST,
     .doc = "intervals for Jain's fairness index of flows, up to six",
     PARAM_LIST_IN(struct measure_keys, jain, n_jain, jain_items)},
    {0},
};

const struct param convergence_keys[] = {
    {.name = "band",
     .type = PARAM_FRACTION,
     .text = "10%",
     .min = 1,
     .max = PPB,
     .doc = "largest deviation of a rate from the fair share",
     PLAIN(converge_band_ppb)},
    {.name = "interval",
     PERIOD,
     .text = "none",
     .doc = "interval over which rates are taken; none: not measured",
     PLAIN(converge)},
    {0},
};

const struct param capture_keys[] = {
    {.name = "watch",
     .type = PARAM_LIST,
     .doc = "links whose utilisation is measured as links.watch",
     PARAM_LIST_IN(struct measure_keys, watch, n_watch, watch_items)},
    {.name = "flow",
     .type = PARAM_LIST,
     .doc = "flows whose timeline is stored, by number",
     PARAM_LIST_IN(struct measure_keys, plain.flow, plain.n_flow, flow_items)},
    {.name = "pcap",
     .type = PARAM_LIST,
     .doc = "nodes whose ports are captured into a pcapng each",
     PARAM_LIST_IN(struct measure_keys, pcap, n_pcap, pcap_items)},
    {.name = "snap",
     .type = PARAM_BYTES,
     .text = "128B",
     .min = 64,
     .max = 65535,
     .doc = "bytes kept of each captured frame",
     PLAIN(snap_bytes)},
    {.name = "max_samples",
     .type = PARAM_COUNT,
     .text = "1000000",
     .min = 2,
     .max = 1000000000,
     .doc = "most samples of a run; above it every second sample is dropped",
     PLAIN(max_samples)},
    {0},
};

const struct param run_keys[] = {
    {.name = "seed",
     .type = PARAM_COUNT,
     .text = "1",
     .max = INT64_MAX,
     .doc = "seed of all random streams",
     PARAM_IN(struct run_keys, seed)},
    {.name = "until",
     .type = PARAM_TIME,
     .text = "none",
     .without = TIME_NONE,
     .min = 1,
     .max = TIME_MAX,
     .doc = "end of simulated time; none: when every flow has finished",
     PARAM_IN(struct run_keys, until)},
    {0},
};
