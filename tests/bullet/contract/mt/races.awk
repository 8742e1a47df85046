# SPDX-License-Identifier: Zlib
# Prints the racing accesses of cullet's code in ThreadSanitizer's reports, and fails if there are any. Bullet's own
# races are ignored. An access within Bullet's vectors is an access of the function that calls them.
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
