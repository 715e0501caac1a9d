A record of other settings, of other seeds or of another result version is stale: nothing is compared, and the exit status is 1 until it is written anew.

  $ cat > x.yaml <<'EOF'
  > title: an incast
  > fabric: {kind: star, hosts: 4}
  > workload: {kind: incast, sizes: 20KB}
  > sweep: {run.seed: [1, 2]}
  > expect:
  >   - {claim: none-lost, metric: packets.dropped, every: true, value: [0, 0]}
  > EOF
  $ heddle run x.yaml -q --record
  $ sed -i 's/20KB/21KB/' x.yaml
  $ heddle run x.yaml | grep -E '^  none-lost|^record'
  x.db also holds other runs of this experiment: 2 without --set; `heddle report x.db --variants` shows all
  x.record.json: warning: nothing is compared: the settings of the file have changed since (section 'full'); --record writes it anew
    none-lost: holds; packets.dropped: 0 (95 % interval 0 to 0, 2 seeds), claimed 0 to 0
  $ heddle check x.yaml > printed
  x.record.json: warning: nothing is compared: the settings of the file have changed since (section 'full'); --record writes it anew
  $ heddle run x.yaml -q
  x.db also holds other runs of this experiment: 2 without --set; `heddle report x.db --variants` shows all
  x.record.json: warning: nothing is compared: the settings of the file have changed since (section 'full'); --record writes it anew
  [1]
  $ heddle run x.yaml -q --record
  x.db also holds other runs of this experiment: 2 without --set; `heddle report x.db --variants` shows all
  x.record.json: warning: nothing is compared: the settings of the file have changed since (section 'full'); --record writes it anew
  [1]
  $ heddle run x.yaml -q
  x.db also holds other runs of this experiment: 2 without --set; `heddle report x.db --variants` shows all
Comments, titles, the order of keys and values that are defaults are no other settings:

  $ sed -i 's/^title.*/title: incast # of three/; s/hosts: 4/hosts: 4, kind: star/; s/{kind: star, /{/' x.yaml
  $ heddle run x.yaml -q
  x.db also holds other runs of this experiment: 2 without --set; `heddle report x.db --variants` shows all
More seeds are:

  $ sed -i 's/1, 2/1, 2, 3/' x.yaml
  $ heddle run x.yaml -q
  x.db also holds other runs of this experiment: 2 without --set; `heddle report x.db --variants` shows all
  x.record.json: warning: nothing is compared: the seeds of the file have changed since (section 'full'); --record writes it anew
  [1]
  $ sed -i 's/1, 2, 3/1, 2/; ' x.yaml
  $ sed -i 's/"result_version": [0-9]*/"result_version": 1/' x.record.json
  $ heddle run x.yaml -q 2>&1 | sed 's/makes version [0-9]*/makes version N/'
  x.db also holds other runs of this experiment: 3 without --set; `heddle report x.db --variants` shows all
  x.record.json: warning: nothing is compared: it has results of version 1, and this program makes version N (section 'full'); --record writes it anew
