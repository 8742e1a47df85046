// SPDX-License-Identifier: Zlib
/// \file CulletFilterCensus.h
/// Counts the proxies of each group and mask. Worlds have few different groups and masks, so a short loop decides
/// whether a proxy may pair with any other. If not, the proxy needs no search: debris that excludes debris, for
/// example.
#ifndef CULLET_FILTER_CENSUS_H
#define CULLET_FILTER_CENSUS_H

class CulletFilterCensus
{
public:
    void add( int group, int mask )
    {
        Entry* entry = find( group, mask );
        entry = entry ? entry : findFreeEntry( group, mask );
        ++( entry ? entry->m_count : m_otherCount );
    }

    /// Reverts one call of add.
    void remove( int group, int mask )
    {
        Entry* entry = find( group, mask );
        --( entry ? entry->m_count : m_otherCount );
    }

    /// True if a proxy of this group and mask may pair with any counted proxy, itself included.
    bool hasPartner( int group, int mask ) const
    {
        bool has = m_otherCount > 0;
        for ( int i = 0; i < m_size && !has; ++i )
        {
            const Entry& entry = m_entries[i];
            has = entry.m_count > 0 && ( entry.m_group & mask ) != 0 && ( group & entry.m_mask ) != 0;
        }
        return has;
    }

private:
    struct Entry
    {
        int m_group;
        int m_mask;
        int m_count; ///< may be 0
    };

    Entry* find( int group, int mask )
    {
        int i = 0;
        while ( i < m_size && ( m_entries[i].m_group != group || m_entries[i].m_mask != mask ) )
        {
            ++i;
        }
        return i < m_size ? m_entries + i : 0;
    }

    /// \return NULL if all entries are in use, or if m_otherCount is not 0: a proxy that is counted there may be of
    ///         this kind, and remove() would then subtract it from the new entry
    Entry* findFreeEntry( int group, int mask )
    {
        int i = 0;
        while ( i < m_size && ( m_entries[i].m_count > 0 || m_otherCount > 0 ) )
        {
            ++i;
        }
        if ( i == MOST )
        {
            return 0;
        }
        m_size += i == m_size;
        m_entries[i] = { group, mask, 0 };
        return m_entries + i;
    }

    static const int MOST = 16;

    Entry m_entries[MOST];
    int m_size = 0;
    int m_otherCount = 0; ///< proxies of kinds that have no entry
};

#endif
