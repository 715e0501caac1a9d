Somebody kills the process of a lab's switches. Each command that asks the switches says so, with what to do; `lab list` names the
labs that are not sound.

  $ . "$ROOT/tests/edges/labs.sh"
  $ star one.yaml h1 h2
  $ heddle lab up one.yaml --name $LAB >/dev/null
  $ heddle lab list | grep -c "^$LAB "
  1
  $ heddle lab list | grep -A 1 "^$LAB " | grep 'not sound'
  [1]
  $ killed switches
  $ remedy() { unnamed | sed "s,$PWD/,,"; }
  $ heddle lab status --name $LAB 2>&1 | remedy
  error: the switches of lab 'LAB' do not run: their process was killed or has failed; heddle lab down --name LAB, then heddle lab up one.yaml --name LAB
  $ heddle lab link down h1-s1 --name $LAB 2>&1 | remedy
  error: the switches of lab 'LAB' do not run: their process was killed or has failed; heddle lab down --name LAB, then heddle lab up one.yaml --name LAB
  $ heddle lab capture h1-s1 a.pcapng --name $LAB 2>&1 | remedy
  error: the switches of lab 'LAB' do not run: their process was killed or has failed; heddle lab down --name LAB, then heddle lab up one.yaml --name LAB
  $ heddle lab list | grep -A 1 "^$LAB " | tr -s ' ' | remedy
  LAB 2 hosts 1 switches one.yaml
   not sound: the switches of lab 'LAB' do not run: their process was killed or has failed; heddle lab down --name LAB, then heddle lab up one.yaml --name LAB
  $ flock /run/heddle/labs/$LAB heddle lab list | grep -A 1 "^$LAB " | tail -1 | tr -s ' ' | unnamed
   not sound: another process makes or removes the lab 'LAB'; try again when it has ended
  $ heddle lab down --name $LAB >/dev/null

A namespace of a lab is removed, or a NIC is killed: the lab is not sound either.

  $ heddle lab up one.yaml --name $LAB --nic on >/dev/null
  $ killed h2
  $ heddle lab list | grep -A 1 "^$LAB " | tail -1 | tr -s ' ' | remedy
   not sound: the NIC of h2 does not run; heddle lab down --name LAB, then heddle lab up one.yaml --name LAB --nic on
  $ ip netns del heddle-$LAB.h1
  $ heddle lab status --name $LAB 2>&1 >/dev/null | remedy
  warning: the namespace heddle-LAB.h1 is gone; heddle lab down --name LAB, then heddle lab up one.yaml --name LAB --nic on
  $ heddle lab down --name $LAB >/dev/null
  $ left
  0 namespaces, 0 processes, 0 folders
