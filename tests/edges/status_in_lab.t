`heddle status NODE` finds the lab that the node is in; with two such labs it names both, and --name chooses.

  $ . "$ROOT/tests/edges/labs.sh"
  $ star one.yaml h1 h2
  $ star two.yaml h1 g2
  $ for file in one two; do sed -i "s/s1/$LAB/g" $file.yaml.fabric; done
  $ heddle status $LAB 2>&1 | unnamed
  error: no switch answers at /run/heddle/LAB.sock, and no lab has a node 'LAB'
  $ heddle lab up one.yaml --name $LAB >/dev/null
  $ heddle status $LAB | tail -n +2 | tr -s ' ' | cut -d ' ' -f 1-3 | unnamed
  LAB 10.255.0.1: 2
   port link
   h1 up
   h2 up
  $ heddle status $LAB --metrics | grep heddle_port_up | tail -2 | unnamed
  heddle_port_up{switch="LAB",port="h1"} 1
  heddle_port_up{switch="LAB",port="h2"} 1
  $ heddle lab up two.yaml --name $LAB-b --nic on >/dev/null
  $ heddle status $LAB 2>&1 | unnamed
  error: 'LAB' is a switch of the labs LAB and LAB-b; add --name LAB
  $ heddle status $LAB --name $LAB-b --json | grep -o '"name":"[a-z][0-9]"'
  "name":"h1"
  "name":"g2"
  $ heddle status g2 | head -1 | cut -d , -f 1
  NIC of g2
  $ heddle status h2 2>&1 | unnamed
  error: h2 is a host of lab 'LAB', without a NIC of heddle; heddle lab status --name LAB shows its link
  $ heddle status no-such-node --name $LAB 2>&1 | unnamed
  error: lab 'LAB' has no node 'no-such-node'
  $ heddle lab down --name $LAB-b >/dev/null
  $ heddle lab down --name $LAB >/dev/null
