// SPDX-License-Identifier: Zlib
/// \file CulletMoveOrder.h
/// Foretells which proxies move next. Those that move in a step are mostly those of the last step, in the same order,
/// but in a large world they lie far apart, and setAabb would wait for each of them.
#ifndef CULLET_MOVE_ORDER_H
#define CULLET_MOVE_ORDER_H

#include "CulletProxyPool.h"
#include "pair_cache/CulletPrefetch.h"

class CulletMoveOrder
{
public:
    /// `proxy` moves. Fetches the one that moved a little later in the last step.
    void note( CulletProxy* proxy )
    {
        if ( m_count + AHEAD < m_lastCount )
        {
            culletPrefetch( m_moved[m_count + AHEAD] ); // perhaps destroyed meanwhile: only its address is used
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
    /// Memory takes as long as about this many calls of setAabb.
    static const int AHEAD = 16;

    /// 1 MiB. Where more proxies move, they mostly lie side by side, and the processor foretells them by itself.
    static const int MOST = 1 << 17;

    btAlignedObjectArray<CulletProxy*> m_moved; ///< this step's, and behind them what is left of the last step's
    int m_count = 0;
    int m_lastCount = 0;
};

#endif
