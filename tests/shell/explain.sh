#!/bin/sh
# explain and --pcap as a user has them: what is simulated is explained, whatever the file is.
. "$SOURCE_ROOT/tests/shell/lib.sh"
cd "$work" || exit 1

# --- A simulated wire, as either kind of capture
cat > three.yaml << 'END'
cmsim: 1
question: Three at once into one slot, and who gets in?
seed: 1
fabric: {transport: roce}
hosts: {server: 1, client: 3}
listeners:
  - {on: server, service: 7471, ulp: sdp,
     backlog: {limit: 1, counts: unaccepted, full: {reject: 3}}, accept: {service: 50ms}}
connects:
  - {from: client, to: "server:7471", ulp: sdp}
END
expect_exit 0 "$CMSIM" trace three.yaml --pcap roce.pcap
expect_exit 0 "$CMSIM" trace three.yaml --pcap erf.pcap --pcap-format erf
[ "$(od -An -tx4 -N4 roce.pcap | tr -d ' ')" = a1b23c4d ] || fail 'no nanosecond capture'
[ "$(od -An -tu1 -j20 -N1 erf.pcap | tr -d ' ')" = 197 ] || fail 'no ERF capture'
for kind in roce erf; do
  expect_exit 0 "$CMSIM" explain $kind.pcap
  [ ! -s err ] || fail "$kind: $(cat err)"
  cp out $kind.txt
  grep -q ' 0  messages that the state machine does not expect' out || fail "$kind: unexpected messages"
  grep -q ' 2  rejected' out || fail "$kind: not two rejections"
  grep -q 'REJ reason 3: no resources' out || fail "$kind: no reason by name"
  grep -q '|--- REQ ----.*>|' out || fail "$kind: no ladder"
  grep -q 'linux-6.1' out || fail "$kind: no profile"
done
# What went over the wire is the same; only the names of the hosts differ.
messages ()
{
  sed -n '/^messages:/,$p' "$1"
}
messages roce.txt > one
messages erf.txt > two
cmp -s one two || { fail 'the two captures tell two stories'; diff one two; }

# --- The other forms
expect_exit 0 "$CMSIM" explain roce.pcap --json
grep -q '"REJECTED": 2' out && grep -q '"rej_reasons": {"3": 2}' out || fail 'JSON: outcomes'
[ "$(grep -c '"number":' out)" -eq 3 ] || fail 'JSON: not three connections'
expect_exit 0 "$CMSIM" explain roce.pcap --csv
[ "$(wc -l < out)" -eq 4 ] || fail 'the CSV has not a line for each conversation'
awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' out || fail 'lines of the CSV differ in length'
expect_exit 0 "$CMSIM" explain roce.pcap --conversation 1
[ "$(grep -c '^#' out)" -eq 1 ] && grep -q '^#1 ' out || fail '--conversation shows another'
expect_exit 2 "$CMSIM" explain roce.pcap --conversation 3
one_line_error 'conversation 3: there are 3 conversations'
[ ! -s out ] || fail '--conversation shows something that is not there'
for format in json csv; do
  expect_exit 2 "$CMSIM" explain roce.pcap --conversation 1 --$format
  one_line_error 'conversation'
  [ ! -s out ] || fail "--conversation with --$format prints all"
done
expect_exit 2 "$CMSIM" explain roce.pcap --conversation -1
one_line_error 'takes a number'
expect_exit 0 "$CMSIM" explain roce.pcap --ladders 1
[ "$(grep -c '^#' out)" -eq 1 ] || fail '--ladders shows more'
expect_exit 0 "$CMSIM" explain roce.pcap --ladders all
[ "$(grep -c '^#' out)" -eq 3 ] || fail '--ladders=all leaves some out'
expect_exit 0 sh -c "cat roce.pcap | \"$CMSIM\" explain -"
sed 's/^standard input/roce.pcap/; s/^-:/roce.pcap:/' out > piped
cmp -s piped roce.txt || fail 'standard input is read otherwise'

# --- What a REJ says beside its reason: a GID of the server's, values of the path, where to go
every=$SOURCE_ROOT/scenarios/policies/every-rej-with-information.yaml
for kind in roce erf; do
  expect_exit 0 "$CMSIM" trace "$every" --pcap every.pcap --pcap-format $kind
  expect_exit 0 "$CMSIM" explain every.pcap --ladders all
  cp out every.$kind
  grep -q ' 0  messages that the state machine does not expect' out || fail "$kind: unexpected"
  for reason in 4 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 31 32 33; do
    grep -q "REJ $reason -.*, says " out || fail "$kind: REJ $reason says nothing"
  done
done
# The server is host 1: 10.0.0.1, LID 1; the other host 2.  RoCE has MTU code 3 (1024 bytes).
grep -q 'REJ 12 .*says GID 10.0.0.1$' every.roce || fail 'REJ 12 does not say the GID'
grep -q 'REJ 24 .*says go to 10.0.0.2$' every.roce || fail 'REJ 24 does not say where to go'
grep -q 'REJ 25 .*says GID 10.0.0.2$' every.roce || fail 'REJ 25 does not say where to go'
grep -q 'REJ 26 .*says value 3$' every.roce || fail 'REJ 26 does not say the MTU'
grep -q 'REJ 31 .*says class version 2 ' every.roce || fail 'REJ 31 does not say the version'
grep -q 'REJ 13 .*says LID 1$' every.erf || fail 'REJ 13 does not say the LID'
expect_exit 0 "$CMSIM" explain every.pcap --json
grep -q '"reason": 13, "reason_name": "[a-zA-Z ]*", "info": "LID 1"' out || fail 'JSON: no information'
expect_exit 0 "$CMSIM" explain every.pcap --csv
grep -q ',REJECTED,13,LID 1,' out || fail 'CSV: no information'

# --- A LAP offers the ports' neighbours: the fourth message, in records of 322 bytes; the LIDs 20
# bytes behind the MAD header, the GIDs at 24 and 40 (IBTA 12.8.1)
expect_exit 0 "$CMSIM" trace "$SOURCE_ROOT/scenarios/policies/alternate-path.yaml" \
  --variant at-once --pcap lap.pcap --pcap-format erf
lap=$((24 + 3 * 322 + 16 + 16 + 28 + 24))
[ "$(od -An -tx1 -j$((lap + 20)) -N4 lap.pcap)" = ' 40 02 40 01' ] || fail 'LIDs of the LAP'
[ "$(od -An -tx1 -j$((lap + 24)) -N16 lap.pcap)" = \
  ' fe 80 00 00 00 00 00 00 02 00 00 00 00 03 00 02' ] || fail 'GID of the LAP'
expect_exit 0 "$CMSIM" explain lap.pcap
grep -q 'APR 0 ---|  alternate path loaded' out || fail 'the APR is not told'

# --- A packed file is told from a broken one
gzip -c roce.pcap > roce.pcap.gz
expect_exit 2 "$CMSIM" explain roce.pcap.gz
grep -q 'roce.pcap.gz: is packed; unpack it: gzip -dc FILE | cmsim explain -' err ||
  fail 'a packed capture is not said to be one'
expect_exit 0 sh -c "gzip -dc roce.pcap.gz | \"$CMSIM\" explain -"

# --- timeouts: 16 waits of 6.144 s, of 6.400 s on the wheel
expect_exit 0 "$CMSIM" explain timeouts --response 20 --lifetime 18 --retries 15 --profile linux-6.1
grep -qE '^gives up +98\.304$' out || fail 'timeouts: not 98.304 s'
grep -qE '^gives up +102\.144-102\.400$' out || fail 'timeouts: not 102.4 s on the wheel'
expect_exit 0 "$CMSIM" explain timeouts --csv
grep -q '^spec,nominal,no,gives up,68719476736,68719476736$' out || fail 'timeouts: CSV'
expect_exit 0 "$CMSIM" explain timeouts
[ "$(grep -c '^gives up' out)" -eq 4 ] || fail 'timeouts: not four tables'

# --- Files that are broken, or something else
expect_exit 2 "$CMSIM" explain missing.pcap
one_line_error 'missing\.pcap: cannot be read'
expect_exit 2 "$CMSIM" explain .
one_line_error 'is a directory'
expect_exit 2 "$CMSIM" explain three.yaml
one_line_error 'is no capture file'
: > empty.pcap
expect_exit 2 "$CMSIM" explain empty.pcap
one_line_error 'is no capture file'
size=$(wc -c < roce.pcap)
head -c $((size - 10)) roce.pcap > torn.pcap
expect_exit 2 "$CMSIM" explain torn.pcap
one_line_error 'broken after [0-9]+ packets'
grep -q 'REJ reason 3' out || fail 'what is before the break is not explained'
expect_exit 2 "$CMSIM" explain torn.pcap --json
one_line_error 'broken after'
# Wi-Fi: a link that carries no InfiniBand.
{ head -c 20 roce.pcap; printf '\151\000\000\000'; } > wifi.pcap
expect_exit 2 "$CMSIM" explain wifi.pcap
one_line_error 'link type 105'
# A flipped bit in a MAD is said.
{ head -c 200 roce.pcap; printf '\377'; tail -c +202 roce.pcap; } > flipped.pcap
expect_exit 0 "$CMSIM" explain flipped.pcap
grep -q 'wrong invariant CRC' out || fail 'a changed MAD goes unnoticed'
expect_exit 2 "$CMSIM" explain roce.pcap --json --csv
one_line_error 'exclude each other'
expect_exit 2 "$CMSIM" explain roce.pcap --profile linux-6.2
one_line_error 'did you mean "linux-6.1[0-9]?"'
expect_exit 2 "$CMSIM" explain roce.pcap --ladders x
one_line_error 'takes a number'
for option in '--retries -1' '--response -1' '--lifetime -1' '--hz -1' '--mra -1' '--retries 16' \
  '--response 32' '--hz 5' '--live 0' '--mra-after 0'; do
  # shellcheck disable=SC2086
  expect_exit 2 "$CMSIM" explain timeouts $option
  one_line_error 'takes a number'
done

# --- Where --pcap cannot write
expect_exit 2 "$CMSIM" trace three.yaml --pcap no/such/folder/x.pcap
one_line_error 'cannot write'
expect_exit 2 "$CMSIM" trace three.yaml --pcap x.pcap --pcap-format wifi
one_line_error 'roce or erf'
expect_exit 4 "$CMSIM" trace three.yaml --pcap /dev/full
one_line_error 'cannot write /dev/full'
cp roce.pcap kept.pcap
expect_exit 4 sh -c "ulimit -f 1; trap '' XFSZ; \"$CMSIM\" trace \"$SOURCE_ROOT/scenarios/rej3-vs-drop.yaml\" --pcap kept.pcap > log"
cmp -s roce.pcap kept.pcap || fail 'a failed write changed the file that was there'
[ -z "$(find . -name 'kept.pcap.*')" ] || fail 'a failed write left its half behind'
finish
