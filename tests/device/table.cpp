// SPDX-License-Identifier: Zlib
// A proxy table as the bridge has it, without its optimizations.
#include "tests/device/table.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace test
{

/// A box with all bits set, as a slot that the device has not seen has. Needed because leaves are compared by bytes.
static const cltAabbD nowhere = span( -std::nan( "0xfffffffffffff" ), -std::nan( "0xfffffffffffff" ) );

void Table::Boxes::set( uint32_t slot, const cltAabbD& box )
{
    floats.resize( std::max<size_t>( floats.size(), slot + 1 ) );
    doubles.resize( floats.size() );
    floats[slot] = toFloat( box );
    doubles[slot] = box;
}

const void* Table::Boxes::data( bool isDouble ) const
{
    return isDouble ? static_cast<const void*>( doubles.data() ) : floats.data();
}

void Table::mark( uint32_t slot )
{
    if ( ( m_states[slot] & CLT_SLOT_CHANGED ) == 0 )
    {
        m_states[slot] |= CLT_SLOT_CHANGED;
        m_changed.push_back( slot );
        m_before.set( slot, m_now.doubles[slot] );
    }
}

static bool isHidden( const cltAabbD& box )
{
    return cltAabbD_HasNan( &box );
}

/// Notes whether a filter may reject another. Filters that all have a group and all mask bits accept each other.
void Table::noteFilter( const cltFilter& filter )
{
    m_mayRefuse = m_mayRefuse || filter.group == 0 || filter.mask != -1;
}

uint32_t Table::create( const cltAabbD& box, const cltFilter& filter )
{
    const uint32_t slot = slotCount();
    m_now.set( slot, nowhere );
    m_filters.push_back( filter );
    m_filtersBefore.push_back( filter );
    noteFilter( filter );
    m_states.push_back( CLT_SLOT_LIVE | CLT_SLOT_APPEARED );
    ++m_counts.appearedCount;
    move( slot, box );
    return slot;
}

void Table::move( uint32_t slot, const cltAabbD& box )
{
    mark( slot );
    if ( isHidden( m_now.doubles[slot] ) && !isHidden( box ) && ( m_states[slot] & CLT_SLOT_APPEARED ) == 0 )
    {
        m_states[slot] |= CLT_SLOT_APPEARED;
        ++m_counts.appearedCount;
    }
    m_now.set( slot, box );
}

void Table::setFilter( uint32_t slot, const cltFilter& filter )
{
    m_filters[slot] = filter;
    noteFilter( filter );
    mark( slot );
    ++m_counts.refilteredCount;
}

void Table::destroy( uint32_t slot )
{
    move( slot, nowhere );
    m_before.set( slot, nowhere );
    m_states[slot] ^= CLT_SLOT_LIVE | CLT_SLOT_DESTROYED;
    ++m_counts.destroyedCount;
}

cltUpload Table::upload() const
{
    cltUpload upload = m_counts;
    upload.boxes = m_now.data( m_isDouble );
    upload.before = m_before.data( m_isDouble );
    upload.filters = m_filters.data();
    upload.filtersBefore = m_filtersBefore.data();
    upload.allFiltersAccept = !m_mayRefuse;
    upload.states = m_states.data();
    upload.changed = m_changed.data();
    upload.changedCount = static_cast<uint32_t>( m_changed.size() );
    upload.slotCount = slotCount();
    return upload;
}

void Table::commit()
{
    for ( uint32_t slot : m_changed )
    {
        m_states[slot] &= CLT_SLOT_LIVE;
    }
    m_changed.clear();
    m_filtersBefore = m_filters;
    m_counts = {};
}

Backend::Backend( cltDevice device, cltAlgorithm algorithm, cltPrecision precision, cltOutput output )
    : m_def( cltDefaultBroadphaseDef() ), m_research( cltDefaultResearchDef() )
{
    m_def.algorithm = algorithm;
    m_def.precision = precision;
    m_research.output = output;
    m_def.research = &m_research;
    m_def.threadCount = 1;
    cltMemory_Init( &m_memory, &m_def );
    const auto create = device == clt_deviceCuda ? cltCreateCudaBackend : cltCreateHostBackend;
    create( &m_def, &m_memory, &m_backend );
}

Backend::~Backend()
{
    if ( m_backend != nullptr )
    {
        m_backend->ops->destroy( m_backend );
    }
    EXPECT_EQ( 0u, m_memory.bytes );
}

cltStatus Backend::update( const Table& table, Keys* changes )
{
    const cltBackendOps* ops = m_backend->ops;
    const cltUpload upload = table.upload();
    changes->clear();
    if ( upload.changedCount == 0 )
    {
        return clt_ok;
    }
    CLT_TRY( ops->upload( m_backend, &upload ) );
    CLT_TRY( ops->build( m_backend ) );
    CLT_TRY( ops->findChanges( m_backend ) );
    cltPairKeys keys;
    CLT_TRY( ops->readBack( m_backend, &keys ) );
    changes->assign( keys.keys, keys.keys + keys.count );
    ops->commit( m_backend );
    return clt_ok;
}

cltStatus Backend::readPairs( const Table& table, Keys* pairs )
{
    const cltUpload upload = table.upload();
    cltPairKeys keys;
    CLT_TRY( m_backend->ops->readPairs( m_backend, &upload, &keys ) );
    pairs->assign( keys.keys, keys.keys + keys.count );
    return clt_ok;
}

cltStats Backend::stats() const
{
    cltStats stats;
    cltResearchStats research;
    m_backend->ops->getStats( m_backend, &stats, &research );
    return stats;
}

cltResearchStats Backend::researchStats() const
{
    cltStats stats;
    cltResearchStats research;
    m_backend->ops->getStats( m_backend, &stats, &research );
    return research;
}

std::unique_ptr<Backend> Searcher::create( cltPrecision precision ) const
{
    return std::make_unique<Backend>( clt_deviceCuda, algorithm, precision, output );
}

std::string nameOfSearcher( const testing::TestParamInfo<Searcher>& info )
{
    return std::string( cltAlgorithmName( info.param.algorithm ) ) +
           ( info.param.output == clt_outputBits ? "_bits" : "" );
}

Keys update( Backend& backend, Table& table )
{
    Keys changes;
    EXPECT_EQ( clt_ok, backend.update( table, &changes ) );
    table.commit();
    return changes;
}

void creep( Table& table, Random& random, uint32_t share )
{
    for ( uint32_t slot = 0; slot < table.slotCount(); slot += share )
    {
        table.move( slot, cube( slot * 0.5, 0.001 * ( slot % 7 ), random.between( 0, 0.1 ), 0.4 ) );
    }
}

static void stirOne( Table& table, Random& random, uint32_t slot )
{
    const double x = random.between( -5, 5 );
    const cltAabbD boxes[] = { { { notANumber, 0, 0 }, { 1, 1, 1 } },
                               cube( x, 0, 0, random.between( 10, 300 ) ),
                               { { -infinity, x, -infinity }, { infinity, x, infinity } },
                               randomCube( random, 5 ) };
    const uint32_t kind = random.below( 12 );
    if ( kind == 10 )
    {
        table.destroy( slot );
    }
    else if ( kind == 11 )
    {
        table.setFilter( slot, { 1 << random.below( 3 ), static_cast<int32_t>( random.below( 8 ) ) } );
    }
    else
    {
        table.move( slot, boxes[std::min( kind, 3u )] );
    }
}

void stir( Table& table, Random& random, int step )
{
    const uint32_t known = table.slotCount();
    const uint32_t share = step % 3 == 0 ? 1 : 7; // changes all bodies, or one in seven
    for ( uint32_t slot = 0; slot < known; ++slot )
    {
        const bool dead = ( table.upload().states[slot] & CLT_SLOT_LIVE ) == 0;
        if ( !dead && random.below( share ) == 0 )
        {
            stirOne( table, random, slot );
        }
    }
    for ( int i = 0; i < 20; ++i )
    {
        table.create( randomCube( random, 5 ) );
    }
}

} // namespace test
