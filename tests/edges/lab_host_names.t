Programs on a host find hosts and switches by their names; the machine's own name resolves too. `lab down` removes the names,
and what somebody else put beside them stays.

  $ . "$ROOT/tests/edges/labs.sh"
  $ star one.yaml h1 h2
  $ cp /etc/hosts before
  $ mkdir -p /etc/netns/heddle-$LAB.h2
  $ heddle lab up one.yaml --name $LAB 2>&1 >/dev/null | unnamed
  /etc/netns/heddle-LAB.h2: warning: is not the lab's, so names do not resolve on this host
  $ heddle lab exec --name $LAB h1 ping -c 1 -W 2 h2 | grep -o ' 0% packet loss'
   0% packet loss
  $ ip netns exec heddle-$LAB.h1 getent hosts h1 h2 s1 | tr -s ' '
  10.0.0.1 h1
  10.0.0.2 h2
  10.255.0.1 s1
  $ heddle lab exec --name $LAB switches getent hosts h1 | tr -s ' '
  10.0.0.1 h1
  $ heddle lab exec --name $LAB h1 getent hosts localhost $(hostname) | cut -d ' ' -f 1 | sort -u
  127.0.0.1
  $ timeout 5 heddle lab exec --name $LAB h1 getent hosts no-such-host
  [2]
  $ cmp before /etc/hosts
  $ heddle lab down --name $LAB >/dev/null
  $ left
  0 namespaces, 0 processes, 1 folders
  $ rmdir /etc/netns/heddle-$LAB.h2
  $ left
  0 namespaces, 0 processes, 0 folders

A link that somebody made beside those of the lab, and that leads elsewhere, stays too.

  $ ln -s $PWD /etc/netns/heddle-$LAB.stranger
  $ heddle lab up one.yaml --name $LAB 2>&1 >/dev/null
  $ heddle lab down --name $LAB >/dev/null
  $ test $(readlink /etc/netns/heddle-$LAB.stranger) = $PWD && rm /etc/netns/heddle-$LAB.stranger
  $ left
  0 namespaces, 0 processes, 0 folders

A link of a lab that is gone, as after a restart of the machine, is no obstacle to the next lab of its name.

  $ ln -s /run/heddle/labs/$LAB/etc /etc/netns/heddle-$LAB.h1
  $ ln -s /run/heddle/labs/$LAB/etc /etc/netns/heddle-$LAB.h9
  $ heddle lab up one.yaml --name $LAB 2>&1 >/dev/null
  $ heddle lab exec --name $LAB h1 getent hosts h2 | tr -s ' '
  10.0.0.2 h2
  $ heddle lab down --name $LAB >/dev/null
  $ left
  0 namespaces, 0 processes, 0 folders
