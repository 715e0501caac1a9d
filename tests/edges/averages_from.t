A user lets measurements begin when a queue is full (measure.from): 4 hosts send to one at 2.5 times its rate. The mean queue
must be that of the measured time, nearly the buffer of 225 KB, as the utilisation of the bottleneck is.

  $ cat > from.yaml <<'END'
  > fabric: {kind: star, hosts: 5, rate: 10Gbps}
  > host: {transport: udp}
  > workload:
  >   - {kind: long, src: 1, dst: 0, rate: 6Gbps}
  >   - {kind: long, src: 2, dst: 0, rate: 6Gbps}
  >   - {kind: long, src: 3, dst: 0, rate: 6Gbps}
  >   - {kind: long, src: 4, dst: 0, rate: 6Gbps}
  > run: {until: 400us}
  > measure: {from: 200us}
  > END
  $ heddle run from.yaml --json -q -o from.db > /dev/null
  $ sqlite3 from.db "SELECT queue_mean_bytes > 220000, round(utilisation, 2) FROM ports
  >   JOIN nodes a ON a.run = ports.run AND a.node = ports.node JOIN nodes b ON b.run = ports.run AND b.node = neighbour
  >   WHERE a.name = 'leaf0' AND b.name = 'host0.0'"
  1|1.0
