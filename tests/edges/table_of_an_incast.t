The table of an incast has what an incast is about: its tail, its last completion, drops, the fullest buffer, and pauses where
there are any. It fits 80 columns; a row that is much better is a fraction of the other.

  $ cat > x.yaml <<EOF
  > title: Eight senders, one receiver
  > fabric: {kind: star, hosts: 9, rate: 10Gbps}
  > switch: {buffer: 30KB}
  > workload: {kind: incast, sizes: 100KB, rounds: 2, gap: 50ms, within: 10us}
  > sweep: {scheme: [ecmp, expresspass-2017, detail-fast], run.seed: [1, 2, 3]}
  > EOF
  $ COLUMNS=80 heddle run x.yaml 2>/dev/null
  Eight senders, one receiver
  Means over 3 seeds, +- the half-width of the 95 % interval; * the best, where
  intervals part.
  
  flow completion times
    scheme                    all mean         all 99th  last completion
    1 ecmp              10.0 ms  +-99%  26.9 ms   +-54%  26.9 ms   +-54%
    2 expresspass-2017   700 us +-1.3%   749 us  +-2.0%   749 us  +-2.0%
      against ecmp        -93 %  +-7.0   1/35.9   +-52%   1/35.9   +-52%
    3 detail-fast        674 us +-0.8%   683 us* +-0.6%   683 us* +-0.6%
      against ecmp        -93 %  +-6.6   1/39.4   +-53%   1/39.4   +-53%
    scheme                   dropped    fullest buffer              paused
    1 ecmp                 203 +-14%  30.0 KB  +-<0.1%       0 s
    2 expresspass-2017       0        3.01 KB*  +-8.1%       0 s
      against ecmp      -100 %   +-0    -90 %    +-0.8      same
    3 detail-fast            0         165 KB   +-5.7%   7.65 ms    +-0.5%
      against ecmp      -100 %   +-0   +451 %     +-31  +7.65 ms +-40.5 us
  
    Times are flow completion times. Fullest buffer is the most bytes in one
    switch, its ingress queues included. Changes are against ecmp (row 1), paired
    by seed: percentages of its value, +- in points; 1/N and Nx where a percentage
    tells little; differences of plain numbers and from 0. Not shown:
    slowdown.all.p99, goodput_gbps.mean, queues_bytes.max, packets.retransmitted,
    ... (--columns METRIC,...). --baseline ROW compares with another row.
  
  results: x.db
  next: heddle report x.db   (writes the page)

Any two rows can be compared, in any columns; the file may ask for them too, and a report remembers it.

  $ heddle run x.yaml --columns fct_us.all.p99,packets.dropped --baseline detail-fast 2>/dev/null | sed -n '/^  scheme/,/^$/p'
    scheme                        all 99th      dropped
    1 ecmp                 26.9 ms   +-54%   203  +-14%
      against detail-fast    39.4x   +-53%  +203 +-28.3
    2 expresspass-2017      749 us  +-2.0%     0
      against detail-fast   +9.8 %   +-1.6  same
    3 detail-fast           683 us* +-0.6%     0
  
  $ echo 'table: {columns: [fct_us.all.max], baseline: 2}' >> x.yaml
  $ heddle run x.yaml -q 2>/dev/null; heddle report x.db --text | sed -n '/^  scheme/,/^$/p'
    scheme: ecmp, expresspass-2017, detail-fast
    run.seed: 1, 2, 3
  
    scheme                              all max
    1 ecmp                      26.9 ms   +-54%
      against expresspass-2017    35.9x   +-52%
    2 expresspass-2017           749 us  +-2.0%
    3 detail-fast                683 us* +-0.6%
      against expresspass-2017   -8.9 %   +-1.3
  
  $ sed -i '$d' x.yaml; heddle run x.yaml -q 2>/dev/null; heddle report x.db --text | grep -c 'last *completion\|completion'
  3
