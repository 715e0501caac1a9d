The congestion control of an experiment is the default of its hosts' namespaces; a route names one only where it may be no default.

  $ . "$ROOT/tests/edges/labs.sh"
  $ star one.yaml h1 h2
  $ heddle lab up one.yaml --name $LAB >/dev/null 2>&1; ip -n heddle-$LAB.h1 route | grep -c congctl
  0
  [1]
  $ heddle lab down --name $LAB > /dev/null
  $ for row in newreno=reno cubic=cubic; do
  >   cp one.yaml two.yaml; echo "host: {transport: ${row%=*}}" >> two.yaml
  >   heddle lab up two.yaml --name $LAB >/dev/null 2>&1
  >   default=$(heddle lab exec --name $LAB h2 sysctl -n net.ipv4.tcp_congestion_control | grep -cx ${row#*=})
  >   route=$(ip -n heddle-$LAB.h2 route | grep -cw "congctl ${row#*=}")
  >   echo "$row: by one of the two: $((default + route))"
  >   heddle lab down --name $LAB > /dev/null
  > done
  newreno=reno: by one of the two: 1
  cubic=cubic: by one of the two: 1
A lab that is taken down twice is not there the second time.

  $ heddle lab down --name $LAB 2>/dev/null
  [2]
  $ left
  0 namespaces, 0 processes, 0 folders
