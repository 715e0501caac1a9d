Somebody else has a namespace of the name that a lab needs. `lab up` refuses before it makes anything; neither it nor `lab down`
removes that namespace or ends what runs in it.

  $ . "$ROOT/tests/edges/labs.sh"
  $ star one.yaml h1 h2
  $ for space in heddle-$LAB-h1 heddle-$LAB.h1; do ip netns add $space; done
  $ ip netns exec heddle-$LAB-h1 sleep 100 & first=$!
  $ ip netns exec heddle-$LAB.h1 sleep 100 & second=$!
  $ heddle lab up one.yaml --name $LAB 2>&1 | unnamed
  error: there is a namespace heddle-LAB.h1 already; heddle lab down --name LAB removes it if a lab left it there, else ip netns del does
  $ heddle lab down --name $LAB 2>&1 | unnamed | sed "s/'LAB', but .*/'LAB'; make it with heddle lab up FILE.yaml --name LAB/"
  /run/netns/heddle-LAB.h1: warning: no lab of heddle made this namespace, so it stays; ip netns del removes it
  error: there is no lab 'LAB'; make it with heddle lab up FILE.yaml --name LAB
  $ left
  2 namespaces, 0 processes, 0 folders
  $ kill -0 $first && kill -0 $second && echo both run
  both run
  $ kill $first $second
