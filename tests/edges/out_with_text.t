A report as text is to go to a page. --text writes to the terminal only, so --out beside it is refused.

  $ cat > x.yaml <<'EOF'
  > title: an incast
  > fabric: {kind: star, hosts: 3}
  > workload: {kind: incast, sizes: 1KB}
  > EOF
  $ heddle run x.yaml -q
  $ heddle report x.db --text -o out.html
  heddle: error: --out names a page, and --text writes none; write one of the two
  [2]
