A user sends one flow by credits over idle links: 2 MB in some 1.8 ms. The share of the link that carries data must be that
of that time, near the 95 % that credits leave to data, whatever the engine rounds its end to.

  $ cat > credits.yaml <<'END'
  > fabric: {kind: star, hosts: 2, rate: 10Gbps, delay: 100ns}
  > scheme: expresspass
  > workload: {kind: long, src: 0, dst: 1, sizes: 2MB}
  > run: {until: 100ms}
  > END
  $ heddle run credits.yaml --json -q | python3 -c "
  > import json, sys
  > r = json.load(sys.stdin)
  > share = 2e6 * 8 * 1538 / 1460 / 1e10 / (r['fct_us']['all']['max'] / 1e6)
  > print(abs(r['links']['host']['data_max'] - share) < 0.01, share > 0.5)"
  True True
