// SPDX-License-Identifier: Zlib
/// \file CulletFilterCensus.h
/// Counts the proxies of each group and mask. Worlds have few different groups and masks, so a short loop decides
/// whether a proxy may pair with any other. If not, the proxy needs no search: debris that excludes debris, for
/// example.
#ifndef CULLET_FILTER_CENSUS_H
#define CULLET_FILTER_CENSUS_H

#include <map>
#include <utility>

class CulletFilterCensus
{
public:
    void add( int group, int mask )
    {
        ++m_counts[{ group, mask }];
    }

    /// Reverts one call of add.
    void remove( int group, int mask )
    {
        const auto entry = m_counts.find( { group, mask } );
        if ( --entry->second == 0 )
        {
            m_counts.erase( entry );
        }
    }

    /// True if a proxy of this group and mask may pair with any counted proxy, itself included. Also true if there are
    /// so many different groups and masks that a search costs less than the loop.
    bool hasPartner( int group, int mask ) const
    {
        bool has = m_counts.size() > 16;
        for ( auto entry = m_counts.begin(); entry != m_counts.end() && !has; ++entry )
        {
            has = ( entry->first.first & mask ) != 0 && ( group & entry->first.second ) != 0;
        }
        return has;
    }

private:
    std::map<std::pair<int, int>, int> m_counts; ///< proxies of each group and mask
};

#endif
