// SPDX-License-Identifier: Zlib
/// \file CulletGuest.cpp A call goes from the program through recorder, verifier and stopwatch to the broadphase. The
/// first three are optional.

#include "CulletGuest.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

#include <string.h>

namespace
{
const bool NEVER_DEFERRING = false;
}

CulletGuest::CulletGuest( const CulletBullet& bullet, const CulletRunOptions& options, const CulletArguments& arguments,
                          int number )
    : m_bullet( bullet ), m_arguments( arguments ),
      m_broadphase( options.m_def, static_cast<btOverlappingPairCache*>( arguments.cache ) ), m_front( &m_broadphase ),
      m_isDeferring( &NEVER_DEFERRING )
{
    if ( options.m_isTiming )
    {
        m_stopwatch.reset( new CulletStopwatch( *m_front, bullet, arguments ) );
        m_front = m_stopwatch.get();
    }
    if ( options.m_isVerifying )
    {
        m_verifier.reset( new CulletVerifier( *m_front, bullet, number ) );
        m_front = m_verifier.get();
    }
    if ( !options.m_recordPath.empty() )
    {
        const std::string path = options.m_recordPath + ( number > 1 ? "." + std::to_string( number ) : "" );
        m_file.reset( new CulletRecordFile( path.c_str() ) );
        m_recorder.reset( new CulletRecorder( m_front, m_file.get() ) );
        m_behindRecorder = m_front;
        m_front = m_recorder.get();
    }
}

void CulletGuest::enter( void* shell )
{
    m_shell = shell;
    memcpy( &m_bulletsTable, shell, sizeof( m_bulletsTable ) );
    const void* const* head = reinterpret_cast<const void* const*>( m_bulletsTable );
    m_table.m_guest = this;
    m_table.m_offsetToTop = head[-2];
    m_table.m_typeInfo = head[-1];
    memcpy( m_table.m_slots, culletShellSlots(), sizeof( m_table.m_slots ) );
    const CulletFunction* slots = m_table.m_slots;
    memcpy( shell, &slots, sizeof( slots ) );
    if ( m_arguments.kind == culletKindDbvt )
    {
        m_isDeferring = &static_cast<btDbvtBroadphase*>( shell )->m_deferedcollide;
    }
}

void CulletGuest::leave()
{
    memcpy( m_shell, &m_bulletsTable, sizeof( m_bulletsTable ) );
    m_isDeferring = &NEVER_DEFERRING;
}

CulletGuest::~CulletGuest()
{
    finish();
}

void CulletGuest::finish()
{
    if ( m_recorder && !m_recorder->close() && !m_hasComplained )
    {
        m_hasComplained = true;
        m_bullet.say( "record: a file could not be opened, or not be written to its end" );
    }
}

/// Leaks the recorder and the file: the parent process owns the file and its unwritten data.
void CulletGuest::forgetRecording()
{
    if ( m_recorder )
    {
        m_front = m_behindRecorder;
        m_recorder.release();
        m_file.release();
    }
}
