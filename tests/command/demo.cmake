# SPDX-License-Identifier: Zlib
# `cullet demo`, mostly with several broadphases: a row for each broadphase in every kind of world. The times of a
# step's parts add up to the time of the step, and the worlds stay equal.
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)
find_program(AWK awk)
if(NOT AWK)
  message("awk was not found: the demo was not tested")
  return()
endif()

# From here on awk programs get a value by the name of its column: v("pairs").
set(by_name [=[
function v(name) { return $column[name] }
function close_to(a, b) { return (a - b) ^ 2 <= (2e-5 * b) ^ 2 } # CSV has six digits
BEGIN { FS = ","; count = split("boxes broadphase narrow_phase islands solver actions rest", parts, " ") }
NR == 1 { for (k = 1; k <= NF; ++k) column[$k] = k; next }
]=])

# check(<condition> <rows> <file> <awk program>): expects the file to have this number of rows, and no row that violates
# the condition. The program sets `wrong` in rows that do.
function(check what rows file program)
  execute_process(COMMAND ${AWK} "${by_name} ${program} { bad += wrong } END { print NR - 1, bad + 0 }" ${WORK}/${file}
    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE)
  expect("rows, and rows in which it does not hold that ${what}" "${found}" "${rows} 0")
endfunction()

set(small --size 128x96) # pictures take most of the time
set(kinds pile,sleeping,ragdolls,terrain,character,wall,galton,city,debris,stairs,concave,cubes,spheres,slabs)
run(0 "" demo --kind ${kinds} --broadphase dbvt,sap,cullet --bodies 200 --steps 20 --format csv --out pictures ${small})
file(WRITE ${WORK}/all.csv "${OUT}")
check("parts add up to the step" 42 all.csv [=[ {
  total = processor = 0
  for (k = 1; k <= count; ++k) { total += v(parts[k] "_total_ms"); processor += v(parts[k] "_processor_ms") }
  wrong = !(v("step_total_ms") > 0 && close_to(total, v("step_total_ms")) &&
            close_to(processor, v("step_processor_ms")) && v("step_ms") > 0 && v("step_ms") < v("step_total_ms")) } ]=])
check("the ratio is dbvt's step over the row's" 42 all.csv [=[
v("broadphase") == "dbvt" { dbvt = v("step_total_ms") }
{ wrong = !close_to(v("ratio_to_dbvt_total_ms") * v("step_total_ms"), dbvt) } ]=])
check("kinds and broadphases come in their order" 42 all.csv [=[ {
  split("pile sleeping ragdolls terrain character wall galton city debris stairs concave cubes spheres slabs", kinds,
    " ")
  split("dbvt sap cullet", names, " ")
  wrong = v("kind") != kinds[int((NR - 2) / 3) + 1] || v("broadphase") != names[(NR - 2) % 3 + 1] ||
          v("bodies") != 200 || v("steps") != 20 || v("algorithm") != (v("broadphase") == "cullet" ? "wide" : "") } ]=])
# Fat boxes may overlap if exact boxes do not. dbvt reports pairs of fat boxes; cullet does not.
check("there are pairs, with cullet no more than with dbvt" 42 all.csv [=[
v("broadphase") == "dbvt" { dbvt = v("pairs") }
{ wrong = !(v("pairs") > 0) || (v("broadphase") == "cullet" && v("pairs") > dbvt) } ]=])
# Each body has a pair with the plane, and a tower has four more pairs. The narrow phase skips sleeping bodies.
check("sleeping towers have the pairs that they were built with, and sleep" 42 all.csv [=[
{ wrong = v("kind") == "sleeping" && (v("pairs") != 200 + 160 || v("touching") != 0) } ]=])
# Moving the characters takes about a tenth of a step, vehicles and their rays take half, and actions of other worlds a
# fiftieth. Medians are compared, because a busy machine hardly changes them.
check("only characters and vehicles act" 42 all.csv [=[
{ share = v("actions_ms") / v("step_ms"); wrong = (v("kind") ~ /character|city/) != (share > 0.05) } ]=])

# differ(<picture>...): all are PNG pictures, and no two of them are equal.
function(differ)
  is_png(${ARGN})
  set(sums)
  foreach(picture IN LISTS ARGN)
    file(SHA256 ${WORK}/${picture} sum)
    list(APPEND sums ${sum})
  endforeach()
  set(unique ${sums})
  list(REMOVE_DUPLICATES unique)
  expect("hashes of ${ARGN}" "${sums}" "${unique}")
endfunction()
differ(pictures/demo-concave-before.png pictures/demo-concave-after.png)

# Worlds of cloth differ between broadphases: only over cullet does cloth collide with itself, so it falls differently.
run(0 "" demo --kind cloth --broadphase dbvt,cullet --bodies 3 --steps 30 --format csv --out pictures ${small})
file(WRITE ${WORK}/cloth.csv "${OUT}")
check("there are pairs, of cloths with the plane and with balls" 2 cloth.csv [=[{ wrong = v("pairs") < 3 }]=])
differ(pictures/demo-cloth-before.png pictures/demo-cloth-after-dbvt.png pictures/demo-cloth-after-cullet.png)

# Cloths come with balls, so that there are many more proxies than bodies.
run(0 "" demo --kind cloth --broadphase sap --bodies 9 --steps 1 --format csv --out pictures ${small})

# If the worlds differed, they would have other contacts after many steps. A city of 300 bodies has four vehicles.
run(0 "" demo --kind pile,wall,galton,city,debris,stairs --broadphase dbvt,cullet --bodies 300 --steps 200
  --format csv --out pictures ${small})
file(WRITE ${WORK}/long.csv "${OUT}")
check("as many bodies touch in each world" 12 long.csv [=[
v("broadphase") == "dbvt" { dbvt = v("touching") }
{ wrong = !(dbvt > (v("kind") == "city" ? 3 : 10)) || (v("touching") - dbvt) ^ 2 > (0.005 * dbvt) ^ 2 } ]=])

find_program(GNUPLOT gnuplot)
if(GNUPLOT)
  is_png(pictures/demo-parts.png)
endif()

# The table has the numbers of the CSV, in three lines per broadphase.
run(0 "" demo --kind character --broadphase dbvt,cullet-lbvh --bodies 50 --steps 3)
shows("character, 50 bodies, 3 steps of 1/60 s\n" "\ndbvt +median +[0-9.]+" "\n[0-9]+ pairs +total "
  "\n[0-9]+ touching +processor " "\ncullet-lbvh +median +[0-9.]+")

# Every kind works with a single body.
run(0 "" demo --kind ${kinds},cloth --bodies 1 --steps 2 --format json ${small})
string(JSON ratio TYPE "${OUT}" runs 4 ratio_to_dbvt_ms)
expect("the ratio where there is no dbvt" "${ratio}" "NULL")

# Without broadphases to compare, the demo shows a pile.
run(0 "" demo --bodies 20 --steps 5 --size 64x64)
check("parts add up to the step" 5 out/demo-steps.csv [=[ {
  sum = 0
  for (k = 1; k <= count; ++k) sum += v(parts[k] "_ms")
  wrong = (sum - v("step_ms")) ^ 2 > 0.001 ^ 2 } ]=])

# Another kind of falling bodies is also shown alone, with three pictures.
run(0 "" demo --kind slabs --bodies 20 --steps 5 --size 64x64 --out slabs)
shows("bodies +20: slabs alone\n" "\ncheck +good\n$")
foreach(time early middle late)
  differ(out/demo-${time}.png slabs/demo-${time}.png)
endforeach()
