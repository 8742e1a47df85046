// SPDX-License-Identifier: Zlib
// What the bridge does with a proxy table, without its care for speed.
#include "tests/cuda/table.h"

#include <cmath>
#include <gtest/gtest.h>

namespace test
{

/// All bits set, as on a device where a slot was never seen, because leaves are compared byte by byte.
static const cltAabbD nowhere = span( -std::nan( "0xfffffffffffff" ), -std::nan( "0xfffffffffffff" ) );

/// To be called after mark.
void Table::setBox( uint32_t slot, const cltAabbD& box )
{
    m_boxes[slot] = toFloat( box );
    m_boxesD[slot] = box;
}

void Table::mark( uint32_t slot )
{
    if ( ( m_states[slot] & CLT_SLOT_CHANGED ) == 0 )
    {
        m_states[slot] |= CLT_SLOT_CHANGED;
        m_changed.push_back( slot );
        m_before[slot] = m_boxes[slot];
        m_beforeD[slot] = m_boxesD[slot];
    }
}

uint32_t Table::create( const cltAabbD& box, const cltFilter& filter )
{
    const uint32_t slot = slotCount();
    m_boxes.push_back( toFloat( nowhere ) );
    m_boxesD.push_back( nowhere );
    m_before.emplace_back();
    m_beforeD.emplace_back();
    m_filters.push_back( filter );
    m_filtersBefore.push_back( filter );
    m_states.push_back( CLT_SLOT_LIVE | CLT_SLOT_APPEARED );
    mark( slot );
    setBox( slot, box );
    ++m_appearedCount;
    return slot;
}

void Table::move( uint32_t slot, const cltAabbD& box )
{
    mark( slot );
    setBox( slot, box );
}

void Table::setFilter( uint32_t slot, const cltFilter& filter )
{
    m_filters[slot] = filter;
    mark( slot );
    ++m_refilteredCount;
}

void Table::destroy( uint32_t slot )
{
    if ( ( m_states[slot] & CLT_SLOT_LIVE ) != 0 )
    {
        mark( slot );
        setBox( slot, nowhere );
        m_before[slot] = m_boxes[slot];
        m_beforeD[slot] = nowhere;
        m_states[slot] = static_cast<uint8_t>( ( m_states[slot] & ~CLT_SLOT_LIVE ) | CLT_SLOT_DESTROYED );
        ++m_destroyedCount;
    }
}

cltUpload Table::upload() const
{
    cltUpload upload = {};
    const bool isDouble = m_precision == clt_precisionDouble;
    upload.boxes = isDouble ? static_cast<const void*>( m_boxesD.data() ) : m_boxes.data();
    upload.before = isDouble ? static_cast<const void*>( m_beforeD.data() ) : m_before.data();
    upload.filters = m_filters.data();
    upload.filtersBefore = m_filtersBefore.data();
    upload.states = m_states.data();
    upload.changed = m_changed.data();
    upload.changedCount = static_cast<uint32_t>( m_changed.size() );
    upload.appearedCount = m_appearedCount;
    upload.destroyedCount = m_destroyedCount;
    upload.refilteredCount = m_refilteredCount;
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
    m_appearedCount = m_destroyedCount = m_refilteredCount = 0;
}

Backend::Backend( cltDevice device, cltAlgorithm algorithm, cltPrecision precision, cltOutput output )
    : m_def( cltDefaultBroadphaseDef() )
{
    m_def.algorithm = algorithm;
    m_def.precision = precision;
    m_def.output = output;
    m_def.threadCount = 1;
    cltMemory_Init( &m_memory, &m_def );
    m_status = device == clt_deviceCuda ? cltCreateCudaBackend( &m_def, &m_memory, &m_backend )
                                        : cltCreateHostBackend( &m_def, &m_memory, &m_backend );
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
    m_backend->ops->getStats( m_backend, &stats );
    return stats;
}

static void stirOne( Table& table, Random& random, uint32_t slot )
{
    const double x = random.between( -5, 5 );
    switch ( random.below( 12 ) )
    {
    case 0:
        table.move( slot, { { notANumber, 0, 0 }, { 1, 1, 1 } } );
        break;
    case 1:
        table.move( slot, cube( x, 0, 0, random.between( 10, 300 ) ) );
        break;
    case 2:
        table.setFilter( slot, { 1 << random.below( 3 ), static_cast<int32_t>( random.below( 8 ) ) } );
        break;
    case 3:
        table.destroy( slot );
        break;
    case 4:
        table.move( slot, { { -infinity, x, -infinity }, { infinity, x, infinity } } );
        break;
    default:
        table.move( slot, randomCube( random, 5 ) );
        break;
    }
}

void stir( Table& table, Random& random, int step )
{
    const uint32_t known = table.slotCount();
    const uint32_t share = step % 3 == 0 ? 1 : 7; // all of them, or some
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
