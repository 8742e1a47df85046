// SPDX-License-Identifier: Zlib
#include "bodies.h"

namespace cullet::view
{

using compare::requireOk;

/// Metres along an edge. Bullet's planes are larger; bodies of scenes are smaller.
static constexpr float endless = 1e6f;

bool Bodies::isDrawable( std::size_t slot ) const
{
    const cltAabb& box = boxes[slot];
    bool isFinite = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const float edge = box.upper[axis] - box.lower[axis]; // NaN for NaNs, and for two equal infinities
        isFinite = isFinite && edge < endless && std::isfinite( box.lower[axis] );
    }
    return isFinite;
}

static cltBroadphaseDef defOf( cltAlgorithm algorithm )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.device = clt_deviceCpu; // only there is a structure that can be drawn
    def.algorithm = algorithm;
    return def;
}

ExactPairs::ExactPairs( cltAlgorithm algorithm ) : m_core( compare::createCore( defOf( algorithm ) ) )
{
}

void ExactPairs::update( const Bodies& bodies )
{
    if ( bodies.count() > m_count )
    {
        requireOk( cltBroadphase_CreateProxies( m_core.get(), bodies.count() - m_count, &bodies.boxes[m_count],
                                                &bodies.filters[m_count], nullptr, nullptr ) );
    }
    requireOk( cltBroadphase_MoveProxies( m_core.get(), m_count, nullptr, bodies.boxes.data() ) );
    requireOk( cltBroadphase_SetFilters( m_core.get(), m_count, nullptr, bodies.filters.data() ) );
    m_count = bodies.count();
    requireOk( cltBroadphase_Update( m_core.get(), &m_changes ) );
}

PairSet ExactPairs::pairs() const
{
    const cltPair* pairs;
    std::size_t count;
    requireOk( cltBroadphase_GetPairs( m_core.get(), &pairs, &count ) );
    PairSet set( count );
    std::transform( pairs, pairs + count, set.begin(),
                    []( const cltPair& pair ) { return pairKey( pair.proxyA, pair.proxyB ); } );
    return set;
}

} // namespace cullet::view
