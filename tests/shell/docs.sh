#!/bin/sh
# Runs the commands of the documents: in a block ```console every line "$ COMMAND" is run, and
# the lines after it are what it must print; "..." stands for anything in a line, and alone for
# any number of lines.  A block ```yaml FILE is written to FILE.
. "$SOURCE_ROOT/tests/shell/lib.sh"

# A tree as a reader has it, with the program already built.
mkdir -p "$work/tree/tools" "$work/tree/build/app" "$work/bin" "$work/steps"
ln -s "$CMSIM" "$work/bin/cmsim"
ln -s "$CMSIM" "$work/tree/build/app/cmsim"
cp -r "$SOURCE_ROOT/scenarios" "$work/tree/"
printf '#!/bin/sh\nexec cmsim run "$@"\n' > "$work/tree/tools/run"
chmod +x "$work/tree/tools/run"
PATH=$work/bin:$PATH
cd "$work/tree" || exit 1

# matches WANTED GOT
matches ()
{
  awk '
    FNR == NR { wanted[++n] = $0; next }
    { got[++m] = $0 }
    # same(wanted, got): the line got is the line wanted, with anything for each "...".
    function same (wanted, got,   part, n, k, at)
    {
      n = split (wanted, part, /\.\.\./)
      if (n == 1) return wanted == got
      if (substr (got, 1, length (part[1])) != part[1]) return 0
      got = substr (got, length (part[1]) + 1)
      for (k = 2; k < n; k++) {
        if (!(at = index (got, part[k]))) return 0
        got = substr (got, at + length (part[k]))
      }
      return length (got) >= length (part[n]) && \
             substr (got, length (got) - length (part[n]) + 1) == part[n]
    }
    # fits(i, j): the wanted lines from i on fit the lines got from j on.
    function fits (i, j)
    {
      while (i <= n && wanted[i] != "...")
        if (j > m || !same(wanted[i++], got[j++])) return 0
      if (i > n) return j > m
      for (; j <= m + 1; j++) if (fits (i + 1, j)) return 1
      return 0
    }
    END { exit !fits (1, 1) }' "$1" "$2"
}

total=0
for document in README.md CONTRIBUTING.md docs/tutorial.md docs/results-format.md docs/explain.md; do
  [ -e "$SOURCE_ROOT/$document" ] || continue
  rm -f "$work"/steps/*
  awk -v out="$work/steps" '
    /^```/ { inside = $0 == "```console"; file = $0 ~ /^```yaml [a-z]/ ? $2 : ""; next }
    file { print > file }
    inside && /^\$ / { name = sprintf ("%s/%03d", out, ++n); print substr ($0, 3) > name ".cmd"
                       printf "" > name ".wanted"; next }
    inside { print > name ".wanted" }' "$SOURCE_ROOT/$document"
  for command in "$work"/steps/*.cmd; do
    [ -e "$command" ] || continue
    step=${command%.cmd}
    sh "$command" > "$step.got" 2>&1 < /dev/null
    total=$((total + 1))
    if ! matches "$step.wanted" "$step.got"; then
      fail "$document: $(cat "$command")"
      diff "$step.wanted" "$step.got"
    fi
  done
done
[ $total -ge 8 ] || fail "only $total commands in the documents"

# Links to files of the tree lead somewhere.
cd "$SOURCE_ROOT" || exit 1
for document in ./*.md docs/*.md; do
  grep -oE '\]\([^)#: ]+' "$document" | sed 's/^](//' | while read -r target; do
    [ -e "$(dirname "$document")/$target" ] || echo "$document: no $target"
  done
done > "$work/dead"
[ ! -s "$work/dead" ] || { cat "$work/dead"; fail 'dead links'; }
finish
