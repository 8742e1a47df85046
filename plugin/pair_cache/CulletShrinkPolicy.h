// SPDX-License-Identifier: Zlib
/// \file CulletShrinkPolicy.h
/// Decides when capacity that a load spike required is freed: after PATIENCE consecutive steps that needed less than a
/// quarter of it. If spikes recur within PATIENCE steps, the capacity is never freed.
#ifndef CULLET_SHRINK_POLICY_H
#define CULLET_SHRINK_POLICY_H

#include "LinearMath/btAlignedObjectArray.h"

class CulletShrinkPolicy
{
public:
    /// Must be called once a step. \return true if the capacity should be shrunk in this step
    bool isDue( int needed, int capacity )
    {
        const bool isQuiet = capacity >= FLOOR && needed < capacity / 4;
        m_quietCount = isQuiet ? m_quietCount + 1 : 0;
        if ( m_quietCount < PATIENCE )
        {
            return false;
        }
        m_quietCount = 0;
        return true;
    }

    /// The capacity to shrink to: 1.5 times the needed one.
    static int capacityFor( int needed )
    {
        return needed + needed / 2;
    }

private:
    /// About four seconds of most applications' steps.
    static const int PATIENCE = 240;

    /// A smaller capacity is kept.
    static const int FLOOR = 1024;

    int m_quietCount = 0;
};

/// Reduces an array's capacity, which Bullet's arrays never do by themselves. \param capacity  at least the array's
/// size
template <typename Item>
void culletShrink( btAlignedObjectArray<Item>& array, int capacity )
{
    btAlignedObjectArray<Item> kept;
    kept.copyFromArray( array );
    array.clear();
    array.reserve( capacity );
    array.copyFromArray( kept );
}

#endif
