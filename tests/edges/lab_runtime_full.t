The folder of labs is full. `lab up` fails in one line and leaves nothing; once there is room the same name works.

  $ . "$ROOT/tests/edges/labs.sh"
  $ star one.yaml h1 h2
  $ cat >inside <<'END'
  > mkdir -p /run/heddle && mount -t tmpfs -o size=64k none /run/heddle
  > head -c 65536 /dev/zero >/run/heddle/full
  > heddle lab up one.yaml --name $1; echo "exit $?"
  > find /run/heddle/labs -mindepth 1
  > rm /run/heddle/full
  > heddle lab up one.yaml --name $1 | head -1
  > heddle lab down --name $1; echo "exit $?"
  > END
  $ unshare -m bash inside $LAB 2>&1 | unnamed
  /run/heddle/labs/LAB/lab.json: error: No space left on device
  exit 2
  lab LAB: 1 switches, 2 hosts, h1 10.0.0.1 to h2 10.0.0.2
  lab LAB: removed
  exit 0
  $ left
  0 namespaces, 0 processes, 0 folders
