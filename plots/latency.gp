note = sprintf ("%s, seed %s; failed connects are the share missing to 100 %%", \
  recorded > 1 ? sprintf ("%d replications", recorded) : "1 replication", seed)
eval head
set lmargin at screen 0.115
set rmargin at screen 0.90 - names_width
set tmargin at screen from_top (165)
set bmargin at screen from_bottom (160)
set logscale x
set xrange [x_min : x_max]
set yrange [0 : 100]
set ytics 0, 20, 100 format "%g %%"
set xlabel "time from the start of a connect until it is established" textcolor rgb ink
set ylabel "share of all connects" textcolor rgb ink
time_text (t) = t < 0.999e-3 ? sprintf ("%g us", t * 1e6) : t < 0.999 ? sprintf ("%g ms", t * 1e3) : \
  sprintf ("%g s", t)
set xtics () scale 1
decades = log10 (x_max / x_min)
do for [d=floor (log10 (x_min) + 0.01) : floor (log10 (x_max) + 0.01)] {
  set xtics add (time_text (10.0**d) 10.0**d)
  do for [m=2:9] {
    # Two more numbers in a decade where there is room, else small marks.
    if (decades < 4 && (m == 2 || m == 5)) {
      set xtics add (time_text (m * 10.0**d) m * 10.0**d)
    } else {
      set xtics add ("" m * 10.0**d 1)
    }
  }
}
set grid xtics
do for [v=1:variants] {
  set label 10 + v names[v] . "  " . percent (ends[v]) at graph 1.015, graph places[v] left \
    font ",22" textcolor rgb colours[v]
}

do for [format in "svg png"] {
  eval (format eq "svg" ? open_svg : open_png)
  set output figure . "." . format
  plot for [v=1:variants] figure . ".dat" index v - 1 using 1 : 2 with steps \
    linewidth curve_width (v) dashtype dashes (v) linecolor rgb colours[v]
  set output
}
