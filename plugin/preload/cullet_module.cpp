// SPDX-License-Identifier: Zlib
/// \file cullet_module.cpp
/// A module, compiled once for each precision of Bullet: the list of its guests (CulletGuest.h), the functions in the
/// table of a shell, and the functions that the module exports.

#include "CulletGuest.h"
#include "CulletProbe.h"

#include <algorithm>
#include <math.h>
#include <mutex>
#include <new>
#include <pthread.h>
#include <vector>

namespace
{
struct Guests
{
    std::mutex m_lock;
    const CulletBullet* m_bullet = 0;
    CulletRunOptions m_options;
    std::vector<CulletGuest*> m_live;
};

Guests& guests()
{
    static Guests* all = new Guests; // never destroyed, because programs may destroy worlds very late
    return *all;
}

/// Destroys a guest (CulletGuest.h) after the object of Bullet's that it replaced.
void closeGuest( CulletGuest* guest )
{
    Guests& all = guests();
    {
        const std::lock_guard<std::mutex> lock( all.m_lock );
        all.m_live.erase( std::find( all.m_live.begin(), all.m_live.end(), guest ) );
    }
    delete guest;
}

// -------------------------------------------------------------------------------------------------------------- shell

/// The functions for the table of a shell, in a class, so that the compiler orders them as Bullet's headers do. No
/// object of this class is ever used: `this` is the shell, an object of Bullet's class.
class Shell final : public btBroadphaseInterface
{
public:
    btBroadphaseProxy* createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType, void* userPtr,
                                    int group, int mask, btDispatcher* dispatcher ) override
    {
        CulletGuest& guest = CulletGuest::of( this );
        ++guest.m_proxyCount;
        return guest.use().createProxy( aabbMin, aabbMax, shapeType, userPtr, group, mask, dispatcher );
    }

    void destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override
    {
        CulletGuest& guest = CulletGuest::of( this );
        --guest.m_proxyCount;
        guest.use().destroyProxy( proxy, dispatcher );
    }

    void setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                  btDispatcher* dispatcher ) override
    {
        CulletGuest::of( this ).use().setAabb( proxy, aabbMin, aabbMax, dispatcher );
    }

    void getAabb( btBroadphaseProxy* proxy, btVector3& aabbMin, btVector3& aabbMax ) const override
    {
        aabbMin = proxy->m_aabbMin;
        aabbMax = proxy->m_aabbMax;
    }

    /// A sweep without its accelerator reports every proxy to a ray, and does not read the direction in the callback.
    /// So programs may leave the direction unset.
    void rayTest( const btVector3& from, const btVector3& to, btBroadphaseRayCallback& callback,
                  const btVector3& aabbMin, const btVector3& aabbMax ) override
    {
        CulletGuest& guest = CulletGuest::of( this );
        if ( guest.getArguments().hasNoAccelerator )
        {
            const btScalar all = btScalar( INFINITY );
            guest.use().aabbTest( btVector3( -all, -all, -all ), btVector3( all, all, all ), callback );
            return;
        }
        guest.use().rayTest( from, to, callback, aabbMin, aabbMax );
    }

    void aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback ) override
    {
        CulletGuest::of( this ).use().aabbTest( aabbMin, aabbMax, callback );
    }

    void calculateOverlappingPairs( btDispatcher* dispatcher ) override
    {
        CulletGuest::of( this ).use().calculateOverlappingPairs( dispatcher );
    }

    btOverlappingPairCache* getOverlappingPairCache() override
    {
        return CulletGuest::of( this ).use().getOverlappingPairCache();
    }

    const btOverlappingPairCache* getOverlappingPairCache() const override
    {
        return CulletGuest::of( this ).use().getOverlappingPairCache();
    }

    /// The bounds of a sweep are those given to its constructor. Bullet's object still has them.
    void getBroadphaseAabb( btVector3& aabbMin, btVector3& aabbMax ) const override
    {
        typedef void GetBounds( const void* self, btVector3& aabbMin, btVector3& aabbMax );
        CulletGuest& guest = CulletGuest::of( this );
        if ( guest.getArguments().kind != culletKindDbvt )
        {
            const CulletFunction own = guest.getOwn( culletSlotGetBroadphaseAabb );
            reinterpret_cast<GetBounds*>( own )( this, aabbMin, aabbMax );
            return;
        }
        guest.use().getBroadphaseAabb( aabbMin, aabbMax );
    }

    /// Also resets Bullet's object, so that its members are as after construction.
    void resetPool( btDispatcher* dispatcher ) override
    {
        typedef void ResetPool( void* self, btDispatcher* dispatcher );
        CulletGuest& guest = CulletGuest::of( this );
        guest.use().resetPool( dispatcher );
        if ( guest.m_proxyCount == 0 )
        {
            reinterpret_cast<ResetPool*>( guest.getOwn( culletSlotResetPool ) )( this, dispatcher );
        }
    }

    void printStats() override
    {
    }
};

typedef void Destructor( void* self );

/// Bullet destroys its object as usual. The guest owns the pair cache of that object, so the guest is destroyed last.
void endShell( void* self, CulletSlot slot )
{
    CulletGuest& guest = CulletGuest::of( self );
    Destructor* destructor = reinterpret_cast<Destructor*>( guest.getOwn( slot ) );
    guest.leave();
    destructor( self );
    closeGuest( &guest );
}

void destroyShell( void* self )
{
    endShell( self, culletSlotDestroy );
}

void deleteShell( void* self )
{
    endShell( self, culletSlotDelete );
}

void collide( void* self, btDispatcher* dispatcher )
{
    CulletGuest::of( self ).use().calculateOverlappingPairs( dispatcher );
}

void optimize( void* )
{
}

void performDeferredRemoval( void* self, btDispatcher* dispatcher )
{
    CulletGuest::of( self ).getBroadphase().performDeferredRemoval( dispatcher );
}

void setAabbForceUpdate( void* self, btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                         btDispatcher* dispatcher )
{
    CulletGuest::of( self ).use().setAabb( proxy, aabbMin, aabbMax, dispatcher );
}

struct Slots
{
    CulletFunction m_functions[culletSlotCount];

    Slots()
    {
        const Shell shell;
        const CulletFunction* table;
        memcpy( &table, static_cast<const void*>( &shell ), sizeof( table ) );
        memcpy( m_functions, table, culletVirtualCount * sizeof( CulletFunction ) );
        m_functions[culletSlotDestroy] = reinterpret_cast<CulletFunction>( destroyShell );
        m_functions[culletSlotDelete] = reinterpret_cast<CulletFunction>( deleteShell );
        m_functions[culletSlotCollide] = reinterpret_cast<CulletFunction>( collide );
        m_functions[culletSlotOptimize] = reinterpret_cast<CulletFunction>( optimize );
        m_functions[culletSlotPerformDeferredRemoval] = reinterpret_cast<CulletFunction>( performDeferredRemoval );
        m_functions[culletSlotSetAabbForceUpdate] = reinterpret_cast<CulletFunction>( setAabbForceUpdate );
    }
};

const CulletFunction* shellSlots()
{
    static const Slots slots;
    return slots.m_functions;
}

// ------------------------------------------------------------------------------------------------------------ exports

/// Runs in a forked child. Recordings, times and comparisons so far belong to the parent.
void beginChild()
{
    Guests& all = guests();
    if ( CulletReport::own() )
    {
        CulletReport::claim( all.m_options.m_isVerifying, false, 0 );
    }
    for ( CulletGuest* guest : all.m_live )
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
    if ( !CulletReport::own() )
    {
        CulletReport::claim( all.m_options.m_isVerifying, all.m_options.m_isTiming, all.m_bullet->beginNs );
    }
    CulletGuest* guest =
        new ( std::nothrow ) CulletGuest( *all.m_bullet, all.m_options, *arguments, all.m_bullet->countBroadphase() );
    if ( !guest )
    {
        return 0;
    }
    all.m_live.push_back( guest );
    *cache = guest->getCache();
    return guest;
}

void enter( void* guest, void* shell )
{
    static_cast<CulletGuest*>( guest )->enter( shell, shellSlots() );
}

bool finish()
{
    Guests& all = guests();
    const std::lock_guard<std::mutex> lock( all.m_lock );
    for ( CulletGuest* guest : all.m_live )
    {
        guest->finish();
    }
    CulletReport* report = CulletReport::own();
    if ( report )
    {
        report->print( all.m_bullet->say );
        report->m_isPrinted = true;
    }
    return !report || report->m_wrong == 0;
}
} // namespace

extern "C" __attribute__( ( visibility( "default" ) ) )
const CulletModule culletModule = { start, open, enter, finish, shellSlots()[culletSlotDestroy] };
