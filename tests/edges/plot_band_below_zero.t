An interval over seeds may reach below 0, where nothing can be; its band ends at the axis, and on a logarithmic axis it is drawn
down to the end of the axis.

  $ cat > x.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > workload: {kind: poisson, sizes: web-search, load: 0.3, load_at: tor-uplink, pairs: inter-rack, flows: 12}
  > sweep: {workload.0.load: [0.2, 0.4], run.seed: [1, 2]}
  > EOF
  $ heddle run x.yaml -q 2>/dev/null
  $ heddle plot x.db fct_us.all.max by load -o a > a.txt
  $ awk -F, '{ low += $4 < 0 } END { print (low > 0) }' a/*.csv
  1
  $ grep -o '\$4<[^:]*:[$]4)' a/*.gp
  $4<0?0:$4)
  $ heddle plot x.db fct_us.all.max by load -o b --set log=y > b.txt
  $ grep -o '\$4<[^:]*:[$]4)' b/*.gp
  $4<12885.076257083336?12885.076257083336:$4)
  $ grep -o 'set yrange .*' b/*.gp | tail -1
  set yrange [12885.076257083336:107938.34783293452]

A point at 0 has no place on a logarithmic axis, and does not decide where it begins.

  $ cat > y.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > workload: {kind: incast, sizes: 100KB, senders: 6}
  > sweep: {switch.buffer: [30KB, 4MB], run.seed: [1, 2]}
  > EOF
  $ heddle run y.yaml -q 2>/dev/null
  $ heddle plot y.db packets.dropped by buffer --kind lines -o c --set log=y > c.txt
  $ cut -d, -f2,3 c/*.csv
  x,y
  30,91.5
  4000,0
  $ grep -o 'set yrange .*' c/*.gp | tail -1
  set yrange [76.25:529.1046]
