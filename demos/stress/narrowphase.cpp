// SPDX-License-Identifier: Zlib
/// \file narrowphase.cpp
/// Algorithms that do nothing, and a book of who has which.
#include "narrowphase.h"

#include "BulletCollision/CollisionDispatch/btEmptyCollisionAlgorithm.h"

#include <new>

namespace cullet::stress
{

Narrowphase::Narrowphase() : btCollisionDispatcher( static_cast<btDefaultCollisionConfiguration*>( this ) )
{
}

Narrowphase::~Narrowphase()
{
    for ( const auto& [algorithm, owner] : m_owners )
    {
        ::operator delete( const_cast<void*>( algorithm ) );
    }
}

void Narrowphase::give( const btBroadphasePair& pair, PairKey key )
{
    void* memory = ::operator new( sizeof( btEmptyAlgorithm ) );
    pair.m_algorithm = new ( memory ) btEmptyAlgorithm( btCollisionAlgorithmConstructionInfo( this, 0 ) );
    m_owners[memory] = key;
}

std::optional<PairKey> Narrowphase::ownerOf( const btCollisionAlgorithm* algorithm ) const
{
    const auto found = m_owners.find( algorithm );
    return found == m_owners.end() ? std::nullopt : std::optional<PairKey>( found->second );
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

} // namespace cullet::stress
