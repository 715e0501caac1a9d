A user lets a link fail at a share of the arrivals, in a fabric whose file has links of several rates, and asks for the page. The
page's data must have the failure at its time in the run, as the phases of the results have it, and no link as slowed that has the
rate of its file.

  $ heddle init file > /dev/null
  $ cat > cut.yaml <<'END'
  > fabric: {kind: file, path: file-net.yaml, rate: 10Gbps, delay: 1us,
  >          failed: [{link: sw1-top1, at: 40%, repair_at: 70%}]}
  > workload: {kind: trace, path: flows.csv}
  > measure: {phases: {cut: [failed.0.at, failed.0.repair_at]}}
  > END
  $ for i in $(seq 20); do echo "$((i * 10)),web1,db1,20000"; done | (echo start_us,source,destination,bytes; cat) > flows.csv
  $ cat > look.py <<'END'
  > import re, sys
  > print(*re.findall(r'"failed":(\[\[.*?\]\]|\[\]|null)', open(sys.argv[1]).read()))
  > END
  $ heddle run cut.yaml --json -q | python3 -c "import json, sys; c = json.load(sys.stdin)['phases']['cut']; print(c['from_us'], c['to_us'])"
  90.0 150.0
  $ heddle report cut.db -o cut.html > /dev/null && python3 look.py cut.html
  [[6,"dead",90.0,150.0,null],[12,"dead",90.0,150.0,null]]

A link that `fabric.links` makes slower than its file says is slowed; one that it leaves as it is, is not.

  $ heddle run cut.yaml -q --set fabric.failed=null --set measure.phases=null --set 'fabric.links=[{match: sw1-top2, rate: 20Gbps}]' -o slow.db
  $ heddle report slow.db -o slow.html > /dev/null && python3 look.py slow.html
  [[7,"slow",0.0,null,2e10],[14,"slow",0.0,null,2e10]]

A trace that has changed since the run, or is gone, says nothing of the run: the failure is not marked at a wrong time.

  $ sed -i 's/^100,/105,/' flows.csv && heddle report cut.db -o cut.html > /dev/null && python3 look.py cut.html
  null
  $ rm flows.csv && heddle report cut.db -o cut.html > /dev/null && python3 look.py cut.html
  null
