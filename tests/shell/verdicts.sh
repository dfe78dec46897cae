#!/bin/sh
# docs/verdicts.md is what the program prints, its figures are there, and a verdict stands only
# while its scenario's expectations hold.
. "$SOURCE_ROOT/tests/shell/lib.sh"
cd "$SOURCE_ROOT" || exit 1

expect_exit 0 "$CMSIM" verdicts scenarios/seeds/*.yaml
cmp -s "$work/out" docs/verdicts.md || { diff "$work/out" docs/verdicts.md | head -n 20
                                          fail 'docs/verdicts.md is old: tools/verdicts'; }
[ "$(grep -c '^> ' docs/verdicts.md)" -eq 12 ] || fail 'not twelve claims'
for scenario in scenarios/seeds/*.yaml; do
  name=$(basename "$scenario" .yaml)
  head -n 1 "$scenario" | grep -q '^# Claim: ' || fail "$name: the first comment is no claim"
  grep -q '^# Verdict: ' "$scenario" || fail "$name: no verdict"
  [ -s "docs/images/verdicts/$name.png" ] || fail "$name: no figure"
done

sed 's/^  - drop: established == 256/  - drop: established == 255/' \
  scenarios/seeds/02-*.yaml > "$work/wrong.yaml"
cd "$work" || exit 1
expect_exit 1 "$CMSIM" verdicts wrong.yaml
grep -q '^\*\*Open\*\*' out || fail 'a verdict stands though an expectation does not hold'
! grep -q '^Yes\. ' out || fail 'the verdict is printed all the same'
grep -q 'established == 255` | \*\*does not hold\*\*: drop, replication 0: 256' out ||
  fail 'what was found is not said'
# A verdict needs a claim, and something to stand on.
sed '/^expect:/,$d' wrong.yaml > silent.yaml
expect_exit 2 "$CMSIM" verdicts silent.yaml
one_line_error '^silent.yaml:1:1: expects nothing'
sed 's/^# Claim: /# /' wrong.yaml > claimless.yaml
expect_exit 2 "$CMSIM" verdicts claimless.yaml
one_line_error '^claimless.yaml:1:1: makes no claim'
[ ! -s out ] || fail 'a verdict on no claim is printed'
# Its place is the line after the comments at the top, of which the first line without # tells.
sed 's/^# Verdict: /# /' wrong.yaml > open.yaml
line=$(grep -n -m 1 -v '^#' open.yaml | cut -d : -f 1)
expect_exit 2 "$CMSIM" verdicts open.yaml
one_line_error "^open.yaml:$line:1: gives no verdict; it needs a comment \"# Verdict: "
expect_exit 4 "$CMSIM" verdicts wrong.yaml --memory-limit 1MiB
one_line_error 'wrong.yaml needs about [0-9]+ MiB of memory'
[ ! -s out ] || fail 'a page although memory is short'
expect_exit 2 "$CMSIM" verdicts wrong.yaml --memory-limit 5
one_line_error 'memory-limit.*no unit'
expect_exit 2 "$CMSIM" verdicts nowhere.yaml
[ ! -s out ] || fail 'half a page is printed'
finish
