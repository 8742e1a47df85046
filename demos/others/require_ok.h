// SPDX-License-Identifier: Zlib
/// \file require_ok.h
#ifndef CLT_OTHERS_REQUIRE_OK_H
#define CLT_OTHERS_REQUIRE_OK_H

#include "cullet.h"

#include <stdexcept>

namespace cullet::others
{

/// \throws std::runtime_error  that names the error and its remedy
inline void requireOk( cltStatus status )
{
    if ( status != clt_ok )
    {
        throw std::runtime_error( cltStatusMessage( status ) );
    }
}

} // namespace cullet::others

#endif
