The record of a running lab is deleted. `lab down` finds the lab by its mark and removes all of it, and the name is free again.

  $ . "$ROOT/tests/edges/labs.sh"
  $ star one.yaml h1 h2
  $ heddle lab up one.yaml --name $LAB >/dev/null
  $ rm /run/heddle/labs/$LAB/lab.json
  $ heddle lab up one.yaml --name $LAB 2>&1 | unnamed
  error: there is a namespace heddle-LAB.switches already; heddle lab down --name LAB removes it if a lab left it there, else ip netns del does
  $ heddle lab down --name $LAB >/dev/null
  $ left
  0 namespaces, 0 processes, 0 folders
  $ heddle lab up one.yaml --name $LAB >/dev/null && heddle lab down --name $LAB >/dev/null
