# SPDX-License-Identifier: Apache-2.0
"""Every key of experiment files: an experiment in which it acts, and a second value (test_keys_act.py runs both).

A row of ACT: path of the key, name of the base in BASES, second value, then settings (KEY=VALUE) that both runs have.
The base gives the first value, or leaves the key at its default.
"""

CLOS = "fabric: {kind: clos, pods: 2, tors: 2, aggs: 2, cores: 2, hosts: 2}\n"
LEAVES = "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}\n"
STAR = "fabric: {kind: star, hosts: 5, rate: 1Gbps}\n"
POISSON = "workload: {kind: poisson, sizes: 50KB, load: 0.6, load_at: tor-uplink, pairs: inter-rack, flows: 60}\n"
PERMUTATION = "workload: {kind: permutation, sizes: 100KB}\n"
INCAST = "workload: {kind: incast, sizes: 60KB, rounds: 2, gap: 1ms}\n"
INTER_RACK = "workload: {kind: permutation, sizes: 200KB, pairs: inter-rack}\n"
LONG = "workload: {kind: long, src: 0, dst: 2, stop: 1ms, rate: 500Mbps, transport: udp}\n"
QUERIES = """workload: {kind: query, schedule: [{for: 1ms, rate: 2000/s}, {for: 1ms, rate: 200/s}], responses: [2KB, 20KB], queries: 40,
  priorities: [0, 1], clients: [0, 1], servers: [4, 5]}
switch: {classes: 2, schedule: strict}
"""
WEB = "workload: {kind: web-partition, schedule: {for: 1ms, rate: 2000/s}, responses: 4KB, fanout: [2, 3], queries: 20}\n"
LOSSY = "fabric: {kind: star, hosts: 5, rate: 1Gbps, links: [{match: 'leaf0-*', loss: 4%}]}\n"
CLASSES = """fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
switch: {classes: 2, schedule: strict, buffer: 40KB}
workload:
  - {kind: incast, sizes: 60KB, rounds: 2, gap: 1ms, priority: 1}
  - {kind: permutation, sizes: 100KB, gap: 50us}
"""
LOSSLESS = """fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
switch: {crossbar: islip, flowctl: pfc, classes: 2, schedule: strict, buffer: 60KB}
workload:
  - {kind: incast, sizes: 200KB, rounds: 2, gap: 1ms, priority: 1}
  - {kind: permutation, sizes: 200KB, gap: 50us}
"""
BALANCED = """fabric: {kind: clos, pods: 2, tors: 2, aggs: 2, cores: 2, hosts: 4}
workload: {kind: poisson, sizes: web-search, max_size: 200KB, load: 0.9, load_at: agg-uplink, pairs: inter-pod, flows: 150}
"""
TWO_TIERS = """fabric: {kind: leaf-spine, leaves: 3, spines: 3, hosts: 4}
workload: {kind: poisson, sizes: web-search, max_size: 200KB, load: 0.9, load_at: tor-uplink, pairs: inter-rack, flows: 150}
"""
CREDITS = "host: {transport: %s}\n" + LEAVES + "workload: {kind: incast, sizes: 100KB, rounds: 3, gap: 100us}\n"
MEASURED = LEAVES + "workload: {kind: poisson, sizes: 60KB, load: 0.6, load_at: tor-uplink, pairs: inter-rack, flows: 60}\n"
EXPECTED = MEASURED + """sweep: {workload.0.load: [0.3, 0.6], run.seed: [1, 2, 3]}
expect:
  - {claim: a, metric: fct_us.all.mean, of: {workload.0.load: 0.3}, value: [0, 1000]}
"""
COMPARED = MEASURED + """sweep: {workload.0.load: [0.3, 0.6], run.seed: [1, 2, 3]}
expect:
  - {claim: a, metric: fct_us.all.mean, of: {workload.0.load: 0.6}, against: {workload.0.load: 0.3}, difference: [0, 1000]}
"""
CHANGED = COMPARED.replace("difference: [0, 1000]", "change: [0, 2]")
SHARE = COMPARED.replace("[0.3, 0.6]", "[0.3, 0.5, 0.6]").replace("{workload.0.load: 0.6}", "{workload.0.load: 0.5}").replace(
    "difference: [0, 1000]", "than: {workload.0.load: 0.6}, share: [0, 1]")
RATIO = COMPARED.replace("difference: [0, 1000]", "ratio: [1, 2]")
EACH = MEASURED + """sweep: {workload.0.load: [0.3, 0.6], run.seed: [1, 2, 3]}
expect:
  - {claim: a, metric: fct_us.all.mean, each: workload.0.load, value: [0, 1], known: [{holds: false}]}
"""
TABLED = MEASURED + """sweep: {workload.0.load: [0.3, 0.6], switch.balance: [ecmp, spray], run.seed: [1, 2, 3]}
expect:
  - {claim: a, metric: fct_us.all.mean, table: {within: 20%, columns: {workload.0.load: [0.3, 0.6]}, rows: {switch.balance: {spray: [100, 200]}}}}
"""
KNOWN = EXPECTED.replace("value: [0, 1000]", "value: [0, 1], known: [{holds: false}]")
DRAWN = MEASURED + """sweep: {workload.0.load: [0.3, 0.6], switch.balance: [ecmp, spray], run.seed: [1, 2]}
figure:
  - {x: workload.0.load, series: switch.balance, y: {metric: fct_us.all.mean}, reference: {function: 100*x, label: a line}}
"""
TIMED = MEASURED + "measure: {goodput: 20us}\nfigure: {kind: time, y: {metric: goodput.mean}}\n"

BASES = {
    "clos": CLOS + POISSON,
    "leaves": LEAVES + POISSON,
    "altoona": CLOS + POISSON,
    "kind": "sweep: {fabric.kind: [star]}\nfabric: {leaves: 2, spines: 2, hosts: 4}\n" + PERMUTATION,
    "star": STAR + INCAST,
    "fat-tree": "fabric: {kind: fat-tree, k: 4}\n" + PERMUTATION,
    "dumbbell": "fabric: {kind: dumbbell, pairs: 2}\n" + PERMUTATION,
    "parking-lot": "fabric: {kind: parking-lot, bottlenecks: 2}\n" + PERMUTATION,
    "dual-tor": "fabric: {kind: dual-tor, racks: 2, spines: 2, hosts: 2}\n" + PERMUTATION,
    "rails": "fabric: {kind: rails, segments: 1, servers: 2, gpus: 2, spines: 2, scale_up_rate: 40Gbps, scale_up_delay: 1us}\n" + PERMUTATION,
    "file": "fabric: {kind: file, path: one.yaml}\n" + PERMUTATION,
    "around": "fabric: {kind: file, path: around.yaml}\n" + PERMUTATION,
    "links": "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4, links: [{match: leaf0-spine0, rate: 5Gbps}]}\n" + POISSON,
    "failed": "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4, "
              "failed: [{link: leaf0-spine0, at: 200us, repair_at: 2ms}]}\n" + POISSON,
    "fail-random": """fabric: {kind: clos, pods: 2, tors: 3, aggs: 2, cores: 2, hosts: 2, fail_random: [{tier: tor-agg, links: 2, at: 100us, repair_at: 3ms}]}
""" + POISSON,
    "tcp": LOSSY + "switch: {buffer: 30KB, admit: ecn, ecn_threshold: 10KB}\n" + INCAST,
    "cut": """fabric: {kind: star, hosts: 3, failed: [{link: host0.0-leaf0, at: 100us, repair_at: 40ms}]}
host: {min_rto: 1ms}
workload: {kind: long, src: 0, dst: 2, sizes: 1MB}
""",
    "ecn": "host: {transport: dctcp}\nswitch: {ecn_threshold_per_10g: 60KB}\n" + LEAVES + INCAST,
    "admit": "host: {ecn: true}\n" + LEAVES + INCAST,
    "phantom": "host: {transport: hull}\n" + LEAVES + INCAST,
    "expresspass": CREDITS % "expresspass",
    "spraypass": CREDITS % "spraypass",
    "narrow": "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4, uplink_rate: 5Gbps}\n" + INTER_RACK,
    "far": "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 1, delay: 20us, links: [{match: 'leaf0-spine*', loss: 1%}]}\n"
           "workload: {kind: permutation, sizes: 1MB, pairs: inter-rack}\n",
    "slow-path": "host: {transport: spraypass}\n"
                 "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4, links: [{match: leaf0-spine0, rate: 500Mbps}]}\n"
                 "workload: {kind: incast, sizes: 500KB}\n",
    "slow-application": LEAVES + "host: {transport: spraypass}\nworkload: {kind: long, src: 0, dst: 5, rate: 2Gbps, stop: 1ms}\n",
    "joins": LEAVES + "workload: [{kind: long, src: 0, dst: 4, stop: 2ms}, {kind: long, src: 1, dst: 4, start: 1ms, stop: 2ms}]\n",
    "crossbar": """fabric: {kind: star, hosts: 8, rate: 1Gbps}
switch: {crossbar: islip, islip: {speedup: 1}, classes: 2, schedule: strict}
workload:
  - {kind: poisson, sizes: web-search, max_size: 20KB, load: 0.4, load_at: host, pairs: any, flows: 200}
  - {kind: poisson, sizes: web-search, max_size: 20KB, load: 0.4, load_at: host, pairs: any, flows: 200, priority: 1}
""",
    "udp": STAR + LONG,
    "classes": CLASSES,
    "lossless": LOSSLESS,
    "balanced": BALANCED,
    "two-tiers": TWO_TIERS,
    "permutation": LEAVES + PERMUTATION,
    "incast": LEAVES + INCAST,
    "total": LEAVES + "workload: {kind: incast, total: 100KB}\n",
    "stride": LEAVES + "workload: {kind: stride, sizes: 100KB}\n",
    "long": STAR + LONG,
    "matrix": LEAVES + "workload: {kind: matrix, path: one.cm, time_unit: ns}\n",
    "chakra": LEAVES + "workload: {kind: chakra, traces: one.0.et}\n",
    "trace": LEAVES + "workload: {kind: trace, path: one.csv}\n",
    "collective": LEAVES + "workload: {kind: collective, size: 240KB, ranks: 4, iterations: 2}\n",
    "hierarchical": LEAVES + "workload: {kind: collective, algorithm: hierarchical, group: 2, size: 240KB, ranks: 8}\n",
    "all-to-all": LEAVES + "workload: {kind: collective, op: all-to-all, size: 240KB}\n",
    "training": LEAVES + "workload: {kind: training, ranks: 8, tensor: 2, expert: 2, layers: 2, micro_batches: 2, forward: 5us, "
                "activation: 40KB, gradients: 80KB, weights: 40KB, expert_bytes: 20KB, update: 1us}\n",
    "stages": LEAVES + "workload: {kind: training, pipeline: 2, layers: 4, forward: 5us, activation: 40KB, gradients: 80KB}\n",
    "model": LEAVES + "workload: {kind: training, model: gpt-13b, ranks: 2, tensor: 1, layers: 1, gradients: 8KB}\n",
    "experts": LEAVES + "workload: {kind: training, ranks: 4, expert: 2, layers: 1, forward: 5us, expert_bytes: 20KB, gradients: 8KB, "
               "expert_gradients: 80KB, expert_weights: 40KB}\n",
    "shuffle": STAR + "workload: {kind: shuffle, sizes: 20KB}\n",
    "query": LEAVES + QUERIES,
    "web-sequential": LEAVES + "workload: {kind: web-sequential, schedule: {for: 1ms, rate: 1000/s}, responses: 4KB, queries: 6}\n",
    "web-partition": LEAVES + WEB,
    "measured": MEASURED,
    "expected": EXPECTED,
    "tabled": TABLED,
    "compared": COMPARED,
    "changed": CHANGED,
    "ratio": RATIO,
    "share": SHARE,
    "each": EACH,
    "best": EXPECTED.replace("of: {workload.0.load: 0.3}, value: [0, 1000]", "best: {workload.0.load: [0.3]}, value: [null, 1000]"),
    "known": KNOWN,
    "drawn": DRAWN,
    "bars": DRAWN.replace("{x: workload.0.load, series: switch.balance,",
                          "{kind: bars, x: workload.0.load, panels: [switch.balance, workload.0.load],"),
    "band": DRAWN.replace("function: 100*x", "band: [20, 30]"),
    "line": DRAWN.replace("function: 100*x", "value: 20"),
    "distribution": DRAWN.replace("{x: workload.0.load, series: switch.balance, y: {metric: fct_us.all.mean}, reference: {function: 100*x,",
                                  "{kind: cdf, series: [workload.0.load, switch.balance], y: {metric: fct_us.all}, reference: {value: 20,"),
    "than": MEASURED + """sweep: {run.until: [1ms, 2ms], workload.0.load: [0.3, 0.6], run.seed: [1, 2, 3]}
expect:
  - {claim: a, metric: fct_us.all.mean, of: {run.until: 1ms, workload.0.load: 0.6}, against: {workload.0.load: 0.3}, change: [-1, 5]}
""",
    "timed": TIMED,
}

# A trace of Chakra: metadata, and an all-reduce of so many bytes, below 128.
ALL_REDUCE = "\x02\n\x00\x13\x08\x01\x18\x07R\r\n\tcomm_sizeh%c"
FILES = {
    # the way from a to b is a p t u q b; one link shorter, and down and up again, is a x c y b
    "around.yaml": "nodes: [{name: a, tier: leaf}, {name: b, tier: leaf}, {name: c, tier: leaf}, {name: x, tier: agg}, {name: y, tier: agg}, "
                   "{name: p, tier: agg}, {name: q, tier: agg}, {name: t, tier: core}, {name: u, tier: core}, {name: ha}, {name: hb}, {name: hc}]\n"
                   "links: [{a: ha, b: a}, {a: hb, b: b}, {a: hc, b: c}, {a: a, b: x}, {a: x, b: c}, {a: c, b: y}, {a: y, b: b}, "
                   "{a: a, b: p}, {a: p, b: t}, {a: t, b: u}, {a: u, b: q}, {a: q, b: b}]\n",
    **{f"{name}.{rank}.et": ALL_REDUCE % size for name, size in [("one", 80), ("two", 120)] for rank in range(2)},
    "one.yaml": "nodes: [{name: s, tier: leaf}, {name: a}, {name: b}, {name: c}]\nlinks: [{a: a, b: s}, {a: b, b: s}, {a: c, b: s}]\n",
    "two.yaml": "nodes: [{name: s, tier: leaf}, {name: a}, {name: b}]\nlinks: [{a: a, b: s}, {a: b, b: s}]\n",
    "one.cm": "Nodes 8\nConnections 2\nTriggers 1\n0->5 start 900 size 50000 recv_done_trigger 1\n5->2 trigger 1 size 9000\n"
              "trigger id 1 oneshot\n",
    "one.csv": "0us,host0.0,host1.0,50000\n",
    "two.csv": "0us,host0.1,host1.1,50000\n",
}

WATCHDOG = "switch.pfc_watchdog={action: drop, detect: 20us, restore: 40us, poll: 5us}"

ACT = [
    ("scheme", "leaves", "expresspass"),

    ("fabric", "leaves", "{kind: leaf-spine, leaves: 2, spines: 2, hosts: 4, rate: 5Gbps}"),
    ("fabric.preset", "altoona", "altoona"),
    ("fabric.kind", "kind", "[leaf-spine]"),
    ("fabric.pods", "clos", "3"),
    ("fabric.tors", "clos", "3"),
    ("fabric.aggs", "clos", "3"),
    ("fabric.cores", "clos", "3", "workload.0.pairs=inter-pod"),
    ("fabric.leaves", "leaves", "3"),
    ("fabric.spines", "leaves", "3"),
    ("fabric.hosts", "leaves", "3"),
    ("fabric.k", "fat-tree", "6"),
    ("fabric.pairs", "dumbbell", "3"),
    ("fabric.bottlenecks", "parking-lot", "3"),
    ("fabric.racks", "dual-tor", "3"),
    ("fabric.dual_plane", "dual-tor", "true"),
    ("fabric.segments", "rails", "2"),
    ("fabric.servers", "rails", "3"),
    ("fabric.gpus", "rails", "3"),
    ("fabric.scale_up_rate", "rails", "80Gbps", "workload.0.pairs=any"),
    ("fabric.scale_up_delay", "rails", "2us", "workload.0.pairs=any"),
    ("fabric.path", "file", "two.yaml"),
    ("fabric.rate", "leaves", "5Gbps"),
    ("fabric.host_rate", "leaves", "5Gbps"),
    ("fabric.uplink_rate", "leaves", "5Gbps"),
    ("fabric.core_rate", "clos", "5Gbps", "workload.0.pairs=inter-pod"),
    ("fabric.delay", "leaves", "3us"),
    ("fabric.host_link_delay", "leaves", "3us"),
    ("fabric.uplink_delay", "leaves", "3us"),
    ("fabric.core_delay", "clos", "3us", "workload.0.pairs=inter-pod"),
    ("fabric.links", "leaves", "{match: leaf0-spine0, rate: 5Gbps}"),
    ("fabric.links.0.match", "links", "leaf0-spine1"),
    ("fabric.links.0.rate", "links", "6Gbps"),
    ("fabric.links.0.delay", "links", "7us"),
    ("fabric.links.0.loss", "links", "2%"),
    ("fabric.failed", "leaves", "{link: leaf0-spine0, at: 200us}"),
    ("fabric.failed.0.link", "failed", "leaf0-spine1"),
    ("fabric.failed.0.at", "failed", "300us"),
    ("fabric.failed.0.repair_at", "failed", "500us"),
    ("fabric.failed.0.detect", "failed", "100us"),
    ("fabric.failed.0.rate", "failed", "1Gbps"),
    ("fabric.failed.0.loss", "failed", "5%"),
    ("fabric.fail_random", "clos", "{tier: agg-core, links: 2}", "workload.0.pairs=inter-pod"),
    ("fabric.fail_random.0.tier", "fail-random", "agg-core", "workload.0.pairs=inter-pod"),
    ("fabric.fail_random.0.pod", "fail-random", "1"),
    ("fabric.fail_random.0.links", "fail-random", "1"),
    ("fabric.fail_random.0.max_per_switch", "fail-random", "1", "fabric.fail_random.0.links=4"),
    ("fabric.fail_random.0.at", "fail-random", "200us"),
    ("fabric.fail_random.0.repair_at", "fail-random", "500us"),
    ("fabric.fail_random.0.detect", "fail-random", "100us"),

    ("host", "tcp", "{transport: cubic}"),
    ("host.transport", "tcp", "cubic"),
    ("host.bonding", "dual-tor", "active-backup"),
    ("workload.0.nic", "dual-tor", "1"),
    ("host.nic", "leaves", "fifo"),
    ("host.nic_queue", "leaves", "5KB", "host.nic=fifo"),
    ("host.nic_full", "leaves", "drop", "host.nic=fifo", "host.nic_queue=5KB"),
    ("host.credit_spread", "expresspass", "8B"),
    ("host.void_credits", "expresspass", "true"),
    ("host.jitter", "leaves", "1us"),
    ("host.processing_delay", "leaves", "1us"),
    ("host.newreno", "leaves", "{mss: 500B}"),
    ("host.cubic", "leaves", "{mss: 500B}", "host.transport=cubic"),
    ("host.dctcp", "leaves", "{mss: 500B}", "host.transport=dctcp"),
    ("host.dx", "leaves", "{mss: 500B}", "host.transport=dx"),
    ("host.hull", "leaves", "{mss: 500B}", "host.transport=hull"),
    ("host.dctcp.g", "ecn", "0.5"),
    ("host.dx.q_min", "leaves", "20us", "host.transport=dx"),
    ("host.dx.q_min_frames", "leaves", "4", "host.transport=dx"),
    ("host.hull.g", "phantom", "0.5"),
    ("host.hull.pacing", "phantom", "false"),
    ("host.expresspass", "expresspass", "{mss: 500B}"),
    ("host.spraypass", "spraypass", "{mss: 500B}"),
    ("host.udp", "udp", "{payload: 500B}"),
    ("host.udp.payload", "udp", "600B"),

    ("switch", "leaves", "{buffer: 20KB}"),
    ("switch.balance", "leaves", "spray"),
    ("switch.admit", "admit", "ecn"),
    ("switch.ecn_threshold", "ecn", "20KB"),
    ("switch.ecn_threshold_per_10g", "ecn", "20KB"),
    ("switch.phantom_threshold_per_10g", "phantom", "3KB"),
    ("switch.phantom_drain", "phantom", "50%"),
    ("switch.schedule", "classes", "drr"),
    ("switch.classes", "classes", "1"),
    ("switch.class_reserve", "classes", "10KB"),
    ("switch.drr_quantum", "classes", "4KB", "switch.schedule=drr"),
    ("switch.credit_queue", "narrow", "4", "host.transport=expresspass"),
    ("switch.credit_drop", "narrow", "random", "host.transport=expresspass"),
    ("switch.credit_share", "expresspass", "3%"),
    ("switch.credit_burst", "expresspass", "840B"),
    ("switch.credit_mark_window", "spraypass", "16"),
    ("switch.credit_mark_stale", "spraypass", "1us"),
    ("switch.unscheduled_limit", "expresspass", "0B", "host.expresspass.unscheduled=20KB"),
    ("switch.record_path", "expresspass", "true"),
    ("switch.push_out", "lossless", "true", "switch.flowctl=none"),
    ("switch.crossbar", "classes", "islip"),
    ("switch.islip", "lossless", "{speedup: 1}"),
    ("switch.islip.iterations", "crossbar", "1"),
    ("switch.islip.speedup", "lossless", "2"),
    ("switch.islip.ingress", "lossless", "100KB"),
    ("switch.islip.reserve", "lossless", "20KB"),
    ("switch.islip.forward_delay", "lossless", "1us"),
    ("switch.islip.full", "lossless", "drop"),
    ("switch.flowctl", "lossless", "none"),
    ("switch.headroom", "lossless", "paper"),
    ("switch.pause_classes", "lossless", "4"),
    ("switch.pause_preset", "lossless", "by-rate"),
    ("switch.pause_above", "lossless", "40KB"),
    ("switch.release_below", "lossless", "5KB"),
    ("switch.transceiver_delay", "lossless", "1us"),
    ("switch.pause_reaction", "lossless", "5us"),
    ("switch.pause_storm", "lossless", "100us"),
    ("switch.pfc_watchdog", "lossless", "{action: drop, detect: 20us, restore: 40us, poll: 5us}"),
    ("switch.pfc_watchdog.action", "lossless", "forward", WATCHDOG),
    ("switch.pfc_watchdog.detect", "lossless", "30us", WATCHDOG),
    ("switch.pfc_watchdog.restore", "lossless", "200us", WATCHDOG),
    ("switch.pfc_watchdog.poll", "lossless", "15us", WATCHDOG),
    ("switch.buffer", "leaves", "20KB"),
    ("switch.ecmp", "leaves", "{hash: symmetric}"),
    ("switch.ecmp.hash", "leaves", "symmetric"),
    ("switch.expeditus", "balanced", "{dre_period: 100us}", "switch.balance=expeditus"),
    ("switch.expeditus.dre_period", "balanced", "50us", "switch.balance=expeditus"),
    ("switch.expeditus.dre_alpha", "balanced", "50%", "switch.balance=expeditus"),
    ("switch.expeditus.pst_timeout", "balanced", "10us", "switch.balance=expeditus"),
    ("switch.expeditus.age", "balanced", "one-bit", "switch.balance=expeditus", "switch.expeditus.pst_timeout=20us"),
    ("switch.expeditus.multipliers", "balanced", "false", "switch.balance=expeditus", "fabric.failed={link: agg0.0-core0.0, at: 0us}"),
    ("switch.expeditus.control_priority", "balanced", "true", "switch.balance=expeditus", "switch.classes=2", "switch.schedule=strict"),
    ("switch.expeditus.core_loads", "balanced", "true", "switch.balance=expeditus"),
    ("switch.expeditus.core_loads_period", "balanced", "100us", "switch.balance=expeditus", "switch.expeditus.core_loads=true"),
    ("switch.expeditus.request_path", "balanced", "least-loaded", "switch.balance=expeditus"),
    ("switch.expeditus.carry", "balanced", "handshake", "switch.balance=expeditus"),
    ("switch.clairvoyant", "balanced", "{dre_period: 100us}", "switch.balance=clairvoyant"),
    ("switch.clairvoyant.dre_period", "balanced", "50us", "switch.balance=clairvoyant"),
    ("switch.clairvoyant.dre_alpha", "balanced", "50%", "switch.balance=clairvoyant"),
    ("switch.clairvoyant.flow_timeout", "balanced", "10us", "switch.balance=clairvoyant"),
    ("switch.clairvoyant.epoch", "balanced", "100us", "switch.balance=clairvoyant"),
    ("switch.clairvoyant.levels", "balanced", "8", "switch.balance=clairvoyant"),
    ("switch.clairvoyant.trigger", "balanced", "syn", "switch.balance=clairvoyant"),
    ("switch.conga-flow", "two-tiers", "{dre_period: 100us}", "switch.balance=conga-flow"),
    ("switch.conga-flow.dre_period", "two-tiers", "50us", "switch.balance=conga-flow"),
    ("switch.conga-flow.dre_alpha", "two-tiers", "50%", "switch.balance=conga-flow"),
    ("switch.conga-flow.flow_timeout", "two-tiers", "10us", "switch.balance=conga-flow"),
    ("switch.conga-flow.metric_age", "two-tiers", "20us", "switch.balance=conga-flow"),
    ("switch.conga-flow.reading", "two-tiers", "expeditus-code", "switch.balance=conga-flow"),
    ("switch.spray", "leaves", "{mode: round-robin}", "switch.balance=spray"),
    ("switch.spray.mode", "leaves", "round-robin", "switch.balance=spray"),
    ("switch.alb", "balanced", "{threshold_1: 2KB}", "switch.balance=alb"),
    ("switch.alb.thresholds", "balanced", "min", "switch.balance=alb"),
    ("switch.alb.threshold_1", "balanced", "4KB", "switch.balance=alb"),
    ("switch.alb.threshold_2", "balanced", "20KB", "switch.balance=alb"),
    ("switch.alb.per_class", "classes", "false", "switch.balance=alb", "workload.1.gap=0us", "switch.alb.threshold_1=3KB", "switch.buffer=225KB"),

    ("workload", "leaves", "{kind: permutation, sizes: 20KB}"),
    ("workload.0.kind", "permutation", "random"),
    ("workload.0.sizes", "permutation", "50KB"),
    ("workload.0.max_size", "permutation", "50KB"),
    ("workload.0.load", "leaves", "0.3"),
    ("workload.0.load_at", "leaves", "host"),
    ("workload.0.load_bytes", "leaves", "wire"),
    ("workload.0.pairs", "leaves", "any"),
    ("workload.0.among", "permutation", "[leaf0]"),
    ("workload.0.among.0", "permutation", "leaf1", "workload.0.among=[leaf0]"),
    ("workload.0.flows", "leaves", "50"),
    ("workload.0.gap", "permutation", "10us"),
    ("fabric.routing", "around", "shortest"),
    ("workload.0.offset", "stride", "3"),
    ("workload.0.path", "trace", "two.csv"),
    ("workload.0.time_unit", "matrix", "us"),
    ("workload.0.traces", "chakra", "two.0.et"),
    ("workload.0.tasks", "shuffle", "2"),
    ("workload.0.op", "collective", "reduce-scatter"),
    ("workload.0.algorithm", "collective", "halving-doubling"),
    ("workload.0.size", "collective", "480KB"),
    ("workload.0.ranks", "collective", "3"),
    ("workload.0.ranks.0", "collective", "5"),
    ("workload.0.channels", "collective", "2"),
    ("workload.0.iterations", "collective", "3"),
    ("workload.0.compute", "collective", "10us"),
    ("workload.0.window", "all-to-all", "1"),
    ("workload.0.chunk", "collective", "20KB"),
    ("workload.0.group", "hierarchical", "4"),
    ("workload.0.skew", "all-to-all", "1.2"),
    ("workload.0.model", "model", "gpt-22b"),
    ("workload.0.tensor", "stages", "2"),
    ("workload.0.pipeline", "stages", "4"),
    ("workload.0.data", "stages", "2"),
    ("workload.0.expert", "training", "4"),
    ("workload.0.layers", "training", "3"),
    ("workload.0.micro_batches", "training", "3"),
    ("workload.0.buckets", "training", "2"),
    ("workload.0.forward", "training", "6us"),
    ("workload.0.backward", "training", "7us"),
    ("workload.0.update", "training", "2us"),
    ("workload.0.activation", "training", "80KB"),
    ("workload.0.gradients", "training", "160KB"),
    ("workload.0.weights", "training", "80KB"),
    ("workload.0.expert_bytes", "training", "40KB"),
    ("workload.0.expert_gradients", "experts", "160KB"),
    ("workload.0.expert_weights", "experts", "80KB"),
    ("workload.0.scale_up", "training", "100Gbps"),
    ("workload.0.schedule", "query", "{for: 1ms, rate: 500/s}"),
    ("workload.0.schedule.0.for", "query", "2ms"),
    ("workload.0.schedule.0.rate", "query", "500/s"),
    ("workload.0.responses", "query", "5KB"),
    ("workload.0.responses.0", "query", "6KB"),
    ("workload.0.request", "query", "3KB"),
    ("workload.0.senders", "incast", "3"),
    ("workload.0.receiver", "incast", "1"),
    ("workload.0.total", "total", "200KB"),
    ("workload.0.rounds", "incast", "3"),
    ("workload.0.queries", "query", "30"),
    ("workload.0.length", "web-sequential", "3"),
    ("workload.0.fanout", "web-partition", "4"),
    ("workload.0.fanout.0", "web-partition", "1"),
    ("workload.0.connections", "query", "persistent"),
    ("workload.0.placement", "web-partition", "racks"),
    ("workload.0.clients", "query", "[1, 2]"),
    ("workload.0.clients.0", "query", "2"),
    ("workload.0.servers", "query", "[5, 6]"),
    ("workload.0.servers.0", "query", "6"),
    ("workload.0.within", "shuffle", "2ms"),
    ("workload.0.priorities", "query", "[1]"),
    ("workload.0.priorities.0", "query", "1"),
    ("workload.0.start", "permutation", "5us"),
    ("workload.0.stop", "long", "2ms"),
    ("workload.0.src", "long", "1"),
    ("workload.0.dst", "long", "1"),
    ("workload.0.transport", "tcp", "cubic"),
    ("workload.0.rate", "long", "200Mbps"),
    ("workload.0.burst", "long", "10KB"),
    ("workload.0.name", "permutation", "web"),
    ("workload.0.priority", "classes", "0"),

    ("run", "leaves", "{seed: 2}"),
    ("run.seed", "leaves", "3"),
    ("run.until", "leaves", "300us"),
]

# Keys that all transports with TCP's ends have; without a second value, the opposite of the default.
TCP_KEYS = [
    ("mss", "tcp", "500B"),
    ("initial_window", "tcp", "4"),
    ("receive_window", "tcp", "8KB"),
    ("delayed_ack", "tcp", "2"),
    ("delayed_ack_timeout", "tcp", "50us", "host.delayed_ack=2"),
    ("min_rto", "tcp", "3ms"),
    ("initial_rto", "tcp", "30ms", "fabric.links.0.loss=15%"),
    ("syn_rto", "tcp", "30ms", "fabric.links.0.loss=15%"),
    ("handshake_sample", "tcp", "false", "fabric.links.0.loss=15%", "host.initial_rto=30ms", "host.initial_window=1"),
    ("max_rto", "cut", "2ms"),
    ("dupack_threshold", "tcp", "1"),
    ("fast_retransmit", "tcp", "false"),
    ("limited_transmit", "tcp", "false"),
    ("sack", "tcp", "false"),
    ("ecn", "tcp", None),
    ("fin", "tcp", "true"),
]
CREDIT = ["expresspass", "spraypass"]
CREDIT_KEYS = [
    ("mss", "1000B"),
    ("min_rto", "2us"),
    ("jitter", "50%"),
    ("update_period", "2"),
    ("unscheduled", "20KB"),
    ("w_init", "20%", "feedback=printed"),
    ("w_min", "20%", "feedback=printed"),
    ("w_max", "60%", "feedback=printed"),
    ("reading", "literal", "feedback=printed"),
    ("credit_end", "size"),
    ("credit_spare", "20", "credit_end=size"),
    ("initial_rate", "0.3"),
]
ACT += [(f"host.{t}.{key}", t, value, *(f"host.{t}.{setting}" for setting in more)) for t in CREDIT for key, value, *more in CREDIT_KEYS]
ACT += [(f"host.{t}.reorder_window", "far", "64", f"host.transport={t}") for t in CREDIT]
ACT += [
    ("host.expresspass.feedback", "expresspass", "released"),
    ("host.expresspass.target_loss", "expresspass", "30%", "host.expresspass.feedback=printed"),
    ("host.expresspass.floor", "expresspass", "none"),
    ("host.expresspass.empty", "expresspass", "success"),
    ("host.expresspass.cut", "expresspass", "never-raise"),
    ("host.spraypass.feedback", "spraypass", "released"),
    ("host.spraypass.signal", "spraypass", "losses"),
    ("host.spraypass.aim_ratio", "spraypass", "30%"),
    ("host.spraypass.spray", "spraypass", "random"),
    ("host.spraypass.probing", "slow-path", "false"),
    ("host.spraypass.theta", "slow-path", "90%"),
    ("host.spraypass.n_b", "slow-path", "50000"),
    ("host.spraypass.readmit", "slow-path", "100us"),
    ("host.spraypass.paths", "spraypass", "1"),
    ("host.spraypass.expire", "slow-application", "immediate"),
    ("host.spraypass.credit_hold", "slow-application", "200us"),
    ("host.spraypass.credit_buffer", "slow-application", "4"),
]

ACT += [
    ("measure", "measured", "{from: 200us}"),
    ("measure.from", "measured", "100us"),
    ("measure.until", "measured", "300us"),
    ("measure.phases", "measured", "{early: [0us, 50%]}"),
    ("measure.phases.0.name", "measured", "late", "measure.phases={early: [0us, 50%]}"),
    ("measure.phases.0.from", "measured", "10%", "measure.phases={early: [0us, 50%]}"),
    ("measure.phases.0.to", "measured", "300us", "measure.phases={early: [0us, 50%]}"),
    ("measure.starts", "measured", "[20%, 80%]"),
    ("measure.starts.0", "measured", "30%", "measure.starts=[20%, 80%]"),
    ("measure.classes", "measured", "[50KB]"),
    ("measure.classes.0", "measured", "90KB", "measure.classes=[50KB]"),
    ("measure.queues", "measured", "10us"),
    ("measure.links", "measured", "10us"),
    ("measure.pauses", "lossless", "10us"),
    ("measure.imbalance", "measured", "50us"),
    ("measure.imbalance_min_load", "measured", "60%", "measure.imbalance=50us"),
    ("measure.goodput", "measured", "50us"),
    ("measure.jain", "measured", "50us"),
    ("measure.jain.0", "measured", "70us", "measure.jain=50us"),
    ("measure.convergence", "joins", "{interval: 50us}"),
    ("measure.convergence.band", "joins", "60%", "measure.convergence.interval=50us"),
    ("measure.convergence.interval", "joins", "70us"),
    ("measure.watch", "measured", "leaf0-spine0"),
    ("measure.watch.0", "measured", "leaf0-spine1", "measure.watch=leaf0-spine0"),
    ("measure.flow", "measured", "0"),
    ("measure.flow.0", "measured", "1", "measure.flow=0"),
    ("measure.pcap", "measured", "leaf0"),
    ("measure.pcap.0", "measured", "leaf1", "measure.pcap=leaf0"),
    ("measure.snap", "measured", "64B", "measure.pcap=leaf0"),
    ("measure.max_samples", "measured", "4", "measure.queues=10us"),
]

ACT += [
    ("expect", "expected", "{claim: b, metric: fct_us.all.mean, of: {workload.0.load: 0.3}, value: [0, 500]}"),
    ("expect.0.claim", "expected", "b"),
    ("expect.0.metric", "expected", "fct_us.all.p95"),
    ("expect.0.of", "expected", "{workload.0.load: 0.6}"),
    ("expect.0.against", "compared", "{workload.0.load: 0.6}", "expect.0.of={workload.0.load: 0.3}"),
    ("expect.0.than", "than", "{run.until: 2ms}"),
    ("expect.0.each", "each", "{workload.0.load: [0.6]}"),
    ("expect.0.except", "each", "0.3"),
    ("expect.0.best", "best", "{workload.0.load: [0.6]}"),
    ("expect.0.rows", "expected", "[{value: [0, 500]}]"),
    ("expect.0.table", "tabled", "{within: 50%, columns: {workload.0.load: [0.3]}, rows: {switch.balance: {ecmp: [100]}}}"),
    ("expect.0.change", "changed", "[0, 1]"),
    ("expect.0.value", "expected", "[0, 500]"),
    ("expect.0.ratio", "ratio", "[1, 3]"),
    ("expect.0.difference", "compared", "[0, 900]"),
    ("expect.0.share", "share", "[0, 0.9]"),
    ("expect.0.every", "expected", "true"),
    ("expect.0.transient", "expected", "true"),
    ("expect.0.roughly", "expected", "a reason"),
    ("expect.0.inferred", "expected", "a choice"),
    ("expect.0.known", "known", "[{holds: roughly}]"),
    ("expect.0.known.0.holds", "known", "roughly"),
    ("expect.0.known.0.measured", "known", "[0, 1]"),
    ("expect.0.known.0.profile", "known", "small"),
    ("expect.0.known.0.where", "each", "{workload.0.load: 0.3}"),
    ("expect.0.known.0.world", "known", "live"),

    ("figure", "drawn", "{x: run.seed, series: [switch.balance, workload.0.load], y: {metric: fct_us.all.mean}}"),
    ("figure.0.name", "drawn", "other"),
    ("figure.0.title", "drawn", "another title"),
    ("figure.0.kind", "drawn", "bars"),
    ("figure.0.x", "bars", "switch.balance"),
    ("figure.0.series", "drawn", "[switch.balance, run.seed]"),
    ("figure.0.panels", "drawn", "run.seed"),
    ("figure.0.of", "drawn", "{run.seed: 1}"),
    ("figure.0.y", "drawn", "{metric: fct_us.all.p95}"),
    ("figure.0.y.0.metric", "drawn", "fct_us.all.p99"),
    ("figure.0.y.0.label", "drawn", "times", "figure.0.series=[metric, switch.balance]"),
    ("figure.0.y.0.group", "drawn", "times", "figure.0.series=[group, switch.balance]"),
    ("figure.0.y.0.per", "drawn", "fct_us.all.max"),
    ("figure.0.y.0.against", "drawn", "{switch.balance: ecmp}"),
    ("figure.0.y.0.as", "drawn", "difference", "figure.0.y.0.against={switch.balance: ecmp}"),
    ("figure.0.y.0.unit", "drawn", "ms"),
    ("figure.0.y.0.scale", "drawn", "2"),
    ("figure.0.y.0.offset", "drawn", "5"),
    ("figure.0.x_label", "drawn", "share"),
    ("figure.0.y_label", "drawn", "time"),
    ("figure.0.x_unit", "drawn", "'%'"),
    ("figure.0.log", "drawn", "y"),
    ("figure.0.x_range", "drawn", "[0, 2]"),
    ("figure.0.y_range", "drawn", "[0, 2000]"),
    ("figure.0.share_y", "drawn", "true", "figure.0.panels=run.seed"),
    ("figure.0.band", "drawn", "none"),
    ("figure.0.width", "drawn", "10cm"),
    ("figure.0.height", "drawn", "3in"),
    ("figure.0.font", "drawn", "Times"),
    ("figure.0.font_size", "drawn", "12"),
    ("figure.0.names", "drawn", "{switch.balance: {ecmp: hashing}}"),
    ("figure.0.reference", "drawn", "{function: 50*x, label: a line}"),
    ("figure.0.reference.0.function", "drawn", "40*x"),
    ("figure.0.reference.0.label", "drawn", "another line"),
    ("figure.0.reference.0.of", "drawn", "{switch.balance: spray}"),
    ("figure.0.reference.0.value", "line", "30"),
    ("figure.0.reference.0.band", "band", "[20, 40]"),
    ("figure.0.reference.0.at", "distribution", "0.99"),
    ("figure.0.every", "timed", "100us"),
]

# Keys that no result depends on, each with the reason.
EXEMPT = {
    "title": "names the experiment in tables and pages",
    "base": "the experiment is written out before --set: tests/study/experiment/test_base_file.c",
    "base.file": "as base",
    "base.expect": "as base",
    "base.figure": "as base",
    "fabric.format": "a file is of one format, and is refused as another: tests/fabric/test_formats.c",
    "workload.*.send_done": "what it takes at the receiver is refused without it: tests/workload/test_matrix.c",
    "workload.*.format": "a file is of one format, and is refused as another: tests/workload/test_trace_hpcc.c",
    "table.columns": "what the table shows, never what it is made from: tests/cmd/test_run.c",
    "table.columns.*": "as table.columns",
    "table.baseline": "as table.columns",
    "schemes": "holds schemes that `scheme` names: tests/study/config/test_config.c",
    "sweep": "holds keys of this table; a run's settings show them",
    "lab": "says how heddle lab up makes the network: tests/live/test_containers.py",
    "lab.tool": "as lab",
    "lab.hosts": "as lab",
    "lab.hosts.*.match": "as lab",
    "lab.hosts.*.image": "as lab",
    "profiles": "holds keys of this table; --profile lays them over the file",
    "expect.*.paper": "prose for the page: the verdict does not depend on it",
    "expect.*.known.*.note": "prose for the page: the verdict does not depend on it",
}

# Keys that are measured, or watched, and leave the simulation alone: the digest is the same, the result is not.
MEASURING = ("measure", "switch.pause_storm")

# Keys that name a part of the results.
NAMING = ("workload.0.name",)

# Keys without effect beside other settings: the digest is the same, and the run says that the key has no effect.
PRINTED, RELEASED, HOTNETS, NAIVE = (f"host.expresspass.feedback={name}" for name in ("printed", "released", "hotnets", "naive"))
QUIET = [
    ("host.newreno.delayed_ack_timeout", "tcp", "50us"),
    ("host.newreno.limited_transmit", "tcp", "false", "host.newreno.dupack_threshold=1"),
    ("host.dctcp.g", "ecn", "50%", "host.dctcp.ecn=false"),
    ("host.expresspass.reading", "narrow", "literal", "host.transport=expresspass", RELEASED),
    ("host.expresspass.reading", "narrow", "literal", "host.transport=expresspass", HOTNETS),
    ("host.expresspass.initial_rate", "narrow", "30%", "host.transport=expresspass", NAIVE),
    ("host.expresspass.update_period", "narrow", "2", "host.transport=expresspass", NAIVE),
    ("host.expresspass.target_loss", "narrow", "30%", "host.transport=expresspass", RELEASED),
    ("host.expresspass.target_loss", "narrow", "30%", "host.transport=expresspass", HOTNETS),
    ("host.expresspass.floor", "narrow", "none", "host.transport=expresspass", RELEASED),
    ("host.expresspass.floor", "narrow", "none", "host.transport=expresspass", PRINTED),
    ("host.expresspass.empty", "expresspass", "success", RELEASED),
    ("host.expresspass.empty", "expresspass", "success", PRINTED),
    ("host.expresspass.empty", "expresspass", "success", NAIVE),
    ("host.expresspass.w_init", "narrow", "10%", "host.transport=expresspass", HOTNETS),
    ("host.expresspass.w_min", "narrow", "10%", "host.transport=expresspass", HOTNETS),
    ("host.expresspass.w_max", "narrow", "60%", "host.transport=expresspass", NAIVE),
    ("host.spraypass.aim_ratio", "narrow", "30%", "host.transport=spraypass", "host.spraypass.feedback=released"),
    ("host.spraypass.theta", "slow-path", "50%", "host.spraypass.probing=false"),
    ("host.spraypass.n_b", "slow-path", "50000", "host.spraypass.probing=false"),
    ("host.spraypass.readmit", "slow-path", "50us", "host.spraypass.probing=false"),
    ("host.spraypass.credit_hold", "slow-application", "200us", "host.spraypass.expire=immediate"),
    ("switch.credit_mark_window", "spraypass", "16", "host.spraypass.signal=losses"),
    ("switch.credit_mark_stale", "spraypass", "1us", "host.spraypass.signal=losses"),
    ("switch.credit_mark_window", "expresspass", "16"),
    ("switch.unscheduled_limit", "expresspass", "0B"),
    ("switch.ecn_threshold", "admit", "10KB", "switch.admit=ecn", "host.ecn=false"),
    ("switch.ecn_threshold_per_10g", "tcp", "10KB"),
    ("switch.phantom_threshold_per_10g", "phantom", "3KB", "host.hull.ecn=false"),
    ("switch.phantom_drain", "phantom", "50%", "host.hull.ecn=false"),
    ("switch.schedule", "leaves", "drr"),
    ("switch.class_reserve", "leaves", "10KB", "switch.schedule=drr"),
    ("switch.drr_quantum", "leaves", "4KB", "switch.schedule=drr"),
    ("switch.alb.threshold_1", "balanced", "4KB", "switch.balance=alb", "switch.alb.thresholds=none"),
    ("switch.alb.threshold_2", "balanced", "20KB", "switch.balance=alb", "switch.alb.thresholds=none"),
    ("switch.alb.threshold_2", "balanced", "20KB", "switch.balance=alb", "switch.alb.thresholds=one"),
    ("switch.alb.per_class", "balanced", "false", "switch.balance=alb"),
    ("switch.alb.per_class", "classes", "false", "switch.balance=alb", "switch.alb.thresholds=none"),
    ("switch.expeditus.core_loads_period", "balanced", "100us", "switch.balance=expeditus"),
    ("switch.expeditus.core_loads", "two-tiers", "true", "switch.balance=expeditus"),
    ("switch.expeditus.control_priority", "balanced", "true", "switch.balance=expeditus"),
    ("switch.expeditus.control_priority", "balanced", "true", "switch.balance=expeditus", "switch.classes=2", "switch.schedule=strict",
     "switch.expeditus.carry=handshake", "host.transport=udp", "switch.buffer=20MB"),
    ("switch.expeditus.request_path", "balanced", "least-loaded", "switch.balance=expeditus", "switch.expeditus.carry=handshake", "host.transport=udp", "switch.buffer=20MB"),
    ("switch.expeditus.multipliers", "balanced", "false", "switch.balance=expeditus", "switch.expeditus.carry=handshake", "host.transport=udp", "switch.buffer=20MB",
     "fabric.failed={link: agg0.0-core0.0, at: 0us}"),
    ("switch.islip.reserve", "crossbar", "20KB"),
    ("switch.islip.reserve", "crossbar", "20KB", "switch.islip.full=hold", "switch.classes=1"),
    ("switch.push_out", "lossless", "true"),
    ("switch.push_out", "crossbar", "true", "switch.classes=1"),
    ("switch.pause_classes", "lossless", "1", "switch.pause_above=40KB"),
    ("switch.headroom", "lossless", "paper", "switch.pause_above=40KB"),
    ("workload.0.pairs", "long", "inter-rack"),
    ("workload.0.gap", "incast", "2ms", "workload.0.rounds=1"),
    ("workload.0.placement", "query", "racks"),
    ("workload.0.priority", "query", "1"),
    ("workload.0.priority", "permutation", "1"),
    ("measure.snap", "measured", "64B"),
    ("measure.max_samples", "measured", "4"),
    ("measure.convergence.band", "measured", "20%"),
    ("fabric.rate", "leaves", "5Gbps", "fabric.host_rate=10Gbps", "fabric.uplink_rate=10Gbps"),
    ("fabric.delay", "leaves", "5us", "fabric.host_link_delay=2us", "fabric.uplink_delay=2us"),
]


def tcp_rows(schema):
    """The rows of TCP's keys, for each transport of the schema that has them."""
    def other(key):
        return "false" if schema[key]["default"] == "true" else "true"
    names = [path.split(".")[1] for path in schema if path.startswith("host.") and path.endswith(".sack")]
    return [(f"host.{t}.{key}", base, value or other(f"host.{t}.{key}"), f"host.transport={t}", *more)
            for t in sorted(names) for key, base, value, *more in TCP_KEYS]
