// SPDX-License-Identifier: Zlib
/// \file embree_engine.cpp
/// Embree's rtcCollide over user geometry, one scene for each team (peers.h). A scene is rebuilt or refitted in each
/// step that sets one of its boxes, at the quality that Embree builds fastest. rtcCollide reports candidates: all pairs
/// of boxes of two overlapping leaves, and within one scene each pair in both orders. This engine tests each candidate.
#include "peers.h"

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <atomic>
#include <stdexcept>

namespace cullet::compare
{

namespace
{

/// The tree of a team.
struct EmbreeTree
{
    std::unique_ptr<RTCSceneTy, decltype( &rtcReleaseScene )> scene;
    std::unique_ptr<RTCGeometryTy, decltype( &rtcReleaseGeometry )> geometry;
};

class EmbreeEngine : public PeerEngine
{
public:
    /// \param quality  RTC_BUILD_QUALITY_LOW, or RTC_BUILD_QUALITY_REFIT to keep the first step's tree
    EmbreeEngine( const StreamInfo& info, int threads, RTCBuildQuality quality )
        : PeerEngine( info ), m_quality( quality ),
          m_device( rtcNewDevice( fmt::format( "threads={}", threads ).c_str() ), rtcReleaseDevice )
    {
        if ( !m_device )
        {
            throw std::runtime_error( "Embree makes no device" );
        }
    }

private:
    /// The context of rtcCollide's callback, which runs on many threads.
    struct Search
    {
        const Team& a;
        const Team& b;
        PairSet& pairs;
        std::atomic<std::size_t> count; ///< also counts pairs that do not fit into `pairs`
    };

    void update( std::size_t index, const Team& team ) override
    {
        if ( index == m_trees.size() )
        {
            m_trees.push_back( createTree() );
        }
        RTCGeometry geometry = m_trees[index].geometry.get();
        rtcSetGeometryUserData( geometry, const_cast<cltAabb*>( team.boxes.data() ) );
        rtcSetGeometryUserPrimitiveCount( geometry, unsigned( team.boxes.size() ) );
        rtcCommitGeometry( geometry );
        rtcCommitScene( m_trees[index].scene.get() );
        requireNoError();
    }

    void collide( std::size_t a, std::size_t b ) override
    {
        Search search = { team( a ), team( b ), m_pairs, { m_pairCount } };
        rtcCollide( m_trees[a].scene.get(), m_trees[b].scene.get(), addPairs, &search );
        if ( search.count > m_pairs.size() )
        {
            m_pairs.resize( search.count + search.count / 4 );
            search.count = m_pairCount;
            rtcCollide( m_trees[a].scene.get(), m_trees[b].scene.get(), addPairs, &search );
        }
        m_pairCount = search.count;
        requireNoError();
    }

    void requireNoError() const
    {
        const RTCError error = rtcGetDeviceError( m_device.get() );
        if ( error != RTC_ERROR_NONE )
        {
            throw std::runtime_error( fmt::format( "Embree's error {}", int( error ) ) );
        }
    }

    EmbreeTree createTree() const
    {
        EmbreeTree tree = { { rtcNewScene( m_device.get() ), rtcReleaseScene },
                            { rtcNewGeometry( m_device.get(), RTC_GEOMETRY_TYPE_USER ), rtcReleaseGeometry } };
        rtcSetSceneFlags( tree.scene.get(), RTC_SCENE_FLAG_DYNAMIC );
        rtcSetSceneBuildQuality( tree.scene.get(), RTC_BUILD_QUALITY_LOW );
        rtcSetGeometryBuildQuality( tree.geometry.get(), m_quality );
        rtcSetGeometryBoundsFunction( tree.geometry.get(), tellBounds, nullptr );
        rtcAttachGeometry( tree.scene.get(), tree.geometry.get() );
        return tree;
    }

    static void tellBounds( const RTCBoundsFunctionArguments* of )
    {
        const cltAabb& box = static_cast<const cltAabb*>( of->geometryUserPtr )[of->primID];
        *of->bounds_o = { box.lower[0], box.lower[1], box.lower[2], 0, box.upper[0], box.upper[1], box.upper[2], 0 };
    }

    static void addPairs( void* context, RTCCollision* candidates, unsigned count )
    {
        Search& search = *static_cast<Search*>( context );
        const bool isSelf = &search.a == &search.b;
        PairKey found[mostAtOnce];
        for ( unsigned first = 0; first < count; first += mostAtOnce )
        {
            std::size_t foundCount = 0;
            for ( unsigned k = first; k < std::min( count, first + mostAtOnce ); ++k )
            {
                const unsigned a = candidates[k].primID0;
                const unsigned b = candidates[k].primID1;
                if ( ( !isSelf || a < b ) && overlap( search.a.boxes[a], search.b.boxes[b] ) )
                {
                    found[foundCount++] = pairKey( search.a.slots[a], search.b.slots[b] );
                }
            }
            const std::size_t place = search.count.fetch_add( foundCount, std::memory_order_relaxed );
            if ( foundCount > 0 && place + foundCount <= search.pairs.size() )
            {
                std::copy( found, found + foundCount, search.pairs.begin() + std::ptrdiff_t( place ) );
            }
        }
    }

    static constexpr unsigned mostAtOnce = 16; // the number of candidates in one call of the callback

    RTCBuildQuality m_quality;
    std::unique_ptr<RTCDeviceTy, decltype( &rtcReleaseDevice )> m_device;
    std::vector<EmbreeTree> m_trees; ///< by team
};

} // namespace

std::unique_ptr<Engine> createEmbreeEngine( const StreamInfo& info, const cltBroadphaseDef& core )
{
    return std::make_unique<EmbreeEngine>( info, core.threadCount, RTC_BUILD_QUALITY_LOW );
}

std::unique_ptr<Engine> createEmbreeRefitEngine( const StreamInfo& info, const cltBroadphaseDef& core )
{
    return std::make_unique<EmbreeEngine>( info, core.threadCount, RTC_BUILD_QUALITY_REFIT );
}

} // namespace cullet::compare
