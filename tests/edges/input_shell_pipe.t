A pipe that the shell has opened is read as a file is: its other end is there.

  $ text='{fabric: {kind: star, hosts: 2}, workload: {kind: permutation, sizes: 20KB}}'
  $ heddle check <(echo "$text") | grep -c identity
  1
  $ echo "$text" | heddle check /dev/stdin | grep -c identity
  1
  $ echo "$text" > x.yaml; heddle check /dev/stdin < x.yaml | grep -c identity
  1
