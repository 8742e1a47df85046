# SPDX-License-Identifier: Zlib
# Prints the racing accesses in ThreadSanitizer's reports that cullet's code made, and fails if there are any. Bullet's
# own races are ignored. An access within Bullet's vectors counts for its caller.
/ of size [0-9]+ at .* by / { seeking = 1; next }
seeking && /^    #[0-9]/ {
    if ($0 ~ /\/src\/LinearMath\/bt[A-Za-z0-9]*\.h:/) next
    seeking = 0
    if ($0 ~ /\/(plugin|bridge|gpu)\/[^ ]*:[0-9]/ && $0 !~ /\/bullet\/src\//) {
        print
        ours++
    }
}
END { exit ours > 0 }
