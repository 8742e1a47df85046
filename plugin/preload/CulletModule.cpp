// SPDX-License-Identifier: Zlib
/// \file CulletModule.cpp
/// The module's exported functions, and the list of its guests.

#include "CulletGuest.h"
#include "CulletProbe.h"

#include <mutex>
#include <new>
#include <pthread.h>

namespace
{
struct Guests
{
    std::mutex m_lock;
    const CulletBullet* m_bullet = 0;
    CulletRunOptions m_options;
    CulletGuest* m_first = 0;
    bool m_hadAny = false; ///< a guest was created, even if all are destroyed by now
    bool m_isChild = false;
};

Guests& guests()
{
    static Guests* all = new Guests; // never destroyed, because programs may destroy worlds very late
    return *all;
}

/// Runs in a forked child. Recordings, times and comparisons so far belong to the parent.
void beginChild()
{
    Guests& all = guests();
    all.m_isChild = true;
    CulletVerifier::forgetCounts();
    for ( CulletGuest* guest = all.m_first; guest; guest = guest->m_next )
    {
        guest->forgetRecording();
    }
    all.m_options.m_recordPath.clear();
}

const char* start( const CulletBullet* bullet )
{
    pthread_atfork( NULL, NULL, beginChild );
    guests().m_bullet = bullet;
    const char* complaint = guests().m_options.read();
    return complaint ? complaint : culletProbe( *bullet );
}

void* open( const CulletArguments* arguments, void** cache )
{
    Guests& all = guests();
    const std::lock_guard<std::mutex> lock( all.m_lock );
    CulletGuest* guest =
        new ( std::nothrow ) CulletGuest( *all.m_bullet, all.m_options, *arguments, all.m_bullet->countBroadphase() );
    if ( !guest )
    {
        return 0;
    }
    all.m_hadAny = true;
    guest->m_next = all.m_first;
    if ( all.m_first )
    {
        all.m_first->m_previous = guest;
    }
    all.m_first = guest;
    *cache = guest->getCache();
    return guest;
}

void enter( void* guest, void* shell )
{
    static_cast<CulletGuest*>( guest )->enter( shell );
}

bool finish()
{
    Guests& all = guests();
    const std::lock_guard<std::mutex> lock( all.m_lock );
    for ( CulletGuest* guest = all.m_first; guest; guest = guest->m_next )
    {
        guest->finish();
    }
    if ( all.m_options.m_isTiming && all.m_hadAny && !all.m_isChild )
    {
        CulletStopwatch::sayTotals( *all.m_bullet );
    }
    const bool hasVerdict = all.m_hadAny && !( all.m_isChild && CulletVerifier::hasComparedNothing() );
    return !all.m_options.m_isVerifying || !hasVerdict || CulletVerifier::sayVerdict( *all.m_bullet );
}
} // namespace

void culletCloseGuest( CulletGuest* guest )
{
    Guests& all = guests();
    {
        const std::lock_guard<std::mutex> lock( all.m_lock );
        ( guest->m_previous ? guest->m_previous->m_next : all.m_first ) = guest->m_next;
        if ( guest->m_next )
        {
            guest->m_next->m_previous = guest->m_previous;
        }
    }
    delete guest;
}

extern "C" __attribute__( ( visibility( "default" ) ) )
const CulletModule culletModule = { start, open, enter, finish, culletShellSlots()[culletSlotDestroy] };
