The path of a capture has the end of a line in it, and a blank and a percent sign. The file of that name is written; a link whose
name has the end of a line is refused.

  $ . "$ROOT/tests/edges/labs.sh"
  $ star one.yaml h1 h2
  $ heddle lab up one.yaml --name $LAB >/dev/null
  $ heddle lab capture s1-h1 $'two\nlines 10%0a.pcapng' --seconds 1 --name $LAB | sed "s|$PWD/||"
  written: two
  lines 10%0a.pcapng
  $ find . -name '*.pcapng' -printf '%f\0' | od -An -c
     t   w   o  \n   l   i   n   e   s       1   0   %   0   a   .
     p   c   a   p   n   g  \0
  $ heddle lab link down $'s1-h1\nwhatever' --name $LAB
  error: a name must not have the end of a line in it
  [2]
  $ heddle lab impair s1-h1 $'loss=1%\ndelay=1ms' --name $LAB
  error: a name must not have the end of a line in it
  [2]
  $ heddle lab down --name $LAB >/dev/null
