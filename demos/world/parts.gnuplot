# SPDX-License-Identifier: Zlib
# The picture of `cullet demo --broadphase a,b,…`: a panel for each kind of world, with a stacked bar of the mean step of
# each broadphase. The legend has a cell of its own. comparison.cpp sets:
#
#   picture, heading   the output file, and the lines above all panels
#   titles, parts      the names of the panels and of the parts, as lists of words
#   $runs              a block for each panel, a line for each bar: name, rate, milliseconds on processors, and by part

panels = words(titles)
columns = panels == 3 ? 2 : panels < 3 ? panels + 1 : 3
rows = (panels + columns) / columns # the legend's cell included
set terminal pngcairo font 'DejaVu Sans,15' noenhanced size 440 * columns, 100 + 400 * rows
set output picture
colors = "#e8821c #b03a00 #48b068 #8fd0e8 #3e80d6 #9a5fb0 #b0b0b0"
first = 4 # the column of the first part
count = words(parts)
top(part) = sum [c = first:first + part - 1] column(c)

set multiplot layout rows, columns title heading font ',14' noenhanced
set style fill solid noborder
set boxwidth 0.7
set grid ytics linecolor rgb '#dddddd'
set border 3 linecolor rgb '#505050'
set tics nomirror
set xtics scale 0
set key off
do for [panel = 1:panels] {
    set xrange [*:*]
    set yrange [*:*]
    stats $runs index panel - 1 using (top(count)) nooutput
    bars = STATS_records
    highest = STATS_max
    stats $runs index panel - 1 using 3 nooutput
    set yrange [0:1.15 * (STATS_max > highest ? STATS_max : highest)]
    set xrange [-0.6:bars - 0.4]
    set ylabel (panel % columns == 1 || columns == 1 ? 'milliseconds a step' : '')
    set title word(titles, panel) font ',16'
    # Draws the tallest boxes first, so that shorter ones cover them.
    plot for [part = count:1:-1] $runs index panel - 1 using 0:(top(part)):xticlabels(1) with boxes \
            linecolor rgb word(colors, part), \
        '' index panel - 1 using ($0 - 0.42):3:(0.84):(0) with vectors nohead linewidth 2 linecolor rgb 'black', \
        '' index panel - 1 using 0:(top(count) > $3 ? top(count) : $3):2 with labels offset 0, 0.8
}
unset title
unset border
unset tics
unset grid
unset ylabel
set xrange [0:1]
set yrange [0:1]
set key inside left center reverse Left spacing 1.3
plot for [part = count:1:-1] NaN with boxes linecolor rgb word(colors, part) title word(parts, part), \
    NaN with lines linewidth 2 linecolor rgb 'black' title 'on processors, all threads'
unset multiplot
