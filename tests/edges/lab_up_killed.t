`lab up` is killed by SIGKILL at each start of the program ip, which goes on by itself; and at 16 instants of its first 80 ms. Each
time `lab down` removes all that there is, at once.

  $ . "$ROOT/tests/edges/labs.sh"
  $ star one.yaml h1 h2
  $ mkdir bin && cat >bin/ip <<END
  > #!/bin/sh
  > echo call >>$PWD/calls
  > [ \$(wc -l <$PWD/calls) = "\$KILL_AT" ] && kill -9 \$PPID && sleep 0.2
  > exec $(command -v ip) "\$@"
  > END
  $ chmod +x bin/ip
  $ killed_at() { # INSTANT SECONDS [VARIABLE=VALUE]
  >   rm -f calls
  >   (env $3 heddle lab up one.yaml --name $LAB >/dev/null 2>&1 & up=$!; sleep $2; [ $2 = 0 ] || kill -9 $up; wait $up) 2>/dev/null
  >   heddle lab down --name $LAB >said 2>&1; code=$?; sleep 0.3
  >   [ $code = 2 ] && grep -q "^error: there is no lab '$LAB'" said && code=0 # killed before it made anything
  >   [ "$code $(left)" = "0 0 namespaces, 0 processes, 0 folders" ] || echo "$1: exit $code, $(left)"
  > }
  $ for call in $(seq 14); do killed_at "call $call" 0 "PATH=$PWD/bin:$PATH KILL_AT=$call"; done
  $ [ $(wc -l <calls) -ge 14 ] && echo all were killed
  all were killed
  $ for ms in 5 10 15 20 25 30 35 40 45 50 55 60 65 70 75 80; do killed_at "$ms ms" $(printf '0.%03d' $ms); done
  $ heddle lab up one.yaml --name $LAB >/dev/null && heddle lab down --name $LAB >/dev/null
  $ left
  0 namespaces, 0 processes, 0 folders
