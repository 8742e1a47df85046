// SPDX-License-Identifier: Zlib
#include "expectations.h"

namespace test
{

static const char dbvt[] = "btDbvt";
static const char simple[] = "btSimple";
static const char sap[] = "bt32BitAxisSweep3";

const std::vector<Exception>& exceptions()
{
    static const std::vector<Exception> all = {
        // Pairs
        { "CT01", dbvt, "its boxes are fat: it holds pairs that do not overlap" },
        { "CT01Large", sap, "its boxes are rounded outwards to its lattice" },
        { "CT02", dbvt, "its set is not a subset of bt32BitAxisSweep3's" },
        { "CT02", sap, "its set is not a subset of btDbvt's" },
    };
    return all;
}

} // namespace test
