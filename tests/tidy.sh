#!/bin/sh
# tests/tidy.sh [BUILD_DIR]: the rules of CONTRIBUTING.md that a script can check: layers,
# sizes, banned calls, and, given a build, no mutable globals below app/.
set -u
build=${1:+$(realpath -- "$1")}
cd "$(dirname -- "$0")/.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
complaints=$work/complaints
: > "$complaints"

# complain RULE: takes the places on standard input, one a line.
complain ()
{
  sed "s|^|$1: |" >> "$complaints"
}

# The sources with comments and the contents of strings blanked, line for line, so that
# only code is searched.
strip ()
{
  awk -v out="$work/code/$1" '
    {
      code = ""; line = $0
      while (line != "") {
        if (inside) {
          end = index (line, "*/")
          if (!end) { line = ""; break }
          line = substr (line, end + 2); inside = 0
        } else if (match (line, /\/\*|\/\/|"([^"\\]|\\.)*"|\047([^\047\\]|\\.)\047/)) {
          token = substr (line, RSTART, RLENGTH)
          code = code substr (line, 1, RSTART - 1)
          line = substr (line, RSTART + RLENGTH)
          if (token == "/*") inside = 1
          else if (token == "//") line = ""
          else if (code ~ /^ *# *include *$/) code = code token
          else code = code "\"\""
        } else { code = code line; line = "" }
      }
      print code > out
    }
    END { if (NR == 0) printf "" > out }' "$1"
}

# Names without spaces: lists of them are split at will.
# shellcheck disable=SC2086,SC2013
sources=$(git ls-files -co --exclude-standard 2> /dev/null | grep -E '^(sim|models|app|bench|tests)/.*\.[ch]$')
[ -n "$sources" ] || sources=$(find sim models app bench tests -name '*.[ch]' 2> /dev/null)
for file in $sources; do
  [ -e "$file" ] || continue
  mkdir -p "$work/code/$(dirname "$file")"
  strip "$file"
done

# search "FOLDER..." PATTERN: places in code, as FILE:LINE:TEXT.
search ()
{
  for folder in $1; do
    [ ! -d "$work/code/$folder" ] || (cd "$work/code" && grep -rnE "$2" "$folder")
  done
}

# --- Sizes
for file in $sources; do
  [ -e "$file" ] || continue
  case $file in *.h) limit=250 ;; *) limit=500 ;; esac
  awk -v limit=$limit '
    length ($0) > 100 { print FILENAME ":" FNR ": " length ($0) " columns, at most 100" }
    /\t/ { print FILENAME ":" FNR ": a tab" }
    / $/ { print FILENAME ":" FNR ": space at the end of the line" }
    /^\{$/ { start = FNR }
    /^\}/ && start {
      if (FNR - start + 1 > 70)
        print FILENAME ":" start ": a function of " FNR - start + 1 " lines, at most 70"
      start = 0
    }
    END { if (FNR > limit) print FILENAME ": " FNR " lines, at most " limit }' "$file"
done | complain size

# --- Layers
# The engine names no protocol, not even in a comment.
grep -rnEiw 'infiniband|ib|roce|cma?|rdma|mads?|qp1?|hca|req|rep|rtu|rej|mra|dreq|drep|yaml|backlog' \
  sim --include='*.[ch]' | complain 'layer: sim/ names the protocol'

# A folder sees itself and the folders before it; `models` is host.[ch].  cm_profile.h holds
# facts of a kernel version that the host adapter's timers need too.
order='sim models/ib models/fabric models/hca models models/sa models/cm models/tcp models/cma models/ulp app'
rank ()
{
  n=0
  for folder in $order; do
    n=$((n + 1))
    if [ "$folder" = "$1" ]; then echo $n; return; fi
  done
  rank "$(dirname "$1")"
}
for file in $sources; do
  case $file in sim/* | models/*) ;; *) continue ;; esac
  own=$(rank "$(dirname "$file")")
  # shellcheck disable=SC2013
  for header in $(sed -n 's/^ *# *include *"\([^"]*\)".*/\1/p' "$file"); do
    [ "$header" != cm_profile.h ] || continue
    target=$(echo "$sources" | grep -E "(^|/)$(basename "$header" | sed 's/\./\\./')\$" | head -n 1)
    if [ -z "$target" ]; then
      echo "$file includes \"$header\", which is nowhere"
    elif [ "$(rank "$(dirname "$target")")" -gt "$own" ]; then
      echo "$file includes \"$header\" of $(dirname "$target")/"
    fi
  done
  # Memory by the page is asked for in one place.
  sed -n 's/^ *# *include *<\([^>]*\)>.*/\1/p' "$file" |
    if [ "$file" = sim/sim_pages.c ]; then grep -vxF sys/mman.h; else cat; fi |
    grep -vxE 'glib\.h|string\.h|stdint\.h|stddef\.h|inttypes\.h|limits\.h|math\.h|stdbool\.h|errno\.h|sys/mman\.h' |
    sed "s|^|$file includes |"
done | complain layer
for header in yaml.h json-glib; do
  grep -rlE "# *include *<$header" app --include='*.[ch]' | sed "s|\$| includes $header|" > "$work/users"
  [ "$(wc -l < "$work/users")" -le 3 ] || complain 'layer: too many users' < "$work/users"
done

# --- Calls that would make a result depend on the machine, the day or the libm
word='(^|[^A-Za-z0-9_.>])'
search 'sim models app' "$word(s?rand|s?random|[dlmejn]rand48(_r)?|rand_r|g_rand(om)?_[a-z_]+) *\(" |
  complain 'random numbers come from sim_rng'
search 'sim models' \
  "$word(time|clock|clock_gettime|gettimeofday|g_get_real_time|g_get_monotonic_time|g_date_time_[a-z_]+) *\(" |
  complain 'no wall clock'
search 'sim models' \
  "$word(exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot|a?(sin|cos|tan)h?|atan2|erfc?|[lt]gamma|gamma)[fl]? *\(" |
  complain 'use sim_math: libm differs between machines'
search 'sim models' \
  "$word(v?f?printf|f?puts|f?putc|putchar|fopen|fwrite|g_print(err)?|g_(message|warning|critical|debug|info|log)|g_file_[a-z_]+|g_option_[a-z_]+|exit|getenv|g_getenv) *\(" |
  complain 'models do not talk to the outside'
search 'sim models app bench' "${word}g_hash_table_(foreach|iter_init|get_keys|get_values)[a-z_]* *\(" |
  complain 'hash table order is not an order'
search 'sim models app' "${word}G_DISABLE_ASSERT|${word}NDEBUG" | complain 'assertions stay on'
search 'sim models app bench tests' "[A-Za-z0-9]_t +[a-z_]+( *=| *;)" |
  grep -vE '(size|ssize|u?int(8|16|32|64|ptr|max)|off|pid|time|mode|va_list|pthread|yaml_[a-z]+|sig_atomic)_t' |
  complain 'no _t types of our own'

# --- Words of unfinished work
grep -rnEIw 'TODO|FIXME|XXX|HACK|not implemented' sim models app bench scenarios docs tools ./*.md \
  2> /dev/null | complain unfinished

# --- No mutable globals below app/
if [ -n "$build" ]; then
  for library in sim models; do
    archive=$build/$library/lib$library.a
    objdump -t "$archive" > "$work/symbols" || echo "$archive cannot be read"
    awk -v library=$library '
        /file format/ { object = $1 }
        # Section and size stand before the name; const tables of pointers are in .data.rel.ro.
        match ($0, /[ \t](\.data|\.bss|\.tdata|\.tbss|\*COM\*)(\.[A-Za-z0-9_.]+)?[ \t]+[0-9a-f]+[ \t]/) {
          section = substr ($0, RSTART + 1, RLENGTH - 1); sub (/[ \t].*/, "", section)
          if (section !~ /^\.data\.rel\.ro/ && $NF !~ /^\./) print library ": " object " " $NF " in " section
        }' "$work/symbols"
  done | complain 'mutable global'
fi

if [ -s "$complaints" ]; then
  cat "$complaints"
  exit 1
fi
