// SPDX-License-Identifier: Zlib
/// \file CulletEventWriter.h
/// Encodes events as CulletRecordFormat.h has them and hands them to a sink in blocks. Knows numbers, not proxies.
#ifndef CULLET_EVENT_WRITER_H
#define CULLET_EVENT_WRITER_H

#include "CulletBox.h"
#include "CulletRecordFile.h"

#include "LinearMath/btAlignedObjectArray.h"

/// An event is written as begin, its parts in the order of the format, end.
class CulletEventWriter
{
public:
    /// \param sink  must outlive the writer
    explicit CulletEventWriter( CulletRecordSink* sink );

    void beginEvent( CulletRecordEvent code );
    void endEvent();

    void putNumber( uint64_t value );
    void putSigned( int64_t value );

    /// Names a proxy. Short if it is the one created after the last one named.
    void putProxy( uint64_t number );

    /// \param last  what `now` stands against; holds `now` afterwards
    void putScalars( CulletBits* last, const CulletBits* now, int count );

    /// Writes what is left and ends the sink. Nothing may follow.
    void finish();

    /// False from the first write that failed; what comes after it is thrown away.
    bool isGood() const
    {
        return m_isGood;
    }

    uint64_t getEventCount() const
    {
        return m_eventCount;
    }

private:
    void putByte( unsigned value );
    void flush();

    CulletRecordSink* m_sink;
    btAlignedObjectArray<unsigned char> m_block;
    int m_eventStart; ///< where in the block the event under way begins
    uint64_t m_lastProxy;
    uint64_t m_eventCount;
    bool m_isGood;
};

#endif
