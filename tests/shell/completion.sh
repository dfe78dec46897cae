#!/bin/bash
# The completion offers commands, options, names, variants and scenarios.
. "$SOURCE_ROOT/tests/shell/lib.sh"
. "$SOURCE_ROOT/data/cmsim.bash"
cd "$work" || exit 1
mkdir folder
cp "$SOURCE_ROOT/scenarios/rej3-vs-drop.yaml" here.yaml
touch other.txt

# offers WANTED WORD...: completing the last word offers exactly the words WANTED.
offers ()
{
  local wanted=$1
  shift
  COMP_WORDS=("$CMSIM" "$@")
  COMP_CWORD=$#
  _cmsim
  [ "${COMPREPLY[*]}" = "$wanted" ] || fail "cmsim $*: offers \"${COMPREPLY[*]}\", not \"$wanted\""
}
offers 'run reference' r
offers 'matrix' m
offers '--cell' matrix here.yaml --ce
offers '--ladder' trace here.yaml --la
offers 'here.yaml folder/' run ''
offers 'here.yaml' check he
offers '--set --seed' run here.yaml --se
offers 'reject-3 drop' run here.yaml --variant ''
offers 'drop' trace here.yaml --variant d
offers 'fairness' run here.yaml --rank fair
offers 'profiles policies' list p
offers '--machine --markdown' fsm --ma
offers 'linux-6.17' diff-profiles spec linux-6.17
offers 'sidr' fsm --machine s
offers 'folder' run here.yaml -o ''
COMP_WORDS=("$CMSIM" run here.yaml --fel '') COMP_CWORD=4
_cmsim
[ ${#COMPREPLY[@]} -ge 1 ] || fail '--fel offers nothing'
offers '--rounds' bench --ro
finish
