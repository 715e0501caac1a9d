A report goes to out.pdf. heddle writes pages in HTML only, so a name that ends otherwise is refused before anything is written.

  $ cat > x.yaml <<'EOF'
  > title: an incast
  > fabric: {kind: star, hosts: 3}
  > workload: {kind: incast, sizes: 1KB}
  > EOF
  $ heddle run x.yaml -q
  $ heddle report x.db -o out.pdf
  heddle: error: --out out.pdf: heddle report writes an HTML page; write --out out.html
  [2]
  $ heddle report x.db -o out
  heddle: error: --out out: heddle report writes an HTML page; write --out out.html
  [2]
  $ heddle report x.db -o out.htm
  out.htm
  $ ls out*
  out.htm
