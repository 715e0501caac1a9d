Somebody makes buffers shallow, and ports would drop before they mark. The remedy leaves senders room to react: a threshold one byte
below the buffer would make DCTCP a TCP without marks.

  $ cat > x.yaml <<EOF
  > scheme: dctcp
  > fabric: {kind: star, hosts: 9, rate: 25Gbps}
  > switch: {buffer: 200KB}
  > workload: {kind: incast, sizes: 100KB, receiver: 0, senders: 8}
  > EOF
  $ heddle check x.yaml
  x.yaml:3:18: error: switch.buffer: 200KB fill before ports of 25Gbps mark, above 249925B; senders need room above the threshold until they react; write switch.ecn_threshold_per_10g: 26KB, a third of the buffer, or switch.buffer: 750KB
  [2]

Each remedy is enough, and no warning follows.

  $ heddle check x.yaml --set switch.ecn_threshold_per_10g=26KB 2>&1 >printed
  $ heddle check x.yaml --set switch.buffer=750KB 2>&1 >printed

A threshold within eight frames of the buffer is a warning, whichever key gives it.

  $ heddle check x.yaml --set switch.ecn_threshold_per_10g=79999B 2>&1 >printed
  x.yaml:3:18: warning: switch.buffer: ports of 25Gbps mark above 199997B and are full at 200KB, less than a frame later: frames are lost before marks can have an effect; senders need room above the threshold until they react; write switch.ecn_threshold_per_10g: 26KB, a third of the buffer, or switch.buffer: 600KB
  $ heddle check x.yaml --set switch.ecn_threshold=190KB 2>&1 >printed | grep -o 'mark above.*later'
  mark above 190KB and are full at 200KB, 6 frames later
  $ heddle check x.yaml --set switch.ecn_threshold=180KB 2>&1 >printed

A transport that heeds no marks loses nothing by them.

  $ heddle check x.yaml --set scheme=ecmp --set switch.ecn_threshold=190KB 2>&1 >printed | grep -c 'mark above'
  0
  [1]
