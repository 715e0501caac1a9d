A file has far more of something than any experiment: it is read in seconds, or refused at once with one line. Each of these took
minutes.

  $ star='fabric: {kind: star, hosts: 2}'
  $ python3 - <<'END'
  > star, flow = "fabric: {kind: star, hosts: 4}\n", "workload: {kind: permutation, sizes: 1KB}\n"
  > pods = "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, failed: [%s]}\n"
  > file = "fabric: {kind: file, path: %s, rate: 10Gbps, delay: 1us}\n" + flow
  > n = range(100000)
  > def write(name, text): open(name, "w").write(text)
  > write("keys.yaml", "".join(f"key{i}: {i}\n" for i in n))
  > write("schemes.yaml", star + flow + "schemes:\n" + "".join(f"  s{i}: {{}}\n" for i in n))
  > write("profiles.yaml", star + flow + "profiles:\n" + "".join(f"  p{i}: {{}}\n" for i in n))
  > write("anchors.yaml", "title: [" + ", ".join(f"&a{i} x" for i in n) + "]\n")
  > write("many.yaml", star + "workload:\n" + "- {kind: permutation, sizes: 1KB}\n" * 100000)
  > write("entries.yaml", star + "workload:\n" + "- {kind: permutation, sizes: 1KB}\n" * 10000)
  > write("unknown.yaml", star + "workload:\n" + "- {kind: permutation, sizes: 1KB}\n" * 10000 + "- {kynd: x}\n")
  > write("failed.yaml", pods % ", ".join(f"{{link: leaf0-spine0, at: {2 * i}us, repair_at: {2 * i + 1}us}}" for i in range(10000)) + flow)
  > write("no-links.yaml", pods % ", ".join(f"{{link: leaf7-spine{i}}}" for i in range(20000)) + flow)
  > write("twice.yaml", star + flow + "sweep: {run.seed: [" + ", ".join(str(i) for i in range(90000)) + ", 0]}\n")
  > write("expect.yaml", star + flow + "expect:\n" + "- {claim: x, metric: fct_us.all.nosuch, value: [0, 1]}\n" * 10000)
  > write("brackets.yaml", file % "brackets.txt")
  > write("brackets.txt", "nodes: " + "[" * 100000)
  > write("names.yaml", file % "names.txt")
  > write("names.txt", "nodes: [" + ", ".join(f"&a{i} {{name: h{i}}}" for i in n) + "]\n")
  > write("graph.yaml", file.replace("path", "format: graphml, path") % "graph.txt")
  > write("graph.txt", "<graphml>" + "".join(f"<key id='k{i}'/>" for i in n) + "<graph><node id='a'/></graph></graphml>")
  > write("trace.yaml", star + "workload: {kind: trace, path: trace.csv}\n")
  > write("trace.csv", "start,source,destination,bytes\n" + "".join(f"{i}us,nobody{i},h1,1000\n" for i in n))
  > write("sizes.yaml", star + "workload: {kind: permutation, sizes: ./sizes.txt}\n")
  > write("sizes.txt", "".join(f"{i + 1} {i / 200000}\n" for i in n))
  > END
  $ for name in keys schemes profiles anchors many unknown no-links twice expect brackets names graph trace sizes; do
  >   timeout 60 heddle check $name.yaml | wc -l | grep -v '^0'; echo "exit ${PIPESTATUS[0]}"
  > done
  keys.yaml:1001:1: error: more than 1000 keys in one block; this is no experiment file
  exit 2
  schemes.yaml:1004:3: error: more than 1000 keys in one block; this is no experiment file
  exit 2
  profiles.yaml:1004:3: error: more than 1000 keys in one block; this is no experiment file
  exit 2
  anchors.yaml:1:8899: error: too many anchors for an experiment; write the values out
  exit 2
  many.yaml:20001:30: error: too many values for an experiment
  exit 2
  unknown.yaml:10003:4: error: unknown key 'kynd' in workload.10000; did you mean 'kind'?
  exit 2
  no-links.yaml:1:76: error: there is no link "leaf7-spine0"; write NODE-NODE of two neighbours, nodes are host0.0 to host1.1, leaf0 to leaf1, spine0 to spine1
  exit 2
  twice.yaml:3:618910: error: sweep run.seed: this value is there twice; remove one
  exit 2
  expect.yaml:4:22: error: there is no number 'fct_us.all.nosuch' in a result; at 'nosuch' known are: n, mean, p50, p95, p99, p999, max, min, unfinished
  exit 2
  brackets.txt:1:71: error: too many brackets, one in the other; this is no fabric
  exit 2
  names.txt:1:19789: error: too many anchors; this is no fabric
  exit 2
  graph.txt:1:15900: error: more than 1000 keys; remove the ones without use
  exit 2
  trace.csv:2:5: error: source: there is no host 'nobody0'; they are host0.0 to host0.3, or 0 to 3
  exit 2
  ./sizes.txt:100000:8: error: the last cumulative probability is neither 1 nor 100 (percent); end the file with it
  exit 2
  $ timeout 60 heddle check entries.yaml | grep -c 'kind: permutation'
  10000
  $ timeout 60 heddle check failed.yaml | grep -c 'link: leaf0'
  10000
