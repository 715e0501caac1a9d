A trace names hosts by digits, in quotes or bare, in a fabric whose file names them "2", "1" and "0".
A field in quotes is a name; a bare 0 could be the host named 0 and host number 0, so the error names both.

  $ cat >net.yaml <<END
  > nodes: [{name: "2", tier: host}, {name: "1", tier: host}, {name: "0", tier: host}, {name: s, tier: leaf}]
  > links: [{a: "0", b: s}, {a: "1", b: s}, {a: "2", b: s}]
  > END
  $ cat >x.yaml <<END
  > fabric: {kind: file, path: net.yaml, rate: 10Gbps, delay: 1us}
  > workload: {kind: trace, path: flows.csv}
  > END
  $ echo '0us,"0","1",10KB' >flows.csv
  $ heddle run x.yaml -q
  $ heddle flows x.db | awk 'NR > 1 {print $3, $4}'
  0 1
  $ echo '0us,0,1,10KB' >flows.csv
  $ heddle check x.yaml >/dev/null
  flows.csv:1:5: error: source: 0 is the name of a host and the number of host 2; write the name in quotes, "0" or "2"
  [2]
