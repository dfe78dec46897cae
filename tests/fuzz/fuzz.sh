#!/bin/sh
# tests/fuzz/fuzz.sh BUILD_DIR SECONDS: fuzzes the scenario reader of a build with -Dfuzz=true,
# starting from the scenarios and the bad input of the tree.  What crashes it is left in
# BUILD_DIR/crashes.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
build=$(CDPATH='' cd -- "$1" && pwd)
seconds=$2
mkdir -p "$build/corpus" "$build/crashes" "$build/seeds"
find "$root/scenarios" "$root/tests/bad" -name '*.yaml' -size -16k -exec cp {} "$build/seeds" \;
cd "$build"
exec ./tests/fuzz/fuzz_scenario -max_total_time="$seconds" -max_len=4096 -timeout=10 \
  -dict="$root/tests/fuzz/scenario.dict" -artifact_prefix="$build/crashes/" -print_final_stats=1 \
  "$build/corpus" "$build/seeds"
