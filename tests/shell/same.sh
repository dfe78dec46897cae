#!/bin/sh
# The same scenario and seed: the same bytes in results/, on one thread and two, run twice.
. "$SOURCE_ROOT/tests/shell/lib.sh"
cd "$work" || exit 1
scenario=$SOURCE_ROOT/scenarios/rej3-vs-drop.yaml

expect_exit 0 "$CMSIM" run "$scenario" --replications 3 -j 1 -o a
cp out a.out
expect_exit 0 "$CMSIM" run "$scenario" --replications 3 -j 2 -o b
expect_exit 0 "$CMSIM" run "$scenario" --replications 3 -j 1 -o c
[ "$(find a -type f | wc -l)" -ge 10 ] || fail 'fewer files than expected'
diff -r a b || fail '-j 1 and -j 2 differ'
diff -r a c || fail 'two runs differ'

# And another seed is another run.
expect_exit 0 "$CMSIM" run "$scenario" --replications 3 --seed 43 --no-plots -o d
! cmp -s a/connections.csv d/connections.csv || fail 'the seed changes nothing'
finish
