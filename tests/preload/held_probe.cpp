// SPDX-License-Identifier: Zlib
// A broadphase is constructed while another thread, which constructs one too, does not know yet whether Bullet's can be
// taken over: that thread is held where it makes a file in memory to load its module from.
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

/// In place of libc's, for libcullet-preload.so too.
extern "C" __attribute__( ( visibility( "default" ) ) ) int memfd_create( const char* name, unsigned flags ) noexcept
{
    isUnderWay = isUnderWay || isHeld;
    for ( int i = 0; isHeld && !isOtherConstructed; ++i )
    {
        std::this_thread::sleep_for( std::chrono::milliseconds( 10 ) );
        if ( i == 1000 )
        {
            std::printf( "the other one waits for this thread\n" );
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
            isUnderWay = true; // also without a file in memory
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
