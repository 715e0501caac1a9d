The base was moved, or is no file at all. The line names the place where it is written.

  $ mkdir folder
  $ cat > folder/x.yaml <<EOF
  > title: x
  > base: figure.yaml
  > EOF
  $ heddle check folder/x.yaml
  folder/x.yaml:2:7: error: cannot read the base folder/figure.yaml: No such file or directory; name a file, relative to this one's folder
  [2]
  $ echo 'base: {file: ..}' > folder/x.yaml; heddle check folder/x.yaml
  folder/x.yaml:1:14: error: the base folder/.. is no file; name an experiment file
  [2]
  $ mkfifo folder/pipe; echo 'base: pipe' > folder/x.yaml; timeout 10 heddle check folder/x.yaml
  folder/x.yaml:1:7: error: the base folder/pipe is no file; name an experiment file
  [2]
  $ echo 'base: {fil: a.yaml}' > folder/x.yaml; heddle check folder/x.yaml
  folder/x.yaml:1:8: error: unknown key 'fil' in base; did you mean 'file'?
  [2]
  $ echo '{profiles: {small: {base: a.yaml}}}' > folder/x.yaml; heddle check folder/x.yaml
  folder/x.yaml:1:27: error: a profile has no base of its own; name it at the top of the file
  [2]
  $ echo 'title: x' > folder/x.yaml; heddle check folder/x.yaml --set base=a.yaml
  error: --set base=a.yaml: a base is named in the file, not here; set the keys themselves
  [2]
