note = one_of
eval head
set lmargin at screen 0.115
set rmargin at screen 0.90 - names_width
set tmargin at screen from_top (165)
set bmargin at screen from_bottom (160)
set xrange [0 : x_max * x_scale]
set yrange [0 : y_max]
y_step = whole_step (y_max, 7)
set ytics y_step
set xlabel sprintf ("time (%s)", x_unit) textcolor rgb ink
set ylabel "REQs sent, retransmissions included" textcolor rgb ink
do for [v=1:variants] {
  set label 10 + v sprintf ("%s  %d", names[v], ends[v]) at graph 1.015, graph places[v] left \
    font ",22" textcolor rgb colours[v]
}

do for [format in "svg png"] {
  eval (format eq "svg" ? open_svg : open_png)
  set output figure . "." . format
  plot for [v=1:variants] figure . ".dat" index v - 1 using ($2 * x_scale) : 3 with steps \
    linewidth curve_width (v) dashtype dashes (v) linecolor rgb colours[v]
  set output
}
