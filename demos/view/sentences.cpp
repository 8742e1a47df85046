// SPDX-License-Identifier: Zlib
#include "sentences.h"

#include "demos/engines/engines.h"

#include <fmt/format.h>

#include <algorithm>

namespace cullet::view
{

bool isWorld( const Simulation& simulation )
{
    const std::vector<TimedPart>& parts = simulation.source().parts();
    return std::any_of( parts.begin(), parts.end(), []( const TimedPart& part ) { return !part.isBroadphase; } );
}

std::string labelOf( const Simulation& simulation, std::size_t contestant )
{
    const std::optional<Figures> figures = simulation.figures( contestant );
    return simulation.source().contestantName( contestant ) +
           ( figures ? fmt::format( ": broadphase {:.3f} ms", figures->broadphaseMean ) : "" );
}

std::string descriptionOf( const Simulation& simulation, std::size_t contestant )
{
    return simulation.source().canBeChecked()
               ? compare::engineKind( simulation.source().contestantName( contestant ) ).description
               : "";
}

std::string checkOf( const Simulation& simulation, std::size_t contestant )
{
    const Record& record = simulation.record( contestant );
    const std::string name = simulation.source().contestantName( contestant );
    if ( !simulation.source().canBeChecked() )
    {
        return fmt::format( "{}: {} pairs of triangles", name, record.pairCount );
    }
    const char* reason = record.extraCount > 0 ? " (its boxes are larger)" : "";
    return fmt::format( "{}: {} pairs, {} of them do not overlap{}, {} missing", name, record.pairCount,
                        record.extraCount, reason, record.missingCount );
}

std::string verdictOf( const Simulation& simulation )
{
    const Source& source = simulation.source();
    std::optional<std::size_t> slowest, fastest;
    const auto ms = [&]( std::size_t k ) { return simulation.figures( k )->broadphaseMean; };
    for ( std::size_t k = 0; k < source.contestantCount() && simulation.figures( k ); ++k )
    {
        slowest = !slowest || ms( k ) > ms( *slowest ) ? k : *slowest;
        fastest = !fastest || ms( k ) < ms( *fastest ) ? k : *fastest;
    }
    if ( source.contestantCount() < 2 || !fastest )
    {
        return "";
    }
    const auto isTimes = []( double less, double more ) { return more / std::max( less, 1e-9 ); };
    const std::string verdict = fmt::format(
        "{} is {:.1f} times as fast as {}: {:.3f} ms a step against {:.3f} ms.", source.contestantName( *fastest ),
        isTimes( ms( *fastest ), ms( *slowest ) ), source.contestantName( *slowest ), ms( *fastest ), ms( *slowest ) );
    if ( !isWorld( simulation ) )
    {
        return verdict;
    }
    const double less = simulation.figures( *fastest )->stepMean, more = simulation.figures( *slowest )->stepMean;
    return verdict +
           fmt::format( " Whole steps, with the rest of Bullet, take {:.2f} ms against {:.2f} ms: {:.1f} times.", less,
                        more, isTimes( less, more ) );
}

std::string reportOf( const Simulation& simulation )
{
    std::string report = fmt::format( "step {}. {}\n", simulation.stepCount(), verdictOf( simulation ) );
    for ( std::size_t k = 0; k < simulation.source().contestantCount(); ++k )
    {
        report += labelOf( simulation, k ) + "\n" + checkOf( simulation, k ) + "\n";
    }
    return report;
}

} // namespace cullet::view
