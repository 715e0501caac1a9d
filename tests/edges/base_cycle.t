Two files name each other as their base: neither can be read, and the program says by which way it came back.

  $ cat > a.yaml <<EOF
  > base: b.yaml
  > EOF
  $ cat > b.yaml <<EOF
  > title: b
  > base: {file: ./a.yaml}
  > EOF
  $ heddle check a.yaml
  b.yaml:2:14: error: a file cannot be its own base (a.yaml, base of b.yaml, base of a.yaml); name another one here
  [2]
  $ heddle run a.yaml
  b.yaml:2:14: error: a file cannot be its own base (a.yaml, base of b.yaml, base of a.yaml); name another one here
  [2]
  $ echo 'base: c.yaml' > c.yaml; heddle check c.yaml
  c.yaml:1:7: error: a file cannot be its own base (c.yaml, base of c.yaml); name another one here
  [2]

A link to itself is the same file.

  $ ln -s a.yaml link.yaml && echo 'base: link.yaml' > a.yaml && heddle check a.yaml
  a.yaml:1:7: error: a file cannot be its own base (a.yaml, base of a.yaml); name another one here
  [2]
