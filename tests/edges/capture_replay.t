A user cut a capture with editcap, or kept one of an older heddle, and replayed it.
Both hold the times to the picosecond, so the switch sends the same frames at the same picosecond.

  $ command -v editcap >/dev/null || { echo "editcap is missing"; exit 80; }
  $ frames() { python3 $ROOT/tests/live/capture_file.py --sent $1; }
  $ cat >x.yaml <<'END'
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 1}
  > switch: {balance: expeditus}
  > workload: {kind: long, src: host0.0, dst: host1.0, sizes: 4KB}
  > measure: {pcap: [leaf0], snap: 96B}
  > END
  $ heddle run x.yaml -q
  $ editcap x.captures/run1/leaf0.pcapng cut.pcapng 2>/dev/null
  $ heddle replay x.yaml --node leaf0 --in all=cut.pcapng --out cut >/dev/null
  $ diff <(frames x.captures/run1/leaf0.pcapng) <(frames cut/leaf0.pcapng) && echo the same
  the same
  $ heddle replay x.yaml --node leaf0 --in all=$ROOT/tests/edges/capture_in_picoseconds.pcapng --out old >/dev/null
  $ diff <(frames $ROOT/tests/edges/capture_in_picoseconds.pcapng) <(frames old/leaf0.pcapng) && echo the same
  the same
  $ capinfos -I x.captures/run1/leaf0.pcapng 2>/dev/null | grep -m 1 resolution
                       Time resolution = 0x0a
  $ capinfos -I $ROOT/tests/edges/capture_in_picoseconds.pcapng 2>/dev/null | grep -m 1 resolution
                       Time resolution = 0x0c
