// SPDX-License-Identifier: Zlib
#include "stream_source.h"

#include "demos/race/recorded_stream.h"

namespace cullet::view
{

std::unique_ptr<Source> makeRecordingSource( const SourceRequest& request )
{
    const std::string& file = request.files[0];
    return makeStreamSource( std::make_unique<compare::RecordedStream>( file, recording::readStatistics( file ) ),
                             request );
}

} // namespace cullet::view
