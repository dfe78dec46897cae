#!/bin/sh
# tests/tidy.sh finds what it is there to find: one offence a time in a small clean tree.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset GIT_DIR GIT_WORK_TREE
mkdir -p sim models/ib models/cm app tests
cp "$SOURCE_ROOT/tests/tidy.sh" tests/

clean ()
{
  cat > sim/sim_x.h << 'END'
#pragma once
#include <glib.h>
gint sim_x (gint a);
END
  cat > sim/sim_x.c << 'END'
#include "sim_x.h"
#include <math.h>

static const char *const names[] = { "time (s)" };

/* Never calls rand (). */
gint
sim_x (gint a)
{
  return (gint) sqrt (a) + (gint) sizeof names;
}
END
  cp sim/sim_x.h models/ib/ib_x.h
  cp sim/sim_x.h models/cm/cm_x.h
  echo '#include "cm_x.h"' > app/app_x.c
  rm -f sim/new.? models/*/new.? app/new.?
}

clean
tests/tidy.sh || { echo "the clean tree is refused"; exit 1; }

# bites RULE FILE: with the text of standard input added to FILE, tidy.sh names RULE.
bites ()
{
  cat >> "$2"
  if tests/tidy.sh > out 2>&1; then
    echo "not found: $1"; exit 1
  fi
  if ! grep -q "$1" out || [ "$(wc -l < out)" -ne 1 ]; then
    echo "for \"$1\" it said:"; cat out; exit 1
  fi
  clean
}

echo 'int draw (void) { return rand (); }' | bites 'random numbers' models/ib/new.c
echo 'double f (double x) { return exp (x); }' | bites 'sim_math' sim/new.c
echo 'long now (void) { return time (NULL); }' | bites 'wall clock' models/cm/new.c
echo 'void say (void) { g_print ("x"); }' | bites 'outside' models/cm/new.c
echo '#include <stdio.h>' | bites 'includes stdio.h' sim/new.c
echo '#include "app_y.h"' | bites 'nowhere' models/ib/new.c
echo '#include "cm_x.h"' | bites 'of models/cm' models/ib/new.c
echo '/* as the MAD does */' | bites 'names the protocol' sim/new.c
printf 'int a;   \n' | bites 'space at the end' app/new.c
printf 'int b; /* %0120d */\n' 0 | bites 'columns' app/new.c
{ echo 'int'; echo 'f (void)'; echo '{'; yes '  f ();' | head -n 70; echo '}'; } |
  bites 'function of 72 lines' app/new.c
yes 'int c;' | head -n 501 | bites '501 lines' app/new.c
yes 'int d;' | head -n 251 | bites '251 lines' app/new.h
printf '/* %s: finish this */\n' TO""DO | bites unfinished app/new.c
echo 'void g (void) { g_hash_table_foreach (h, f, NULL); }' | bites 'hash table' app/new.c

# With a build: a counter that outlives the run.
mkdir -p build/sim build/models
echo 'static int calls; int count (void); int count (void) { return ++calls; }' |
  ${CC:-cc} -x c -c - -o build/sim/x.o
echo 'const char *const texts[] = { "a" }; int const n = 1;' |
  ${CC:-cc} -fPIE -x c -c - -o build/models/y.o
ar rc build/sim/libsim.a build/sim/x.o
ar rc build/models/libmodels.a build/models/y.o
if tests/tidy.sh build > out || [ "$(grep -c 'mutable global: sim: .*calls' out)" -ne 1 ] ||
  [ "$(wc -l < out)" -ne 1 ]; then
  echo "mutable globals: it said:"; cat out; exit 1
fi
