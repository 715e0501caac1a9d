A user draws goodput over time while a link fails at a share of the arrivals. The failure is shaded, from its time to that of its
repair, in milliseconds; a figure with marks at times of its own has these alone; panels have the failures of their runs.

  $ command -v gnuplot > /dev/null || exit 80
  $ cat > cut.yaml <<'END'
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}
  > workload: {kind: trace, path: flows.csv}
  > measure: {goodput: 20us}
  > sweep: {fabric.failed: {whole: [], cut: [{link: leaf0-spine0, at: 40%, repair_at: 70%}], late: [{link: leaf0-spine0, at: 10s}]}}
  > figure:
  >   - {name: panels, kind: time, panels: fabric.failed, y: {metric: goodput.mean}}
  >   - {name: apart, kind: time, series: fabric.failed, y: {metric: goodput.mean}}
  >   - {name: alone, kind: time, of: {fabric.failed: cut}, y: {metric: goodput.mean}}
  >   - {name: own, kind: time, of: {fabric.failed: cut}, y: {metric: goodput.mean}, reference: {value: 0.1, at: x}}
  > END
  $ for i in $(seq 20); do echo "$((i * 10)),host0.0,host1.0,20000"; done | (echo start_us,source,destination,bytes; cat) > flows.csv
  $ heddle run cut.yaml -q
  cut.yaml: warning: fabric.failed.0.at: 1 of 1 failures and repairs come at 10s or later, in 1 of 3 runs; run 3 measures until 377us
  $ heddle report cut.db --figures f > /dev/null
  $ grep -c 'title "link down"' f/*.gp
  f/alone.gp:1
  f/apart.gp:0
  f/own.gp:0
  f/panels.gp:1
  $ grep -h 'set object' f/*.gp
      set object rectangle from first 0.09, graph 0 to first 0.15, graph 1 behind fc rgb '#666666' fs transparent solid 0.15 noborder
      unset object; unset arrow
      unset object; unset arrow
      set object rectangle from first 0.09, graph 0 to first 0.15, graph 1 behind fc rgb '#666666' fs transparent solid 0.15 noborder
      unset object; unset arrow
