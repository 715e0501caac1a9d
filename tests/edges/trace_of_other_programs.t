A trace comes from a spreadsheet (byte order mark, carriage returns), from pandas (an index, columns of its own, quotes),
or from heddle: flows.csv of an export, and `heddle flows --csv`.

  $ cat >star.yaml <<'Y'
  > fabric: {kind: star, hosts: 4, rate: 10Gbps, delay: 1us}
  > workload: {kind: permutation, sizes: 10KB}
  > sweep: {scheme: [ecmp, dctcp]}
  > Y
  $ cat >again.yaml <<'Y'
  > fabric: {kind: star, hosts: 4, rate: 10Gbps, delay: 1us}
  > workload: {kind: trace, path: flows.csv}
  > Y
  $ again() { rm -f again.db; heddle run again.yaml --quiet && heddle flows again.db --csv | cut -d, -f3-6; }
  $ printf '\xef\xbb\xbfstart_us,source,destination,bytes\r\n5,host0.1,host0.2,1500\r\n' >flows.csv; again
  src,dst,bytes,start_us
  host0.1,host0.2,1500,5
  $ printf '%s\n' ',start_us,my note,source,destination,bytes' '0,5.0,"a, b # c",host0.1,"host0.2",1500' >flows.csv; again
  src,dst,bytes,start_us
  host0.1,host0.2,1500,5

Without a header only the four columns are known, so the index has to go or to get a name.

  $ printf '%s\n' '0,5us,host0.1,host0.2,1500' >flows.csv; again
  flows.csv:1:23: error: more than 4 columns; give start, source, destination, bytes, or name all columns in a first line
  [2]
  $ printf '%s\n' 'time,from,to,volume' '5us,host0.1,host0.2,1500' >flows.csv; again
  flows.csv:1:1: error: no field of this line is a column of a trace; a header names start_us (or start_s, start_ms, start_ns), source, destination, bytes
  [2]
  $ printf '\xff\xfes\x00t\x00' >flows.csv; again
  flows.csv:1:1: error: this text is UTF-16; save it as UTF-8 (spreadsheets: as "CSV UTF-8")
  [2]

Plain numbers under `start` are seconds. A trace of microseconds under that name lasts for hours, which is a warning.

  $ printf '%s\n' 'time,src,dst,size' '0,0,1,1KB' >flows.csv; again
  flows.csv:1:18: error: this header lacks the start; name start_us (or start_s, start_ms, start_ns), source, destination, bytes
  [2]
  $ printf '%s\n' 'start,src,dst,size' '0,0,1,1KB' '1899,1,2,2MB' >flows.csv; heddle check again.yaml 2>&1 >printed
  again.yaml:2:31: warning: workload.0.path: the last flow of this trace starts at 1899s, and all its flows together fill a host's link for 1.601ms; plain numbers under `start` are seconds: name the column start_us if they are microseconds
  $ sed -i s/start/start_us/ flows.csv; heddle check again.yaml 2>&1 >printed

Numbers of hosts in quotes are names, as everywhere; the error says what to write.

  $ printf '%s\n' '"start_us","source","destination","bytes"' '"5","1","2","1500"' >flows.csv; again
  flows.csv:2:6: error: source: there is no host named "1"; they are host0.0 to host0.3; host number 1 is written without quotes
  [2]

An unknown host is told in the words of every other key.

  $ printf '%s\n' '5us,host1,2,1500' >flows.csv; again
  flows.csv:1:5: error: source: there is no host 'host1'; they are host0.0 to host0.3, or 0 to 3
  [2]
  $ heddle check again.yaml --set 'workload=[{kind: long, sizes: 1KB, src: host1, dst: 2}]'
  --set workload:1:32: error: workload.0.src: there is no host 'host1'; they are host0.0 to host0.3, or 0 to 3
  [2]

flows.csv has the flows of all runs, a trace those of one.

  $ heddle run star.yaml --quiet && heddle export star.db --csv out >exported && cp out/flows.csv . && again
  flows.csv:6:6: error: a flow of run 2 after flows of run 1; keep the lines of one, or give each a file
  [2]
  $ awk -F, 'NR == 1 || $2 == 1' out/flows.csv >flows.csv; again >numbers
  $ heddle flows star.db --csv >flows.csv; again >names
  $ cmp numbers names && heddle flows star.db --csv | cut -d, -f3-6 | cmp - names && wc -l <names
  5

A tab in YAML is called a tab.

  $ printf 'fabric:\n\tkind: star\n' >tab.yaml; heddle check tab.yaml
  tab.yaml:2:1: error: not YAML: a tab; write blanks in its place
  [2]
  $ printf 'nodes:\n  - {name: a}\n\t- {name: b}\n' >net.yaml
  $ heddle check again.yaml --set 'fabric={kind: file, path: net.yaml}'
  net.yaml:3:1: error: this is not YAML: a tab; write blanks in its place
  [2]
