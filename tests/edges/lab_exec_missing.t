`lab exec` says that a program is missing, or cannot be executed, with the exit status of a shell; a host that the lab lacks is an
error of usage, also if the record of the lab names no host.

  $ . "$ROOT/tests/edges/labs.sh"
  $ star one.yaml h1 h2
  $ heddle lab up one.yaml --name $LAB >/dev/null
  $ heddle lab exec --name $LAB h1 no-such-program
  error: there is no program 'no-such-program' on the PATH
  [127]
  $ heddle lab exec --name $LAB h1 ./no-such-program
  error: there is no program './no-such-program'
  [127]
  $ heddle lab exec --name $LAB h1 ./one.yaml
  error: ./one.yaml: Permission denied
  [126]
  $ heddle lab exec --name $LAB h1 sh -c 'exit 7'
  [7]
  $ heddle lab exec --name $LAB h9 true 2>&1 | unnamed
  error: lab 'LAB' has no host 'h9'; the first is h1
  $ python3 -c 'import json, sys; o = json.load(open(sys.argv[1])); o["hosts"] = []; json.dump(o, open(sys.argv[1], "w"))' \
  >   /run/heddle/labs/$LAB/lab.json
  $ heddle lab exec --name $LAB h1 true 2>&1 | unnamed
  /run/heddle/labs/LAB/lab.json: error: no record of a lab; heddle lab down --name LAB removes what is left of the lab
  $ heddle lab down --name $LAB >/dev/null
  $ left
  0 namespaces, 0 processes, 0 folders
