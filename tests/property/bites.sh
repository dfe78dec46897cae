#!/bin/sh
# tests/property/bites.sh PROPERTY: with a bug in it the property test fails, and the one
# command it prints fails in the same way, with few faults.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

! "$1" --profile linux-6.1 --forget-slots > "$work/out" || { echo 'a lost slot is not found'; exit 1; }
grep -q 'slots were not given back' "$work/out" || { cat "$work/out"; exit 1; }
command=$(sed -n 's/^replay: //p' "$work/out")
! sh -c "$command" > "$work/again" || { echo "does not fail again: $command"; exit 1; }
tail -n 1 "$work/again" | grep -q 'slots were not given back' || { cat "$work/again"; exit 1; }
# Few of the ten exchanges are enough for it.
echo "$command" | grep -qE -- '--exchanges [0-9]+(,[0-9]+)?(,[0-9]+)? ' ||
  { echo "not shrunk: $command"; exit 1; }
# Without the bug it holds.
sh -c "$(echo "$command" | sed 's/ --forget-slots//')" > /dev/null ||
  { echo "fails without the bug: $command"; exit 1; }
