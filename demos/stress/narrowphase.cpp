// SPDX-License-Identifier: Zlib
/// \file narrowphase.cpp
/// Algorithms that do nothing, and a book of who has which. A pair cache destroys one by calling its destructor and then
/// freeCollisionAlgorithm.
#include "narrowphase.h"

#include "BulletCollision/BroadphaseCollision/btBroadphaseProxy.h"
#include "BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h"

#include <new>

namespace cullet::stress
{

namespace
{

class IdleAlgorithm : public btCollisionAlgorithm
{
public:
    void processCollision( const btCollisionObjectWrapper*, const btCollisionObjectWrapper*, const btDispatcherInfo&,
                           btManifoldResult* ) override
    {
    }

    btScalar calculateTimeOfImpact( btCollisionObject*, btCollisionObject*, const btDispatcherInfo&,
                                    btManifoldResult* ) override
    {
        return 1;
    }

    void getAllContactManifolds( btManifoldArray& ) override
    {
    }
};

} // namespace

Narrowphase::~Narrowphase()
{
    for ( const auto& [algorithm, owner] : m_owners )
    {
        ::operator delete( const_cast<void*>( algorithm ) );
    }
}

void Narrowphase::give( const btBroadphasePair& pair, PairKey key )
{
    btCollisionAlgorithm* algorithm = new ( allocateCollisionAlgorithm( sizeof( IdleAlgorithm ) ) ) IdleAlgorithm;
    m_owners[algorithm] = key;
    pair.m_algorithm = algorithm;
}

std::optional<PairKey> Narrowphase::ownerOf( const btCollisionAlgorithm* algorithm ) const
{
    const auto found = m_owners.find( algorithm );
    return found == m_owners.end() ? std::nullopt : std::optional<PairKey>( found->second );
}

void* Narrowphase::allocateCollisionAlgorithm( int size )
{
    return ::operator new( std::size_t( size ) );
}

void Narrowphase::freeCollisionAlgorithm( void* memory )
{
    if ( m_owners.erase( memory ) == 1 )
    {
        ::operator delete( memory );
    }
    else if ( m_contradiction.empty() )
    {
        m_contradiction = "a pair freed an algorithm that was not its own";
    }
}

btCollisionAlgorithm* Narrowphase::findAlgorithm( const btCollisionObjectWrapper*, const btCollisionObjectWrapper*,
                                                  btPersistentManifold*, ebtDispatcherQueryType )
{
    return nullptr;
}

btPersistentManifold* Narrowphase::getNewManifold( const btCollisionObject*, const btCollisionObject* )
{
    return nullptr;
}

void Narrowphase::releaseManifold( btPersistentManifold* )
{
}

void Narrowphase::clearManifold( btPersistentManifold* )
{
}

bool Narrowphase::needsCollision( const btCollisionObject*, const btCollisionObject* )
{
    return true;
}

bool Narrowphase::needsResponse( const btCollisionObject*, const btCollisionObject* )
{
    return true;
}

void Narrowphase::dispatchAllCollisionPairs( btOverlappingPairCache*, const btDispatcherInfo&, btDispatcher* )
{
}

int Narrowphase::getNumManifolds() const
{
    return 0;
}

btPersistentManifold* Narrowphase::getManifoldByIndexInternal( int )
{
    return nullptr;
}

btPersistentManifold** Narrowphase::getInternalManifoldPointer()
{
    return nullptr;
}

btPoolAllocator* Narrowphase::getInternalManifoldPool()
{
    return nullptr;
}

const btPoolAllocator* Narrowphase::getInternalManifoldPool() const
{
    return nullptr;
}

} // namespace cullet::stress
