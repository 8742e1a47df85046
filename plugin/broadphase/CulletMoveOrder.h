// SPDX-License-Identifier: Zlib
/// \file CulletMoveOrder.h
/// Predicts the next proxies that move, and prefetches them. Usually the proxies of the previous step move again, in
/// the same order. In a large world they lie far apart in memory: each setAabb would wait for a cache miss.
#ifndef CULLET_MOVE_ORDER_H
#define CULLET_MOVE_ORDER_H

#include "CulletProxyPool.h"
#include "pair_cache/CulletPrefetch.h"

class CulletMoveOrder
{
public:
    /// Records a move of `proxy`, and prefetches the proxy that is expected AHEAD moves later.
    void note( CulletProxy* proxy )
    {
        if ( m_count + AHEAD < m_lastCount )
        {
            culletPrefetch( m_moved[m_count + AHEAD] ); // prefetching a destroyed proxy is harmless
        }
        if ( m_count < m_moved.size() )
        {
            m_moved[m_count++] = proxy;
        }
        else if ( m_count < MOST )
        {
            m_moved.push_back( proxy );
            ++m_count;
        }
    }

    void endStep()
    {
        m_lastCount = m_count;
        m_count = 0;
    }

private:
    /// During a cache miss, about this many calls of setAabb can run.
    static const int AHEAD = 16;

    /// The array takes at most 1 MiB. If more proxies move, most are adjacent in memory, and the processor prefetches
    /// them without help.
    static const int MOST = 1 << 17;

    btAlignedObjectArray<CulletProxy*> m_moved; ///< of this step, followed by the rest of the previous step
    int m_count = 0;
    int m_lastCount = 0;
};

#endif
