`lab up` cannot write its record: its files may have no byte here. Nothing is reserved by that, so the next `lab up` works, and so does
`lab down`.

  $ . "$ROOT/tests/edges/labs.sh"
  $ star one.yaml h1 h2
  $ up_unwritten() { (ulimit -c 0 -f 0; exec heddle lab up one.yaml --name $LAB >/dev/null); }
  $ up_unwritten 2>/dev/null
  [2]
  $ heddle lab up one.yaml --name $LAB | head -1 | unnamed
  lab LAB: 1 switches, 2 hosts, h1 10.0.0.1 to h2 10.0.0.2
  $ heddle lab down --name $LAB >/dev/null
  $ up_unwritten 2>/dev/null
  [2]
  $ heddle lab down --name $LAB 2>&1 | unnamed | grep -o "error: there is no lab 'LAB'"
  error: there is no lab 'LAB'
  $ left
  0 namespaces, 0 processes, 0 folders
