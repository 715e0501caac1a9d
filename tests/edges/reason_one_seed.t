One run cannot decide a range: there is no standard error. Its runs had not settled either, which could move the figure over a bound. Both
are said.

  $ cat > x.yaml <<'EOF'
  > title: more than a link carries
  > fabric: {kind: star, hosts: 4}
  > workload: {kind: poisson, sizes: 20KB, load: 1.3, load_at: host, flows: 400}
  > expect:
  >   - {claim: wide, metric: fct_us.mice.mean, value: [100, 5000]}
  >   - {claim: close, metric: fct_us.mice.mean, value: [100, 1000]}
  > EOF
  $ heddle run x.yaml 2>/dev/null | grep -E '^  (wide|close)'
    wide: not decided (one seed); fct_us.mice.mean: 666.7 (one seed), claimed 100 to 5000
    close: not decided (one seed; 1 of 1 run had not settled); fct_us.mice.mean: 666.7 (one seed),
  $ heddle run x.yaml --json 2>/dev/null | grep -o '"reason":.*'
  "reason":"one seed","recorded":null,"as_recorded":false}
  "reason":"one seed; 1 of 1 run had not settled","recorded":null,"as_recorded":false}
  $ heddle report x.db --text | tail -n 4
  claims: 0 hold, 2 are not decided
    wide: not decided (one seed); fct_us.mice.mean: 666.7 (one seed), claimed 100 to 5000
    close: not decided (one seed; 1 of 1 run had not settled); fct_us.mice.mean: 666.7 (one seed),
      claimed 100 to 1000
