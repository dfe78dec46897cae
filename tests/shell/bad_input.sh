#!/bin/sh
# Bad input: one line of error that names the place and matches what the file's first line
# says, exit 2, no results.
. "$SOURCE_ROOT/tests/shell/lib.sh"
cd "$work" || exit 1

# refuse FILE REGEX
refuse ()
{
  expect_exit 2 timeout 20 "$CMSIM" run "$1" -o "$work/results/x"
  one_line_error "$2"
  nothing_left "$work/results/x"
  expect_exit 2 timeout 20 "$CMSIM" check "$1"
  one_line_error "$2"
}

n=0
for file in "$SOURCE_ROOT"/tests/bad/*.yaml; do
  wanted=$(sed -n '1s/^# error: //p' "$file")
  cp "$file" .
  name=$(basename "$file")
  refuse "$name" "^(cmsim: )?$name:($wanted)"
  rm "$name"
  n=$((n + 1))
done
[ $n -ge 90 ] || fail "only $n files in tests/bad"

# What a text file cannot show well.
good=$SOURCE_ROOT/scenarios/cases/C01-12-into-10.yaml
base='cmsim: 1
question: Is it refused?
hosts: {server: 1, client: 2}
listeners: [{on: server, service: 7471}]
connects: [{from: client, to: "server:7471"}]'
refuse missing.yaml 'missing\.yaml'
: > empty.yaml
refuse empty.yaml '^(cmsim: )?empty\.yaml:.*empty'
printf '# only a comment\n' > comment.yaml
refuse comment.yaml '^(cmsim: )?comment\.yaml:'
mkdir directory.yaml
refuse directory.yaml 'directory\.yaml.*directory'
printf '%s\nseed: \377\376\n' "$base" > latin.yaml
refuse latin.yaml '^(cmsim: )?latin\.yaml:.*UTF-8'
printf '%s\nseed: 1\000\n' "$base" > nul.yaml
refuse nul.yaml '^(cmsim: )?nul\.yaml:'
printf '%s\nhosts: {client: \033[31m}\n' "$base" > escape.yaml
refuse escape.yaml '^(cmsim: )?escape\.yaml:[0-9:]+[[:print:]]*$'
head -c 4096 "$CMSIM" > binary.yaml
refuse binary.yaml '^(cmsim: )?binary\.yaml:'
{ echo "$base"; printf 'run: '; head -c 100000 /dev/zero | tr '\0' '['; echo; } > deep.yaml
refuse deep.yaml '^(cmsim: )?deep\.yaml:.*(deep|nest|level)'
{ echo "$base"; printf 'run: '; yes '{a: ' | head -n 100000 | tr -d '\n'; echo; } > deep2.yaml
refuse deep2.yaml '^(cmsim: )?deep2\.yaml:.*(deep|nest|level)'
{ echo "$base"; yes '# padding, a long line of it, to fill the file beyond every limit' |
  head -c 17000000; } > huge.yaml
refuse huge.yaml '^(cmsim: )?huge\.yaml:.*16 MiB'
{ printf 'question: '; head -c 2000000 /dev/zero | tr '\0' 'q'; echo; } > long.yaml
refuse long.yaml '^(cmsim: )?long\.yaml:'
[ "$(id -u)" -eq 0 ] || { cp "$good" secret.yaml; chmod 0 secret.yaml; refuse secret.yaml 'secret\.yaml'; }

finish
