# SPDX-License-Identifier: Zlib
# A figure of `cullet papers --plot` in colors. figure.cpp sets the following, and appends the plots:
#
#   path, heading, name   the output file, the lines above the figure, and its title
#   count                 the number of grids; each is a block: column, row, number over the smallest one, label

set terminal pngcairo font 'DejaVu Sans,13' noenhanced size 540 * count, 560
set output path
set multiplot layout 1, count title name . "\n" . heading font ',12' margins 0.22 / count, 1 - 0.02 / count, 0.08, 0.80 \
    spacing 0.24 / count, 0
unset key
unset colorbox
set border 0
set tics scale 0 font ',11'
set autoscale fix
set yrange [] reverse
set logscale cb
set cbrange [1:*]
# From white to dark orange, on which black letters are readable.
set palette defined (0 "#ffffff", 1 "#fdd49e", 2 "#f28e4c")
