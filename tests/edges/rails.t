Four servers of four GPUs. A hierarchical all-reduce of 16 MB puts 2 (g - 1)/g x 16 = 24 MB on each scale-up port, and 2 (m - 1)/m x 16/g = 6 MB
on each NIC, with headers and ACKs 26.7 and 6.7 MB; between servers each GPU sends to the one of its own rail, so no frame crosses a spine.

  $ cat >x.yaml <<END
  > fabric: {kind: rails, servers: 4, gpus: 4, spines: 2, rate: 400Gbps, delay: 500ns}
  > scheme: dctcp
  > workload: {kind: collective, op: all-reduce, algorithm: hierarchical, group: 4, size: 16MB}
  > END
  $ sent() { heddle export $1.db --csv $1 --force >/dev/null; tr -d '\r' <$1/ports.csv | awk -F, "$2" | sort | uniq -c; }
  $ heddle run x.yaml -o h.db >/dev/null
  $ sent h 'NR > 1 && $4 < 16 {printf "%s %.1f MB\n", $3 % 2 ? "NIC" : "scale-up", $8 / 1e6}'
       16 NIC 6.7 MB
       16 scale-up 26.7 MB
  $ sent h '$7 == "uplink" {printf "uplink %d bytes\n", $8}'
       16 uplink 0 bytes

A ring in the order of the servers leaves a server over the last GPU's NIC alone, 2 (n - 1)/n x 16 = 30 MB, and enters it at the first, which is on another
rail: over a spine. The other NICs send nothing.

  $ heddle run x.yaml --set workload='{kind: collective, op: all-reduce, algorithm: ring, size: 16MB}' -o r.db >/dev/null
  $ sent r 'NR > 1 && $4 < 16 && $3 % 2 {printf "NIC of GPU %d: %.1f MB\n", $4 % 4, $8 / 1e6}'
        4 NIC of GPU 0: 1.7 MB
        4 NIC of GPU 1: 0.0 MB
        4 NIC of GPU 2: 0.0 MB
        4 NIC of GPU 3: 31.6 MB
  $ sent r '$7 == "uplink" && $8 > 0 {print "used"}'
        8 used

The load of uplinks cannot be asked for: what crosses them depends on more than the racks of two hosts.

  $ heddle check x.yaml --set workload='{kind: poisson, sizes: 100KB, load: 0.5, load_at: tor-uplink, flows: 10}'
  --set workload:1:8: error: load_at: tor-uplink: beside scale-up ports it depends on more than racks what crosses it; it has: host
  [2]

In a training step tensor groups are inside of servers, and data groups on rails: 2 (m - 1)/m x 32/4 = 12 MB of gradients on each NIC.

  $ heddle run x.yaml --set workload='{kind: training, tensor: 4, data: 4, layers: 4, micro_batches: 2, forward: 10us, activation: 1MB, gradients: 32MB}' -o t.db >/dev/null
  $ sent t 'NR > 1 && $4 < 16 {printf "%s %.1f MB\n", $3 % 2 ? "NIC" : "scale-up", $8 / 1e6}'
       16 NIC 13.3 MB
       16 scale-up 53.3 MB
  $ sent t '$7 == "uplink" {printf "uplink %d bytes\n", $8}'
       16 uplink 0 bytes
