Names of hosts have all that a fabric file takes: `=`, `:`, quotes, a backslash at the end, `$`, a dash at the front. The lab works, its
switches' metrics can be read by Prometheus, and the commands that `lab up` prints can be typed as they are.

  $ . "$ROOT/tests/edges/labs.sh"
  $ cat >odd.yaml <<'END'
  > title: a lab
  > fabric: {kind: file, path: odd.fabric}
  > END
  $ cat >odd.fabric <<'END'
  > nodes: [{name: 'a=b:c', tier: host}, {name: 'd\', tier: host}, {name: '"e', tier: host}, {name: '-f''$(id)', tier: host}, {name: 'l=x:y', tier: leaf}]
  > links: [{a: 'a=b:c', b: 'l=x:y', rate: 100Mbps, delay: 1us}, {a: 'd\', b: 'l=x:y', rate: 100Mbps, delay: 1us}, {a: '"e', b: 'l=x:y', rate: 100Mbps, delay: 1us}, {a: '-f''$(id)', b: 'l=x:y', rate: 100Mbps, delay: 1us}]
  > END
  $ heddle lab up odd.yaml --name $LAB >said
  $ unnamed <said
  lab LAB: 1 switches, 4 hosts, a=b:c 10.0.0.1 to -f'$(id) 10.0.0.4
    heddle lab exec --name LAB a=b:c ping -c 3 10.0.0.4
    heddle lab status --name LAB
    heddle lab down --name LAB
  $ for address in 2 3 4; do heddle lab exec --name $LAB a=b:c ping -c 1 -W 2 10.0.0.$address | grep -o ' 0% packet loss'; done
   0% packet loss
   0% packet loss
   0% packet loss
  $ heddle lab link down --name $LAB 'd\-l=x:y' | unnamed
  lab LAB: link d\-l=x:y is down
  $ heddle lab impair --name $LAB '"e-l=x:y' loss=100% | unnamed
  lab LAB: link "e-l=x:y: loss=100%
  $ heddle lab status --name $LAB | grep '^d.* down ' | tr -s ' ' | cut -d ' ' -f 1-2
  d\-l=x:y down
  $ heddle lab capture --name $LAB --seconds 1 -- "-f'\$(id)-l=x:y" a=b.pcapng | sed "s,$PWD/,,"
  written: a=b.pcapng
  $ heddle status 'l=x:y' --name $LAB --metrics | grep heddle_port_up{
  heddle_port_up{switch="l=x:y",port="a=b:c"} 1
  heddle_port_up{switch="l=x:y",port="d\\"} 0
  heddle_port_up{switch="l=x:y",port="\"e"} 1
  heddle_port_up{switch="l=x:y",port="-f'$(id)"} 1
  $ heddle lab down --name $LAB >/dev/null
  $ left
  0 namespaces, 0 processes, 0 folders

The first host is the one that the printed command names: it is quoted for the shell, and a dash begins no option.

  $ sed -i "s/a=b:c/-f''\$(id)2/g" odd.fabric
  $ heddle lab up odd.yaml --name $LAB >said
  $ sed -n 2p said | unnamed
    heddle lab exec --name LAB -- '-f'\''$(id)2' ping -c 3 10.0.0.4
  $ bash -c "$(sed -n 2p said)" | grep -o ' 0% packet loss'
   0% packet loss
  $ heddle lab down --name $LAB >/dev/null

A name that would control a terminal is refused.

  $ printf 'nodes: [{name: "a\\e[31m", tier: host}, {name: s, tier: leaf}, {name: h, tier: host}]\nlinks: [{a: "a\\e[31m", b: s}, {a: h, b: s}]\n' >esc.fabric
  $ heddle fabric odd.yaml --set fabric.path=esc.fabric --set fabric.rate=1Gbps --set fabric.delay=1us
  esc.fabric:1:16: error: a name must not have control characters in it; rename the node
  [2]
