#!/bin/sh
# tools/setup with a made-up dpkg and apt-get: says what it does, does nothing when nothing
# is missing, asks the mirror only when it must, and fails in one line.
. "$SOURCE_ROOT/tests/shell/lib.sh"
bin=$work/bin
mkdir "$bin"
export BIN="$bin" WORK="$work"

stub ()
{
  { echo '#!/bin/sh'; cat; } > "$bin/$1"
  chmod +x "$bin/$1"
}
# Installed is what $work/installed lists, known what $work/known lists.
stub dpkg-query << 'END'
for package; do :; done
if grep -qx "$package" "$WORK/installed"; then echo installed; else exit 1; fi
END
stub apt-cache << 'END'
if grep -qx "$2" "$WORK/known"; then echo '  Candidate: 1'; else echo '  Candidate: (none)'; fi
END
stub apt-get << 'END'
echo "$@" >> "$WORK/calls"
[ "$DEBIAN_FRONTEND" = noninteractive ] || { echo 'E: it may ask'; exit 1; }
case "$*" in
  *update) cp "$WORK/mirror" "$WORK/known" ;;
  *)
    for package; do
      case $package in -* | install) continue ;; esac
      grep -qx "$package" "$WORK/known" && grep -qx "$package" "$WORK/mirror" ||
        { echo "noise"; echo "E: Unable to fetch $package"; exit 100; }
      echo "$package" >> "$WORK/installed"
    done ;;
esac
END
stub id << 'END'
cat "$WORK/uid"
END
stub sudo << 'END'
echo sudo >> "$WORK/calls"
[ "$1" != -n ] || shift
exec "$@"
END

packages=$(awk '!/^#/ && NF { print $1 }' "$SOURCE_ROOT/tools/packages.txt")
run_only=$(awk '$2 == "run" { print $1 }' "$SOURCE_ROOT/tools/packages.txt")
start ()
{
  : > "$work/calls"
  echo "${1:-0}" > "$work/uid"
  printf '%s\n' $packages > "$work/mirror"
  cp "$work/mirror" "$work/known"
  cp "$work/mirror" "$work/installed"
}
setup ()
{
  expect_exit "$1" env PATH="$bin:$PATH" "$SOURCE_ROOT/tools/setup" ${2:-}
}
calls ()
{
  if ! printf -- "$1" | cmp -s - "$work/calls"; then
    fail "apt-get calls, wanted: $1; got:"
    cat "$work/calls"
  fi
}
install='-y -q install --no-install-recommends'

start
setup 0
calls ''
if [ -s "$work/out" ] || [ -s "$work/err" ]; then fail 'speaks although nothing is missing'; fi

start
sed -i '/^check$/d' "$work/installed"
setup 0
calls "$install check\n"
grep -q 'install check$' "$work/err" || fail 'does not say what it installs'

# `run` leaves the test suite's packages alone.
start
printf '%s\n' $run_only > "$work/installed"
setup 0 run
calls ''
setup 0 test
grep -q check "$work/calls" || fail 'the test packages were not installed'

# Lists that do not know a package, and lists that know an old one.
start
sed -i '/^check$/d' "$work/installed" "$work/known"
setup 0
calls "-y -q -o APT::Update::Error-Mode=any update\n$install check\n"
start
sed -i '/^check$/d' "$work/installed" "$work/mirror"
setup 1
calls "$install check\n-y -q -o APT::Update::Error-Mode=any update\n$install check\n"
tail -n 1 "$work/err" > "$work/last" && mv "$work/last" "$work/err"
one_line_error '^tools/setup: apt-get install check failed: E: Unable to fetch check$'

# Not root: sudo, without a terminal never asking; or one line that says what to do.
start 1000
sed -i '/^check$/d' "$work/installed"
setup 0
calls "sudo\n$install check\n"
rm "$bin/sudo"
start 1000
sed -i '/^check$/d' "$work/installed"
for tool in sh env dirname awk sort grep sed cat; do ln -sf "$(command -v $tool)" "$bin/$tool"; done
expect_exit 1 "$(command -v env)" PATH="$bin" "$SOURCE_ROOT/tools/setup"
one_line_error 'neither root nor sudo; run: apt-get install check$'
calls ''

start
setup 1 play
one_line_error 'unknown purpose "play"'
finish
