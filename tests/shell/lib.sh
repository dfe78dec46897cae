# Sourced by the shell tests: CMSIM is the program (default: the one of BUILD_ROOT), work
# an own directory, removed at the end.
set -u
CMSIM=${CMSIM:-$BUILD_ROOT/app/cmsim}
work=$(mktemp -d)
failures=0
trap 'rm -rf "$work"' EXIT

fail ()
{
  echo "FAIL: $*"
  failures=$((failures + 1))
}

# expect_exit CODE COMMAND...: its output in $work/out and $work/err.
expect_exit ()
{
  wanted=$1
  shift
  status=0
  "$@" > "$work/out" 2> "$work/err" < /dev/null || status=$?
  if [ $status -ne "$wanted" ]; then
    fail "exit $status instead of $wanted: $*"
    head -n 20 "$work/err"
  fi
}

# one_line_error REGEX: what the last command wrote to stderr.
one_line_error ()
{
  if [ "$(wc -l < "$work/err")" -ne 1 ]; then
    fail "not one line of error:"
    head -n 5 "$work/err"
  elif ! grep -qE "$1" "$work/err"; then
    fail "the error does not match $1:"
    cat "$work/err"
  fi
}

# nothing_left DIR...: neither results nor a half-written copy beside them.
nothing_left ()
{
  for directory in "$@"; do
    for path in "$directory"* "$(dirname "$directory")"/.[!.]*; do
      [ ! -e "$path" ] || fail "left behind: $path"
    done
  done
}

finish ()
{
  [ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
  exit 0
}
