Somebody's file has a scheme that has another name now: the error says what to write, with its place, also in a sweep.

  $ cat > x.yaml <<EOF
  > fabric: {kind: star, hosts: 4}
  > workload: {kind: permutation, sizes: 100KB}
  > scheme: spraypass-released
  > EOF
  $ heddle check x.yaml
  x.yaml:3:9: error: scheme 'spraypass-released' is the scheme spraypass; write spraypass
  [2]
  $ sed -i 's/^scheme.*/scheme: spraypass/' x.yaml
  $ heddle check x.yaml | grep -E 'feedback|credit_drop'
      feedback: released
      # aim_ratio: 10%  (no effect: the feedback is another than printed (feedback))
    credit_drop: tail
  $ heddle check x.yaml --set scheme=spraypass-printed | grep -E 'feedback|credit_drop'
      feedback: printed
    credit_drop: tail
  $ echo 'sweep: {scheme: [expresspass, expresspass-drawn]}' >> x.yaml
  $ heddle check x.yaml
  x.yaml:4:31: error: scheme 'expresspass-drawn' is no reading of ExpressPass 2016; write expresspass-2017, whose credits have drawn sizes
  [2]
  $ for s in expresspass expresspass-printed expresspass-naive expresspass-naive-printed expresspass-2017; do
  >   echo $s $(heddle check x.yaml --set sweep.scheme=[$s] | grep credit_drop)
  > done
  expresspass credit_drop: random
  expresspass-printed credit_drop: tail
  expresspass-naive credit_drop: random
  expresspass-naive-printed credit_drop: tail
  expresspass-2017 credit_drop: tail
