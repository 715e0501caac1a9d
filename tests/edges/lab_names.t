Two labs are up, "a" with a host "b-h" and "a-b" with a host "h". Names of their parts differ, so both work side by side, and
the end of the second leaves the first as it was.

  $ . "$ROOT/tests/edges/labs.sh"
  $ star one.yaml b-h c
  $ star two.yaml h c
  $ heddle lab up one.yaml --name $LAB | head -1 | unnamed
  lab LAB: 1 switches, 2 hosts, b-h 10.0.0.1 to c 10.0.0.2
  $ heddle lab up two.yaml --name $LAB-b 2>&1 | head -1 | unnamed
  lab LAB-b: 1 switches, 2 hosts, h 10.0.0.1 to c 10.0.0.2
  $ heddle lab exec --name $LAB b-h ping -c 1 -W 2 10.0.0.2 | grep -o ' 0% packet loss'
   0% packet loss
  $ heddle lab exec --name $LAB-b h ping -c 1 -W 2 10.0.0.2 | grep -o ' 0% packet loss'
   0% packet loss
  $ heddle lab down --name $LAB-b >/dev/null
  $ heddle lab exec --name $LAB b-h ping -c 1 -W 2 10.0.0.2 | grep -o ' 0% packet loss'
   0% packet loss
  $ heddle lab down --name $LAB >/dev/null
  $ left
  0 namespaces, 0 processes, 0 folders
