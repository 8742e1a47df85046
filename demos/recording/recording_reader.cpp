// SPDX-License-Identifier: Zlib
/// \file recording_reader.cpp
/// Decodes what plugin/recorder/CulletEventWriter.h encodes, in the format of plugin/recorder/CulletRecordFormat.h.
#include "recording_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <xxhash.h>
#include <zstd.h>

namespace cullet::recording
{

// -------------------------------------------------------------------------------------------------------------- blocks

namespace
{

using Bytes = std::vector<unsigned char>;

std::uint64_t number( const Bytes& bytes, std::size_t first, std::size_t count )
{
    std::uint64_t value = 0;
    for ( std::size_t k = count; k > 0; --k )
    {
        value = value << 8 | bytes[first + k - 1];
    }
    return value;
}

void require( bool holds, const std::string& otherwise )
{
    if ( !holds )
    {
        throw RecordingError( otherwise );
    }
}

} // namespace

BlockReader::BlockReader( const std::string& path ) : m_file( path, std::ios::binary )
{
    require( m_file.is_open(), "cannot be opened" );
    m_file.seekg( 0, std::ios::end );
    m_fileBytes = std::uint64_t( std::max( std::streamoff( m_file.tellg() ), std::streamoff( 0 ) ) );
    m_file.clear();
    m_file.seekg( 0 );
    m_file.clear();
    require( m_file.peek() != EOF, "is empty or cannot be read" ); // a directory can be opened on some systems
    const bool isComplete = read( m_header, CULLET_RECORD_HEADER_BYTES );
    require( std::equal( std::begin( CULLET_RECORD_MAGIC ), std::end( CULLET_RECORD_MAGIC ), m_header.begin() ),
             "is not a recording" );
    requireInFrame( isComplete, "is cut off" );
    require( number( m_header, 16, 8 ) == XXH64( m_header.data(), CULLET_RECORD_SUMMED_BYTES, 0 ),
             "is damaged in its header" );
    const std::uint64_t version = number( m_header, 8, 4 );
    require( version == CULLET_RECORD_VERSION, "is a recording of version " + std::to_string( version ) +
                                                   "; this program reads version " +
                                                   std::to_string( int( CULLET_RECORD_VERSION ) ) );
    m_scalarBytes = std::uint32_t( number( m_header, 12, 4 ) );
    require( m_scalarBytes == sizeof( float ) || m_scalarBytes == sizeof( double ),
             "has numbers that are neither float nor double" );
}

bool BlockReader::next( Bytes& block, std::uint64_t eventCount )
{
    const bool hasHeader = read( m_header, CULLET_RECORD_HEADER_BYTES );
    const std::uint64_t kind = number( m_header, 0, 4 );
    const std::size_t storedBytes = number( m_header, 4, 4 );
    const std::size_t blockBytes = number( m_header, 8, 4 );
    const bool isPacked = kind == CULLET_FRAME_ZSTD;
    const bool isBounded = blockBytes <= CULLET_RECORD_BLOCK_BYTES &&
                           storedBytes <= ( isPacked ? ZSTD_compressBound( blockBytes ) : blockBytes );
    const bool isKnown = kind <= CULLET_FRAME_END && number( m_header, 12, 4 ) == ( m_frameCount & UINT32_MAX );
    requireInFrame( !hasHeader || ( isBounded && isKnown ), "is damaged" );
    if ( !hasHeader || !read( m_stored, storedBytes ) )
    {
        // If the block is whole or the file has its last frame, the file is not cut off: a header is damaged, or bytes
        // before the end are missing.
        const auto restBytes = std::size_t( m_file.gcount() );
        const bool isBlockWhole =
            hasHeader && isPacked && ZSTD_isError( ZSTD_findFrameCompressedSize( m_stored.data(), restBytes ) ) == 0;
        requireInFrame( !isBlockWhole && !hasLastFrame(), "is damaged" );
        m_isCutOff = true;
        return false;
    }
    requireInFrame( isSumRight(), "is damaged" );
    if ( kind == CULLET_FRAME_END )
    {
        requireInFrame( storedBytes == 8 && blockBytes == 8, "is damaged" );
        require( m_file.peek() == EOF, "goes on behind its end" );
        require( number( m_stored, 0, 8 ) == eventCount, "does not hold as many events as it says" );
        return false;
    }
    block = m_stored;
    if ( isPacked )
    {
        block.resize( blockBytes );
        const std::size_t size = ZSTD_decompress( block.data(), blockBytes, m_stored.data(), storedBytes );
        block.resize( ZSTD_isError( size ) ? 0 : size );
    }
    requireInFrame( !block.empty() && block.size() == blockBytes, "is damaged" );
    ++m_frameCount;
    return true;
}

/// \return whether the file had `count` more bytes; missing bytes become zeros
bool BlockReader::read( Bytes& bytes, std::size_t count )
{
    bytes.assign( count, 0 );
    m_file.read( reinterpret_cast<char*>( bytes.data() ), std::streamsize( count ) );
    return std::size_t( m_file.gcount() ) == count;
}

/// Whether the checksum in m_header is that of m_header and m_stored.
bool BlockReader::isSumRight() const
{
    const std::uint64_t seed = XXH64( m_header.data(), CULLET_RECORD_SUMMED_BYTES, 0 );
    return number( m_header, 16, 8 ) == XXH64( m_stored.data(), m_stored.size(), seed );
}

/// Whether the file ends with a valid last frame.
bool BlockReader::hasLastFrame()
{
    m_file.clear();
    m_file.seekg( -CULLET_RECORD_HEADER_BYTES - 8, std::ios::end );
    return read( m_header, CULLET_RECORD_HEADER_BYTES ) && number( m_header, 0, 4 ) == CULLET_FRAME_END &&
           read( m_stored, 8 ) && isSumRight();
}

void BlockReader::requireInFrame( bool holds, const char* otherwise ) const
{
    if ( !holds )
    {
        throw RecordingError( otherwise + ( " in frame " + std::to_string( m_frameCount ) ) );
    }
}

// -------------------------------------------------------------------------------------------------------------- events

namespace
{

// The largest number of live proxies. It limits the memory that a forged file can request: compressed, 3,600 bytes can
// create four million equal proxies.
constexpr std::uint64_t maxAlive = 1u << 22;   ///< four times the largest world that cullet is meant for
constexpr std::uint64_t freeAlive = 1u << 16;  ///< allowed in any file
constexpr std::uint64_t alivePerFileByte = 64; ///< beyond that; a million boxes on a lattice have 14

/// The fields that follow an event's code, in this order. `scalars` is the number of scalars.
struct Fields
{
    bool proxy;
    bool filter;
    bool number;
    std::size_t scalars;
};

constexpr Fields fieldsOf[eventKindCount] = {
    {},                                                 // no event has code 0
    { false, true, false, CULLET_RECORD_BOX_SCALARS },  // create
    { true, false, false, 0 },                          // destroy
    { true, false, false, CULLET_RECORD_BOX_SCALARS },  // move
    { true, true, false, 0 },                           // filter
    { false, false, true, 0 },                          // step
    { false, false, true, CULLET_RECORD_RAY_SCALARS },  // ray
    { false, false, false, CULLET_RECORD_BOX_SCALARS }, // boxQuery
    { false, false, false, 0 },                         // resetPool
    { false, false, true, 0 },                          // callback
};

} // namespace

RecordingReader::RecordingReader( const std::string& path, std::uint64_t eventLimit )
    : m_blocks( path ), m_mostAlive( std::min( maxAlive, freeAlive + alivePerFileByte * m_blocks.fileBytes() ) ),
      m_eventLimit( eventLimit )
{
}

bool RecordingReader::next( Event& event )
{
    m_isAtEnd = m_isAtEnd || m_eventCount == m_eventLimit;
    if ( m_at == m_block.size() && !m_isAtEnd )
    {
        m_isAtEnd = !m_blocks.next( m_block, m_eventCount );
        m_at = 0;
    }
    if ( !m_isAtEnd )
    {
        decode( event );
        ++m_eventCount;
    }
    return !m_isAtEnd;
}

void RecordingReader::decode( Event& event )
{
    m_flags = byte();
    const unsigned code = m_flags & CULLET_EVENT_CODE_MASK;
    const unsigned known = CULLET_EVENT_CODE_MASK | CULLET_EVENT_NEXT | CULLET_EVENT_SAME;
    if ( code == 0 || code >= eventKindCount || ( m_flags & ~known ) != 0 )
    {
        fail( "is of no known kind" );
    }
    event.kind = EventKind( code );
    const Fields& fields = fieldsOf[code];
    std::uint64_t* last = m_last[code].data();
    if ( fields.proxy )
    {
        last = findProxy( event ).box.data();
    }
    if ( fields.filter )
    {
        event.group = filterNumber();
        event.mask = filterNumber();
    }
    const std::uint64_t value = fields.number ? number() : 0;
    event.pairCount = value;
    event.hasCallback = value != 0;
    event.changed = fields.scalars > 0 && scalars( last, fields.scalars );
    if ( event.kind == EventKind::ray )
    {
        const auto sign = [value]( int axis ) { return unsigned( value >> axis ) & 1; };
        event.ray = { vector( last ),    vector( last + 3 ), vector( last + 6 ),
                      scalar( last[9] ), box( last + 10 ),   { sign( 0 ), sign( 1 ), sign( 2 ) } };
    }
    else if ( fields.scalars > 0 )
    {
        event.box = box( last );
    }
    if ( event.kind == EventKind::create )
    {
        create( event );
    }
    if ( event.kind == EventKind::destroy )
    {
        m_freeSlots.push_back( event.slot );
        m_alive.erase( event.number );
    }
}

void RecordingReader::create( Event& event )
{
    if ( m_alive.size() == m_mostAlive )
    {
        throw RecordingError( "has more than " + std::to_string( m_mostAlive ) + " proxies alive at once" +
                              ( m_mostAlive < maxAlive ? ", too many for its size" : "" ) );
    }
    event.number = m_createdCount++;
    event.slot = std::uint32_t( m_alive.size() ); // all lower slots are taken
    if ( !m_freeSlots.empty() )
    {
        event.slot = m_freeSlots.back();
        m_freeSlots.pop_back();
    }
    LiveProxy& proxy = m_alive[event.number];
    proxy.slot = event.slot;
    std::copy_n( m_last[CULLET_EVENT_CREATE].begin(), proxy.box.size(), proxy.box.begin() );
}

RecordingReader::LiveProxy& RecordingReader::findProxy( Event& event )
{
    event.number = m_lastProxy + 1;
    if ( ( m_flags & CULLET_EVENT_NEXT ) == 0 )
    {
        event.number += std::uint64_t( signedNumber() ); // may wrap around; the result must be a live proxy
    }
    m_lastProxy = event.number;
    const auto found = m_alive.find( event.number );
    if ( found == m_alive.end() )
    {
        fail( "names a proxy that is not alive" );
    }
    event.slot = found->second.slot;
    return found->second;
}

// ------------------------------------------------------------------------------------------------------------- numbers

unsigned RecordingReader::byte()
{
    if ( m_at == m_block.size() )
    {
        fail( "is not whole" );
    }
    return m_block[m_at++];
}

std::uint64_t RecordingReader::number()
{
    std::uint64_t value = 0;
    for ( int shift = 0; shift < 64; shift += 7 )
    {
        const std::uint64_t part = byte();
        const std::uint64_t bits = part & 0x7f;
        if ( bits << shift >> shift != bits )
        {
            break;
        }
        value |= bits << shift;
        if ( part < 0x80 )
        {
            return value;
        }
    }
    fail( "has a number of more than 64 bits" );
}

std::int64_t RecordingReader::signedNumber()
{
    const std::uint64_t value = number();
    return std::int64_t( ( value >> 1 ) ^ ( ( value & 1 ) != 0 ? UINT64_MAX : 0 ) );
}

std::int32_t RecordingReader::filterNumber()
{
    const std::int64_t value = signedNumber();
    if ( value < INT32_MIN || value > INT32_MAX )
    {
        fail( "has a group or mask of more than 32 bits" );
    }
    return std::int32_t( value );
}

/// \param last  the scalars from which the file stores differences; replaced by the scalars read
/// \return whether any scalar differs
bool RecordingReader::scalars( std::uint64_t* last, std::size_t count )
{
    const std::uint64_t changed = ( m_flags & CULLET_EVENT_SAME ) != 0 ? 0 : number();
    if ( changed >> count != 0 )
    {
        fail( "changes scalars that it does not have" );
    }
    for ( std::size_t k = 0; k < count; ++k )
    {
        const std::uint64_t difference = ( changed >> k & 1 ) != 0 ? number() : 0;
        if ( scalarBytes() == sizeof( float ) && difference > UINT32_MAX )
        {
            fail( "has a float of more than 32 bits" );
        }
        last[k] ^= difference;
    }
    return changed != 0;
}

double RecordingReader::scalar( std::uint64_t bits ) const
{
    const auto lowBits = std::uint32_t( bits );
    double value;
    float shortValue;
    std::memcpy( &value, &bits, sizeof( value ) );
    std::memcpy( &shortValue, &lowBits, sizeof( shortValue ) );
    return scalarBytes() == sizeof( double ) ? value : double( shortValue );
}

std::array<double, 3> RecordingReader::vector( const std::uint64_t* bits ) const
{
    return { scalar( bits[0] ), scalar( bits[1] ), scalar( bits[2] ) };
}

Box RecordingReader::box( const std::uint64_t* bits ) const
{
    return { vector( bits ), vector( bits + 3 ) };
}

void RecordingReader::fail( const char* what ) const
{
    throw RecordingError( "is damaged: event " + std::to_string( m_eventCount ) + " " + what );
}

// ---------------------------------------------------------------------------------------------------------- statistics

static void addBox( const Box& box, Statistics& statistics )
{
    std::array<double, 3> center;
    bool isOdd = false;
    for ( std::size_t axis = 0; axis < 3; ++axis )
    {
        center[axis] = box.lower[axis] / 2 + box.upper[axis] / 2; // halved first, because the sum could overflow
        isOdd |= !( box.lower[axis] <= box.upper[axis] );
    }
    statistics.oddBoxes += isOdd;
    if ( std::all_of( center.begin(), center.end(), []( double x ) { return std::isfinite( x ); } ) )
    {
        for ( std::size_t axis = 0; axis < 3; ++axis )
        {
            statistics.lowestCenter[axis] = std::min( statistics.lowestCenter[axis], center[axis] );
            statistics.highestCenter[axis] = std::max( statistics.highestCenter[axis], center[axis] );
        }
    }
}

Statistics readStatistics( const std::string& path )
{
    RecordingReader reader( path );
    Statistics statistics;
    statistics.scalarBytes = reader.scalarBytes();
    statistics.lowestCenter.fill( HUGE_VAL );
    statistics.highestCenter.fill( -HUGE_VAL );
    Statistics atLastStep = statistics;
    for ( Event event; reader.next( event ); )
    {
        const bool isMove = event.kind == EventKind::move && event.changed;
        const bool isCreate = event.kind == EventKind::create;
        ++statistics.counts[std::size_t( event.kind )];
        statistics.changedMoves += isMove;
        statistics.mostAlive = isCreate ? std::max( statistics.mostAlive, event.slot + 1 ) : statistics.mostAlive;
        statistics.lastPairs = event.kind == EventKind::step ? event.pairCount : statistics.lastPairs;
        statistics.hadCallback |= event.kind == EventKind::callback && event.hasCallback;
        if ( isMove || isCreate )
        {
            addBox( event.box, statistics );
        }
        if ( event.kind == EventKind::step )
        {
            atLastStep = statistics;
        }
    }
    require( atLastStep.count( EventKind::step ) > 0, "has no step to replay" );
    if ( reader.isCutOff() )
    {
        statistics = atLastStep;
        statistics.isCutOff = true;
    }
    if ( statistics.lowestCenter[0] > statistics.highestCenter[0] )
    {
        statistics.lowestCenter.fill( 0 );
        statistics.highestCenter.fill( 0 );
    }
    return statistics;
}

} // namespace cullet::recording
