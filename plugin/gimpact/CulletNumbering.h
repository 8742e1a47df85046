// SPDX-License-Identifier: Zlib
/// \file CulletNumbering.h
/// Numbers those of a few ids that are asked for, so that what is computed once for each of them lies close together.
/// Without branches, for whether an id was asked for before is hard to guess.
#ifndef CULLET_NUMBERING_H
#define CULLET_NUMBERING_H

#include <stddef.h>
#include <string.h>

/// \tparam mostIds  ids are smaller
template <int mostIds>
class CulletNumbering
{
public:
    /// None is asked for; ids from now on are 0 … idCount - 1.
    void begin( int idCount )
    {
        m_idCount = idCount;
        memset( m_asked, 0, size_t( idCount ) );
    }

    /// \return how many more are asked for now: 0 or 1
    int ask( int id )
    {
        const int isNew = 1 - m_asked[id];
        m_asked[id] = 1;
        return isNew;
    }

    /// After the last one is asked for. Numbers ascend with ids.
    /// \return how many there are
    int number()
    {
        int count = 0;
        for ( int id = 0; id < m_idCount; ++id )
        {
            m_numbers[id] = count;
            m_ids[count] = id;
            count += m_asked[id];
        }
        return count;
    }

    /// \return nothing of use for an id that is not asked for
    int numberOf( int id ) const
    {
        return m_numbers[id];
    }

    int idOf( int number ) const
    {
        return m_ids[number];
    }

private:
    int m_idCount;
    int m_numbers[mostIds];
    int m_ids[mostIds];
    unsigned char m_asked[mostIds]; ///< 0 or 1
};

#endif
