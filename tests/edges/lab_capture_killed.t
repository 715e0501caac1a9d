A client of `lab capture` is killed. The switches end its capture: the file is complete and grows no more, and the link can be
captured again.

  $ . "$ROOT/tests/edges/labs.sh"
  $ star one.yaml h1 h2
  $ heddle lab up one.yaml --name $LAB >/dev/null
  $ heddle lab capture s1-h1 first.pcapng --name $LAB & client=$!
  $ sleep 0.5
  $ heddle lab exec --name $LAB h1 ping -q -c 3 -i 0.01 10.0.0.2 >/dev/null
  $ { kill -9 $client; wait $client; } 2>/dev/null
  [137]
  $ for i in $(seq 100); do [ -f first.pcapng ] && break; sleep 0.05; done; [ -s first.pcapng ] && echo complete
  complete
  $ ls -A | grep -c '^.heddle-'
  0
  [1]
  $ heddle lab capture s1-h1 second.pcapng --seconds 1 --name $LAB | sed "s|$PWD/||"
  written: second.pcapng
  $ heddle lab down --name $LAB >/dev/null
