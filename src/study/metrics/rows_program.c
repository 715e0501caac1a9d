/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of the program: memory, counters, and the engine. */
#include "measure/run_counters.h"
#include "study/metrics/rows.h"

/* ---- memory and counters ---- */

static json_t *drops(const struct metric_cell *c) {
    return metric_count(c->outcome->result.packets.dropped_by[DROP_NONE + 1 + c->at[0]]);
}

static json_t *counter(const struct metric_cell *c) { return metric_count(c->outcome->result.counter[c->at[0]].value); }

static const struct metric memory_rows[] = {
    {"memory.total_bytes", UNIT_BYTES, METRIC_NEITHER, "memory", COUNT(memory.total_bytes), .varies = true,
     .doc = "bytes that the simulation holds at the end: the sum of the next six"},
    {"memory.fabric_bytes", UNIT_BYTES, METRIC_NEITHER, "memory of the fabric", COUNT(memory.fabric_bytes),
     .varies = true, .doc = "bytes of topology and routes"},
    {"memory.packets_bytes", UNIT_BYTES, METRIC_NEITHER, "memory of packets", COUNT(memory.packets_bytes),
     .varies = true, .doc = "bytes of the pools of packets, and of frames that lists of links carry (in huge fabrics)"},
    {"memory.rings_bytes", UNIT_BYTES, METRIC_NEITHER, "memory of links", COUNT(memory.rings_bytes), .varies = true,
     .doc = "bytes of the lists of frames on links, and of timers"},
    {"memory.hosts_bytes", UNIT_BYTES, METRIC_NEITHER, "memory of hosts", COUNT(memory.hosts_bytes), .varies = true,
     .doc = "bytes of hosts and their NICs"},
    {"memory.switches_bytes", UNIT_BYTES, METRIC_NEITHER, "memory of switches", COUNT(memory.switches_bytes),
     .varies = true, .doc = "bytes of switches, their ports and balancers"},
    {"memory.flows_bytes", UNIT_BYTES, METRIC_NEITHER, "memory of flows", COUNT(memory.flows_bytes), .varies = true,
     .doc = "bytes of flows, their ends and tallies"},
    {"memory.bytes_per_host", UNIT_BYTES, METRIC_NEITHER, "memory per host", COUNT(memory.bytes_per_host),
     .varies = true, .doc = "bytes of hosts over their number"},
    {"memory.bytes_per_port", UNIT_BYTES, METRIC_NEITHER, "memory per port", COUNT(memory.bytes_per_port),
     .varies = true, .doc = "bytes of switches and rings over the number of ports"},
    {"memory.bytes_per_flow", UNIT_BYTES, METRIC_NEITHER, "memory per flow", COUNT(memory.bytes_per_flow),
     .varies = true, .doc = "bytes of flows over their number"},
    {"memory.bytes_per_packet", UNIT_BYTES, METRIC_NEITHER, "memory per packet", COUNT(memory.bytes_per_packet),
     .varies = true, .doc = "bytes of packets over the largest number of frames that there were at one time"},

    {"counters.DROP", UNIT_COUNT, METRIC_LESS, "DROP", VALUE(drops), .doc = "frames dropped, by cause"},
    {"counters.COUNTER", UNIT_COUNT, METRIC_NEITHER, "COUNTER", VALUE(counter),
     .doc = "timeouts by kind, and what the mechanisms in use count"},
};

METRIC_PART(memory, memory_rows);

/* ---- the engine ---- */

static json_t *hops_per_s(const struct metric_cell *c) {
    const struct engine_totals *e = &c->outcome->result.engine;
    double wall_s = (double)e->wall_ns / 1e9;
    return json_real(e->wall_ns > 0 ? (double)e->packet_hops / wall_s : 0);
}

static json_t *digest(const struct metric_cell *c) {
    char text[17];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)c->outcome->result.engine.digest);
    return json_string(text);
}

static json_t *table_version(const struct metric_cell *c) {
    (void)c;
    return json_string(metrics_version());
}

static json_t *threads(const struct metric_cell *c) { return metric_count(c->outcome->result.engine.threads); }

static const struct metric engine_rows[] = {
    {"engine.sim_s", UNIT_S, METRIC_NEITHER, "simulated time", SCALED(engine.sim_ps, (double)PS_PER_S),
     .doc = "simulated time: to `run.until`, or to the next multiple of 100 us after the last flow. No average goes on "
            "for so long (`averages.to_us`)"},
    {"engine.wall_s", UNIT_S, METRIC_LESS, "wall time", SCALED(engine.wall_ns, 1e9), .varies = true,
     .doc = "wall time of the run alone, without building the fabric and storing"},
    {"engine.packet_hops", UNIT_COUNT, METRIC_NEITHER, "packet-hops", COUNT(engine.packet_hops),
     .doc = "frames of any kind that finished crossing a link"},
    {"engine.hops_per_s", UNIT_PER_S, METRIC_MORE, "packet-hops per second", VALUE(hops_per_s), .varies = true,
     .doc = "packet-hops per second of wall time"},
    {"engine.rss_bytes", UNIT_BYTES, METRIC_LESS, "peak resident size", COUNT(engine.rss_bytes), .varies = true,
     .doc = "peak resident size of the process that did the run"},
    {"engine.digest", UNIT_TEXT, METRIC_NEITHER, "digest", VALUE(digest),
     .doc = "sum of a hash over everything that happened: equal digests, equal runs "
            "(docs/decisions/0005-random-streams-and-digest.md)"},
    {"engine.threads", UNIT_COUNT, METRIC_NEITHER, "threads", VALUE(threads), .varies = true,
     .doc = "threads that did the run: fewer than `--threads` where windows between barriers hold too little work to "
            "share; with `--ranks-per-run`, those of all ranks of the run"},
    {"engine.ranks.windows", UNIT_COUNT, METRIC_NEITHER, "windows", COUNT(engine.traffic.windows), .varies = true,
     .doc = "windows that the ranks of the run ended together (`--ranks-per-run`, docs/scale.md); 0 on one rank"},
    {"engine.ranks.messages", UNIT_COUNT, METRIC_NEITHER, "messages", COUNT(engine.traffic.messages), .varies = true,
     .doc = "messages with frames between ranks: at most one a window for each ordered pair"},
    {"engine.ranks.ahead", UNIT_COUNT, METRIC_NEITHER, "messages ahead", COUNT(engine.traffic.ahead), .varies = true,
     .doc = "messages that left while their rank still ran other nodes of the window"},
    {"engine.ranks.frames", UNIT_COUNT, METRIC_NEITHER, "frames between ranks", COUNT(engine.traffic.frames),
     .varies = true, .doc = "frames that crossed from one rank to another"},
    {"engine.ranks.bytes", UNIT_BYTES, METRIC_NEITHER, "bytes between ranks", COUNT(engine.traffic.bytes),
     .varies = true, .doc = "bytes of these messages"},
    {"engine.ranks.computing_s", UNIT_S, METRIC_LESS, "computing, all ranks", SCALED(engine.traffic.computing_ns, 1e9),
     .varies = true,
     .doc = "processor time of the first thread of each rank between the windows' ends, summed over the ranks"},
    {"engine.ranks.busiest_s", UNIT_S, METRIC_LESS, "computing, busiest rank", SCALED(engine.traffic.busiest_ns, 1e9),
     .varies = true,
     .doc = "the same of the rank that had most. Wall time beyond it went into meeting the other ranks and waiting for "
            "them"},

    {"metrics", UNIT_TEXT, METRIC_NEITHER, "version of the metrics", VALUE(table_version), .names_run = true,
     .doc =
         "version of the table of metrics that wrote the result: a hash over the keys and units of this page. A result "
         "of another version may lack metrics"},
};

METRIC_PART(engine, engine_rows);
