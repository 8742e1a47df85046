// SPDX-License-Identifier: Zlib
// Takes the place of the CUDA driver's library, and has none of its functions.

extern const int driverStandIn;
const int driverStandIn = 1;
