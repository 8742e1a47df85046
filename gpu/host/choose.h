// SPDX-License-Identifier: Zlib
/// \file choose.h
/// What auto takes.
#ifndef CLT_HOST_CHOOSE_H
#define CLT_HOST_CHOOSE_H

#include "bridge/cullet.h"

typedef struct cltChoice
{
    cltAlgorithm algorithm;
    const char* reason; ///< static text
} cltChoice;

/// \param asked  what the def says
cltChoice cltChooseAlgorithm( cltAlgorithm asked );

#endif
