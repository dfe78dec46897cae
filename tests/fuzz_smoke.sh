#!/bin/sh
# tests/fuzz_smoke.sh BUILD_DIR: builds the fuzz targets in BUILD_DIR and runs each for so many
# inputs, always the same ones, starting from the seeds of the tree.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=$1
unset CMSIM_SHARED

if ! {
  [ -e "$build/build.ninja" ] ||
    CC=clang meson setup --buildtype=debugoptimized -Doptimization=1 -Db_lundef=false \
      -Db_sanitize=address,undefined -Dfuzz=true -Dtests=false "$build" "$root"
  ninja -C "$build" tests/fuzz/fuzz_scenario tests/fuzz/fuzz_mad tests/fuzz/fuzz_explain
} > "$build.log" 2>&1 < /dev/null; then
  tail -n 40 "$build.log"
  exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# smoke TARGET RUNS LENGTH [OPTION]
smoke ()
{
  target=$1 runs=$2 length=$3
  shift 3
  mkdir -p "$work/$target" "$work/crashes"
  "$root/tests/fuzz/seeds.sh" "$target" "$work/$target"
  "$build/tests/fuzz/fuzz_$target" -seed=1 -runs="$runs" -max_len="$length" -timeout=10 \
    -verbosity=0 "$@" "-artifact_prefix=$work/crashes/" "$work/$target" > "$work/log" 2>&1 && return
  tail -n 40 "$work/log"
  # The input that did it, to be kept as a seed.
  for crash in "$work"/crashes/*; do
    echo "--- $target: $(basename "$crash")"
    base64 "$crash"
  done
  exit 1
}
smoke scenario 30000 4096 "-dict=$root/tests/fuzz/scenario.dict"
smoke mad 200000 512
smoke explain 15000 8192
