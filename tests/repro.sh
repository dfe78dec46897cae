#!/bin/sh
# tests/repro.sh: builds the program with gcc and clang at -O0 and -O3 and compares what they
# write, byte for byte.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

for compiler in gcc clang; do
  for level in 0 3; do
    name=$compiler-O$level
    if ! { CC=$compiler meson setup --buildtype=plain "-Doptimization=$level" -Dtests=false \
      "$name" "$root" && ninja -C "$name" app/cmsim; } > log 2>&1 < /dev/null; then
      tail -n 30 log
      echo "$name does not build"
      exit 1
    fi
    for scenario in rej3-vs-drop cases/C01-12-into-10; do
      # The drawing is gnuplot's; its data and commands are ours.
      "$name/app/cmsim" run "$root/scenarios/$scenario.yaml" --replications 2 --no-plots --quiet \
        -o "results-$name/$(basename "$scenario")"
    done
    [ "$(find "results-$name" -type f | wc -l)" -ge 8 ]
    diff -r results-gcc-O0 "results-$name" || { echo "gcc -O0 and $name differ"; exit 1; }
    echo "$name: $(cat "results-$name"/*/* | cksum)"
  done
done
