// SPDX-License-Identifier: Zlib
/// \file device.cuh
/// One CUDA device as one broadphase uses it: a stream, its own or the application's, marks in the stream for times,
/// and what the device said when it failed.
///
/// Nothing here is touched before it is needed: asking whether a device answers makes no context on it, and neither
/// does creating a broadphase. The first update that has work wakes the device.
#ifndef CLT_CUDA_DEVICE_CUH
#define CLT_CUDA_DEVICE_CUH

#include "gpu/backend.h"

#include <cuda_runtime.h>

struct cltUpdateGraph;
struct CUctx_st; // of the driver, who hands out contexts as pointers to it

/// Moments between the stages, in the order of the stream.
typedef enum cltMark
{
    clt_markBegin,
    clt_markArrived, ///< what was uploaded is there, but not in its place
    clt_markUploaded,
    clt_markBuilt,
    clt_markFound,
    clt_markOrdered,
    clt_markCount
} cltMark;

/// Zero-initialised it sleeps. It gives stream and marks back when it goes.
struct cltCudaDevice
{
    int ordinal;
    int process;              ///< who woke the device: a forked child may not use what its parent has
    cudaStream_t givenStream; ///< the application's, or NULL for one of our own
    cudaStream_t stream;      ///< NULL until the device is awake
    CUctx_st* context;        ///< NULL until a thread came that is on another device
    cudaEvent_t marks[clt_markCount];
    uint32_t multiprocessorCount;
    size_t bytes;            ///< held on the device
    uint32_t operationCount; ///< launches, copies, clears and waits since somebody set it to 0
    cltUpdateGraph* graph;   ///< launches an update's operations at once (update_graph.cuh), or NULL
    bool isLost;             ///< a commit did not come to its end: what lies on the device is wrong
    bool copying;            ///< a copy was put into the stream since the last wait
    char failure[160];       ///< what the device said when it last failed, or empty

    cltCudaDevice() = default;
    cltCudaDevice( const cltCudaDevice& ) = delete;
    cltCudaDevice& operator=( const cltCudaDevice& ) = delete;
    ~cltCudaDevice();
};

/// Looks for a device that can run this library. Fills the report's name and reason. Makes no context.
/// \return clt_noDevice if there is none
cltStatus cltFindCudaDevice( int* ordinal, cltDeviceReport* report );

/// While it lives the device is the calling thread's, whose own choice is handed back afterwards. The first one wakes
/// the device. Profilers show it under its name.
class cltCudaVisit
{
public:
    cltCudaVisit( cltCudaDevice* device, const char* name );
    ~cltCudaVisit();
    cltCudaVisit( const cltCudaVisit& ) = delete;
    cltCudaVisit& operator=( const cltCudaVisit& ) = delete;

    cltStatus status;     ///< clt_ok, or the device cannot be used
    bool isThere = false; ///< the thread is on the device, even if that cannot be used

private:
    bool m_isPushed = false; ///< on top of the thread's own
};

/// Milliseconds between two marks that the stream has passed.
float cltCudaDevice_Elapsed( const cltCudaDevice* device, cltMark from, cltMark to );

/// clt_ok, or what the error means to the caller; what the device said is kept for people.
/// \param what  the call that gave the error
cltStatus cltCudaDevice_Check( cltCudaDevice* device, cudaError_t error, const char* what );

/// True in the process that woke the device; false in a child that it forked, where CUDA must not be called.
bool cltCudaDevice_IsOurs( const cltCudaDevice* device );

/// Checks a call to the CUDA runtime and leaves the calling function if it failed.
#define CLT_TRY_CUDA( device, call ) CLT_TRY( cltCudaDevice_Check( device, call, #call ) )

#endif
