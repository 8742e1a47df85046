// SPDX-License-Identifier: Zlib
/// \file subject.cpp
/// CulletBroadphase, held to everything that it promises.
#include "subject.h"

#include "plugin/CulletBroadphase.h"

#include <stdexcept>

namespace cullet::stress
{

namespace
{

cltBroadphaseDef coreDef( const SubjectDef& def )
{
    cltBroadphaseDef core = cltDefaultBroadphaseDef();
    core.algorithm = def.algorithm;
    core.threadCount = def.threads;
    return core;
}

} // namespace

Subject createSubject( const SubjectDef& def )
{
    Subject subject;
    if ( def.givesCache )
    {
        subject.givenCache.reset( new btHashedOverlappingPairCache );
    }
    CulletBroadphase* broadphase = new CulletBroadphase( coreDef( def ), subject.givenCache.get() );
    subject.broadphase.reset( broadphase );
    if ( broadphase->getCreationStatus() != clt_ok )
    {
        throw std::runtime_error( cltStatusMessage( broadphase->getCreationStatus() ) );
    }
    // In a given cache it cannot see whether a ghost callback is installed, and so whether a client object is a ghost.
    const bool seesGhosts = !def.givesCache;
    subject.promises = { true, 16, seesGhosts, true, true, true, true };
    subject.status = [broadphase] { return broadphase->getStatus(); };
    return subject;
}

} // namespace cullet::stress
