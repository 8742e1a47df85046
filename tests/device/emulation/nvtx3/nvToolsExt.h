// SPDX-License-Identifier: Zlib
/// \file nvToolsExt.h
/// NVTX functions that do nothing, for the emulated device.
#ifndef CLT_TESTS_EMULATED_NVTX_H
#define CLT_TESTS_EMULATED_NVTX_H

inline void nvtxRangePushA( const char* )
{
}

inline void nvtxRangePop()
{
}

#endif
