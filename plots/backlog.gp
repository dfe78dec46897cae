if (variants > 4) { height = 200 + 200 * variants }
top = from_top (205)
bottom = from_bottom (75)
panel = (top - bottom) / variants

note = one_of
set lmargin at screen 0.105
set rmargin at screen 0.885
set xrange [0 : x_max * x_scale]
set yrange [0 : y_max * 1.08]
y_step = whole_step (y_max, variants > 2 ? 2 : 4)
set ytics y_step

do for [format in "svg png"] {
  eval (format eq "svg" ? open_svg : open_png)
  set output figure . "." . format
  eval head
  set label 4 "backlog slots in use" at screen 0.022, screen (top + bottom) / 2 center rotate by 90 \
    textcolor rgb ink
  set multiplot
  do for [v=1:variants] {
    set tmargin at screen top - (v - 1) * panel
    set bmargin at screen top - v * panel + from_bottom (75)
    set label 5 names[v] at graph 0, graph 1 offset 0, 0.9 left font ",24" textcolor rgb colours[v]
    # NaN: there is no limit, or no single one.
    if (limits[v] > y_max) {
      set label 6 sprintf ("limit %d,\nfar above", limits[v]) at graph 1.01, graph 0.94 left font ",20" \
        textcolor rgb faint
    }
    if (limits[v] <= y_max) {
      set label 6 sprintf ("limit %d", limits[v]) at graph 1.01, first limits[v] left font ",20" \
        textcolor rgb faint
      set arrow 1 from graph 0, first limits[v] to graph 1, first limits[v] nohead \
        linecolor rgb faint linewidth 2 dashtype 2
    }
    if (v == variants) {
      set xlabel sprintf ("time (%s)", x_unit) textcolor rgb ink
      set format x "%g"
    } else {
      unset xlabel
      set format x ""
    }
    # The area; in each bin, which is narrower than the line, the least to the greatest level;
    # the level at its end.
    plot figure . ".dat" index v - 1 using ($2 * x_scale) : 3 with fillsteps \
           fillstyle transparent solid 0.2 noborder linecolor rgb colours[v], \
         "" index v - 1 using ($2 * x_scale) : 4 : (0) : ($5 - $4) with vectors nohead \
           linewidth 3 linecolor rgb colours[v], \
         "" index v - 1 using ($2 * x_scale) : 3 with steps linewidth 3 linecolor rgb colours[v]
    unset label 6
    unset arrow 1
    # Once is enough for what belongs to the whole.
    unset label 1
    unset label 2
    unset label 3
    unset label 4
  }
  unset multiplot
  set output
}
