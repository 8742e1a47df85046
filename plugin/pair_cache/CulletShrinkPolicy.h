// SPDX-License-Identifier: Zlib
/// \file CulletShrinkPolicy.h
/// When room that a spike took is given back: after so many steps in a row that needed less than a quarter of it. So
/// memory is taken again at most that seldom, and where load comes and goes faster, never.
#ifndef CULLET_SHRINK_POLICY_H
#define CULLET_SHRINK_POLICY_H

#include "LinearMath/btAlignedObjectArray.h"

class CulletShrinkPolicy
{
public:
    /// To be asked once a step. \return true if the room is to be made smaller now
    bool isDue( int needed, int room )
    {
        const bool isQuiet = room >= FLOOR && needed < room / 4;
        m_quietCount = isQuiet ? m_quietCount + 1 : 0;
        if ( m_quietCount < PATIENCE )
        {
            return false;
        }
        m_quietCount = 0;
        return true;
    }

    /// What is left of a room: half as much again as is needed.
    static int roomFor( int needed )
    {
        return needed + needed / 2;
    }

private:
    /// About four seconds of most applications' steps.
    static const int PATIENCE = 240;

    /// Room for fewer is kept.
    static const int FLOOR = 1024;

    int m_quietCount = 0;
};

/// Bullet's arrays never become smaller by themselves. \param room  at least the array's size
template <typename Item>
void culletShrink( btAlignedObjectArray<Item>& array, int room )
{
    btAlignedObjectArray<Item> kept;
    kept.copyFromArray( array );
    array.clear();
    array.reserve( room );
    array.copyFromArray( kept );
}

#endif
