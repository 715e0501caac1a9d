A file makes a scheme of its own: a name for keys of switches and hosts, to be swept and compared beside heddle's.

  $ cat > own.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > workload: [{kind: permutation, sizes: 100KB}]
  > schemes:
  >   slow: {scheme: ecmp, host: {min_rto: 50ms}}
  >   same: {switch: {balance: ecmp}, host: {transport: newreno, nic: pull}}
  > sweep: {scheme: [ecmp, slow, same], run.seed: [1, 2]}
  > expect: {claim: no-better, metric: fct_us.all.mean, of: {scheme: slow}, against: {scheme: ecmp}, change: [-1%, 1%]}
  > figure: {x: scheme, y: {metric: fct_us.all.mean}}
  > EOF
  $ heddle check own.yaml | head -1
  # own: 6 runs: scheme (3) x run.seed (2)
  $ heddle run own.yaml -o own.db --quiet
  $ heddle report own.db --text | grep -E '^  scheme: |^claims'
    scheme: ecmp, slow, same
  claims: 1 holds
  $ heddle report own.db --figures . >/dev/null && cut -d, -f9 own.csv
  category
  ecmp
  slow
  same
  $ heddle export own.db --csv csv >/dev/null && cut -d, -f8 csv/runs.csv
  scheme
  ecmp
  ecmp
  slow
  slow
  same
  same
  $ heddle check own.yaml --set scheme=slow | grep -E ' min_rto| balance:'
      min_rto: 50ms
    balance: ecmp

A run is what its keys are: a scheme that sets what another one sets has its identities.

  $ diff <(heddle check own.yaml --set scheme=ecmp | grep identity) <(heddle check own.yaml --set scheme=same | grep identity)

Names of heddle's are refused, and what a scheme cannot hold.

  $ bad() { sed "s/^  slow: .*/  $1/" own.yaml > bad.yaml; heddle check bad.yaml; }
  $ bad 'detail: {host: {min_rto: 50ms}}'
  bad.yaml:4:3: error: scheme 'detail' is one of heddle's; give yours another name, and write scheme: detail in it to change parts of that one
  [2]
  $ bad 'none: {host: {min_rto: 50ms}}'
  bad.yaml:4:3: error: 'none' means no scheme; give yours another name
  [2]
  $ bad 'a.b: {host: {min_rto: 50ms}}'
  bad.yaml:4:3: error: a scheme's name is made of letters, digits, - and _, not 'a.b'
  [2]
  $ bad 'slow: {scheme: same}'
  bad.yaml:4:18: error: 'same' is a scheme of this file; start from one of heddle's (`heddle list schemes`)
  [2]
  $ bad 'slow: {scheme: ecpm}'
  bad.yaml:4:18: error: unknown scheme 'ecpm'; did you mean 'ecmp'?
  [2]
  $ bad 'slow: {fabric: {leaves: 4}}'
  bad.yaml:4:10: error: unknown key 'fabric' in schemes.slow; known are: scheme, switch, host
  [2]
  $ bad 'slow: {hosts: {min_rto: 50ms}}'
  bad.yaml:4:10: error: unknown key 'hosts' in schemes.slow; did you mean 'host'?
  [2]
  $ bad 'slow: {host: {min_rtt: 50ms}}'
  bad.yaml:4:17: error: unknown key 'min_rtt' in host; did you mean 'min_rto'?
  [2]
  $ bad 'slow: {host: {min_rto: 50}}'
  bad.yaml:4:26: error: host.min_rto: '50' has no unit; write ps, ns, us, ms or s, such as 20us
  [2]
  $ bad 'slow: 50ms'
  bad.yaml:4:9: error: a scheme holds keys; write slow: {switch: {KEY: VALUE}, host: {KEY: VALUE}}
  [2]
  $ bad 'slwo: {host: {min_rto: 50ms}}'
  bad.yaml:6:24: error: unknown scheme 'slow'; did you mean 'slwo'?
  [2]

A key that the file gives outside comes first, as with heddle's schemes; a key of the scheme that then does nothing is named.

  $ sed 's/^schemes:/host: {min_rto: 10ms}\n&/' own.yaml > first.yaml
  $ heddle check first.yaml >/dev/null
  first.yaml:5:40: warning: schemes.slow.host.min_rto has no effect: host.newreno.min_rto outside the scheme comes first; leave it out
  $ sed 's/min_rto/hull: {min_rto: 1ms}, min_rto/' own.yaml > idle.yaml
  $ heddle check idle.yaml >/dev/null
  idle.yaml:4:47: warning: schemes.slow.host.hull.min_rto has no effect: no run has transport=hull; leave it out

A file with a base has its schemes, changes them, and adds some.

  $ cat > variant.yaml <<EOF
  > base: own.yaml
  > schemes: {slow: {host: {min_rto: 80ms}}, sprayed: {switch: {balance: spray}, host: {dupack_threshold: 100}}}
  > sweep: {scheme: [slow, sprayed]}
  > EOF
  $ for s in slow sprayed; do heddle check variant.yaml --set scheme=$s | grep -E ' balance:|min_rto|dupack'; done
      min_rto: 80ms
      dupack_threshold: 3
    balance: ecmp
      min_rto: 10ms
      dupack_threshold: 100
    balance: spray
