An entry of the workload that names no transport has that of the hosts, and `heddle check` prints which that is.

  $ cat > x.yaml <<EOF
  > fabric: {kind: star, hosts: 4}
  > host: {transport: cubic}
  > workload: [{kind: permutation, sizes: 1KB}, {kind: permutation, sizes: 1KB, transport: none}, {kind: permutation, sizes: 1KB, transport: udp}]
  > EOF
  $ heddle check x.yaml | tee printed | grep transport
    transport: cubic
      transport: cubic
      transport: cubic
      transport: udp
  $ heddle check printed 2>&1 | grep -E 'warning|error'
  [1]
