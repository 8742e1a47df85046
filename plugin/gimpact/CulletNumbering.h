// SPDX-License-Identifier: Zlib
/// \file CulletNumbering.h
/// Gives consecutive numbers to those of a few ids that are requested, so that data computed once for each lies close
/// together. Without branches: the processor could not predict whether an id was requested before.
#ifndef CULLET_NUMBERING_H
#define CULLET_NUMBERING_H

#include <stddef.h>
#include <string.h>

/// \tparam mostIds  all ids are smaller
template <int mostIds>
class CulletNumbering
{
public:
    /// Clears all requests; ids are 0 … idCount - 1 from now on.
    void begin( int idCount )
    {
        m_idCount = idCount;
        memset( m_isRequested, 0, size_t( idCount ) );
    }

    /// \return how many requested ids this adds: 0 or 1
    int request( int id )
    {
        const int isNew = 1 - m_isRequested[id];
        m_isRequested[id] = 1;
        return isNew;
    }

    /// To be called after the last request. Numbers ascend with ids. \return how many ids are requested
    int number()
    {
        int count = 0;
        for ( int id = 0; id < m_idCount; ++id )
        {
            m_numbers[id] = count;
            m_ids[count] = id;
            count += m_isRequested[id];
        }
        return count;
    }

    /// \return an arbitrary value for an id that is not requested
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
    unsigned char m_isRequested[mostIds]; ///< 0 or 1
};

#endif
