// SPDX-License-Identifier: Zlib
// The main thread constructs a broadphase while another thread still probes Bullet (plugin/preload/CulletProviders.c).
// memfd_create, which the probe calls to load its module, holds that thread until the main thread has finished.
#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace
{
std::atomic<bool> isUnderWay{ false };
std::atomic<bool> isOtherConstructed{ false };
thread_local bool isHeld = false;

void useBroadphase()
{
    btDbvtBroadphase broadphase;
    broadphase.calculateOverlappingPairs( nullptr );
}
} // namespace

/// Replaces libc's function, also for libcullet-preload.so.
extern "C" __attribute__( ( visibility( "default" ) ) ) int memfd_create( const char* name, unsigned flags ) noexcept
{
    isUnderWay = isUnderWay || isHeld;
    for ( int i = 0; isHeld && !isOtherConstructed; ++i )
    {
        std::this_thread::sleep_for( std::chrono::milliseconds( 10 ) );
        if ( i == 1000 )
        {
            std::printf( "the main thread waits for this one\n" );
            break;
        }
    }
    return int( syscall( SYS_memfd_create, name, flags ) );
}

int main()
{
    std::thread thread(
        []
        {
            isHeld = true;
            useBroadphase();
            isUnderWay = true; // also if the probe creates no file
        } );
    while ( !isUnderWay )
    {
        std::this_thread::yield();
    }
    useBroadphase();
    isOtherConstructed = true;
    thread.join();
    std::printf( "joined\n" );
    return 0;
}
