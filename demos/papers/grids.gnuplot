# SPDX-License-Identifier: Zlib
# A figure of `cullet papers --plot` in colors. What is set before it, by grid_figure.cpp:
#
#   path, heading, name   where to, the lines above, and what it shows
#   count                 of grids; each is a block of data: column, row, how many times the least, what to write
#
# What follows it are the plots.

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
# From light to dark orange: black letters can be read on all of it.
set palette defined (0 "#ffffff", 1 "#fdd49e", 2 "#f28e4c")
