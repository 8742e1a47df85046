// SPDX-License-Identifier: Zlib
/// \file CulletFilterCensus.h
/// How many proxies have which group and mask. Worlds have few different ones, so that a short look tells whether a
/// proxy may pair with anybody at all: a heap of debris whose mask excludes itself need not be searched.
#ifndef CULLET_FILTER_CENSUS_H
#define CULLET_FILTER_CENSUS_H

class CulletFilterCensus
{
public:
    void add( int group, int mask )
    {
        Entry* entry = find( group, mask );
        entry = entry ? entry : findRoom( group, mask );
        ++( entry ? entry->m_count : m_otherCount );
    }

    /// One that was added.
    void remove( int group, int mask )
    {
        Entry* entry = find( group, mask );
        --( entry ? entry->m_count : m_otherCount );
    }

    /// False: nobody may pair with such a proxy, itself included.
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

    /// NULL if there is none. Whoever has been counted among the others stays there: a later entry of the same kind
    /// would be taken for its own.
    Entry* findRoom( int group, int mask )
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
    int m_otherCount = 0; ///< of all kinds that have no entry
};

#endif
