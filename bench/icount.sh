#!/bin/sh
# bench/icount.sh [--update] PROGRAM TABLE [N]: instructions for an operation of the event
# engine, counted by valgrind.
#
# Two runs of PROGRAM (bench_engine) that differ only in the number of operations; the
# difference of their instruction counts, divided by that of the operations, is a figure that
# does not depend on the machine's load.  Compares with TABLE (lines "WORKLOAD N COUNT") and
# reports what grew by more than 3 %: exit code 1.  With N only the lines of that N or less.
# Counts are those of one compiler and its options: TABLE's first line names them, and where
# they differ nothing is compared (exit code 77: skipped).  --update writes TABLE anew.
set -u
update=''
if [ "${1:-}" = --update ]; then
  update=1
  shift
fi
program=$1 table=$2 limit=${3:-1000000}
first=20000 second=120000
if ! command -v valgrind > /dev/null; then
  echo 'icount: valgrind is not installed; nothing was counted'
  exit 77
fi
built=$("$program" --built)
if [ -z "$update" ] && [ "$built" != "$(sed -n 's/^# built: //p' "$table")" ]; then
  echo "icount: this program was built otherwise ($built) than the one counted; not compared"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# count WORKLOAD N OPERATIONS
count ()
{
  valgrind --tool=callgrind --callgrind-out-file="$work/out" "$program" "$@" 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

# measure WORKLOAD N: instructions for an operation, with one decimal
measure ()
{
  few=$(count "$1" "$2" $first)
  many=$(count "$1" "$2" $second)
  [ -n "$few" ] && [ -n "$many" ] || { echo "icount: $1 $2 could not be counted" >&2; exit 1; }
  awk -v few="$few" -v many="$many" -v n=$((second - first)) \
    'BEGIN { printf "%.1f\n", (many - few) / n }'
}

if [ -n "$update" ]; then
  grep '^#' "$table" | sed "s|^# built:.*|# built: $built|" > "$work/new"
  grep -v '^#' "$table" | while read -r workload n _; do
    echo "$workload $n $(measure "$workload" "$n")"
  done >> "$work/new"
  cp "$work/new" "$table"
  exit
fi
grep -v '^#' "$table" | while read -r workload n stored; do
  [ "$n" -le "$limit" ] || continue
  now=$(measure "$workload" "$n") || exit 1
  verdict=$(awk -v now="$now" -v stored="$stored" \
    'BEGIN { print now > stored * 1.03 ? "GREW" : now < stored * 0.97 ? "fell" : "ok" }')
  printf '%-8s %8s %8s, stored %8s  %s\n' "$workload" "$n" "$now" "$stored" "$verdict"
done > "$work/report"
cat "$work/report"
! grep -q GREW "$work/report"
