#!/bin/sh
# Scenarios cut short anywhere, or with a byte replaced, are accepted or refused in one line;
# the program never crashes and never hangs.
. "$SOURCE_ROOT/tests/shell/lib.sh"
cd "$work" || exit 1
good=$SOURCE_ROOT/scenarios/rej3-vs-drop.yaml
size=$(wc -c < "$good")

try ()
{
  status=0
  timeout 20 "$CMSIM" check case.yaml > out 2> err < /dev/null || status=$?
  case $status in
    0) ;;
    2) [ "$(wc -l < err)" -eq 1 ] || { fail "$1: not one line of error"; head -n 3 err; } ;;
    *) fail "$1: exit $status"; head -n 20 err ;;
  esac
}

i=0
while [ $i -lt "$size" ]; do
  head -c $i "$good" > case.yaml
  try "cut after $i bytes"
  # Replaced by one of the bytes YAML gives a meaning to, each in turn.
  byte=$(printf '%s' '[]{}:,&*!|>"%@-?#0 x' | cut -c $((i % 20 + 1)))
  { head -c $i "$good"; printf '%s' "$byte"; tail -c +$((i + 2)) "$good"; } > case.yaml
  try "byte $i replaced by \"$byte\""
  i=$((i + ${MUTATION_STEP:-5}))
done
finish
