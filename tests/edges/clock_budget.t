The time of day is set an hour ahead while a run with a budget of two seconds is under way. The store keeps that the run had two
seconds, not an hour, so a command with more time tries the run again.

  $ cc -shared -fPIC -o clock_step.so "$ROOT/tests/live/clock_step.c" 2>/dev/null || exit 80
  $ cat >slow.yaml <<'END'
  > title: runs that take far longer than foreseen
  > fabric: {kind: leaf-spine, leaves: 16, spines: 16, hosts: 2}
  > switch: {balance: clairvoyant, clairvoyant: {epoch: 100ns}}
  > host: {transport: udp}
  > workload: {kind: long, src: 0, dst: 2, rate: 1Mbps, within: 100us}
  > run: {until: 1000s}
  > END
  $ head -c 16 /dev/zero >clock
  $ ahead() { printf '\020\016\0\0\0\0\0\0' | dd of=clock conv=notrunc status=none; } # 3,600 s
  $ started() { sqlite3 -readonly slow.db 'SELECT count(*) FROM runs WHERE started IS NOT NULL' 2>/dev/null; }
  $ (for i in $(seq 200); do [ "$(started)" = 1 ] && break; sleep 0.05; done; ahead) &
  $ ASAN_OPTIONS=verify_asan_link_order=0 CLOCK_STEP=clock LD_PRELOAD=./clock_step.so heddle run slow.yaml -q --budget 2s 2>&1 | grep -o 'the budget of .* is over'
  the budget of 2.0 s is over
  $ heddle run slow.yaml -q --budget 5s 2>&1 | grep -o 'the budget of .* is over\|no run .* fits'
  the budget of 5.0 s is over
