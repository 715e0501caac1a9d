The epoch of Clairvoyant's board once had two keys, of which one did nothing: the one outside `switch` is refused, with the other.

  $ cat > x.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > switch: {balance: clairvoyant}
  > clairvoyant: {epoch: 10us}
  > workload: {kind: permutation, sizes: 100KB}
  > EOF
  $ heddle check x.yaml
  x.yaml:3:1: error: 'clairvoyant' is no key any more; write switch.clairvoyant.epoch
  [2]
  $ sed -i '/^clairvoyant/d' x.yaml
  $ heddle check x.yaml --set clairvoyant.epoch=10us
  --set clairvoyant.epoch:1:1: error: 'clairvoyant' is no key any more; write switch.clairvoyant.epoch
  [2]
  $ heddle check x.yaml --set switch.clairvoyant.epoch=10us | grep epoch
      epoch: 10us
