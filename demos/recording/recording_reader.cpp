// SPDX-License-Identifier: Zlib
/// \file recording_reader.cpp
/// Block after block into the decoder, and the count at the end.
#include "recording_reader.h"

#include "recording_error.h"

namespace cullet::recording
{

RecordingReader::RecordingReader( const std::string& path ) : m_frames( path ), m_decoder( m_frames.scalarBytes() )
{
}

bool RecordingReader::next( Event& event )
{
    while ( !m_isAtEnd && !m_decoder.next( event ) )
    {
        m_isAtEnd = !m_frames.next( m_block );
        m_decoder.setBlock( m_block ); // at the end it is the last one, which nothing reads again
        if ( m_isAtEnd && m_frames.eventCount() != m_decoder.eventCount() )
        {
            throw RecordingError( "does not hold as many events as it says" );
        }
    }
    return !m_isAtEnd;
}

} // namespace cullet::recording
