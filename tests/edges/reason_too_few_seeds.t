The interval of an expectation lies wholly within its band, and ten seeds still do not decide it. Terminal, text report, page and --json
say why: the standard error is more than a third of the distance to the nearest bound. The file records nothing, and nothing is "recorded".

  $ cat > x.yaml <<'EOF'
  > title: flows at half load
  > fabric: {kind: star, hosts: 4}
  > workload: {kind: poisson, sizes: 20KB, load: 0.5, load_at: host, flows: 100}
  > sweep: {run.seed: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}
  > expect: [{claim: mean, metric: fct_us.mice.mean, value: [63, 110]}]
  > EOF
  $ heddle run x.yaml 2>/dev/null | grep '^  mean'
    mean: not decided (too few seeds: 10 of about 12); fct_us.mice.mean: 72.13 (95 % interval 64.61 to
  $ heddle run x.yaml --json 2>/dev/null | tail -n 1 | grep -Eo '"(interval|verdict|reason|recorded)":("[^"]*"|[^,]*(,[0-9.]*])?)'
  "interval":[64.6087669630773,79.6608152369227]
  "verdict":"not decided"
  "reason":"too few seeds: 10 of about 12"
  "recorded":null
  $ heddle report x.db --text | grep -A1 '^  mean'
    mean: not decided (too few seeds: 10 of about 12); fct_us.mice.mean: 72.13 (95 % interval 64.61 to
      79.66, 10 seeds), claimed 63 to 110
  $ heddle report x.db -o x.html >/dev/null
  $ grep -o '"verdict":"not decided","reason":"[^"]*","recorded":null' x.html
  "verdict":"not decided","reason":"too few seeds: 10 of about 12","recorded":null
  $ grep -c 'the seeds do not decide it' x.html
  0
  [1]
  $ heddle export x.db --csv csv >/dev/null; cut -d, -f20- csv/claims.csv
  verdict,recorded,as_recorded,every,roughly,paper,missing,reason
  not decided,,false,false,,,0,too few seeds: 10 of about 12
