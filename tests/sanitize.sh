#!/bin/sh
# tests/sanitize.sh BUILD_DIR: builds the program and the unit tests with AddressSanitizer and
# UndefinedBehaviorSanitizer in BUILD_DIR and runs: the unit tests, the bad input, truncated
# and mutated scenarios, and a real run.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=$1
log=$build.log

if ! {
  [ -e "$build/build.ninja" ] ||
    meson setup --buildtype=debugoptimized -Doptimization=1 -Db_sanitize=address,undefined "$build" "$root"
  ninja -C "$build"
} > "$log" 2>&1 < /dev/null; then
  tail -n 40 "$log"
  exit 1
fi

export ASAN_OPTIONS=abort_on_error=0:detect_leaks=1:exitcode=99
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:exitcode=99

SCOPE_STEP=5 meson test -C "$build" --no-rebuild --suite unit --timeout-multiplier 4 --print-errorlogs --quiet

export SOURCE_ROOT="$root" BUILD_ROOT="$build"
"$root/tests/shell/bad_input.sh"
MUTATION_STEP=23 "$root/tests/shell/mutations.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/app/cmsim" run "$root/scenarios/rej3-vs-drop.yaml" --replications 2 -j 2 --quiet --no-plots -o "$work/x"
"$build/app/cmsim" trace "$root/scenarios/rej3-vs-drop.yaml" --connect 1 > "$work/trace"
[ -s "$work/trace" ]
