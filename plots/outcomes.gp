if (variants > 4) { height = 300 + 150 * variants }
note = sprintf ("mean of %d replication%s, seed %s", replications, replications > 1 ? "s" : "", seed)
eval head
set lmargin at screen 0.03 + 1.1 * names_width
set rmargin at screen 0.95
set tmargin at screen from_top (200)
set bmargin at screen from_bottom (160)
set xrange [0 : 100]
set yrange [variants + 0.55 : 0.45]
set border 1
unset ytics
unset grid
set xtics 0, 20, 100 format "%g %%"
set xlabel "share of all connects" textcolor rgb ink
set key at screen 0.025, screen from_top (147) left top horizontal Left reverse samplen 1.5 maxrows 2 font ",18" textcolor rgb ink
do for [v=1:variants] {
  set label 10 + v names[v] at graph 0, first v offset -1, 0 right font ",24" textcolor rgb colours[v]
  set label 100 + v small[v] at graph 1, first v + 0.42 right font ",17" textcolor rgb faint
}

do for [format in "svg png"] {
  eval (format eq "svg" ? open_svg : open_png)
  set output figure . "." . format
  if (outcomes > 0) {
    plot for [k=1:outcomes] figure . ".dat" index k - 1 \
           using (($3 + $4) / 2) : 1 : 3 : 4 : ($1 - 0.3) : ($1 + 0.3) with boxxyerror \
           fillstyle solid 1 border rgb "white" linewidth 2 linecolor rgb shades[k] title labels[k], \
         for [k=1:outcomes] "" index k - 1 \
           using (($3 + $4) / 2) : 1 : ($2 >= least ? percent ($2) : "") with labels \
           font ",24" textcolor rgb "black" notitle
  } else {
    plot NaN notitle
  }
  set output
}
