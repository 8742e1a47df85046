// SPDX-License-Identifier: Zlib
// Headers that most tests include and that rarely change, precompiled (tests/CMakeLists.txt).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>
