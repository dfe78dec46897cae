#!/bin/sh
# tests/fuzz/seeds.sh TARGET DIRECTORY: puts inputs to start from into DIRECTORY.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
case $1 in
  scenario)
    find "$root/scenarios" "$root/tests/bad" -name '*.yaml' -size -16k -exec cp {} "$2" \; ;;
  explain)
    cp "$root"/tests/fuzz/captures/* "$2"
    captures=${CMSIM_SHARED:-$root/../shared}/captures
    if [ -d "$captures" ]; then
      find "$captures" -name '*.pcap' -size -16k -exec cp {} "$2" \;
    fi ;;
  mad) ;; # a byte says which message it is
esac
