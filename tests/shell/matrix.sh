#!/bin/sh
# A matrix: its table and files, a cell as a scenario of its own, the same bytes every time.
. "$SOURCE_ROOT/tests/shell/lib.sh"
cd "$work" || exit 1
sdp=$SOURCE_ROOT/scenarios/interop/sdp.yaml
reasons=$SOURCE_ROOT/scenarios/interop/reasons.yaml

# ----- files; the same with one thread and with two -----
expect_exit 0 "$CMSIM" matrix "$sdp" -j 1 -o a
grep -qE '^sdp-mlnx +sdp-freebsd +drop +established +- +18\.' out || fail 'no line of a cell'
expect_exit 0 "$CMSIM" matrix "$sdp" -j 2 -o b
diff -r a b || fail '-j 1 and -j 2 differ'
[ "$(find a/cells -type f | wc -l)" -eq 294 ] || fail 'not 7 x 7 x 6 cells'
[ "$(wc -l < a/matrix.csv)" -eq 295 ] || fail 'matrix.csv: not a row per cell'
for file in README.md summary.json connections.csv matrix.json matrix.gp matrix.svg matrix.png; do
  [ -s "a/$file" ] || fail "no $file"
done
[ ! -e a/series.csv ] && [ ! -e a/latency.svg ] || fail 'files that a matrix has not'
python3 -c 'import json; m = json.load (open ("a/matrix.json"))
assert len (m["cells"]) == 294 and [len (x["values"]) for x in m["axes"]] == [7, 7, 6]' ||
  fail 'matrix.json'

# What the reference says, cell by cell: any REJ is ECONNREFUSED to SDP (section 4); OFED never
# refuses (section 5); WSD is another protocol, REJ 8 (sections 5 and 3).
while read -r cell wanted; do
  grep -q "^$cell,.*$wanted" a/matrix.csv || fail "$cell: not $wanted"
done << EOF
sdp-ofed-2006,sdp-spec,reject-3 refused (REJ 3)",ECONNREFUSED
sdp-mlnx,sdp-mlnx,reject-28 refused (REJ 28)",ECONNREFUSED
sdp-mlnx,sdp-ofed-1.4,as-built established,,24,1,
sdp-freebsd,sdp-freebsd,as-built refused (REJ 28)",ECONNREFUSED
sdp-freebsd,wsd,drop refused (REJ 8),ECONNREFUSED,24,0,
wsd,sdp-mlnx,as-built refused (REJ 8),WSAECONNREFUSED,24,0,
EOF

# A second run replaces the first, its folder too; not so when something else lies in there.
expect_exit 0 "$CMSIM" matrix "$sdp" --variant wsd,wsd,any -o b --no-plots
[ "$(find b/cells -type f | wc -l)" -eq 6 ] || fail 'cells of the run before are left'
touch b/cells/mine
expect_exit 2 "$CMSIM" matrix "$sdp" -o b
one_line_error 'cannot replace b: it holds cells'

# ----- a cell of its own: the same events -----
for cell in sdp-mlnx,sdp-freebsd,drop wsd,wsd,as-built sdp-ofed-2006,sdp-illumos,mra; do
  expect_exit 0 "$CMSIM" matrix "$sdp" --cell "$cell"
  cmp -s out "a/cells/$cell.yaml" || fail "--cell $cell is not cells/$cell.yaml"
  expect_exit 0 "$CMSIM" run "a/cells/$cell.yaml" --no-output --quiet --fingerprint
  cp out alone
  expect_exit 0 "$CMSIM" run "$sdp" --variant "$cell" --no-output --quiet --fingerprint
  cmp -s out alone || fail "$cell alone has other events"
done
grep -q '^expect:$' a/cells/wsd,wsd,as-built.yaml || fail 'a cell without its expectations'
# What a setting changes is in the cell.
expect_exit 0 "$CMSIM" matrix "$sdp" --set listeners.0.backlog.limit=3 --cell wsd,wsd,drop
grep -q '^ *limit: 3$' out || fail 'the setting is not in the cell'

# ----- its ladder: MLNX repeats after 18.4 s -----
expect_exit 0 "$CMSIM" trace "$sdp" --variant sdp-mlnx,sdp-freebsd,drop --ladder --connect 17
[ "$(grep -c -- '--- REQ' out)" -eq 2 ] || fail 'the ladder has not two REQs'
grep -q 'asked for 18.432000 s' out || fail 'the ladder does not say what was asked for'
[ -z "$(find . -name '*.pcap')" ] || fail 'a capture is left behind'

# ----- a cell has the files that it reads beside it -----
mkdir -p in/sub elsewhere
sed '/^expect:/,$d; s/trace-driven/log/' "$SOURCE_ROOT/scenarios/ulps/trace-driven.yaml" > in/logs.yaml
cat >> in/logs.yaml << END
matrix:
  limit: {set: listeners.0.backlog.limit, to: [1, 2]}
  log: {first: , second: {connects.0.arrivals: {trace: sub/log.csv}}, none: {connects.0.arrivals: burst}}
END
cp "$SOURCE_ROOT/scenarios/ulps/trace-driven.csv" in/log.csv
printf 'at_s\n1\n2.5\n' > in/sub/log.csv
expect_exit 0 "$CMSIM" matrix in/logs.yaml -o logs --no-plots --quiet --fingerprint
cp out all
mv logs/cells elsewhere/
for cell in 1,first 2,second 2,none; do
  expect_exit 0 "$CMSIM" run "elsewhere/cells/$cell.yaml" --no-output --quiet --fingerprint
  cmp -s out - << END || fail "$cell has other events where it lies alone"
$(grep "^fingerprint $cell " all)
END
done
cmp -s elsewhere/cells/log.csv in/log.csv && cmp -s elsewhere/cells/log-2.csv in/sub/log.csv ||
  fail 'the logs are not beside the cells'
mv elsewhere/cells logs/
expect_exit 0 "$CMSIM" matrix in/logs.yaml -o logs --no-plots --quiet # over what a run left
expect_exit 0 "$CMSIM" matrix in/logs.yaml --cell 2,second
cmp -s out logs/cells/2,second.yaml || fail '--cell is not what cells/ has'
one_line_error 'note: the cell reads log-2.csv, a copy of "in/sub/log.csv"'
expect_exit 0 "$CMSIM" matrix in/logs.yaml --cell 2,none
[ ! -s err ] || fail 'a note on files that the cell does not read'

# ----- errors -----
expect_exit 2 "$CMSIM" trace "$sdp" --variant sdp-mlnx,any,drop
one_line_error '7 variants, and one is run; choose one of: sdp-mlnx,sdp-spec,drop sdp-mlnx,sdp-ofed-2006,drop '
expect_exit 2 "$CMSIM" matrix "$SOURCE_ROOT/scenarios/rej3-vs-drop.yaml"
one_line_error 'has no matrix'
expect_exit 2 "$CMSIM" matrix "$sdp" --cell sdp-mlnx,sdp-freebds,drop
one_line_error 'no responder "sdp-freebds".*did you mean "sdp-freebsd"'
expect_exit 2 "$CMSIM" matrix "$sdp" --cell sdp-mlnx,any,drop
one_line_error 'takes one cell'
expect_exit 2 "$CMSIM" run "$sdp" --cell sdp-mlnx,wsd,drop
one_line_error 'cell'
expect_exit 2 "$CMSIM" matrix "$sdp" --variant sdp-mlnx,drop
one_line_error 'a cell is named by 3 values: initiator,responder,policy'
expect_exit 2 "$CMSIM" matrix "$sdp" --set matrix.initiator=1
one_line_error 'in the file only'
sed 's/^  - sdp,silence: errno == ENETUNREACH/  - sdp,silence: errno == EPERM/' "$reasons" > wrong.yaml
expect_exit 1 "$CMSIM" matrix wrong.yaml --no-output
grep -q 'found sdp,silence, replication 0: ENETUNREACH' out || fail 'what was found is not said'
finish
