#!/bin/sh
# The command line: exit codes, usage errors, help, and the options of `run`.
. "$SOURCE_ROOT/tests/shell/lib.sh"
cd "$work" || exit 1
cat > two.yaml << 'END'
cmsim: 1
question: Do two connects into one slot both get through?
seed: 7
replications: 3
profile: {base: linux-6.1, timing: spec}
hosts: {server: 1, client: 2}
listeners:
  - {on: server, service: 7471, ulp: sdp,
     backlog: {limit: 1, counts: unaccepted, full: drop}, accept: {service: {uniform: [1ms, 2ms]}}}
connects:
  - {from: client, to: "server:7471", ulp: sdp}
compare:
  drop: {}
  reject: {listeners.0.backlog.full: {reject: 3}}
expect:
  - drop: established == 2
  - reject: refused == 1
END

# Help and version
expect_exit 0 "$CMSIM" --version
grep -qxE 'cmsim [0-9]+\.[0-9]+\.[0-9]+' out || fail "--version says: $(cat out)"
expect_exit 0 "$CMSIM" --help
commands=$(sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p' out)
for command in run check trace list diff-profiles reference fsm; do
  echo "$commands" | grep -qx $command || fail "--help does not name $command"
done
# Commands, their options and the kinds of `list` are in the manual page and the completion.
completion=$SOURCE_ROOT/data/cmsim.bash
for command in $commands; do
  expect_exit 0 "$CMSIM" "$command" --help
  grep -q "cmsim $command" out || fail "$command --help does not show its usage"
  grep -q "^\.It Cm $command" "$SOURCE_ROOT/docs/cmsim.1" || fail "the manual page lacks $command"
  grep -q "\b$command\b" "$completion" || fail "the completion lacks $command"
  for option in $(grep -oE -- '^  (-., )?--[a-z][a-z-]+' out | grep -oE -- '--.*' | sort -u); do
    grep -q -- "Fl ${option#-}\b" "$SOURCE_ROOT/docs/cmsim.1" ||
      fail "the manual page lacks $command $option"
    grep -q -- "$option" "$completion" || fail "the completion lacks $command $option"
  done
done
mandoc -W error "$SOURCE_ROOT/docs/cmsim.1" > /dev/null || fail 'the manual page has errors'

# Usage errors
usage ()
{
  pattern=$1
  shift
  expect_exit 2 "$CMSIM" "$@"
  one_line_error "$pattern"
  [ ! -e results ] || fail "results although: cmsim $*"
}
expect_exit 2 "$CMSIM"
usage 'did you mean "run"' rum two.yaml
usage 'no-such' run two.yaml --no-such
usage 'SCENARIO is missing' run
usage 'SCENARIO.* is missing' check
usage 'one' run two.yaml two.yaml
usage 'replications' run two.yaml --replications 0
usage 'replications' run two.yaml --replications many
usage 'replications' run two.yaml --replications 99999999999
usage 'replications' run two.yaml --replications
usage 'seed' run two.yaml --seed -1
usage 'jobs' run two.yaml --jobs 0
usage 'memory-limit.*"5".*no unit.*GiB.*or none' run two.yaml --memory-limit 5
expect_exit 4 "$CMSIM" run two.yaml --memory-limit 1MiB
one_line_error 'two.yaml needs about [0-9]+ MiB of memory \([0-9]+ hosts, [0-9]+ listeners?, [0-9]+ connects, [0-9]+ replications? at once\), the limit is 1 MiB: nothing was run; '
[ ! -e results ] || fail 'results although memory is short'
expect_exit 4 "$CMSIM" run two.yaml --memory-limit 1MiB --no-output
expect_exit 0 "$CMSIM" run two.yaml --memory-limit 1GiB --no-output
expect_exit 0 "$CMSIM" run two.yaml --memory-limit none --no-output
# Processes count: a million hosts of 60000 of them fit no machine, a hundred thousand no 32 MiB.
cat > processes.yaml << 'END'
cmsim: 1
question: How much memory do listeners take?
hosts: {server: 2, client: 2}
listeners: [{on: server, service: 1, processes: 50000}]
connects: [{from: client, to: "server:1"}]
END
expect_exit 4 "$CMSIM" run processes.yaml --no-output --memory-limit 32MiB
one_line_error '100000 listeners'
expect_exit 4 "$CMSIM" run processes.yaml --no-output --set hosts.server.count=1000000 \
  --set listeners.0.processes=60000
one_line_error '60000000000 listeners'
# So do members of groups; a small limit is named as it was given.
cat > members.yaml << 'END'
cmsim: 1
question: How much memory do members take?
hosts: {a: 2}
multicast: [{from: a, group: 239.1.2.3, per_host: 1000}]
END
expect_exit 4 "$CMSIM" run members.yaml --no-output --memory-limit 1KiB
one_line_error '\(3 hosts, 2000 members, 1 replication at once\), the limit is 1 KiB: .* members'
# A trace runs one variant: the memory of one, and no choice among several that were asked for.
expect_exit 4 "$CMSIM" trace two.yaml --memory-limit 1MiB
one_line_error 'two.yaml needs about [0-9]+ MiB of memory .*, 1 replication at once\)'
[ ! -s out ] || fail 'a trace although memory is short'
expect_exit 0 "$CMSIM" trace two.yaml --memory-limit none
usage 'memory-limit.*no unit' trace two.yaml --memory-limit 5
usage '2 variants, and one is run; choose one of: ' trace two.yaml --variant drop --variant reject
# Messages made by hand belong to no connect, and are a ladder all the same.
sed '/^connects:/,$d' two.yaml > made.yaml
echo 'handmade: [{from: client, to: server, message: REQ, service: 7471, ulp: sdp, local_id: 5}]' >> made.yaml
expect_exit 0 "$CMSIM" trace made.yaml
grep -q 'client.0 > server.0 .* REQ ' out || fail 'no message made by hand'
! grep -q '#' out || fail 'a message made by hand belongs to a connect'
expect_exit 0 "$CMSIM" trace made.yaml --ladder
grep -q -- '--- REQ' out || fail 'no ladder of messages made by hand'

# The same file runs on every transport: what tcp has no use for is told, and no more.
for command in 'run two.yaml --no-output' 'check two.yaml' 'trace two.yaml --variant drop'; do
  # shellcheck disable=SC2086 # words
  expect_exit 0 "$CMSIM" $command --set fabric.transport=tcp --set connects.0.qpn=5
  note='^--set connects.0.qpn: note: has no effect with fabric.transport: tcp; it has one with: ib, roce$'
  [ "$(grep -c "$note" err)" -eq 1 ] || fail "no note of $command"
  ! grep -v ': note: ' err || fail "more than notes of $command"
done
expect_exit 0 "$CMSIM" run two.yaml --no-output --quiet --set fabric.transport=tcp --set connects.0.qpn=5
[ ! -s err ] || fail 'a note in spite of --quiet'
usage 'connects.0.alternate_path_after: is not possible with fabric.transport: tcp; allowed: ib, roce' \
  run two.yaml --set fabric.transport=tcp --set connects.0.alternate_path_after=1s
usage 'did you mean "drop"' run two.yaml --variant dropp
usage 'rank.*did you mean "reqs"' run two.yaml --rank reks
usage 'fel' run two.yaml --fel no-such
usage 'set listeners.0.backlog.limt.*did you mean "limit"' run two.yaml --set listeners.0.backlog.limt=2
usage 'set listeners.7' run two.yaml --set listeners.7.backlog.limit=2
usage 'set run.until.*no unit' run two.yaml --set run.until=5
usage 'set' run two.yaml --set nothing
usage 'no-such' list no-such
usage 'did you mean "spec"' diff-profiles linux-6.1 specc
usage 'missing' diff-profiles linux-6.1
usage 'did you mean "sidr"' fsm --machine sdir
usage 'replication' trace two.yaml --replication -1
usage 'variant' trace two.yaml --variant no-such
usage 'connect' trace two.yaml --connect 2
usage 'connect' trace two.yaml --connect -1

# 0: all held
expect_exit 0 "$CMSIM" run two.yaml
for variant in drop reject; do grep -q "$variant" out || fail "the table lacks $variant"; done
for file in summary.json connections.csv series.csv; do
  [ -s results/two/$file ] || fail "no $file"
done
for plot in results/two/*.gp; do
  [ -s "${plot%.gp}.svg" ] && [ -s "${plot%.gp}.png" ] || fail "$plot was not drawn"
  # It draws again by itself.
  (cd results/two && mv "$(basename "${plot%.gp}.svg")" ../../first.svg &&
    gnuplot "$(basename "$plot")") > plot.log 2>&1 || fail "$plot does not run alone: $(cat plot.log)"
  cmp -s first.svg "${plot%.gp}.svg" || fail "$plot draws something else alone"
done
[ "$(ls results/two/*.gp | wc -l)" -ge 4 ] || fail 'fewer than four figures'
# The causes add up, and as many rows as connects.
[ "$(tail -n +2 results/two/connections.csv | grep -vc '^#')" -ge 4 ] || fail 'rows missing in connections.csv'
rm -r results

expect_exit 0 "$CMSIM" run two.yaml --no-output
[ ! -e results ] || fail '--no-output wrote results'
expect_exit 0 "$CMSIM" run two.yaml --quiet --no-plots -o there/deep
[ ! -s out ] && [ ! -s err ] || fail '--quiet speaks'
[ -z "$(find there -name '*.svg' -o -name '*.png')" ] || fail '--no-plots drew'
[ -n "$(find there -name '*.gp')" ] || fail '--no-plots left the commands out'
expect_exit 0 "$CMSIM" run two.yaml --variant reject --no-output
! grep -qE '\bdrop\b' out || fail '--variant runs the others too'
expect_exit 0 "$CMSIM" run two.yaml --no-output --fingerprint
cp out one
expect_exit 0 "$CMSIM" run two.yaml --no-output --fingerprint -j1
cmp -s one out || fail 'fingerprints depend on the number of threads'
[ "$(grep -oE '\b[0-9a-f]{16}\b' out | sort -u | wc -l)" -ge 6 ] || fail 'fewer than six fingerprints'

# The ranking: the best first, a column per metric.
expect_exit 0 "$CMSIM" run two.yaml --no-output --rank failed --rank reqs
[ "$(tail -n 3 out | awk '{ print $1 }' | xargs)" = 'failed drop reject' ] || fail '--rank: wrong order'

# A load that goes up and down has its own figure, which draws again by itself.
expect_exit 0 "$CMSIM" run "$SOURCE_ROOT/scenarios/metastable.yaml" --quiet --replications 1 \
  --variant short --set connects.0.number=2000 -o swing
(cd swing && rm hysteresis.svg && gnuplot hysteresis.gp) > plot.log 2>&1 \
  || fail "hysteresis.gp: $(cat plot.log)"
[ -s swing/hysteresis.svg ] || fail 'no hysteresis.svg'

# 1: an expectation failed; the results are kept.  A value set by --set reaches every variant.
expect_exit 1 "$CMSIM" run two.yaml --set listeners.0.backlog.limit=2
grep -qE 'reject.*refused == 1' out err || fail 'does not say which expectation failed'
[ -s results/two/summary.json ] || fail 'a failed expectation left no results'

# 2 and the results of before
cp -r results before
expect_exit 2 "$CMSIM" run two.yaml --set seed=x
diff -r before results || fail 'bad input touched the old results'

# 4: a limit
expect_exit 4 "$CMSIM" run two.yaml --set run.event_limit=10
one_line_error 'event_limit'

# check, trace, list, reference, fsm
expect_exit 0 "$CMSIM" check two.yaml "$SOURCE_ROOT"/scenarios/*.yaml "$SOURCE_ROOT"/scenarios/*/*.yaml
expect_exit 2 "$CMSIM" check two.yaml missing.yaml
expect_exit 0 "$CMSIM" trace two.yaml --variant reject
for word in REQ REP RTU REJ; do grep -qw $word out || fail "the trace has no $word"; done
cp out all
expect_exit 0 "$CMSIM" trace two.yaml --variant reject --connect 0
[ "$(wc -l < out)" -lt "$(wc -l < all)" ] || fail '--connect leaves nothing out'
for what in profiles policies ulps reactions losses arrivals retries metrics distributions events; do
  expect_exit 0 "$CMSIM" list $what
  [ -s out ] || fail "list $what is empty"
done
expect_exit 0 "$CMSIM" reference
cmp -s out "$SOURCE_ROOT/docs/scenario-reference.md" || fail 'docs/scenario-reference.md is old'
for format in markdown dot csv; do
  expect_exit 0 "$CMSIM" fsm --$format
  [ -s out ] || fail "fsm --$format is empty"
done
# What the eras' sources say, by hand.
expect_exit 0 "$CMSIM" diff-profiles linux-6.1 linux-6.12
[ "$(wc -l < out)" -eq 3 ] || fail 'linux-6.1 and linux-6.12 differ in more than one value'
grep -qE '^  linux-6.12 +16 ' out || fail 'the packet lifetime of linux-6.12 is not 16'
expect_exit 0 "$CMSIM" diff-profiles ofed-1.2 ofed-1.2
grep -q 'do not differ' out || fail 'a profile differs from itself'
expect_exit 0 "$CMSIM" diff-profiles --all spec mlnx-4.6
[ "$(grep -c '^  spec' out)" -gt 20 ] || fail '--all leaves values out'
! grep -E '^  ' out | grep -qvE '^  [^ ]+ +[^ ]+ +[^ ]' || fail 'a value has no source'
for machine in cm sidr lap; do
  expect_exit 0 "$CMSIM" fsm --machine $machine
  cmp -s out "$SOURCE_ROOT/docs/$machine-fsm.md" || fail "docs/$machine-fsm.md is old"
done
expect_exit 0 "$CMSIM" layouts
cmp -s out "$SOURCE_ROOT/docs/cm-messages.md" || fail 'docs/cm-messages.md is old'

# The event engine's workloads end the same way on both lists, or the exit code is 3.
expect_exit 0 "$CMSIM" bench --rounds 1 --scale 0.002
[ "$(grep -cE '^(hold|holdcb|phold|timer|mix|mmck) +[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+' out)" -eq 15 ] ||
  fail 'bench does not print 15 workloads'
grep -qE '^exponential +[0-9.]+ ' out || fail 'bench does not print the parts'
expect_exit 0 "$CMSIM" bench --rounds 1 --scale 0.001 --only timer/1000
[ "$(grep -c '^timer' out)" -eq 2 ] || fail 'bench --only does not choose'
expect_exit 2 "$CMSIM" bench --only zzz
one_line_error '"zzz".*hold/100,.* mmck/0'
[ ! -s out ] || fail 'bench prints a table of nothing'
expect_exit 2 "$CMSIM" bench --rounds 0
expect_exit 2 "$CMSIM" bench --scale -1

# A reader that stops reading is no reason for a crash.
"$CMSIM" reference 2> err | head -n 1 > /dev/null
[ ! -s err ] || fail "a closed pipe: $(head -n 1 err)"
finish
