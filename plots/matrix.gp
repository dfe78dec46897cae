# Names of rows stand once at the left, those of columns once at the bottom.
row_width = 0
do for [i=1:rows] { if (strlen (row_names[i]) > row_width) { row_width = strlen (row_names[i]) } }
column_width = 0
do for [i=1:columns] { \
  if (strlen (column_names[i]) > column_width) { column_width = strlen (column_names[i]) } }
field_width = 24 + 8.8 * (error_width > 8 ? error_width : 8)
field_height = 54
# As many panels side by side as a page takes.
across = int (2400 / (columns * field_width + 24))
across = across < 1 ? 1 : across > 3 ? 3 : across
across = panels < across ? panels : across
down = (panels + across - 1) / across
left_room = 70 + 13 * row_width
bottom_room = 70 + 9 * column_width
width = left_room + across * (columns * field_width + 24) + 40
if (width < 1200) { width = 1200 }
height = 210 + down * (rows * field_height + 50) + bottom_room
left = real (left_room) / width
panel_width = real (columns * field_width + 24) / width
panel_height = real (rows * field_height + 50) / height
note = sprintf ("mean of %d replication%s, seed %s", replications, replications > 1 ? "s" : "", seed)
set xrange [-0.5 : columns - 0.5]
set yrange [rows - 0.5 : -0.5]
set border 0
unset grid
unset xtics
unset ytics
unset colorbox
# From orange, nobody, to green, everybody: told apart by the colour-blind and in grey.
set palette defined (0 "#F4A582", 50 "#FDF3D8", 100 "#7FCDBB")
set cbrange [0 : 100]

do for [format in "svg png"] {
  eval (format eq "svg" ? open_svg : open_png)
  set output figure . "." . format
  eval head
  set label 4 sprintf ("rows: %s; columns: %s; in a field: established, and the median time to connect or the error", \
    row_axis, column_axis) at screen 0.025, screen from_top (135) font ",18" textcolor rgb faint
  set multiplot
  do for [p=1:panels] {
    across_at = (p - 1) % across
    down_at = (p - 1) / across
    set lmargin at screen left + across_at * panel_width
    set rmargin at screen left + across_at * panel_width + real (columns * field_width) / width
    set tmargin at screen from_top (210) - down_at * panel_height
    set bmargin at screen from_top (210) - down_at * panel_height - real (rows * field_height) / height
    set label 5 panel_names[p] at graph 0, graph 1 offset 0, 0.8 left font ",24" textcolor rgb ink
    if (across_at == 0) {
      do for [i=1:rows] {
        set label 100 + i row_names[i] at graph 0, first i - 1 offset -1, 0 right font ",18" \
          textcolor rgb ink
      }
    }
    if (p + across > panels) {
      do for [i=1:columns] {
        set label 300 + i column_names[i] at first i - 1, graph 0 offset 0, -0.7 right rotate by 60 \
          font ",18" textcolor rgb ink
      }
    }
    plot figure . ".dat" index p - 1 \
           using 1 : 2 : ($1 - 0.47) : ($1 + 0.47) : ($2 - 0.46) : ($2 + 0.46) : 3 with boxxyerror \
           fillstyle solid 1 noborder linecolor palette, \
         "" index p - 1 using 1 : ($2 - 0.17) : 4 with labels font ",16" textcolor rgb "black", \
         "" index p - 1 using 1 : ($2 + 0.2) : ($3 > 0 ? strcol (5) : "") with labels \
           font ",14" textcolor rgb ink, \
         "" index p - 1 using 1 : ($2 + 0.2) : ($3 > 0 ? "" : strcol (5)) with labels \
           font ",10" textcolor rgb ink
    unset label
  }
  unset multiplot
  set output
}
