#!/bin/sh
# Results are written whole or not at all: a place that cannot be written, a full disk, an
# interrupt.
. "$SOURCE_ROOT/tests/shell/lib.sh"
cd "$work" || exit 1
scenario=$SOURCE_ROOT/scenarios/rej3-vs-drop.yaml
run ()
{
  wanted=$1
  shift
  expect_exit "$wanted" "$CMSIM" run "$scenario" --replications 2 --no-plots "$@"
}

# A place that cannot be: below a file, where the kernel lets nobody, in a name too long.
echo precious > file
run 2 -o file/results
one_line_error 'file/results|file'
[ "$(cat file)" = precious ] || fail 'the file in the way is damaged'
run 2 -o /proc/results
one_line_error '/proc/results'
run 2 -o "$(printf '%0300d' 0)"
one_line_error 'long'
# The results would replace something that is no results directory.
mkdir mine
echo precious > mine/work.txt
run 2 -o mine
one_line_error 'mine'
[ "$(cat mine/work.txt)" = precious ] || fail 'replaced a directory that held no results'
run 2 -o file
one_line_error 'file'
[ "$(cat file)" = precious ] || fail 'replaced a file'
# Nor in the place of a link to nowhere.
ln -s nowhere link
run 2 -o link
one_line_error 'link'
[ -L link ] || fail 'replaced a link'
rm link
[ "$(find . -mindepth 1 -maxdepth 1 ! -name out ! -name err | sort | tr '\n' ' ')" = './file ./mine ' ] ||
  fail "left behind: $(ls -A)"

# What was run can be run again from what it left: the options that changed it are there. (Their
# scenario's expectations are of another backlog.)
run 1 -o options --seed 7 --variant drop --set 'listeners.0.backlog.limit=3' --set 'question=Is it so?'
command="cmsim run $scenario --set listeners.0.backlog.limit=3 --set 'question=Is it so?'"
grep -qF "$command --replications 2 --seed 7 --variant drop" options/README.md ||
  fail "the README of the results lacks the options: $(grep cmsim options/README.md)"
grep -qF '"--seed 7"' options/summary.json || fail 'summary.json lacks the options'
rm -r options

# A disk that takes a little and no more: first a limit on file size, then a real one.
run 0 -o results/x
cp -r results before
(
  trap '' XFSZ
  ulimit -f 1
  "$CMSIM" run "$scenario" --replications 2 --no-plots -o results/x > /dev/null 2> big_err
  echo $? > code
)
[ "$(cat code)" -eq 4 ] || fail "exit $(cat code) instead of 4 with no room"
cp big_err err
one_line_error 'results/x'
diff -r before results || fail 'no room: the old results were touched'

cat > full.sh << 'END'
mkdir -p disk && mount -t tmpfs -o size=16k none disk || exit 77
"$CMSIM" run "$scenario" --replications 2 --no-plots -o disk/x 2> err > out
code=$?
[ -z "$(ls -A disk)" ] || { echo "left on the full disk:"; ls -AR disk; code=99; }
umount disk
exit $code
END
export CMSIM scenario
status=0
unshare -rm sh full.sh || status=$?
case $status in
  4) one_line_error '[Nn]o space' ;;
  1 | 77) echo 'no mount namespace here: the full disk itself was not tried' ;;
  *) fail "exit $status instead of 4 on a full disk" ;;
esac
rm -rf disk

# An interrupt in the middle of a long run, twice: nothing kept from before, then something.
rm -rf results before
long ()
{
  # A shell starts background jobs deaf to interrupts.
  env --default-signal=INT "$CMSIM" run "$scenario" --replications 100000 --no-plots \
    -o results/x > out 2> err &
  pid=$!
  sleep 2
  kill -INT $pid
  status=0
  wait $pid || status=$?
  [ $status -eq 4 ] || fail "exit $status instead of 4 after an interrupt"
  grep -qi 'interrupt' err out || fail "an interrupt and not a word about it: $(cat err)"
  grep -qE 'kept|results/x|nothing' err out || fail 'does not say what was kept'
  [ -z "$(find results -mindepth 1 -maxdepth 1 ! -name x 2> /dev/null)" ] || fail "left: $(ls -A results)"
  if [ -e results/x ]; then
    [ -s results/x/summary.json ] && [ -s results/x/connections.csv ] || fail 'half-written results'
  fi
}
long
run 0 -o results/x
long
finish
