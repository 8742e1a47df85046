// SPDX-License-Identifier: Zlib
/// \file device.cuh
/// One CUDA device as used by one broadphase: its own stream or the application's, events for timing, and the message
/// of the last failure.
///
/// The device is initialized lazily. Neither querying devices nor creating a broadphase creates a context; the first
/// update with work does.
#ifndef CLT_CUDA_DEVICE_CUH
#define CLT_CUDA_DEVICE_CUH

#include "gpu/backend.h"

#include <cuda_runtime.h>

struct CUctx_st; // a context of the driver API

/// Events between the stages, in stream order.
typedef enum cltMark
{
    clt_markBegin,
    clt_markArrived, ///< the upload is on the device, but not yet copied to its slots
    clt_markUploaded,
    clt_markBuilt,
    clt_markFound,
    clt_markOrdered,
    clt_markCount
} cltMark;

/// A value-initialized device is not in use yet. The destructor destroys the events, and the stream unless it is the
/// application's.
struct cltCudaDevice
{
    int ordinal;
    int process;              ///< process that initialized the device; a forked child may not use the device
    cudaStream_t givenStream; ///< the application's stream, or NULL to create one
    cudaStream_t stream;      ///< NULL before initialization
    CUctx_st* context;        ///< the retained context; NULL until a thread with another current device needs it
    cudaEvent_t marks[clt_markCount];
    uint32_t multiprocessorCount;
    size_t bytes;            ///< allocated on the device
    uint32_t operationCount; ///< launches, copies, clears and waits since it was last set to 0
    bool isLost;             ///< the device failed, or a commit: device memory may be wrong
    bool copying;            ///< a copy was enqueued since the last wait
    char failure[160];       ///< message of the last failure, or empty

    /// Called with the name of an operation before it, and with NULL after it. A null pointer if nothing is timed.
    void ( *watch )( const cltCudaDevice* device, const char* name );

    cltCudaDevice() = default;
    cltCudaDevice( const cltCudaDevice& ) = delete;
    cltCudaDevice& operator=( const cltCudaDevice& ) = delete;
    ~cltCudaDevice();
};

/// Finds a device that can run this library. Fills the report's name and reason. Creates no context.
/// \return clt_noDevice if there is none
cltStatus cltFindCudaDevice( int* ordinal, cltDeviceReport* report );

// The following three functions make the device current (context.cu).
//
// cudaSetDevice alone would not do: since CUDA 12, setting the caller's device again creates a context on it, which
// costs hundreds of megabytes on a device that the application may never use. So the primary context is pushed and
// popped with the driver API. The driver's functions are obtained from the runtime, because a program may start on a
// machine without a driver. If the device is already current, no context is pushed or popped.

cltStatus cltCudaContext_Push( cltCudaDevice* device );

/// Pops the context that cltCudaContext_Push pushed on the calling thread.
void cltCudaContext_Pop( void );

/// Releases the primary context if cltCudaContext_Push retained it. Called when the device is destroyed, after its last
/// use.
void cltCudaContext_Release( cltCudaDevice* device );

/// The ordinal of the device whose memory an array is in. -1 if it is in host memory, or if there is no driver. Creates
/// no context.
/// \param[out] isManaged  true if the host and all devices can read the array
int cltDeviceOfArray( const void* array, bool* isManaged );

/// Scope guard: makes the device current and restores the caller's device at the end. The first guard initializes the
/// device. Profilers show the scope by name.
class cltCudaDeviceScope
{
public:
    cltCudaDeviceScope( cltCudaDevice* device, const char* name );
    ~cltCudaDeviceScope();
    cltCudaDeviceScope( const cltCudaDeviceScope& ) = delete;
    cltCudaDeviceScope& operator=( const cltCudaDeviceScope& ) = delete;

    cltStatus status;       ///< clt_ok if the device can be used
    bool isCurrent = false; ///< the device is current; true also if a later step failed and `status` is an error

private:
    bool m_isPushed = false; ///< the destructor must pop the context
};

/// The milliseconds between two events that are complete.
float cltCudaDevice_Elapsed( const cltCudaDevice* device, cltMark from, cltMark to );

/// Converts a CUDA error to a status and stores the error's message in `failure`.
/// \param what  the failed call
cltStatus cltCudaDevice_Check( cltCudaDevice* device, cudaError_t error, const char* what );

/// Counts an operation. The caller enqueues it at once and passes the result to cltCudaDevice_EndOperation.
void cltCudaDevice_BeginOperation( cltCudaDevice* device, const char* name );
cltStatus cltCudaDevice_EndOperation( cltCudaDevice* device, cudaError_t error, const char* name );

/// True in the process that initialized the device; false in a forked child, where CUDA must not be called.
bool cltCudaDevice_IsOurs( const cltCudaDevice* device );

/// Checks a call to the CUDA runtime; returns from the calling function if it failed.
#define CLT_TRY_CUDA( device, call ) CLT_TRY( cltCudaDevice_Check( device, call, #call ) )

#endif
