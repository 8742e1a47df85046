# SPDX-License-Identifier: Zlib
# What the command refuses: subcommands that it does not have, numbers outside their range, NaN among them, and anything
# named twice.
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)

refuse("'nonsense' is no subcommand; see cullet --help" nonsense)
refuse("'nonsense' is no subcommand; see cullet --help" nonsense --help)
refuse("'nonsense' is no subcommand; see cullet --help" nonsense --version)
refuse("a subcommand is required; see cullet --help")
refuse("file is required" replay)
refuse("--bodies: '0' is not a whole number from 1 to 1000000" demo --bodies 0)
refuse("--size: '20x8' is not WIDTHxHEIGHT" demo --size 20x8)
refuse("--queries: '1.5' is not a whole number" record --queries 1.5)

refuse("--jumping: '-1' is not a number from 0 to 100" compare --jumping -1)
refuse("--jumping: '100.5' is not a number from 0 to 100" compare --jumping 100.5)
refuse("--jumping: 'nan' is not a number from 0 to 100" compare --jumping nan)
refuse("--jumping: '101' is not a number" compare --jumping 0,101)
refuse("--jumping: 1 is named twice" compare --jumping 1,0,1)

refuse("--moving: 'nan' is not a number from 0 to 100" compare --moving 10,nan)
refuse("--moving: '-0.1' is not a number" compare --moving -0.1)
refuse("--moving: 10 is named twice" compare --moving 10,10)
refuse("--speed: '0' is not a number above 0" compare --speed 1,0)
refuse("--speed: 'nan' is not a number above 0" compare --speed nan)
refuse("--speed: 0.5 is named twice" compare --speed 0.5,0.5)

refuse("--threads: '257' is not a whole number from 0 to 256" compare --threads 1,257)
refuse("--threads: '-1' is not a whole number" compare --threads -1)
refuse("--threads: '1.5' is not a whole number" compare --threads 1.5)
refuse("--threads: 2 is named twice" compare --threads 2,1,2)
refuse("--seconds: '0' is not a number above 0" compare --seconds 0)
refuse("--plot: 'x.jpg' does not end in .png or .svg" compare --plot x.jpg)
refuse("--plot: '.svg' does not end in .png or .svg" compare --plot .svg)
refuse("--turn: '0' is not a whole number from 1 to 64" compare --turn 0)
refuse("--turn: must be 1 with --check" compare --turn 2 --check)
refuse("--bodies: '0' is not a whole number from 1" compare --bodies 0)
refuse("--engines: 'warp' is none of dbvt, .*core, core-full" compare --engines dbvt,warp)
refuse("--engines: core is named twice" compare --engines core,core)
