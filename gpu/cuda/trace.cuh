// SPDX-License-Identifier: Zlib
/// \file trace.cuh
/// Names of stages for profilers, which otherwise cost nothing: without a profiler the ranges are two empty calls.
#ifndef CLT_CUDA_TRACE_CUH
#define CLT_CUDA_TRACE_CUH

#include <nvtx3/nvToolsExt.h>

/// A range from here to the end of the scope.
class cltTraceRange
{
public:
    explicit cltTraceRange( const char* name )
    {
        nvtxRangePushA( name );
    }

    ~cltTraceRange()
    {
        nvtxRangePop();
    }

    cltTraceRange( const cltTraceRange& ) = delete;
    cltTraceRange& operator=( const cltTraceRange& ) = delete;
};

#endif
