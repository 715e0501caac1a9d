Somebody put a file into the folder of a lab. `lab down` removes the lab, keeps the file and says so; the name is free again.

  $ . "$ROOT/tests/edges/labs.sh"
  $ star one.yaml h1 h2
  $ heddle lab up one.yaml --name $LAB >/dev/null
  $ echo mine >/run/heddle/labs/$LAB/notes
  $ heddle lab down --name $LAB 2>&1 | unnamed
  /run/heddle/labs/LAB/notes: warning: this file is not the lab's, so it stays
  lab LAB: removed
  $ left
  0 namespaces, 0 processes, 1 folders
  $ heddle lab up one.yaml --name $LAB >/dev/null && cat /run/heddle/labs/$LAB/notes
  mine
  $ heddle lab down --name $LAB >/dev/null 2>&1
