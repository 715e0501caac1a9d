Keys that cannot act beside another key are named, each with the reason, and their values leave a run's identity alone.

  $ cat > x.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > workload: {kind: permutation, sizes: 100KB}
  > host: {transport: expresspass, expresspass: {feedback: released, floor: none, target_loss: 20%}}
  > EOF
  $ heddle check x.yaml > x
  x.yaml:3:73: warning: host.expresspass.floor has no effect: the feedback is another than hotnets (feedback); leave it out
  x.yaml:3:92: warning: host.expresspass.target_loss has no effect: the feedback is another than printed (feedback); leave it out
  $ heddle check x.yaml --set host.expresspass.target_loss=30% > y 2>/dev/null
  $ grep -c identity x
  1
  $ diff <(grep identity x) <(grep identity y)
