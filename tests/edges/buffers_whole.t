An operator asks how much one switch holds. DeTail keeps frames at both ends of its crossbar: `queues_bytes.max` is the largest single
egress queue, `buffers_bytes` has all that is in one switch at one time. The store has it for each switch.

  $ cat > x.yaml <<'EOF'
  > title: seven senders to one receiver
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4, rate: 1Gbps}
  > scheme: detail
  > workload: {kind: incast, sizes: 200KB, receiver: 0}
  > EOF
  $ heddle run x.yaml --json | python3 -c "
  > import json, sys
  > run = json.loads(sys.stdin.readline())
  > print('egress', run['queues_bytes']['max'], 'ingress', run['pauses']['ingress_bytes_max'], 'whole', run['buffers_bytes']['max'])"
  egress 87796.0 ingress 110814 whole 434094.0
  $ heddle report x.db --text --columns queues_bytes.max,buffers_bytes.max | grep -A 1 'queue .*buffer' | sed 's/^ *run.seed *//'
  queue   buffer
    1         87.8 KB   434 KB
  $ heddle export x.db --csv csv > /dev/null; cut -d, -f4,6 csv/nodes.csv | grep -v host
  name,buffer_max_bytes
  leaf0,434094
  leaf1,13302
  spine0,2275
  spine1,2275
