#!/bin/sh
# What `meson install` puts in place works from there.
. "$SOURCE_ROOT/tests/shell/lib.sh"
cd "$work" || exit 1
expect_exit 0 env DESTDIR="$work/root" meson install -C "$BUILD_ROOT" --no-rebuild
prefix=$(find "$work/root" -type f -path '*/bin/cmsim' | sed 's|/bin/cmsim$||')
[ -n "$prefix" ] || { fail 'no bin/cmsim'; finish; }

for file in share/man/man1/cmsim.1 share/bash-completion/completions/cmsim \
  share/cmsim/scenarios/rej3-vs-drop.yaml share/cmsim/plots/backlog.gp; do
  [ -s "$prefix/$file" ] || fail "$file is not installed"
done
[ -z "$(find "$work/root" -type f ! -path "$prefix/bin/cmsim" -perm /111)" ] || fail 'data files are executable'

CMSIM=$prefix/bin/cmsim
expect_exit 0 "$CMSIM" --version
expect_exit 0 "$CMSIM" run "$prefix/share/cmsim/scenarios/rej3-vs-drop.yaml" --replications 2
[ -s results/rej3-vs-drop/summary.json ] || fail 'the installed program wrote no summary'
finish
