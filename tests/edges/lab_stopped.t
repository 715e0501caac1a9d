The process of a lab's switches hangs, and goes on later. A command that has waited for it says that nothing was carried out, and
nothing is, also later.

  $ . "$ROOT/tests/edges/labs.sh"
  $ star one.yaml h1 h2
  $ heddle lab up one.yaml --name $LAB >/dev/null
  $ switches=$(ip netns pids heddle-$LAB.switches)
  $ kill -STOP $switches
  $ heddle lab link down h1-s1 --name $LAB
  error: no answer within 5 s; nothing was carried out
  [2]
  $ kill -CONT $switches
  $ sleep 0.3; heddle lab status --name $LAB | grep ^h1-s1 | tr -s ' ' | cut -d ' ' -f 1-2
  h1-s1 up

A client that connects and says nothing delays no other one.

  $ python3 -c 'import socket, sys, time
  > held = [socket.socket(socket.AF_UNIX) for _ in range(20)]
  > for one in held: one.connect(sys.argv[1])
  > time.sleep(3)' /run/heddle/labs/$LAB/switches.sock & sleep 0.3
  $ timeout 3 heddle lab link down h1-s1 --name $LAB | unnamed
  lab LAB: link h1-s1 is down
  $ wait
  $ heddle lab down --name $LAB >/dev/null
