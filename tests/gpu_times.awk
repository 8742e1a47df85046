# SPDX-License-Identifier: Zlib
# Converts the CSV of `cullet compare` on a device to a table of times: kernels, update, end to end. Quoted columns may
# only follow the columns that are read here.
BEGIN {
    FS = ","
    print "| scene | bodies | engine | ran as | kernels ms | update ms | end to end ms | pairs | began | ended |"
    print "|---|---:|---|---|---:|---:|---:|---:|---:|---:|"
}

function value( name ) {
    if ( !( name in column ) ) {
        missing = name
        exit
    }
    return $column[name] == "" ? "–" : $column[name]
}

function milliseconds( name, text ) {
    text = value( name )
    return text == "–" ? text : sprintf( "%.3g", text )
}

NR == 1 {
    for ( i = 1; i <= NF; ++i ) {
        column[$i] = i
    }
    next
}

{
    failed = value( "device_failures" ) > 0 ? ", after the device failed" : ""
    printf "| %s | %s | %s | %s %s%s | %s | %s | %s | %s | %s | %s |\n", value( "scene" ), value( "bodies" ),
        value( "engine" ), value( "algorithm" ), value( "device" ), failed, milliseconds( "kernel_ms" ),
        milliseconds( "update_ms" ), milliseconds( "total_ms" ), value( "pairs" ), value( "began" ), value( "ended" )
}

END {
    if ( missing != "" || NR < 2 ) {
        print "gpu_times.awk: " ( missing != "" ? "no column " missing : "no runs" ) > "/dev/stderr"
        exit 1
    }
}
