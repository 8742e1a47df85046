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

void noteLine( cltStatus, const char* message, void* log )
{
    static_cast<Log*>( log )->push_back( message );
}

cltBroadphaseDef coreDef( const SubjectDef& def, Log* log )
{
    cltBroadphaseDef core = cltDefaultBroadphaseDef();
    core.device = def.device;
    core.algorithm = def.algorithm;
    core.threadCount = def.threads;
    core.log = noteLine;
    core.userContext = log;
    return core;
}

} // namespace

Subject createSubject( const SubjectDef& def )
{
    Subject subject;
    subject.log = std::make_shared<Log>();
    if ( def.givesCache )
    {
        subject.givenCache.reset( new btHashedOverlappingPairCache );
    }
    CulletBroadphase* broadphase = new CulletBroadphase( coreDef( def, subject.log.get() ), subject.givenCache.get() );
    subject.broadphase.reset( broadphase );
    if ( broadphase->getCreationStatus() != clt_ok )
    {
        throw std::runtime_error( cltStatusMessage( broadphase->getCreationStatus() ) );
    }
    Promises& promises = subject.promises;
    promises.pairsOfNewAtOnce = true;
    promises.movesAtOnce = CulletBroadphase::EAGER_MOVES;
    promises.takesNullClients = true;
    promises.cullsRays = true;
    promises.hidesNan = true;
    promises.repairsCache = true;
    // In a given cache it cannot see whether a ghost callback is installed, and so whether a client object is a ghost.
    promises.pairsOfGhostAtOnce = !def.givesCache;
    // Its own cache lets it apply groups and masks while it searches, and it looks only at so many for edits each time.
    // Bodies that come and go in one step have slots of their own.
    promises.readsForgotten = def.givesCache || 2 * def.bodies <= std::size_t( CulletBroadphase::LOOKS );
    subject.status = [broadphase] { return broadphase->getStatus(); };
    return subject;
}

} // namespace cullet::stress
