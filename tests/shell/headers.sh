#!/bin/sh
# Every header compiles alone, seeing only its own layer and those below.
set -eu
cd "$SOURCE_ROOT"
# Lists of words, split at will.
# shellcheck disable=SC2086
check ()
{
  ${CC:-cc} $flags -I. $include -fsyntax-only -x c -
}
flags="-std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Werror $(pkg-config --cflags glib-2.0 json-glib-1.0)"
include=
failed=0
for layer in sim models app; do
  for folder in $(find $layer -name '*.h' -exec dirname {} \; | sort -u); do
    include="$include -I$folder"
  done
  for header in $(find $layer -name '*.h' | sort); do
    # Twice: it must guard itself.
    if ! printf '#include "%s"\n#include "%s"\n' "$header" "$header" | check; then
      echo "$header does not compile alone"
      failed=1
    fi
  done
done
exit $failed
