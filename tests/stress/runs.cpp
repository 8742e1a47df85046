// SPDX-License-Identifier: Zlib
#include "runs.h"

#include <fmt/format.h>

namespace test
{

using namespace cullet::stress;

Settings shortRun( std::uint64_t seed )
{
    Settings settings;
    settings.bodies = 150;
    settings.seed = seed;
    settings.steps = 120;
    return settings;
}

Outcome run( const Settings& settings, Subject subject )
{
    return runStress( settings, std::move( subject ), []( const Moment& ) {} );
}

std::string complaintOf( const Settings& settings, const Outcome& outcome )
{
    if ( !outcome.failure )
    {
        return "";
    }
    const Failure& failure = *outcome.failure;
    return fmt::format( "{}: seed {} step {}: {}", failure.what, settings.seed, failure.step, failure.detail );
}

Subject simpleSubject()
{
    Subject subject;
    subject.givenCache.reset( new btHashedOverlappingPairCache );
    subject.broadphase.reset( new btSimpleBroadphase( 4096, subject.givenCache.get() ) );
    subject.promises.readsForgotten = true;
    subject.promises.repairsCache = true;
    subject.status = [] { return clt_ok; };
    return subject;
}

} // namespace test
