A file that is something else is named as a fabric, sizes or a trace, by mistake or on purpose. The error shows at most a few bytes of
it, and none that control a terminal.

  $ python3 - <<'END'
  > secret = "hunter2-" + "SECRET" * 100
  > texts = {
  >     "key": secret + ": 1\n", "tier": "nodes: [{name: a, tier: %s}]\n" % secret, "rate":
  >     "nodes: [{name: a}, {name: b}]\nlinks: [{a: a, b: b, rate: %s}]\n" % secret, "node": "nodes: [{name: a, %s: 1}]\n" % secret,
  >     "word": secret + "\n", "binary": "\x7fELF\x02\x01" + "\0" * 99 + secret, "escape": "\"\\e[31m" + secret + "\": 1\n",
  >     "kind": "topology: {nodes: {a: {kind: linux}}, links: [{type: %s, endpoints: ['a:eth1', 'b:eth1']}]}\n" % secret,
  >     "element": "<%s/>" % secret, "entity": "<!DOCTYPE x [<!ENTITY %s 'a'>]><graphml/>" % secret,
  >     "number": "1 %s\n" % secret, "host": "start,source,destination,bytes\n1us,%s,b,4\n" % secret}
  > for name, text in texts.items():
  >     open(name, "w", encoding="latin-1").write(text)
  > END
  $ try() { echo "$1" > x.yaml; echo "${2-workload: {kind: permutation, sizes: 1KB\}}" >> x.yaml; heddle check x.yaml 2>&1; }
  $ for name in key tier rate node word binary escape; do try "fabric: {kind: file, path: $name, rate: 10Gbps, delay: 1us}"; done
  key:1:1: error: unknown key "hunter2-SECRETSE"; known keys are nodes, links
  tier:1:25: error: unknown tier "hunter2-SECRETSE"; it is one of host, leaf, agg, core
  rate:2:28: error: rate: 'hunter2-SECRETSECRETSECRETSECRETSECRETSE' is not a rate; write one such as 10Gbps
  node:1:19: error: unknown key "hunter2-SECRETSE"; known keys are name, tier
  word:1:1: error: the file must be a map with the keys nodes and links
  binary:1:1: error: this is not YAML: control characters are not allowed
  escape:1:1: error: unknown key " [31mhunter2-SEC"; known keys are nodes, links
  [2]
  $ try "fabric: {kind: file, format: containerlab, path: kind, rate: 10Gbps, delay: 1us}"
  kind:1:54: error: a link of type hunter2-SECRETSE leads out of the lab; remove it, or make it a veth
  [2]
  $ for name in element entity; do try "fabric: {kind: file, format: graphml, path: $name, rate: 10Gbps, delay: 1us}"; done
  element:1:1: error: this is no GraphML: it begins with <hunter2-SECRETSE>, not with <graphml>
  entity:1:632: error: the file declares the entity 'hunter2-SECRETSE'; write its text where it is used
  [2]
  $ try 'fabric: {kind: star, hosts: 2}' 'workload: {kind: permutation, sizes: ./number}'
  ./number:1:3: error: 'hunter2-SECRETSECRETSECRETSECRETSECRETS' is no number; write the probability as a plain decimal
  [2]
  $ try 'fabric: {kind: star, hosts: 2}' 'workload: {kind: trace, path: host}'
  host:2:5: error: source: there is no host 'hunter2-SECRETSECRETSECRETSECRETSECRETSECRETSECRETSECRETSECRETSECRETSECRETSECRET'; they are host0.0 to host0.1, or 0 to 1
  [2]
  $ heddle check key; heddle check binary; heddle check element
  key:1:1: error: unknown key 'hunter2-SECRETSECRETSECRETSECRETSECRETSE'; known are: title, base, scheme, schemes, fabric, host, switch, workload, run, measure, lab, sweep, profiles, table, expect, figure
  binary:1:1: error: not YAML: control characters are not allowed; check indentation, colons and brackets here
  element:1:1: error: an experiment is a block of keys: fabric, workload, ...
  [2]
