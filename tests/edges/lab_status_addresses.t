`lab status` shows where each node is: its address, and the namespace in which its programs run.

  $ . "$ROOT/tests/edges/labs.sh"
  $ star one.yaml h1 h2
  $ heddle lab up one.yaml --name $LAB >/dev/null
  $ heddle lab status --name $LAB | grep -A 3 ^node | unnamed
  node                     address          namespace
  h1                       10.0.0.1         heddle-LAB.h1
  h2                       10.0.0.2         heddle-LAB.h2
  s1                       10.255.0.1       heddle-LAB.switches
  $ heddle lab down --name $LAB >/dev/null
