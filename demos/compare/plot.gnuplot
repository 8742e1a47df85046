# SPDX-License-Identifier: Zlib
# The pictures of `cullet compare --plot`: one multiplot. Every panel has axes and a legend of its own. plot.cpp sets:
#
#   path, heading                    the output file, and the lines above all panels
#   panels, titles, xTitles, lasts   the number of panels; by panel, as lists of words: its texts and its last curve
#   engines, dashes                  by curve: the engine and the dash type
#   $curves                          a block for each curve: its title, then lines of x, milliseconds and x label

columns = panels < 2 ? 1 : 2 # more are too small to read on a page
rows = (panels + columns - 1) / columns
if (path[strlen(path) - 3:] eq ".svg") {
    # An SVG is rendered by the viewer, with the viewer's fonts.
    set terminal svg background rgb 'white' font 'sans-serif,16' noenhanced size 720 * columns, 100 + 520 * rows
} else {
    set terminal pngcairo font 'DejaVu Sans,16' noenhanced size 720 * columns, 100 + 520 * rows
}
set output path

# The same engine looks the same in every picture. Colors from Okabe and Ito's palette, which color-blind readers can
# tell apart, and some of their kind; Bullet's engines in warm tones and grey with open points, cullet's in blue and
# green with filled ones. Shapes are for readers without color.
names = "other dbvt dbvt-deferred sap simple cullet cullet-wide cullet-lbvh cullet-frontier cullet-grid cullet-brute core core-full core-lbvh core-frontier core-grid embree embree-refit fcl jolt physx physx-parallel"
colors = "#505050 #d55e00 #e69f00 #cc79a7 #7f7f7f #0072b2 #44aa99 #56b4e9 #882255 #004d40 #332288 #009e73 #000000 #6a5acd #aa4499 #2f4f4f #8b4513 #a0522d #b8860b #e75480 #556b2f #6b8e23"
points = "1 4 6 8 12 7 3 5 1 9 11 13 15 3 1 5 10 14 2 12 1 3"
place(name) = 1 + int(sum [k = 2:words(names)] (word(names, k) eq name ? k - 1 : 0))

set ylabel 'milliseconds a step'
set format y '%g'
set grid xtics ytics mytics linetype 1 linecolor rgb '#c8c8c8', linetype 1 linecolor rgb '#ececec'
set border 3 linecolor rgb '#505050'
set tics nomirror
set multiplot layout rows, columns title heading font ',14' noenhanced
first = 1
do for [panel = 1:panels] {
    last = int(word(lasts, panel))
    # Slightly more than the measured range, where gnuplot itself would extend it to the next power of ten.
    unset logscale
    stats [*:*] [*:*] $curves index first - 1:last - 1 using 1:2 nooutput
    set logscale xy
    set xrange [STATS_min_x / 1.25:STATS_max_x * 1.25]
    set yrange [STATS_min_y / 2:STATS_max_y * 2]
    set xlabel word(xTitles, panel)
    set title word(titles, panel) font ',19'
    if (last - first < 4) { # a short legend fits below the axis
        set key outside bottom center horizontal
    } else {
        set key outside right center vertical
    }
    set key reverse Left samplen 3.5 spacing 1.3 width 1
    plot for [k = first:last] $curves index k - 1 using 1:2:xticlabels(3) with linespoints linewidth 2.5 pointsize 1.3 \
        dashtype int(word(dashes, k)) pointtype int(word(points, place(word(engines, k)))) \
        linecolor rgb word(colors, place(word(engines, k))) title columnheader(1)
    first = last + 1
}
unset multiplot
