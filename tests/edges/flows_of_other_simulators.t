Flow files of the HPCC simulator are traces, and are written of any flows that start by the clock: the same run.

  $ cat >poisson.yaml <<'Y'
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > workload: {kind: poisson, sizes: web-search, max_size: 1MB, load: 0.4, load_at: host, flows: 40}
  > Y
  $ cat >trace.yaml <<'Y'
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > workload: {kind: trace, format: hpcc, path: flows.txt}
  > Y
  $ digest() { heddle run "$@" --json 2>/dev/null | sed -n 's/.*"digest":"\([0-9a-f]*\)".*/\1/p'; }
  $ heddle convert poisson.yaml --to hpcc-flows -o flows.txt
  flows.txt: 40 flows; workload: {kind: trace, format: hpcc, path: flows.txt}
  $ digest poisson.yaml >before && digest trace.yaml >after && cmp before after

A topology of the same simulator names hosts by their numbers, in whatever order.

  $ printf '4 1 3\n0\n3 0 10Gbps 1us 0\n1 0 10Gbps 1us 0\n2 0 10Gbps 1us 0\n' >star.txt
  $ printf '2\n3 1 3 100 65536 0\n2 3 0 100 1000 0.00001\nBoth.\n' >flows.txt
  $ cat >star.yaml <<'Y'
  > fabric: {kind: file, format: hpcc, path: star.txt}
  > workload: {kind: trace, format: hpcc, path: flows.txt}
  > switch: {classes: 4, schedule: strict}
  > Y
  $ heddle run star.yaml -o star.db >/dev/null 2>&1; heddle flows star.db --csv | cut -d, -f3-6
  src,dst,bytes,start_us
  3,1,65536,0
  2,3,1000,10

`heddle flows --fct` prints the lines that scripts for that simulator read. Hosts count from 0 there.

  $ heddle flows star.db --fct
  0b000201 0b000001 10000 100 65536 0 62755 62604
  0b000101 0b000201 10001 100 1000 10000 55393 7993
  $ heddle flows star.db --fct --csv
  heddle: error: --csv and --fct are two forms of the same flows; give one
  [2]

What starts after other flows, or has no end, cannot be written so.

  $ heddle convert star.yaml --to hpcc-flows --set 'workload={kind: collective, size: 3KB}'
  star.yaml: error: hpcc-flows: the flow from host 0 to host 1 starts when others have ended, which this format cannot say; write --to goal, or cm
  [2]
  $ echo '3 1 8 100 65536 0' >>flows.txt; sed -i 1s/2/3/ flows.txt; heddle check star.yaml
  flows.txt:4:6: error: 1 of 6 words; a flow is 0 1 3 100 65536 2.0 (source, destination, group, port, bytes, seconds)
  [2]

A collective as a connection matrix of htsim, with triggers, has the same job completion time, and the same digest.

  $ cat >ring.yaml <<'Y'
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4, rate: 100Gbps, delay: 500ns}
  > scheme: dctcp
  > workload: {kind: collective, op: all-reduce, algorithm: ring, size: 1600KB, ranks: 8}
  > Y
  $ sed 's/^workload.*/workload: {kind: matrix, path: ring.cm, time_unit: ps}/' ring.yaml >matrix.yaml
  $ heddle convert ring.yaml --to cm -o ring.cm
  ring.cm: 112 flows; workload: {kind: matrix, time_unit: ps, path: ring.cm}
  $ jct() { heddle run "$@" --json 2>/dev/null | python3 -c '
  > import json, sys
  > for line in sys.stdin:
  >     run = json.loads(line)
  >     print(run["jobs"][0]["jct_us"]["mean"], run["engine"]["digest"])'; }
  $ jct ring.yaml >before && jct matrix.yaml >after && cmp before after && cat after
  278.7568 bf949892308c2d4f
  $ for op in '{algorithm: direct}' '{op: reduce-scatter}' '{op: all-to-all, window: 2}' '{iterations: 3}'; do
  >   heddle convert ring.yaml --set "workload={kind: collective, size: 1600KB, ${op#?}" --to cm -o ring.cm --force
  >   jct ring.yaml --set "workload={kind: collective, size: 1600KB, ${op#?}" | cut -d' ' -f2 >before; jct matrix.yaml | cut -d' ' -f2 >after; cmp before after
  > done
  ring.cm: 112 flows; workload: {kind: matrix, time_unit: ps, path: ring.cm}
  ring.cm: 56 flows; workload: {kind: matrix, time_unit: ps, path: ring.cm}
  ring.cm: 56 flows; workload: {kind: matrix, time_unit: ps, path: ring.cm}
  ring.cm: 336 flows; workload: {kind: matrix, time_unit: ps, path: ring.cm}
  $ heddle convert ring.yaml --set workload.0.algorithm=halving-doubling --to cm
  ring.yaml: error: cm: the flow from host 4 to host 0 is awaited by two operations, but can activate one trigger; write --to goal
  [2]
  $ heddle check matrix.yaml --set workload.0.time_unit=hours
  --set workload.0.time_unit:1:1: error: workload.0.time_unit: 'hours' is unknown; write one of: ps, ns, us, ms, s
  [2]
  $ sed -i 's/recv_done/send_done/' ring.cm; heddle check matrix.yaml
  ring.cm:5:1: error: send_done_trigger: host 1 starts flows on what it has seen itself, not on what host 0 has; write recv_done_trigger, or send_done: receiver in the workload
  [2]

Schedules in GOAL hold all that jobs do: the same digest again, from text and from binary.

  $ sed 's/^workload.*/workload: {kind: goal, path: job.goal}/' ring.yaml >goal.yaml
  $ for op in '{algorithm: ring}' '{algorithm: halving-doubling}' '{iterations: 2, compute: 3us, channels: 2}' '{op: all-to-all, window: 2}'; do
  >   heddle convert ring.yaml --set "workload={kind: collective, size: 1600KB, ${op#?}" --to goal -o job.goal --force
  >   jct ring.yaml --set "workload={kind: collective, size: 1600KB, ${op#?}" | cut -d' ' -f2 >before; jct goal.yaml | cut -d' ' -f2 >after; cmp before after
  > done
  job.goal: 112 flows; workload: {kind: goal, path: job.goal}
  job.goal: 48 flows; workload: {kind: goal, path: job.goal}
  job.goal: 448 flows; workload: {kind: goal, path: job.goal}
  job.goal: 56 flows; workload: {kind: goal, path: job.goal}
  $ heddle convert ring.yaml --to goal -o job.goal --force && jct ring.yaml >before && jct goal.yaml >after && cmp before after
  job.goal: 112 flows; workload: {kind: goal, path: job.goal}
  $ cat >binary.py <<'P'
  > import struct, sys
  > SEND, RECV, CALC = 1, 2, 3
  > def schedule(ranks): # of each rank: nodes (kind, peer, size, tag, cpu), pairs "a requires b", pairs "a irequires b"
  >     parts = []
  >     for nodes, requires, irequires in ranks:
  >         lists, ends = [], []
  >         for i in range(len(nodes)):
  >             after, start = [a for a, b in requires if b == i], [a for a, b in irequires if b == i]
  >             ends.append((len(after), len(lists), len(start), len(lists) + len(after)))
  >             lists += after + start
  >         waits = [sum(a == i for a, b in requires + irequires) for i in range(len(nodes))]
  >         roots = [i for i in range(len(nodes)) if not waits[i]]
  >         part = struct.pack("<II%dI" % len(roots), len(nodes), len(roots), *roots)
  >         for (kind, peer, size, tag, cpu), n, end in zip(nodes, waits, ends):
  >             part += struct.pack("<IBIQIBB4I", n, kind, peer, size, tag, cpu, 0, *end)
  >         parts.append(part + struct.pack("<%dI" % len(lists), *lists))
  >     out, at = struct.pack("<QIBB", 4223, len(ranks), 0, 0), 6 + 16 * len(ranks)
  >     for part in parts:
  >         out, at = out + struct.pack("<QQ", at, at + len(part)), at + len(part)
  >     return out + b"".join(parts)
  > ranks = [([(CALC, 0, 1000, 0, 0), (SEND, 1, 4096, 3, 0)], [(1, 0)], []), ([(RECV, 0, 4096, 3, 0)], [], [])]
  > open("job.goal", "wb").write(schedule(ranks))
  > P
  $ cat >two.goal <<'G'
  > num_ranks 2
  > rank 0 {
  > a: calc 1000
  > b: send 4096b to 1 tag 3
  > b requires a
  > }
  > rank 1 {
  > c: recv 4096b from 0 tag 3
  > }
  > G
  $ python3 binary.py && jct goal.yaml >before && cp two.goal job.goal && jct goal.yaml >after && cmp before after && cat after
  2.46944 d3875140383eee7a

A cpu carries out one operation at a time: two computations take twice as long, unless they are on two cpus. What requires the
start of another begins with it. The message alone takes 1.46944 us.

  $ goal() { printf '%s\n' 'num_ranks 2' 'rank 0 {' 's: send 4096b to 1' "${@:2}" '}' 'rank 1 {' "$1" '}' >job.goal; jct goal.yaml | cut -d' ' -f1; }
  $ goal 'recv 4096b from 0'
  1.46944
  $ goal 'recv 4096b from 0' 'a: calc 1000' 's requires a'
  2.46944
  $ goal 'recv 4096b from 0' 'a: calc 1000 cpu 1' 'b: calc 1000 cpu 1' 's requires a' 's requires b'
  3.46944
  $ goal 'recv 4096b from 0' 'a: calc 1000 cpu 1' 'b: calc 1000 cpu 2' 's requires a' 's requires b'
  2.46944
  $ goal 'recv 4096b from 0' 'a: calc 1000 cpu 1' 'b: calc 5 cpu 1' 's irequires b'
  2.46944
  $ goal 'r: recv 4096b from 0
  > a: calc 9000
  > r requires a
  > z: calc 1000
  > z requires r'
  10.0

What a schedule cannot mean here is an error.

  $ goal 'recv 4096b from 0 tag 1'; heddle check goal.yaml
  job.goal:3:1: error: rank 1 has no receive for this message from rank 0 with tag 0; add one
  [2]
  $ cp two.goal job.goal; heddle check goal.yaml --set 'workload.0.ranks=[host0.0, host0.1, host0.2]'
  goal.yaml:3:18: error: ranks: there are 3, but the file has 2; name as many, or leave it out
  [2]
  $ sed -i 's/tag 3/nic 1/' job.goal; heddle check goal.yaml
  job.goal:4:24: error: a host has one NIC here; write nic 0, or leave it out
  [2]

Traces of Chakra, a file for each rank, plain or compressed: a collective as one node, and as sends and receives, has the same digest
as the same collective.

  $ cat >et.py <<'P'
  > import gzip
  > def varint(n):
  >     return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + varint(n >> 7)
  > def num(field, n): return varint(field << 3) + varint(n)
  > def part(field, b): return varint(field << 3 | 2) + varint(len(b)) + b
  > def node(id, type, deps=(), duration=0, **attrs):
  >     head = num(1, id) + num(3, type) + b"".join(num(5, d) for d in deps) + num(7, duration)
  >     return head + b"".join(part(10, part(1, k.encode()) + num(13, v)) for k, v in attrs.items())
  > def write(path, nodes, compressed=False):
  >     b = b"".join(varint(len(m)) + m for m in [part(1, b"0.0.4"), *nodes])
  >     open(path, "wb").write(gzip.compress(b) if compressed else b)
  > COMP, SEND, RECV, COLL = 4, 5, 6, 7
  > n, size = 8, 1600000
  > for r in range(n):
  >     write(f"coll.{r}.et", [node(1, COLL, comm_type=0, comm_size=size)], r % 2)
  >     steps = []
  >     for k in range(2 * (n - 1)):
  >         steps += [node(2 * k + 1, SEND, [2 * k][:k], comm_size=size // n, comm_dst=(r + 1) % n, comm_tag=k),
  >                   node(2 * k + 2, RECV, comm_size=size // n, comm_src=(r - 1) % n, comm_tag=k)]
  >     write(f"ring.{r}.et", steps)
  >     write(f"late.{r}.et", [node(7, COLL, [9], comm_type=0, comm_size=size), node(9, COMP, duration=100)])
  > P
  $ python3 et.py && sed 's/^workload.*/workload: {kind: chakra, traces: coll.0.et}/' ring.yaml >chakra.yaml
  $ jct ring.yaml >before; jct chakra.yaml >after; cmp before after
  $ jct chakra.yaml --set workload.0.traces=ring.0.et >after; cmp before after
  $ jct chakra.yaml --set workload.0.traces=late.0.et | cut -d' ' -f1; cut -d' ' -f1 before
  378.7568
  278.7568

The files of all ranks are part of a run: one that changes makes another run.

  $ cp late.3.et coll.3.et && jct chakra.yaml | cut -d' ' -f1
  373.06352
  $ mv ring.3.et coll.3.et; heddle check chakra.yaml
  coll.0.et: error: rank 3 has 0 collectives, but rank 0 has 1; all ranks have the same ones
  [2]
  $ rm coll.1.et; heddle check chakra.yaml
  coll.0.et: error: there is a trace of one rank alone; name the file of rank 0, such as step.0.et, with step.1.et beside it
  [2]
  $ heddle check chakra.yaml --set workload.0.traces=ring.yaml
  ring.yaml: error: there is a trace of one rank alone; name the file of rank 0, such as step.0.et, with step.1.et beside it
  [2]

A workload file of SimAI: one layer whose activations are all-reduced is that all-reduce.

  $ cat >layers.txt <<'L'
  > HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: 8 checkpoints: 0 checkpoint_initiates: 0
  > 1
  > layer -1 0 ALLREDUCE 1600000 0 NONE 0 0 NONE 0 0
  > L
  $ sed 's/^workload.*/workload: {kind: simai, path: layers.txt}/' ring.yaml >simai.yaml
  $ jct simai.yaml >after; cmp before after
  $ sed -i 's/-1 0 \(.*\) 0 NONE 0 0 NONE/-1 20000 \1 10000 NONE 0 0 NONE/' layers.txt; jct simai.yaml | cut -d' ' -f1
  308.7568
  $ sed -i 's/pp: 1/pp: 2/' layers.txt; heddle check simai.yaml
  layers.txt:1:71: error: pipeline stages are not in a file of layers; use kind training with pipeline
  [2]
