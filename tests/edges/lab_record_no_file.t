In the place of a lab's record, or of its log, stands a FIFO that nobody writes to, a device without an end, or a file larger than the
memory. Each command ends at once, and says what to do.

  $ . "$ROOT/tests/edges/labs.sh"
  $ star one.yaml h1 h2
  $ folder=/run/heddle/labs/$LAB
  $ for it in "mkfifo" "ln -s /dev/zero" "truncate -s 1T"; do
  >   heddle lab up one.yaml --name $LAB >/dev/null
  >   rm $folder/lab.json && $it $folder/lab.json
  >   for command in "status --name $LAB" "exec --name $LAB h1 true"; do
  >     timeout 10 heddle lab $command 2>&1 | unnamed
  >   done
  >   timeout 10 heddle lab list | grep $LAB | tr -s ' ' | unnamed
  >   timeout 20 heddle lab down --name $LAB >/dev/null; echo "exit $?"
  >   left
  > done
  /run/heddle/labs/LAB/lab.json: error: no record of a lab; heddle lab down --name LAB removes what is left of the lab
  /run/heddle/labs/LAB/lab.json: error: no record of a lab; heddle lab down --name LAB removes what is left of the lab
  LAB its record is lost; heddle lab down --name LAB removes what is left of it
  exit 0
  0 namespaces, 0 processes, 0 folders
  /run/heddle/labs/LAB/lab.json: error: no record of a lab; heddle lab down --name LAB removes what is left of the lab
  /run/heddle/labs/LAB/lab.json: error: no record of a lab; heddle lab down --name LAB removes what is left of the lab
  LAB its record is lost; heddle lab down --name LAB removes what is left of it
  exit 0
  0 namespaces, 0 processes, 0 folders
  /run/heddle/labs/LAB/lab.json: error: no record of a lab; heddle lab down --name LAB removes what is left of the lab
  /run/heddle/labs/LAB/lab.json: error: no record of a lab; heddle lab down --name LAB removes what is left of the lab
  LAB its record is lost; heddle lab down --name LAB removes what is left of it
  exit 0
  0 namespaces, 0 processes, 0 folders

A FIFO where `lab up` writes its record first, or names of hosts, is removed; one where it writes its log is no log.

  $ mkdir -p $folder/etc && mkfifo $folder/lab.json.new $folder/etc/hosts.new
  $ timeout 30 heddle lab up one.yaml --name $LAB | head -1 | unnamed
  lab LAB: 1 switches, 2 hosts, h1 10.0.0.1 to h2 10.0.0.2
  $ heddle lab down --name $LAB >/dev/null
  $ mkdir -p $folder && mkfifo $folder/switches.log
  $ timeout 30 heddle lab up one.yaml --name $LAB 2>&1 | unnamed
  /run/heddle/labs/LAB/switches.log: error: No such device or address
  $ heddle lab down --name $LAB >/dev/null 2>&1
  [2]
  $ left
  0 namespaces, 0 processes, 0 folders
