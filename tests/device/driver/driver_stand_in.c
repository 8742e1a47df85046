// SPDX-License-Identifier: Zlib
// A library without functions, which replaces the library of the CUDA driver in a test.

extern const int driverStandIn;
const int driverStandIn = 1;
