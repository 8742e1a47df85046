// SPDX-License-Identifier: Zlib
/// \file physx_engine.cpp
/// PhysX's PxBroadPhase: automatic box pruning, on one thread (ABP) or on all (PABP). It reports the pairs that began
/// and ended, and keeps no list of all pairs. This engine keeps these changes, and adds them up if it is asked for the
/// pairs. Bodies of one of PhysX's filter groups never pair; other pairs that filters reject are dropped here.
#include "peers.h"

#include <PxPhysicsAPI.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace cullet::compare
{

namespace
{

template <typename T>
struct Releasing
{
    void operator()( T* object ) const
    {
        object->release();
    }
};

template <typename T>
using Owned = std::unique_ptr<T, Releasing<T>>;

class Allocator : public physx::PxAllocatorCallback
{
    void* allocate( std::size_t size, const char*, const char*, int ) override
    {
        return std::aligned_alloc( 16, ( size + 15 ) / 16 * 16 );
    }

    void deallocate( void* block ) override
    {
        std::free( block );
    }
};

/// Keeps the first error. PhysX calls it from functions that must not throw, and from its threads.
class Errors : public physx::PxErrorCallback
{
public:
    void throwIfAny()
    {
        const std::lock_guard<std::mutex> lock( m_mutex );
        if ( !m_first.empty() )
        {
            throw std::runtime_error( "PhysX: " + std::exchange( m_first, {} ) );
        }
    }

private:
    void reportError( physx::PxErrorCode::Enum code, const char* message, const char*, int ) override
    {
        using Code = physx::PxErrorCode;
        const std::lock_guard<std::mutex> lock( m_mutex );
        if ( m_first.empty() && code != Code::eDEBUG_INFO && code != Code::eDEBUG_WARNING &&
             code != Code::ePERF_WARNING )
        {
            m_first = message;
        }
    }

    std::mutex m_mutex;
    std::string m_first;
};

/// PhysX's library is initialised before the first of its objects is created, once for all engines.
struct PhysxLibrary
{
    PhysxLibrary()
    {
        static Allocator allocator;
        static const Owned<physx::PxFoundation> foundation(
            PxCreateFoundation( PX_PHYSICS_VERSION, allocator, errors ) );
        if ( !foundation )
        {
            throw std::runtime_error( "PhysX makes no foundation" );
        }
    }

    static Errors errors;
};

Errors PhysxLibrary::errors;

/// The task after all tasks of an update.
class LastTask : public physx::PxLightCpuTask
{
public:
    void wait()
    {
        m_isDone.wait();
        m_isDone.reset();
    }

private:
    void run() override
    {
    }

    void release() override
    {
        PxLightCpuTask::release();
        m_isDone.set();
    }

    const char* getName() const override
    {
        return "last";
    }

    physx::PxSync m_isDone;
};

class PhysxEngine : private PhysxLibrary, public Engine
{
public:
    /// \param threads  0 for ABP, else the number of threads of PABP
    PhysxEngine( const StreamInfo& info, int threads )
        : m_bounds( info.mostAlive + 1 ), // PhysX reads beyond the last one
          m_groups( info.mostAlive ), m_distances( info.mostAlive ), m_filters( info.mostAlive ),
          m_isKnown( info.mostAlive ), m_isListed( info.mostAlive )
    {
        if ( threads > 0 )
        {
            m_dispatcher.reset( physx::PxDefaultCpuDispatcherCreate( physx::PxU32( threads ) ) );
            m_tasks.reset( physx::PxTaskManager::createTaskManager( *PxGetErrorCallback(), m_dispatcher.get() ) );
        }
        using Type = physx::PxBroadPhaseType;
        m_broadphase.reset( physx::PxCreateBroadPhase( { threads > 0 ? Type::ePABP : Type::eABP } ) );
        errors.throwIfAny();
        if ( !m_broadphase )
        {
            throw std::runtime_error( "PhysX makes no broadphase" );
        }
    }

    void change( const Batch& batch, const Calls& calls ) override
    {
        if ( calls.kind == EventKind::destroy )
        {
            return; // scenes create the same box again in the same step, with the same filter
        }
        for ( std::size_t call = calls.first; call < calls.last; ++call )
        {
            const std::uint32_t slot = batch.slots[call];
            const auto& [lower, upper] = batch.boxes[call];
            m_bounds[slot] = { { lower[0], lower[1], lower[2] }, { upper[0], upper[1], upper[2] } };
            if ( !m_isKnown[slot] )
            {
                m_filters[slot] = batch.filters[call];
                m_groups[slot] = groupOf( slot );
            }
            if ( !m_isListed[slot] )
            {
                ( m_isKnown[slot] ? m_updated : m_created ).push_back( slot );
            }
            m_isKnown[slot] = true;
            m_isListed[slot] = true;
        }
    }

    void findPairs() override
    {
        for ( std::vector<std::uint32_t>* list : { &m_created, &m_updated } )
        {
            if ( !std::is_sorted( list->begin(), list->end() ) ) // PhysX requires it
            {
                std::sort( list->begin(), list->end() );
            }
        }
        update( { m_created.data(), physx::PxU32( m_created.size() ), m_updated.data(),
                  physx::PxU32( m_updated.size() ), nullptr, 0, m_bounds.data(), m_groups.data(), m_distances.data(),
                  physx::PxU32( m_groups.size() ) } );
        physx::PxBroadPhaseResults results;
        m_broadphase->fetchResults( results );
        errors.throwIfAny();
        m_changes.push_back( { keep( results.mCreatedPairs, results.mNbCreatedPairs ),
                               keep( results.mDeletedPairs, results.mNbDeletedPairs ) } );
        for ( std::vector<std::uint32_t>* list : { &m_created, &m_updated } )
        {
            for ( const std::uint32_t slot : *list )
            {
                m_isListed[slot] = false;
            }
            list->clear();
        }
    }

    PairSet pairs() override
    {
        addUp();
        return m_reported.pairs();
    }

    std::string wrongChanges( const PairSet& ) override
    {
        addUp();
        return m_wrong;
    }

private:
    /// Bodies with equal filters share a group if these filters keep them from pairing.
    physx::PxBpFilterGroup groupOf( std::uint32_t slot )
    {
        const cltFilter& filter = m_filters[slot];
        if ( mayPair( filter, filter ) )
        {
            return physx::PxGetBroadPhaseDynamicFilterGroup( slot );
        }
        const auto isEqual = [&]( const cltFilter& other )
        { return other.group == filter.group && other.mask == filter.mask; };
        const auto found = std::find_if( m_shared.begin(), m_shared.end(), isEqual );
        const auto number = std::uint32_t( found - m_shared.begin() );
        if ( found == m_shared.end() )
        {
            m_shared.push_back( filter );
        }
        return physx::PxGetBroadPhaseDynamicFilterGroup( std::uint32_t( m_groups.size() ) + number );
    }

    void update( const physx::PxBroadPhaseUpdateData& data )
    {
        if ( !m_tasks )
        {
            m_broadphase->update( data );
            return;
        }
        m_last.setContinuation( *m_tasks, nullptr );
        m_broadphase->update( data, &m_last );
        m_last.removeReference();
        m_last.wait();
    }

    /// The pairs that filters accept.
    PairSet keep( const physx::PxBroadPhasePair* pairs, std::size_t count ) const
    {
        PairSet kept;
        kept.reserve( count );
        for ( std::size_t k = 0; k < count; ++k )
        {
            if ( mayPair( m_filters[pairs[k].mID0], m_filters[pairs[k].mID1] ) )
            {
                kept.push_back( pairKey( pairs[k].mID0, pairs[k].mID1 ) );
            }
        }
        return kept;
    }

    void addUp()
    {
        for ( auto& [began, ended] : m_changes )
        {
            std::sort( began.begin(), began.end() );
            std::sort( ended.begin(), ended.end() );
            const std::string wrong = m_reported.add( began, ended );
            m_wrong = m_wrong.empty() ? wrong : m_wrong;
        }
        m_changes.clear();
    }

    Owned<physx::PxDefaultCpuDispatcher> m_dispatcher;
    Owned<physx::PxTaskManager> m_tasks; ///< NULL without a dispatcher
    Owned<physx::PxBroadPhase> m_broadphase;
    LastTask m_last;

    // By slot.
    std::vector<physx::PxBounds3> m_bounds;
    std::vector<physx::PxBpFilterGroup> m_groups;
    std::vector<float> m_distances; ///< 0: bounds are not inflated
    std::vector<cltFilter> m_filters;
    std::vector<bool> m_isKnown;  ///< created
    std::vector<bool> m_isListed; ///< in one of the next two lists

    std::vector<std::uint32_t> m_created; ///< slots, since the last update
    std::vector<std::uint32_t> m_updated;
    std::vector<cltFilter> m_shared; ///< filters of the bodies that share a group

    struct Changes
    {
        PairSet began;
        PairSet ended;
    };
    std::vector<Changes> m_changes; ///< of the updates that are not in m_reported yet
    ReportedPairs m_reported;
    std::string m_wrong; ///< the first contradiction
};

} // namespace

std::unique_ptr<Engine> createPhysxEngine( const StreamInfo& info, const cltBroadphaseDef& )
{
    return std::make_unique<PhysxEngine>( info, 0 );
}

std::unique_ptr<Engine> createParallelPhysxEngine( const StreamInfo& info, const cltBroadphaseDef& core )
{
    return std::make_unique<PhysxEngine>( info, peerThreads( core ) );
}

} // namespace cullet::compare
