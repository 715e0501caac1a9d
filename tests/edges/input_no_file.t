An input file is a device without an end, or a FIFO that nobody writes to. Each command says so at once, and does not wait.

  $ mkfifo pipe
  $ cat > run.yaml <<'END'
  > fabric: {kind: star, hosts: 2}
  > workload: {kind: permutation, sizes: 20KB}
  > END
  $ heddle run run.yaml -q
  $ with() { echo "fabric: $1"; echo "workload: ${2-{kind: permutation, sizes: 20KB\}}"; }
  $ star='{kind: star, hosts: 2}'
  $ for it in pipe /dev/zero .; do
  >   with "$star" "{kind: trace, path: $it}" > trace.yaml
  >   with "$star" "{kind: permutation, sizes: ./$it}" > sizes.yaml
  >   with "{kind: file, path: $it, rate: 10Gbps, delay: 1us}" > topology.yaml
  >   for file in $it trace.yaml sizes.yaml topology.yaml; do timeout 10 heddle check $file; echo "exit $?"; done
  >   timeout 10 heddle run $it -q
  >   timeout 10 heddle convert $it --to graphml
  >   for command in "report $it --text" "export $it --csv out" "plot $it fct_us.all.mean" "diff run.db $it" "flows $it" "flow $it 0"; do
  >     timeout 10 heddle $command; echo "exit $?"
  >   done
  >   timeout 10 heddle replay run.yaml --node leaf0 --in all=$it --out out; echo "exit $?"
  > done
  pipe: error: cannot read it: it is no plain file; name an experiment file
  exit 2
  trace.yaml:2:31: error: cannot read pipe: it is no plain file; name a file, relative to the experiment's folder
  exit 2
  sizes.yaml:2:38: error: cannot read ./pipe: it is no plain file; name a file, relative to the experiment's folder
  exit 2
  topology.yaml:1:28: error: cannot read pipe: it is no plain file; name a file, relative to the experiment's folder
  exit 2
  pipe: error: cannot read it: it is no plain file; name an experiment file
  pipe: error: cannot read it: it is no plain file; name an experiment file
  pipe: error: this is no file; name the file that heddle run wrote
  exit 2
  pipe: error: this is no file; name the file that heddle run wrote
  exit 2
  pipe: error: this is no file; name the file that heddle run wrote
  exit 2
  pipe: error: this is no file; name the file that heddle run wrote
  exit 2
  pipe: error: this is no file; name the file that heddle run wrote
  exit 2
  pipe: error: this is no file; name the file that heddle run wrote
  exit 2
  pipe: error: cannot open the capture: it is no plain file
  exit 2
  /dev/zero: error: cannot read it: it is no plain file; name an experiment file
  exit 2
  trace.yaml:2:31: error: cannot read /dev/zero: it is no plain file; name a file, relative to the experiment's folder
  exit 2
  sizes.yaml:2:38: error: cannot read .//dev/zero: No such file or directory; name a file, relative to the experiment's folder
  exit 2
  topology.yaml:1:28: error: cannot read /dev/zero: it is no plain file; name a file, relative to the experiment's folder
  exit 2
  /dev/zero: error: cannot read it: it is no plain file; name an experiment file
  /dev/zero: error: cannot read it: it is no plain file; name an experiment file
  /dev/zero: error: this is no file; name the file that heddle run wrote
  exit 2
  /dev/zero: error: this is no file; name the file that heddle run wrote
  exit 2
  /dev/zero: error: this is no file; name the file that heddle run wrote
  exit 2
  /dev/zero: error: this is no file; name the file that heddle run wrote
  exit 2
  /dev/zero: error: this is no file; name the file that heddle run wrote
  exit 2
  /dev/zero: error: this is no file; name the file that heddle run wrote
  exit 2
  /dev/zero: error: cannot open the capture: it is no plain file
  exit 2
  .: error: cannot read it: Is a directory; name an experiment file
  exit 2
  trace.yaml:2:31: error: cannot read .: Is a directory; name a file, relative to the experiment's folder
  exit 2
  sizes.yaml:2:38: error: cannot read ./.: Is a directory; name a file, relative to the experiment's folder
  exit 2
  topology.yaml:1:28: error: cannot read .: Is a directory; name a file, relative to the experiment's folder
  exit 2
  .: error: cannot read it: Is a directory; name an experiment file
  .: error: cannot read it: Is a directory; name an experiment file
  .: error: this is no file; name the file that heddle run wrote
  exit 2
  .: error: this is no file; name the file that heddle run wrote
  exit 2
  .: error: this is no file; name the file that heddle run wrote
  exit 2
  .: error: this is no file; name the file that heddle run wrote
  exit 2
  .: error: this is no file; name the file that heddle run wrote
  exit 2
  .: error: this is no file; name the file that heddle run wrote
  exit 2
  .: error: cannot open the capture: Is a directory
  exit 2
