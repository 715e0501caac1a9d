The start for a lab is one: its fabric comes up with hosts that reach each other by the names in its comments, and
the experiment that it describes is one for real frames.

  $ . "$ROOT/tests/edges/labs.sh"
  $ heddle init lab
  written: lab.yaml
  next: heddle run lab.yaml   (its comments say what to change)
  $ heddle lab up lab.yaml --name $LAB | head -1 | unnamed
  lab LAB: 12 switches, 8 hosts, host0.0.0 10.0.0.1 to host1.1.1 10.0.3.2
  $ heddle lab exec --name $LAB host0.0.0 ping -c 1 -W 2 host1.1.1 | grep -o ' 0% packet loss'
   0% packet loss
  $ heddle lab down --name $LAB >/dev/null
  $ heddle check lab.yaml --lab >/dev/null
