# SPDX-License-Identifier: Zlib
# Converts two CSVs of `cullet compare`, on the CPU and on a device, to a table of speedups: one line for each scene,
# size and moved share that is in both.
BEGIN {
    FS = ","
    print "| scene | bodies | moving % | CPU ms | device ms | CPU over device |"
    print "|---|---:|---:|---:|---:|---:|"
}

FNR == 1 {
    ++file
    for ( i = 1; i <= NF; ++i ) {
        column[file, $i] = i
    }
    next
}

{
    case_ = $column[file, "scene"] "," $column[file, "bodies"] "," $column[file, "moving"]
    ms = $column[file, "total_ms"]
    if ( file == 1 ) {
        cpu[case_] = ms
    } else if ( ms > 0 && cpu[case_] > 0 && $column[file, "device"] != "cpu" ) {
        split( case_, part, "," )
        printf "| %s | %s | %s | %.3g | %.3g | %.3g |\n", part[1], part[2], part[3] + 0, cpu[case_], ms, cpu[case_] / ms
        ++lines
    }
}

END {
    if ( lines == 0 ) {
        print "gpu_crossing.awk: nothing was measured both on the CPU and on a device" > "/dev/stderr"
        exit 1
    }
}
