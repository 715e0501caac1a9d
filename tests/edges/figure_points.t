A figure over time has more samples than points were asked for: they are averaged, all periods alike. A range of x keeps what lies in it,
with a period beside each end.

  $ cat > x.yaml <<EOF
  > fabric: {kind: star, hosts: 2}
  > workload: {kind: long, src: 0, dst: 1}
  > run: {until: 4ms}
  > measure: {goodput: 10us}
  > figure:
  >   - {name: all, kind: time, y: {metric: goodput.mean}}
  >   - {name: part, kind: time, y: {metric: goodput.mean}, x_range: [1, 2]}
  > EOF
  $ command -v gnuplot >/dev/null || { echo "gnuplot is missing"; exit 80; }
  $ heddle run x.yaml --quiet -o x.db
  $ heddle report x.db --figures out > names; wc -l < names
  10
  $ for name in all part; do tail -n +2 out/$name.csv | awk -F, -v name=$name '{n++; if (n == 1) from = $2; to = $2} END {printf "%s %d %.6g %.6g\n", name, n, from, to}'; done
  all 400 0.01 4
  part 103 0.99 2.01
  $ heddle report x.db --figures out --points 100 > names
  $ for name in all part; do tail -n +2 out/$name.csv | awk -F, -v name=$name '{n++; if (n == 1) from = $2; to = $2} END {printf "%s %d %.6g %.6g\n", name, n, from, to}'; done
  all 100 0.02 3.98
  part 53 0.97 2.01
  $ heddle report x.db --points 100
  heddle: error: --points thins the curves of figures; name their --figures DIR
  [2]
