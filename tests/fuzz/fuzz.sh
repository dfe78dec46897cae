#!/bin/sh
# tests/fuzz/fuzz.sh BUILD_DIR SECONDS [TARGET]: fuzzes TARGET (scenario, mad or explain; by
# default each in turn) of a build with -Dfuzz=true.  What was found to be of interest is kept
# in BUILD_DIR/corpus/TARGET, what crashes it in BUILD_DIR/crashes.
#
#   CC=clang meson setup -Dfuzz=true -Db_sanitize=address,undefined -Db_lundef=false BUILD_DIR
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
build=$(CDPATH='' cd -- "$1" && pwd)
seconds=$2
targets=${3:-scenario mad explain}
mkdir -p "$build/crashes"
cd "$build"
for target in $targets; do
  mkdir -p "corpus/$target" "seeds/$target"
  "$root/tests/fuzz/seeds.sh" "$target" "seeds/$target"
  dictionary=$root/tests/fuzz/$target.dict
  ./tests/fuzz/fuzz_"$target" -max_total_time="$seconds" -max_len=16384 -timeout=10 \
    $([ ! -e "$dictionary" ] || echo "-dict=$dictionary") \
    -artifact_prefix="$build/crashes/" -print_final_stats=1 "corpus/$target" "seeds/$target"
done
