A user opened the capture of a run of a second in Wireshark 4.0 (Debian 12), whose times wrapped every 18.4 ms.
Each frame must stand at its time: flows start at 1 us, 25 ms and 1030 ms.

  $ command -v tshark >/dev/null || { echo "tshark is missing"; exit 80; }
  $ cat >x.yaml <<'END'
  > fabric: {kind: star, hosts: 2}
  > workload:
  >   - {kind: long, src: 0, dst: 1, sizes: 100B, start: 1us}
  >   - {kind: long, src: 0, dst: 1, sizes: 100B, start: 25ms}
  >   - {kind: long, src: 0, dst: 1, sizes: 100B, start: 1030ms}
  > measure: {pcap: [host0.0]}
  > END
  $ heddle run x.yaml -q
  $ tshark -r x.captures/run1/host0.0.pcapng -Y 'tcp.flags.syn == 1 && tcp.flags.ack == 0' -T fields \
  >   -e frame.time_epoch 2>/dev/null
  0.000001072
  0.025000072
  1.030000072
