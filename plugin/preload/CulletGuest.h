// SPDX-License-Identifier: Zlib
/// \file CulletGuest.h A guest is a CulletBroadphase that takes the place of one of Bullet's. The program holds the
/// shell, an object of Bullet's class that Bullet constructs and destroys. The program may write its members and read
/// its pair cache. Only the shell's pointer to the virtual function table changes. Each shell gets a table for itself,
/// which leads to its guest without a search. This table keeps Bullet's type information, so typeid and dynamic_cast
/// give the same results.
///
/// A call goes from the program through recorder, verifier and stopwatch to the broadphase. The first three are
/// optional.
#ifndef CULLET_GUEST_H
#define CULLET_GUEST_H

#include "CulletBroadphase.h"
#include "CulletPreload.h"
#include "CulletRecordFile.h"
#include "CulletRecorder.h"
#include "CulletRunOptions.h"
#include "CulletStopwatch.h"
#include "CulletVerifier.h"

#include <errno.h>
#include <fcntl.h>
#include <memory>
#include <string.h>
#include <unistd.h>

class CulletGuest
{
public:
    /// \param number  of the broadphase in this process, from 1
    CulletGuest( const CulletBullet& bullet, const CulletRunOptions& options, const CulletArguments& arguments,
                 int number )
        : m_bullet( bullet ), m_arguments( arguments ),
          m_broadphase( options.m_def, static_cast<btOverlappingPairCache*>( arguments.cache ) ),
          m_front( &m_broadphase ), m_isDeferring( &m_isNeverDeferring )
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
        const std::string path = options.m_recordPath + ( number > 1 ? "." + std::to_string( number ) : "" );
        if ( !options.m_recordPath.empty() && claim( path ) )
        {
            m_file.reset( new CulletRecordFile( path.c_str() ) );
            m_recorder.reset( new CulletRecorder( m_front, m_file.get() ) );
            m_behindRecorder = m_front;
            m_front = m_recorder.get();
        }
    }

    ~CulletGuest()
    {
        finish();
        disclaim();
    }

    CulletGuest( const CulletGuest& ) = delete;
    CulletGuest& operator=( const CulletGuest& ) = delete;

    btOverlappingPairCache* getCache()
    {
        return m_broadphase.getOverlappingPairCache();
    }

    /// Replaces the function table of Bullet's object, so that all virtual calls reach this guest.
    /// \param slots  the functions for the new table
    void enter( void* shell, const CulletFunction* slots )
    {
        m_shell = shell;
        memcpy( &m_bulletsTable, shell, sizeof( m_bulletsTable ) );
        const void* const* head = reinterpret_cast<const void* const*>( m_bulletsTable );
        m_table.m_guest = this;
        m_table.m_offsetToTop = head[-2];
        m_table.m_typeInfo = head[-1];
        memcpy( m_table.m_slots, slots, sizeof( m_table.m_slots ) );
        const CulletFunction* table = m_table.m_slots;
        memcpy( shell, &table, sizeof( table ) );
        if ( m_arguments.kind == culletKindDbvt )
        {
            m_isDeferring = &static_cast<btDbvtBroadphase*>( shell )->m_deferedcollide;
        }
    }

    /// Restores Bullet's function table, so that Bullet can destroy the object.
    void leave()
    {
        memcpy( m_shell, &m_bulletsTable, sizeof( m_bulletsTable ) );
        m_isDeferring = &m_isNeverDeferring;
    }

    /// Closes the recording, if any. Called if the process ends while the broadphase exists.
    void finish()
    {
        if ( m_recorder && !m_recorder->close() && !m_hasComplained )
        {
            m_hasComplained = true;
            m_bullet.say( "record: a file could not be opened, or not be written to its end" );
        }
    }

    /// Must be called in a forked child. Leaks the recorder and the file: the parent process owns the file and its
    /// unwritten data.
    void forgetRecording()
    {
        if ( m_recorder )
        {
            m_front = m_behindRecorder;
            m_recorder.release()->abandon(); // the program may have forked in a callback, within a call of the recorder
            m_file.release();
            disclaim();
        }
    }

    static CulletGuest& of( const void* shell )
    {
        const Table* table;
        memcpy( &table, shell, sizeof( table ) );
        return *reinterpret_cast<const Table*>( reinterpret_cast<const char*>( table ) - offsetof( Table, m_slots ) )
                    ->m_guest;
    }

    /// The broadphase that calls are passed to. First copies what the program may have written into Bullet's object.
    btBroadphaseInterface& use()
    {
        m_broadphase.m_deferedcollide = *m_isDeferring;
        return *m_front;
    }

    CulletBroadphase& getBroadphase()
    {
        return m_broadphase;
    }

    const CulletArguments& getArguments() const
    {
        return m_arguments;
    }

    /// Bullet's function for its own object. For btDbvtBroadphase the original table cannot be used: the loader has
    /// bound its entries to the functions in CulletInterpose.c.
    CulletFunction getOwn( CulletSlot slot ) const
    {
        return m_arguments.kind == culletKindDbvt ? m_bullet.own[slot] : m_bulletsTable[slot];
    }

    int m_proxyCount = 0;

private:
    /// The new function table of Bullet's object: a pointer to the guest, then a table as in the Itanium C++ ABI,
    /// section 2.5.2. The object points to m_slots.
    struct Table
    {
        CulletGuest* m_guest;
        const void* m_offsetToTop;
        const void* m_typeInfo;
        CulletFunction m_slots[culletSlotCount];
    };

    /// Locks the file of the recording as long as the guest lives: a program that this one starts has the same options.
    /// \return false if another process has locked it
    bool claim( const std::string& path )
    {
        m_lockedFile = open( path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666 );
        if ( m_lockedFile < 0 || lockf( m_lockedFile, F_TLOCK, 0 ) == 0 || ( errno != EAGAIN && errno != EACCES ) )
        {
            return true; // if it cannot be written, the recorder says so
        }
        disclaim();
        m_bullet.say( "record: another process is recording in %s, so this one is not recorded", path.c_str() );
        return false;
    }

    void disclaim()
    {
        if ( m_lockedFile >= 0 )
        {
            close( m_lockedFile );
            m_lockedFile = -1;
        }
    }

    const CulletBullet& m_bullet;
    CulletArguments m_arguments;
    CulletBroadphase m_broadphase;
    std::unique_ptr<CulletStopwatch> m_stopwatch;
    std::unique_ptr<CulletVerifier> m_verifier;
    std::unique_ptr<CulletRecordFile> m_file;
    std::unique_ptr<CulletRecorder> m_recorder;
    int m_lockedFile = -1; ///< the recording's, or -1
    btBroadphaseInterface* m_behindRecorder = 0;
    bool m_hasComplained = false; ///< an error of the recording was printed
    btBroadphaseInterface* m_front;
    const bool m_isNeverDeferring = false;
    const bool* m_isDeferring;
    void* m_shell = 0;
    const CulletFunction* m_bulletsTable = 0;
    Table m_table;
};

#endif
