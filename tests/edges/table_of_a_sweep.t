A sweep over several keys of hosts is one list of rows, named by the values of its axes; what all rows share is said once, and so is
what all of them have. The claims say which columns it has, with others as far as there is room; the rest is named. Places of
a claim with the same outcome share a line. It fits 80 columns.

  $ cat > x.yaml <<EOF
  > title: Which timeout?
  > scheme: detail
  > host: {newreno: {initial_rto: 0s}}
  > fabric: {kind: star, rate: 1Gbps, delay: 6600ns}
  > workload: {kind: incast, total: 300KB, request: 1460B, receiver: all, rounds: 1}
  > sweep: {host.newreno.initial_window: [3, 10], fabric.hosts: [4, 6, 8], host.newreno.min_rto: [1ms, 10ms], run.seed: [1, 2]}
  > expect:
  >   - {claim: late, metric: packets.retransmitted, each: [host.newreno.initial_window, fabric.hosts], of: {host.newreno.min_rto: 10ms}, value: [0, 0]}
  >   - {claim: lossless, metric: packets.dropped, of: {}, each: [host.newreno.initial_window, fabric.hosts, host.newreno.min_rto], value: [0, 0]}
  >   - {claim: fast, metric: queries.sets.all.p99, of: {}, each: [host.newreno.initial_window, fabric.hosts, host.newreno.min_rto], value: [0, 4000]}
  > EOF
  $ COLUMNS=80 heddle run x.yaml 2>/dev/null > out; cat out
  Which timeout?
  Means over 2 seeds, +- the half-width of the 95 % interval; * the best, where
  intervals part.
  
  initial_window is host.newreno.initial_window; hosts is fabric.hosts; min_rto is
    host.newreno.min_rto
       initial_                        packets
       window    hosts  min_rto  retransmitted        set time 99th
     1 3         4      1ms         60  0..212  3.77 ms      +-1.4%
     2                  10ms         0          3.30 ms       +-23%
     3           6      1ms        234   +-16%  3.90 ms  0..9.81 ms
     4                  10ms         0*         3.55 ms       +-44%
     5           8      1ms        486   +-82%  4.55 ms      +-8.4%
     6                  10ms         0*         3.49 ms       +-35%
     7 10        4      1ms       12.5  0..171  3.52 ms       +-26%
     8                  10ms         0          3.52 ms       +-26%
     9           6      1ms          0          3.20 ms       +-11%
    10                  10ms         0          3.20 ms       +-11%
    11           8      1ms        316  0..767  3.98 ms       +-11%
    12                  10ms         0          3.03 ms*     +-8.3%
    dropped: 0 in all rows
  
    Times are query completion times. a..b: an interval that reaches a. Not shown:
    queries.all.p50, queries.all.p99, queries.timeouts.share.0, fct_us.all.max,
    buffers_bytes.max, slowdown.all.p99, goodput_gbps.mean, queues_bytes.max,
    fct_us.all.p95, ... (--columns METRIC,...). --baseline ROW shows changes
    against a row: its number, or a value of host.newreno.min_rto.
  
  claims: 27 hold, 1 does not hold, 2 are not decided (the page lists each place)
    late, host.newreno.min_rto 10ms, at all 6 places (host.newreno.initial_window
      3, 10; fabric.hosts 4, 6, 8): holds; packets.retransmitted: 0, claimed 0 to
      0
    lossless, at all 12 places (host.newreno.initial_window 3, 10; fabric.hosts 4,
      6, 8; host.newreno.min_rto 1ms, 10ms): holds; packets.dropped: 0, claimed 0
      to 0
    fast, at 9 of 12 places (host.newreno.initial_window 3, 10; fabric.hosts 4, 6,
      8; host.newreno.min_rto 1ms, 10ms): holds; queries.sets.all.p99: 3026 to
      3769, claimed 0 to 4000
    fast (host.newreno.initial_window 3, fabric.hosts 6, host.newreno.min_rto
      1ms): not decided (too few seeds: 2 of about 418); queries.sets.all.p99:
      3903 (95 % interval 0 to 9812, 2 seeds), claimed 0 to 4000
    fast (host.newreno.initial_window 3, fabric.hosts 8, host.newreno.min_rto
      1ms): DOES NOT HOLD; queries.sets.all.p99: 4548 (95 % interval 4167 to 4928,
      2 seeds), claimed 0 to 4000
    fast (host.newreno.initial_window 10, fabric.hosts 8, host.newreno.min_rto
      1ms): not decided (too few seeds: 2 of about 86); queries.sets.all.p99: 3984
      (95 % interval 3536 to 4432, 2 seeds), claimed 0 to 4000
  
  results: x.db
  next: heddle report x.db   (writes the page)
  $ awk 'length > 80' out

Changes are there for who asks.

  $ COLUMNS=80 heddle report x.db --text --baseline 10ms | sed -n '/^  *1 3/,/^  *3/p'
     1 3         4      1ms         60  0..212  3.77 ms      +-1.4%
       against 10ms                +60   +-152    +14 %        +-25
     2                  10ms         0          3.30 ms       +-23%
     3           6      1ms        234   +-16%  3.90 ms  0..9.81 ms

A sweep of two keys has the inner one as its rows.

  $ sed -i 's/fabric.hosts: \[4, 6, 8\], //; s/star, /star, hosts: 4, /; /expect/,$d' x.yaml
  $ heddle run x.yaml 2>/dev/null | grep '^host\|^  host\|^  [0-9]' | cut -c -24
  host.newreno.initial_win
    host.newreno.min_rto  
    1 1ms                 
    2 10ms                
    host.newreno.min_rto  
    1 1ms                 
    2 10ms                
  host.newreno.initial_win
    host.newreno.min_rto  
    3 1ms                 
    4 10ms                
    host.newreno.min_rto  
    3 1ms                 
    4 10ms                
