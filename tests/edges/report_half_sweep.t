A report of a sweep that was killed says what is there and what is missing, row by row: a row of some runs names the runs that it lacks, a
group without runs stands there, and a change is over the seeds that both rows have.

  $ cat > x.yaml <<EOF
  > title: Half of a sweep
  > fabric: {kind: star, hosts: 4}
  > workload: {kind: permutation, sizes: 100KB}
  > sweep: {workload.0.sizes: [100KB, 200KB], scheme: [ecmp, expresspass, dctcp], run.seed: [1, 2, 3]}
  > expect: [{claim: sooner, metric: fct_us.all.mean, of: {scheme: dctcp}, against: {scheme: ecmp}, each: workload.0.sizes, change: [null, 0%]}]
  > EOF
  $ heddle run x.yaml -q 2>/dev/null; [ $? -le 1 ]
  $ sqlite3() { /usr/bin/python3 -c "import sqlite3, sys; db = sqlite3.connect('x.db'); db.execute(sys.argv[1]); db.commit()" "$1"; }

The runs that a killed program has left are those of a store that knows all of its sweep from the beginning:

  $ sqlite3 "UPDATE runs SET status='running', result=NULL WHERE number > 5"; sqlite3 "DELETE FROM claims"
  $ COLUMNS=80 heddle report x.db --text | sed -n '/^  x:/p; /of 18/,/done\.$/p; /^Means/p; /missing from/p; /no run/p; /Changes/,/Not/p'
    x: 5 runs done, 13 not finished
    5 of 18 runs are done; missing:
      workload.0.sizes: 100KB (4 of 9), 200KB (all)
      scheme: ecmp (3 of 6), expresspass (4 of 6), dctcp (all)
      run.seed: 1 (4 of 6), 2 (4 of 6), 3 (5 of 6)
    The same heddle run goes on from there. Rows below are means of the runs that
      are done.
  Means over 2 to 3 seeds, +- the half-width of the 95 % interval.
    missing from expresspass: 1 of 3 runs
    missing from dctcp: all 3 runs
  workload.0.sizes 200KB: no run is done
    Changes are against ecmp of the same group, over the seeds that both rows
    have: percentages of its value, +- in points; differences of plain numbers and
    from 0. Not shown: slowdown.all.p99, goodput_gbps.mean, fct_us.all.p95,

A store whose outcomes are older than its runs says so.

  $ heddle run x.yaml -q 2>/dev/null; [ $? -le 1 ]
  $ sqlite3 "UPDATE runs SET status='running', result=NULL WHERE number > 5"
  $ COLUMNS=80 heddle report x.db --text | sed -n '/^The outcomes/,/^claims/p'
  The outcomes below are those of the last heddle run that came to its end; runs
    were added since.
  
  claims: 0 hold, 2 do not hold

A sweep that is killed in the middle has a row for each of its runs, and the same command goes on.

  $ cat > y.yaml <<EOF
  > title: Killed
  > fabric: {kind: star, hosts: 4}
  > workload: {kind: long}
  > run: {until: 1us}
  > sweep: {run.until: [1us, 900s], run.seed: [1, 2]}
  > EOF
  $ (heddle run y.yaml -q --jobs 1 & for i in $(seq 200); do heddle report y.db --text | grep -q '2 runs done' && break; sleep 0.05; done; kill -9 $!; wait) 2>/dev/null
  $ COLUMNS=80 heddle report y.db --text | sed -n '/^  y:/p; /of 4/,/done\.$/p; /no run/p'
    y: 2 runs done, 2 not finished
    2 of 4 runs are done; missing:
      run.until: 900s (all)
      run.seed: 1 (1 of 2), 2 (1 of 2)
    The same heddle run goes on from there. Rows below are means of the runs that
      are done.
