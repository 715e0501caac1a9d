Commands that change a lab say in a line what they did. A name that no lab has is an error, which names the labs that there are: with a
mistyped name the lab that is meant would stay. Without a name `lab down` is for scripts that clear up, and ends with 0.

  $ . "$ROOT/tests/edges/labs.sh"
  $ star one.yaml h1 h2
  $ heddle lab down --name $LAB-b >/dev/null 2>said; echo $?; unnamed <said | grep -o "there is no lab 'LAB-b'"
  2
  there is no lab 'LAB-b'
  $ heddle lab up one.yaml --name $LAB >/dev/null
  $ others() { unnamed | sed 's/, but .*\bLAB\b.*; --name/, but ..., LAB; --name/'; }
  $ heddle lab down --name $LAB-b 2>&1 | others
  error: there is no lab 'LAB-b', but ..., LAB; --name chooses one, heddle lab up FILE.yaml --name LAB-b makes one
  $ heddle lab exec --name $LAB-b h1 true 2>&1 | others
  error: there is no lab 'LAB-b', but ..., LAB; --name chooses one, heddle lab up FILE.yaml --name LAB-b makes one
  $ heddle lab link down h1-s1 --name $LAB | unnamed
  lab LAB: link h1-s1 is down
  $ heddle lab link up h1-s1 --name $LAB | unnamed
  lab LAB: link h1-s1 is up
  $ heddle lab switch down s1 --name $LAB | unnamed
  lab LAB: switch s1 is down
  $ heddle lab switch up s1 --name $LAB | unnamed
  lab LAB: switch s1 is up
  $ for order in "h1-s1 down" "--name $LAB h1-s1 up"; do heddle lab link $order --name $LAB | unnamed; done
  lab LAB: link h1-s1 is down
  lab LAB: link h1-s1 is up
  $ heddle lab link h1-s1 off --name $LAB
  heddle: error: down|up h1-s1: write down or up
  [2]
  $ heddle lab impair h1-s1 loss=1% delay=1ms --name $LAB | unnamed
  lab LAB: link h1-s1: loss=1% delay=1ms
  $ heddle lab impair h1-s1 none --name $LAB | unnamed
  lab LAB: link h1-s1: none

A frame whose TTL expires at a switch is no drop of a link.

  $ heddle lab exec --name $LAB h1 ping -c 3 -i 0.2 -t 1 10.0.0.2 | grep -c 'exceeded'
  3
  $ heddle lab status --name $LAB | grep ^h | tail -2 | awk '{print $1, $5}'
  h1-s1 0
  h2-s1 0
  $ heddle lab status --name $LAB | tail -1
  dropped apart from links: 3 whose TTL had expired, 0 without a route
  $ heddle lab down --name $LAB | unnamed
  lab LAB: removed

After a crash the remedy makes the same lab again: it has the options with which the lab was made.

  $ cat >two.yaml <<'END'
  > fabric: {kind: star, hosts: 2, rate: 100Mbps}
  > sweep: {switch.buffer: [100KB, 200KB]}
  > END
  $ heddle lab up two.yaml --name $LAB --run 2 --detect 1ms --set 'title=two words' >/dev/null
  $ killed switches
  $ heddle lab status --name $LAB 2>&1 | sed "s,$PWD/,," | unnamed | grep -o 'heddle lab up.*'
  heddle lab up two.yaml --name LAB --run 2 --detect 1ms --set 'title=two words'
  $ heddle lab down --name $LAB >/dev/null

Links that are faster than software keeps are a warning.

  $ heddle lab up two.yaml --name $LAB --set fabric.rate=10Gbps 2>&1 >/dev/null
  two.yaml: warning: links of 10Gbps: software keeps rates of 10 to 100 Mbps, and frames that this machine cannot carry queue in its kernel, not in the switches; lower the rates, or write fabric.rate: none
  $ heddle lab down --name $LAB >/dev/null
  $ heddle lab up two.yaml --name $LAB --set fabric.rate=none 2>&1 >/dev/null

A page ends some seconds after its lab.

  $ timeout 60 heddle lab status --name $LAB --serve 0 >url 2>said & page=$!
  $ while [ ! -s url ]; do sleep 0.1; done
  $ heddle lab down --name $LAB >/dev/null
  $ wait $page; echo $?; unnamed <said
  0
  lab LAB is gone, and so is its page
  $ left
  0 namespaces, 0 processes, 0 folders
