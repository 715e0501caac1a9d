Whole blocks are swept with a name for each, which settings, tables, claims and figures have in place of the block.

  $ cat > named.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > workload: [{kind: permutation, sizes: 100KB}]
  > sweep:
  >   switch: {hashed: {balance: ecmp}, shallow: {balance: ecmp, buffer: 30KB}}
  >   fabric.failed: {whole: [], cut: [{link: leaf0-spine1}]}
  > expect: {claim: worse, metric: fct_us.all.mean, of: {switch: shallow}, against: {switch: hashed}, each: fabric.failed, every: true, change: [0%, null]}
  > figure: {x: fabric.failed, y: {metric: fct_us.all.mean}, series: switch}
  > EOF
  $ heddle run named.yaml -o named.db --quiet
  $ heddle report named.db --text | grep -E '^  (switch|fabric.failed): |^claims'
    switch: hashed, shallow
    fabric.failed: whole, cut
  claims: 2 hold
  $ heddle run named.yaml --json -o named.db | head -1 | cut -c-70
  {"run":1,"settings":{"switch":"hashed","fabric.failed":"whole","run.se
  $ heddle report named.db --figures . >/dev/null && cat named.csv
  curve,x,y,y_low,y_high,n,panel,series,category,unit
  0,0,166.9908,166.9908,166.9908,1,,hashed,whole,us
  0,1,241.7782,241.7782,241.7782,1,,hashed,cut,us
  1,0,186.4078,186.4078,186.4078,1,,shallow,whole,us
  1,1,251.0054,251.0054,251.0054,1,,shallow,cut,us

--set takes a value by its name, as the page's "Repeat it" does.

  $ heddle check named.yaml --set switch=shallow --set fabric.failed=cut | grep -E 'runs?:|buffer:|link:'
  # named: 1 run: switch (1) x fabric.failed (1)
      - link: leaf0-spine1
    buffer: 30KB
  run:
  $ heddle check named.yaml --set 'switch=[hashed, shallow]' | head -1
  # named: 4 runs: switch (2) x fabric.failed (2)
  $ heddle check named.yaml --set switch=shalow
  --set switch:1:1: error: sweep switch: 'shalow' is none of its named values; did you mean 'shallow'?
  [2]
  $ heddle check named.yaml --set 'switch={balance: ecmp, buffer: 50KB}' | grep -E 'runs?:|buffer:'
  # named: 2 runs: switch (1) x fabric.failed (2)
    buffer: 50KB
  run:

Only blocks and lists have names, and claims know them.

  $ sed 's/  fabric.failed:.*/  switch.buffer: {small: 30KB}/' named.yaml > bad.yaml
  $ heddle check bad.yaml
  bad.yaml:5:18: error: sweep switch.buffer: only blocks and lists have names; write a list of values: [a, b]
  [2]
  $ sed 's/switch: shallow/switch: shalow/' named.yaml > bad.yaml
  $ heddle check bad.yaml
  bad.yaml:6:9: error: no runs have the values that claim 'worse' names; name values of the sweep
  [2]
