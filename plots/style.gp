# Style of all figures: canvas, fonts, frame, headline.
width = 1600
height = 1000
ink = "#222222"
faint = "#707070"

set encoding utf8
set border 3 linecolor rgb faint linewidth 1.5
set tics nomirror out scale 0.6 textcolor rgb ink
set grid ytics linecolor rgb "#DDDDDD" linewidth 1 linetype 1
set key off

# The first variant is drawn first and widest, so that a later one on the same
# course does not hide it.
curve_width (v) = variants > 1 ? 7.0 - 4.0 * (v - 1) / (variants - 1) : 4.0
# Colours repeat after seven variants; dashes then tell them apart.
dashes (v) = 1 + (v - 1) / 7

# Room for names at the right, as a share of the width.
longest = 0
do for [v=1:variants] { if (strlen (names[v]) > longest) { longest = strlen (names[v]) } }
names_width = 0.02 + 0.0095 * longest

# Places in pixels from an edge, so that a tall canvas keeps its head.
from_top (pixels) = 1 - real (pixels) / height
from_bottom (pixels) = real (pixels) / height

# 1, 2 or 5 times a power of ten, whole: the distance of marks for about n of them up to top.
nice (x) = (power = 10.0**floor (log10 (x)), \
  power * (x / power <= 1 ? 1 : x / power <= 2 ? 2 : x / power <= 5 ? 5 : 10))
whole_step (top, n) = (step = nice (top / real (n)), step < 1 ? 1 : step)

# Never "100 %" for a little less.
percent (x) = x < 100 && x > 99.9 ? "> 99.9 %" : sprintf (x < 100 ? "%.1f %%" : "%.0f %%", x)

# Headline, question and, in the lower right corner, what was measured.
note = ""
head = 'set label 1 headline at screen 0.025, screen from_top (45) font ",32" textcolor rgb ink; ' . \
  'set label 2 subtitle at screen 0.025, screen from_top (95) font ",19" textcolor rgb faint; ' . \
  'set label 3 note at screen 0.975, screen from_bottom (24) right font ",16" textcolor rgb faint'
one_of = replications > 1 ? sprintf ("replication 0 of %d, seed %s", replications, seed) : \
  sprintf ("seed %s", seed)

# Names are plain text: no subscripts for "_".  Round joins: the corners of small steps would
# stick out of a wide line.
open_svg = 'set terminal svg noenhanced size width, height font "sans-serif,22" rounded background "white"'
# The plain png terminal is there when gnuplot was built without cairo.
open_png = strstrt (GPVAL_TERMINALS, "pngcairo") ? \
  'set terminal pngcairo noenhanced size width, height font "sans-serif,22" rounded background "white"' : \
  'set terminal png noenhanced size width, height font "sans,22"'
