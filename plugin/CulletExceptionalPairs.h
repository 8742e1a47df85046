// SPDX-License-Identifier: Zlib
/// \file CulletExceptionalPairs.h
/// Pairs of overlapping boxes whose place in the cache does not follow from the core's changes. As a rule a pair is
/// held by the core and in the cache, or neither. Each exception is in one of these states:
///
///     kept          in the cache, not held: let in once, and the filter would not do so today
///     turned down   held, not in the cache: the cache was asked and said no
///     edited        put in or taken out by somebody else
///
/// What is kept or edited is due: looked at in the next update. What was turned down is asked about again when either
/// proxy is set again, or all of it at once. There may be a hundred thousand of these, so they are gone through by
/// place. Beside them are those offered to the cache before the core heard of them; they are no
/// exceptions any more once it did, but may be over before.
#ifndef CULLET_EXCEPTIONAL_PAIRS_H
#define CULLET_EXCEPTIONAL_PAIRS_H

#include "CulletPairArray.h"
#include "CulletProxyPool.h"

#include "cullet.h"

class CulletExceptionalPairs
{
public:
    CulletExceptionalPairs();

    /// As if nothing had happened yet. There are no proxies.
    void clear();

    void keep( const CulletProxyPair& pair );
    void noteEdit( const CulletProxyPair& pair );

    /// \param moment  when the cache was asked; even
    void turnDown( const CulletProxyPair& pair, uint32_t moment );

    /// Whether the cache was asked at that moment and said no.
    bool wasTurnedDown( const CulletProxyPair& pair, uint32_t moment ) const;

    /// The pairs are as they should be, or over.
    void settle( const CulletProxyPair* pairs, int count );

    /// The proxy is about to be destroyed.
    void forget( const CulletProxy* proxy );

    bool isEmpty() const
    {
        return m_pairs.getCount() == 0;
    }

    bool hasTurnedDown() const
    {
        return m_turnedDownCount > 0;
    }

    /// The proxy was set: what was turned down of it is asked about again.
    void noteSetting( CulletProxy* proxy, int proxyCount );

    /// All that was turned down is asked about again.
    void noteAll()
    {
        m_isAllDue = true;
    }

    /// Appends what is due and alive, some of it twice, and starts a new list.
    void takeDue( btAlignedObjectArray<CulletPairNote>& due );

    /// The places of what was turned down and is to be asked about again, each once; starts a new list. They are good
    /// until a pair is settled or its proxy forgotten.
    void takeTurnedDown( btAlignedObjectArray<int>& places );

    bool isAllDue() const
    {
        return m_isAllDue;
    }

    CulletProxyPair getPair( int place ) const
    {
        const CulletProxyPair pair = { m_pairs.at( place ).m_pProxy0, m_pairs.at( place ).m_pProxy1 };
        return pair;
    }

    /// When the cache was asked about a pair that it turned down.
    uint32_t getMoment( int place ) const
    {
        return uint32_t( m_pairs.at( place ).m_internalTmpValue );
    }

    void setMoment( int place, uint32_t moment )
    {
        m_pairs.at( place ).m_internalTmpValue = int( moment );
    }

    /// Pairs by slots, ascending in each, that the cache took before the core knew them.
    void noteOffered( const cltPair& slots )
    {
        m_offered.push_back( slots );
    }

    btAlignedObjectArray<cltPair>& getOffered()
    {
        return m_offered;
    }

private:
    /// In m_internalTmpValue: one of these, or else the moment at which the pair was turned down, which is even.
    enum State
    {
        KEPT = 1,
        EDITED = 3
    };

    bool isTurnedDown( int place ) const
    {
        return ( m_pairs.at( place ).m_internalTmpValue & 1 ) == 0;
    }

    void setState( const CulletProxyPair& pair, int state );
    void takeOut( int place );

    btBroadphasePairArray m_array;
    CulletPairArray m_pairs;
    btAlignedObjectArray<CulletPairNote> m_due;    ///< kept and edited ones, and some that were
    btAlignedObjectArray<CulletProxy*> m_setAgain; ///< and something of theirs was turned down
    btAlignedObjectArray<cltPair> m_offered;
    int m_turnedDownCount;
    bool m_isAllDue; ///< of what was turned down
};

#endif
