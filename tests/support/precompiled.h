// SPDX-License-Identifier: Zlib
// What most tests read and nobody here changes: compiled once, and put before every file (tests/CMakeLists.txt).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>
