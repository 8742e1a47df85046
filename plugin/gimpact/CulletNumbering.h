// SPDX-License-Identifier: Zlib
/// \file CulletNumbering.h
/// Assigns consecutive numbers to the requested ids among a few, so that their data can be stored in a dense array. Has
/// no branches, because the processor could not predict whether an id was requested before.
#ifndef CULLET_NUMBERING_H
#define CULLET_NUMBERING_H

#include <stddef.h>
#include <string.h>

/// \tparam mostIds  all ids are smaller
template <int mostIds>
class CulletNumbering
{
public:
    /// Clears all requests. Valid ids are then 0 … idCount - 1.
    void begin( int idCount )
    {
        m_idCount = idCount;
        memset( m_isRequested, 0, size_t( idCount ) );
    }

    /// \return number of ids added: 0 if the id was requested before, else 1
    int request( int id )
    {
        const int isNew = 1 - m_isRequested[id];
        m_isRequested[id] = 1;
        return isNew;
    }

    /// Must be called after the last request. Numbers ascend with ids. \return number of requested ids
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
