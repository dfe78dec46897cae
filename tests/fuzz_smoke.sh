#!/bin/sh
# tests/fuzz_smoke.sh BUILD_DIR: builds the fuzz target of the scenario reader in BUILD_DIR and
# runs it for so many inputs, always the same ones, starting from the scenarios and the bad input.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=$1

if ! {
  [ -e "$build/build.ninja" ] ||
    CC=clang meson setup --buildtype=debugoptimized -Doptimization=1 -Db_lundef=false \
      -Db_sanitize=address,undefined -Dfuzz=true -Dtests=false "$build" "$root"
  ninja -C "$build" tests/fuzz/fuzz_scenario
} > "$build.log" 2>&1 < /dev/null; then
  tail -n 40 "$build.log"
  exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/seeds" "$work/crashes"
find "$root/scenarios" "$root/tests/bad" -name '*.yaml' -size -16k -exec cp {} "$work/seeds" \;
"$build/tests/fuzz/fuzz_scenario" -seed=1 -runs=30000 -max_len=4096 -timeout=10 -verbosity=0 \
  "-dict=$root/tests/fuzz/scenario.dict" "-artifact_prefix=$work/crashes/" "$work/seeds" > "$work/log" 2>&1 || {
  tail -n 40 "$work/log"
  # The input that did it, to be kept as a file of tests/bad.
  for crash in "$work"/crashes/*; do
    echo "--- $(basename "$crash")"
    base64 "$crash"
  done
  exit 1
}
