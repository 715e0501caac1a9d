Somebody reserves room for classes in DeTail's lossless switches, by the key of switches without a crossbar: frames would be lost.
The key is refused, and the key that the message names loses none.

  $ run() { heddle run "$ROOT/experiments/detail/f12-web-partition.yaml" --set scheme=detail --set workload.0.stop=30ms \
  >   --set workload.1.stop=30ms --set run.seed=1 -q -o x.db "$@"; }
  $ run --set switch.class_reserve=16384B
  --set switch.class_reserve:1:1: error: switch.class_reserve: with crossbar: islip the reserve is switch.islip.reserve; leave out one of them
  [2]
  $ run --set switch.islip.reserve=16384B --json 2>/dev/null | grep -o '"dropped": *[0-9]*' | head -1
  "dropped":0
