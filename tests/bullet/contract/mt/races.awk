# SPDX-License-Identifier: Zlib
# Prints the accesses of ThreadSanitizer's reports that our own code made, and fails if there are any. Bullet's scheduler
# and worlds have races of their own, which are not ours to mend. Bullet's vectors count as who uses them.
/ of size [0-9]+ at .* by / { seeking = 1; next }
seeking && /^    #[0-9]/ {
    if ($0 ~ /\/src\/LinearMath\/bt[A-Za-z0-9]*\.h:/) next
    seeking = 0
    if ($0 ~ /\/(plugin|bridge|gpu)\/[^ ]*:[0-9]/ && $0 !~ /\/bullet\/src\//) { # whatever the checkout is called
        print
        ours++
    }
}
END { exit ours > 0 }
