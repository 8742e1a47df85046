// SPDX-License-Identifier: Zlib
/// \file jolt_engine.cpp
/// Jolt's BroadPhaseQuadTree, driven as PhysicsSystem::Update drives it: on all threads, in batches of its size, boxes
/// that changed are reported. Then FindCollidingPairs searches for all bodies while UpdatePrepare rebuilds the tree of
/// one layer. Jolt keeps no pairs in its broadphase. Each team (peers.h) is an object layer, and each of the first 31
/// has a broadphase layer.
#include "peers.h"

#include <Jolt/Jolt.h>

#include <Jolt/RegisterTypes.h>

#include <Jolt/Core/JobSystemThreadPool.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Body/BodyManager.h>
#include <Jolt/Physics/Body/BodyPair.h>
#include <Jolt/Physics/Collision/BroadPhase/BroadPhaseQuadTree.h>
#include <Jolt/Physics/Collision/PhysicsMaterial.h>
#include <Jolt/Physics/Collision/Shape/Shape.h>
#include <Jolt/Physics/PhysicsSettings.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

namespace cullet::compare
{

namespace
{

/// A shape without geometry. The bounds of its body are exactly `box`, which Jolt's own shapes would round.
class BoxOnly : public JPH::Shape
{
public:
    BoxOnly() : Shape( JPH::EShapeType::User1, JPH::EShapeSubType::User1 )
    {
    }

    bool has( const cltAabb& bounds ) const
    {
        return std::equal( bounds.lower, bounds.lower + 3, box.lower ) &&
               std::equal( bounds.upper, bounds.upper + 3, box.upper );
    }

    JPH::AABox GetWorldSpaceBounds( JPH::Mat44Arg, JPH::Vec3Arg ) const override
    {
        const auto& [lower, upper] = box;
        return { JPH::Vec3( lower[0], lower[1], lower[2] ), JPH::Vec3( upper[0], upper[1], upper[2] ) };
    }

    cltAabb box = {};

private:
    // What the narrow phase and the renderer would call.
    using Creator = JPH::SubShapeIDCreator;
    JPH::AABox GetLocalBounds() const override
    {
        return {};
    }
    JPH::uint GetSubShapeIDBitsRecursive() const override
    {
        return 0;
    }
    float GetInnerRadius() const override
    {
        return 0;
    }
    JPH::MassProperties GetMassProperties() const override
    {
        return {};
    }
    const JPH::PhysicsMaterial* GetMaterial( const JPH::SubShapeID& ) const override
    {
        return nullptr;
    }
    JPH::Vec3 GetSurfaceNormal( const JPH::SubShapeID&, JPH::Vec3Arg ) const override
    {
        return JPH::Vec3::sZero();
    }
    void GetSubmergedVolume( JPH::Mat44Arg, JPH::Vec3Arg, const JPH::Plane&, float&, float&, JPH::Vec3& ) const override
    {
    }
    bool CastRay( const JPH::RayCast&, const Creator&, JPH::RayCastResult& ) const override
    {
        return false;
    }
    void CastRay( const JPH::RayCast&, const JPH::RayCastSettings&, const Creator&, JPH::CastRayCollector&,
                  const JPH::ShapeFilter& ) const override
    {
    }
    void CollidePoint( JPH::Vec3Arg, const Creator&, JPH::CollidePointCollector&,
                       const JPH::ShapeFilter& ) const override
    {
    }
    void CollideSoftBodyVertices( JPH::Mat44Arg, JPH::Vec3Arg, const JPH::CollideSoftBodyVertexIterator&, JPH::uint,
                                  int ) const override
    {
    }
    void GetTrianglesStart( GetTrianglesContext&, const JPH::AABox&, JPH::Vec3Arg, JPH::QuatArg,
                            JPH::Vec3Arg ) const override
    {
    }
    int GetTrianglesNext( GetTrianglesContext&, int, JPH::Float3*, const JPH::PhysicsMaterial** ) const override
    {
        return 0;
    }
    Stats GetStats() const override
    {
        return { sizeof( *this ), 0 };
    }
    float GetVolume() const override
    {
        return 0;
    }
};

/// Object layer = team. Teams beyond the last broadphase layer share it.
struct Layers : JPH::BroadPhaseLayerInterface
{
    static constexpr JPH::uint count = 32;

    JPH::uint GetNumBroadPhaseLayers() const override
    {
        return count;
    }

    JPH::BroadPhaseLayer GetBroadPhaseLayer( JPH::ObjectLayer team ) const override
    {
        return JPH::BroadPhaseLayer( JPH::BroadPhaseLayer::Type( std::min<JPH::uint>( team, count - 1 ) ) );
    }
};

/// Accepts pairs of a body of any team with one of team `other`.
struct WithTeam : JPH::ObjectVsBroadPhaseLayerFilter, JPH::ObjectLayerPairFilter
{
    explicit WithTeam( std::size_t team ) : other( JPH::ObjectLayer( team ) )
    {
    }

    bool ShouldCollide( JPH::ObjectLayer, JPH::BroadPhaseLayer layer ) const override
    {
        return layer == Layers().GetBroadPhaseLayer( other );
    }

    bool ShouldCollide( JPH::ObjectLayer, JPH::ObjectLayer layer ) const override
    {
        return layer == other;
    }

    JPH::ObjectLayer other;
};

/// Jolt's library is initialised before the first of its objects is created.
struct JoltLibrary
{
    JoltLibrary()
    {
        if ( !JPH::VerifyJoltVersionID() )
        {
            throw std::runtime_error( "Jolt was compiled with other options than this program" );
        }
        JPH::RegisterDefaultAllocator();
    }
};

class JoltEngine : private JoltLibrary, public PeerEngine
{
public:
    JoltEngine( const StreamInfo& info, int threads )
        : PeerEngine( info ), m_shapes( info.mostAlive ), m_slots( info.mostAlive ),
          m_workers( std::size_t( threads ) ), m_jobs( JPH::cMaxPhysicsJobs, JPH::cMaxPhysicsBarriers, threads - 1 )
    {
        m_manager.Init( info.mostAlive, 0, m_layers );
        m_broadphase.Init( &m_manager, m_layers );
        for ( Worker& worker : m_workers )
        {
            worker.engine = this;
        }
    }

    void findPairs() override
    {
        m_broadphase.FrameSync();
        m_update.reset();
        PeerEngine::findPairs();
        if ( m_update )
        {
            m_broadphase.UpdateFinalize( *m_update );
            m_broadphase.UnlockModifications();
        }
    }

private:
    // As in Jolt's PhysicsSystem.
    static constexpr std::size_t searchBatch = 16;
    static constexpr std::size_t notifyBatch = 64;

    using Ids = std::vector<JPH::BodyID>;

    /// What one thread works on and finds.
    struct Worker : JPH::BodyPairCollector
    {
        void AddHit( const JPH::BodyPair& pair ) override
        {
            found.push_back(
                pairKey( engine->m_slots[pair.mBodyA.GetIndex()], engine->m_slots[pair.mBodyB.GetIndex()] ) );
        }

        const JoltEngine* engine = nullptr;
        Ids ids; ///< a batch of bodies
        PairSet found;
    };

    void update( std::size_t index, const Team& team ) override
    {
        if ( index == m_bodies.size() )
        {
            create( index, team );
            return;
        }
        const Ids& ids = m_bodies[index];
        run( ids.size(), notifyBatch,
             [&]( Worker& worker, std::size_t first, std::size_t last )
             {
                 worker.ids.clear();
                 for ( std::size_t k = first; k < last; ++k )
                 {
                     if ( setBox( ids[k], team.boxes[k] ) )
                     {
                         worker.ids.push_back( ids[k] );
                     }
                 }
                 m_broadphase.NotifyBodiesAABBChanged( worker.ids.data(), int( worker.ids.size() ), true );
             } );
    }

    void create( std::size_t index, const Team& team )
    {
        Ids ids;
        for ( std::size_t k = 0; k < team.boxes.size(); ++k )
        {
            BoxOnly& shape = m_shapes[team.slots[k]];
            shape.SetEmbedded();
            shape.box = team.boxes[k];
            JPH::BodyCreationSettings settings( &shape, JPH::RVec3::sZero(), JPH::Quat::sIdentity(),
                                                JPH::EMotionType::Kinematic, JPH::ObjectLayer( index ) );
            settings.mCollideKinematicVsNonDynamic = true;
            JPH::Body* body = m_manager.AllocateBody( settings );
            m_manager.AddBody( body );
            m_slots[body->GetID().GetIndex()] = team.slots[k];
            ids.push_back( body->GetID() );
        }
        m_bodies.push_back( ids );
        const auto state = m_broadphase.AddBodiesPrepare( ids.data(), int( ids.size() ) );
        m_broadphase.AddBodiesFinalize( ids.data(), int( ids.size() ), state );
        m_broadphase.Optimize();
        m_manager.ActivateBodies( m_bodies[index].data(), int( ids.size() ) );
    }

    /// \return false if the body has this box already
    bool setBox( JPH::BodyID id, const cltAabb& box )
    {
        BoxOnly& shape = m_shapes[m_slots[id.GetIndex()]];
        if ( shape.has( box ) )
        {
            return false;
        }
        shape.box = box;
        m_manager.GetBody( id ).CalculateWorldSpaceBoundsInternal();
        return true;
    }

    /// Jolt reports each pair once, with the body that was activated first as the first one.
    void collide( std::size_t a, std::size_t b ) override
    {
        const WithTeam filter( b );
        for ( Worker& worker : m_workers )
        {
            worker.found.clear();
        }
        run(
            m_bodies[a].size(), searchBatch,
            [&]( Worker& worker, std::size_t first, std::size_t last )
            {
                worker.ids.assign( m_bodies[a].begin() + std::ptrdiff_t( first ),
                                   m_bodies[a].begin() + std::ptrdiff_t( last ) );
                m_broadphase.FindCollidingPairs( worker.ids.data(), int( worker.ids.size() ), 0.0f, filter, filter,
                                                 worker );
            },
            !m_update );
        m_pairs.resize( m_pairCount );
        for ( const Worker& worker : m_workers )
        {
            m_pairs.insert( m_pairs.end(), worker.found.begin(), worker.found.end() );
        }
        m_pairCount = m_pairs.size();
    }

    /// Runs `job` for batches of `count` items on all threads. \param rebuilds  also prepares the update of a tree
    void run( std::size_t count, std::size_t batch, const std::function<void( Worker&, std::size_t, std::size_t )>& job,
              bool rebuilds = false )
    {
        std::atomic<std::size_t> next{ 0 };
        JPH::JobSystem::Barrier* barrier = m_jobs.CreateBarrier();
        if ( rebuilds )
        {
            m_broadphase.LockModifications();
            barrier->AddJob(
                m_jobs.CreateJob( "tree", JPH::Color::sWhite, [this] { m_update = m_broadphase.UpdatePrepare(); } ) );
        }
        for ( Worker& worker : m_workers )
        {
            barrier->AddJob( m_jobs.CreateJob( "batches", JPH::Color::sWhite,
                                               [&]
                                               {
                                                   for ( std::size_t first;
                                                         ( first = next.fetch_add( batch ) ) < count; )
                                                   {
                                                       job( worker, first, std::min( count, first + batch ) );
                                                   }
                                               } ) );
        }
        m_jobs.WaitForJobs( barrier );
        m_jobs.DestroyBarrier( barrier );
    }

    Layers m_layers;
    std::vector<BoxOnly> m_shapes;                        ///< by slot
    std::vector<std::uint32_t> m_slots;                   ///< by index of the body
    std::vector<Ids> m_bodies;                            ///< bodies by team
    std::vector<Worker> m_workers;                        ///< one for each thread
    std::optional<JPH::BroadPhase::UpdateState> m_update; ///< of this step
    JPH::JobSystemThreadPool m_jobs;
    JPH::BodyManager m_manager;
    JPH::BroadPhaseQuadTree m_broadphase;
};

} // namespace

std::unique_ptr<Engine> createJoltEngine( const StreamInfo& info, const cltBroadphaseDef& core )
{
    return std::make_unique<JoltEngine>( info, peerThreads( core ) );
}

} // namespace cullet::compare
