note = one_of
columns = variants < 3 ? variants : 3
rows = (variants + columns - 1) / columns
if (rows > 1) { height = 300 + 420 * rows }
left = 0.085
right = 0.985
top = from_top (180)
bottom = from_bottom (130)
panel_width = (right - left) / columns
panel_height = (top - bottom) / rows
set xrange [0 : rate_max]
set yrange [0 : rate_max]
step = nice (rate_max / 4.0)
set xtics step
set ytics step
set grid xtics

do for [format in "svg png"] {
  eval (format eq "svg" ? open_svg : open_png)
  set output figure . "." . format
  eval head
  set label 4 "connects established per second" at screen 0.02, screen (top + bottom) / 2 center \
    rotate by 90 textcolor rgb ink
  set label 5 "connects started per second" at screen (left + right) / 2, screen from_bottom (40) \
    center textcolor rgb ink
  set label 6 "up: thin, down: thick; dashed: all that is asked for" at screen 0.025, \
    screen from_top (140) font ",18" textcolor rgb faint
  set multiplot
  do for [v=1:variants] {
    column = (v - 1) % columns
    row = (v - 1) / columns
    set lmargin at screen left + column * panel_width + 0.012
    set rmargin at screen left + (column + 1) * panel_width - 0.02
    set tmargin at screen top - row * panel_height - from_bottom (45)
    set bmargin at screen top - (row + 1) * panel_height + from_bottom (35)
    set label 7 names[v] at graph 0.03, graph 1.05 left font ",24" textcolor rgb colours[v]
    if (column == 0) { set format y "%g" } else { set format y "" }
    if (v + columns > variants) { set format x "%g" } else { set format x "" }
    set arrow 1 from graph 0, graph 0 to graph 1, graph 1 nohead linecolor rgb faint linewidth 1.5 \
      dashtype 2
    # An arrow in each window: from the rates of the one before to its own.
    ox = NaN
    oy = NaN
    plot figure . ".dat" index v - 1 \
           using (px = ox, ox = $1, px) : (py = oy, oy = $2, $3 == 1 ? py : NaN) : ($1 - px) : ($2 - py) \
           with vectors head size graph 0.018, 25 filled linewidth 1.5 linecolor rgb colours[v], \
         "" index v - 1 \
           using (px = ox, ox = $1, px) : (py = oy, oy = $2, $3 == 0 ? py : NaN) : ($1 - px) : ($2 - py) \
           with vectors head size graph 0.024, 25 filled linewidth 4 linecolor rgb colours[v]
    unset arrow 1
    unset label 1
    unset label 2
    unset label 3
    unset label 4
    unset label 5
    unset label 6
  }
  unset multiplot
  set output
}
