Somebody sweeps the epoch of Clairvoyant's board, and each epoch must give runs of its own.

  $ cat > x.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > switch: {balance: clairvoyant}
  > workload: {kind: poisson, sizes: 100KB, load: 0.8, load_at: tor-uplink, pairs: inter-rack, flows: 100}
  > measure: {starts: [60%, 90%]}
  > sweep: {switch.clairvoyant.epoch: [1us, 10us, 100us]}
  > EOF
  $ heddle run x.yaml -q --json -o x.db 2>/dev/null | grep -o '"digest": *"[0-9a-f]*"' | sort -u | wc -l
  3
