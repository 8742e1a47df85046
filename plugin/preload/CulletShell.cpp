// SPDX-License-Identifier: Zlib
/// \file CulletShell.cpp The functions in a shell's table. The virtual functions of btBroadphaseInterface are in a
/// class, so the compiler puts them into the order of Bullet's headers. Its objects are never used: `this` is the
/// shell, an object of Bullet's class.

#include "CulletGuest.h"

#include <math.h>
#include <string.h>

namespace
{
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
    /// So programs may leave that unset.
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

/// Bullet destroys its object as usual. The guest owns the pair cache of that object, so it is destroyed last.
void endShell( void* self, CulletSlot slot )
{
    CulletGuest& guest = CulletGuest::of( self );
    Destructor* destructor = reinterpret_cast<Destructor*>( guest.getOwn( slot ) );
    guest.leave();
    destructor( self );
    culletCloseGuest( &guest );
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
} // namespace

const CulletFunction* culletShellSlots()
{
    static const Slots slots;
    return slots.m_functions;
}
