// SPDX-License-Identifier: Zlib
/// \file CulletGuest.h
/// A CulletBroadphase in the place of one of Bullet's. What the program holds is the shell, an object of Bullet's class
/// that Bullet constructed and will destroy, with members that the program may write and a pair cache that it may read.
/// Only its pointer to the table of virtual functions is changed: to one of its own, behind which the guest is found
/// without a search. The table also carries Bullet's own type, so that typeid and dynamic_cast say what they said.
#ifndef CULLET_GUEST_H
#define CULLET_GUEST_H

#include "CulletBroadphase.h"
#include "CulletPreload.h"
#include "CulletRecordFile.h"
#include "CulletRecorder.h"
#include "CulletRunOptions.h"
#include "CulletStopwatch.h"
#include "CulletVerifier.h"

#include <memory>

class CulletGuest
{
public:
    /// \param number  of the broadphase in this process, from 1
    CulletGuest( const CulletBullet& bullet, const CulletRunOptions& options, const CulletArguments& arguments,
                 int number );

    ~CulletGuest();

    CulletGuest( const CulletGuest& ) = delete;
    CulletGuest& operator=( const CulletGuest& ) = delete;

    btOverlappingPairCache* getCache()
    {
        return m_broadphase.getOverlappingPairCache();
    }

    /// The object begins to be a shell.
    void enter( void* shell );

    /// The object becomes Bullet's again, so that Bullet can destroy it.
    void leave();

    /// The process ends while the program still has its broadphase.
    void finish();

    /// To be called in a child that was forked.
    void forgetRecording();

    static CulletGuest& of( const void* shell )
    {
        const Table* table;
        memcpy( &table, shell, sizeof( table ) );
        return *reinterpret_cast<const Table*>( reinterpret_cast<const char*>( table ) - offsetof( Table, m_slots ) )
                    ->m_guest;
    }

    /// Whom calls go to. What the program has written into the shell is taken over before.
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

    /// Bullet's function for its own object. Out of the table that the shell had only where that cannot lead back to
    /// us: the loader has bound the tables of btDbvtBroadphase to the definitions in CulletInterpose.c.
    CulletFunction getOwn( CulletSlot slot ) const
    {
        return m_arguments.kind == culletKindDbvt ? m_bullet.own[slot] : m_bulletsTable[slot];
    }

    int m_proxyCount = 0;

    CulletGuest* m_next = 0; ///< of those that are alive
    CulletGuest* m_previous = 0;

private:
    /// As the Itanium C++ ABI has it, section 2.5.2, but for the first. An object points to m_slots.
    struct Table
    {
        CulletGuest* m_guest;
        const void* m_offsetToTop;
        const void* m_typeInfo;
        CulletFunction m_slots[culletSlotCount];
    };

    const CulletBullet& m_bullet;
    CulletArguments m_arguments;
    CulletBroadphase m_broadphase;
    std::unique_ptr<CulletStopwatch> m_stopwatch;
    std::unique_ptr<CulletVerifier> m_verifier;
    std::unique_ptr<CulletRecordFile> m_file;
    std::unique_ptr<CulletRecorder> m_recorder;
    btBroadphaseInterface* m_behindRecorder = 0;
    bool m_hasComplained = false; ///< of a recording
    btBroadphaseInterface* m_front;
    const bool* m_isDeferring;
    void* m_shell = 0;
    const CulletFunction* m_bulletsTable = 0;
    Table m_table;
};

/// The functions of every shell's table.
const CulletFunction* culletShellSlots();

#endif
