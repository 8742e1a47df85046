# SPDX-License-Identifier: Zlib
# A figure of `cullet papers --plot`: a curve for each row name. figure.cpp sets:
#
#   path, heading, name     the output file, the lines above the figure, and its title
#   xTitle, isLogarithmic   of the x axis
#   curves                  the number of curves; each is a block of $points: its title, then lines of x and milliseconds
#   dashes, colorOf         by curve: solid for the CPU, dashed for the paper, dotted for a device; the color's number,
#                           which is the same for curves of the same row name

set terminal pngcairo font 'DejaVu Sans,14' noenhanced size 1100, 720
set output path
set title name . "\n" . heading font ',12'
set xlabel xTitle
set ylabel 'milliseconds'
set format y '%g'
set grid xtics ytics linetype 1 linecolor rgb '#d8d8d8'
set border 3 linecolor rgb '#505050'
set tics nomirror
set key outside right center reverse Left samplen 3 spacing 1.3
set logscale y
if (isLogarithmic) { set logscale x }
# Okabe and Ito's palette, which color-blind readers can tell apart; shapes are for readers without color.
colors = "#d55e00 #cc79a7 #56b4e9 #0072b2 #009e73 #e69f00 #332288 #7f7f7f #000000 #8b4513 #44aa99 #b8860b"
points = "4 8 9 7 11 6 13 12 5 14 3 10"
place(k) = 1 + (int(word(colorOf, k)) - 1) % words(colors)
plot for [k = 1:curves] $points index k - 1 using 1:2 with linespoints linewidth 2.5 pointsize 1.3 \
    dashtype int(word(dashes, k)) pointtype int(word(points, place(k))) linecolor rgb word(colors, place(k)) \
    title columnheader(1)
