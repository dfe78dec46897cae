#!/bin/sh
# explain on captures that were cut, merged, torn, noisy or packed: it says what is wrong and
# tells what can be told.  The captures are made by Wireshark's tools from a simulated one.
. "$SOURCE_ROOT/tests/shell/lib.sh"
cd "$work" || exit 1
for tool in editcap mergecap reordercap; do
  command -v $tool > tool || { echo "skipped: no $tool"; exit 77; }
done
cat > one.yaml << 'END'
cmsim: 1
question: One connection and one refusal.
seed: 1
fabric: {transport: roce}
hosts: {server: 1, client: 1}
listeners:
  - {on: server, service: 7471}
connects:
  - {from: client, to: "server:7471", hold: 1s}
  - {from: client, to: "server:9999", arrivals: {burst: 5s}}
END
expect_exit 0 "$CMSIM" trace one.yaml --pcap whole.pcap

# explain FILE, and the story in it: REQ, REP, RTU, DREQ, DREP and REQ, REJ.
tells_all ()
{
  expect_exit 0 "$CMSIM" explain "$1"
  grep -q ' 1  established and released' out || fail "$1: not established and released"
  grep -q ' 1  rejected' out || fail "$1: not rejected"
  grep -q ' 0  messages that the state machine does not expect' out || fail "$1: unexpected"
}
# says FILE TEXT: no story, but TEXT.
says ()
{
  expect_exit 0 "$CMSIM" explain "$1"
  grep -q "$2" out || fail "$1: not said: $2"
}

tells_all whole.pcap
editcap -F pcapng whole.pcap ng.pcapng && tells_all ng.pcapng
editcap -F pcap whole.pcap micro.pcap && tells_all micro.pcap
editcap -F pcap -C 14 -T rawip whole.pcap ip.pcap && tells_all ip.pcap
mergecap -w merged.pcapng whole.pcap ng.pcapng && tells_all merged.pcapng
grep -q ' 7  packets that are in the capture twice' out || fail 'copies are not seen to be copies'

editcap -s 200 whole.pcap short.pcap && says short.pcap ' 7  packets cut short by the capture'
editcap -F pcap -T rawip whole.pcap wrong.pcap && says wrong.pcap ' 7  packets are not InfiniBand'
editcap -r whole.pcap late.pcap 4-7 && says late.pcap ' 1  only its later part is in the capture'

# Backwards: told, and put right by the tool that is named.
for i in 7 6 5 4 3 2 1; do editcap -r whole.pcap part$i.pcap $i; done
mergecap -a -w backwards.pcap part7.pcap part6.pcap part5.pcap part4.pcap part3.pcap part2.pcap \
  part1.pcap
says backwards.pcap ' 6  packets with a time before the packet before: reordercap sorts them'
reordercap backwards.pcap sorted.pcap > tool && tells_all sorted.pcap

# Bits flipped at random: whatever is said, it is said and not crashed over.
for seed in 1 2 3 4 5 6 7 8; do
  editcap -E 0.02 --seed $seed whole.pcap noisy.pcap > tool
  expect_exit 0 "$CMSIM" explain noisy.pcap
done

# Torn off after each byte of the file header, and in the middle of a packet.
for n in 0 1 3 4 12 23; do
  head -c $n whole.pcap > torn.pcap
  expect_exit 2 "$CMSIM" explain torn.pcap
  one_line_error 'torn.pcap: is no capture file'
done
head -c 24 whole.pcap > torn.pcap && says torn.pcap ': 0 packets'
head -c 1000 whole.pcap > torn.pcap
expect_exit 2 "$CMSIM" explain torn.pcap
one_line_error 'the capture is broken after 2 packets'
grep -q ': 2 packets in' out || fail 'what came before the tear is not told'
finish
