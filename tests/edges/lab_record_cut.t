The record of a running lab is cut in its middle. The commands say that it is no record, and `lab down` removes the lab by its
mark all the same.

  $ . "$ROOT/tests/edges/labs.sh"
  $ star one.yaml h1 h2
  $ heddle lab up one.yaml --name $LAB >/dev/null
  $ truncate -s 100 /run/heddle/labs/$LAB/lab.json
  $ heddle lab status --name $LAB 2>&1 | unnamed
  /run/heddle/labs/LAB/lab.json: error: no record of a lab; heddle lab down --name LAB removes what is left of the lab
  $ heddle lab list | grep $LAB | tr -s ' ' | unnamed
  LAB its record is lost; heddle lab down --name LAB removes what is left of it
  $ heddle lab down --name $LAB >/dev/null
  $ left
  0 namespaces, 0 processes, 0 folders
  $ heddle lab up one.yaml --name $LAB >/dev/null && heddle lab down --name $LAB >/dev/null
