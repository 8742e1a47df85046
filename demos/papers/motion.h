// SPDX-License-Identifier: Zlib
/// \file motion.h
/// Some steps of a scene, the pairs that there must be after the last, and how long the library takes over them.
#ifndef CLT_PAPERS_MOTION_H
#define CLT_PAPERS_MOTION_H

#include "mesh_oracle.h"
#include "papers.h"

#include "demos/oracle/oracle.h"
#include "demos/oracle/told_pairs.h"
#include "demos/report/timing.h"
#include "demos/scenes/scenes.h"

namespace cullet::papers
{

constexpr int untimedSteps = 3;
constexpr int timedSteps = 9;

/// The boxes of a scene in which all that can move does, step by step, as all engines get them.
class Motion
{
public:
    /// As many steps as are measured. Throws std::runtime_error when memory runs out.
    Motion( cltSceneKind kind, std::uint32_t bodyCount, const Effort& effort );

    /// \param steps  0: the boxes of the scene, and nothing else
    Motion( cltSceneKind kind, std::uint32_t bodyCount, int steps );

    /// The boxes of a scene's triangles, from where it is now on. It is left where the last step is.
    Motion( cltMeshScene& scene, Between between, const Effort& effort );

    /// \param step  0: before the first
    const std::vector<cltAabb>& boxes( std::size_t step ) const
    {
        return m_steps[step];
    }

    const std::vector<cltAabb>& lastBoxes() const
    {
        return m_steps.back();
    }

    const std::vector<cltFilter>& filters() const
    {
        return m_filters;
    }

    std::size_t stepCount() const
    {
        return m_steps.size() - 1;
    }

    /// After the last step; found by the first who asks.
    const PairSet& pairs() const;

private:
    std::vector<std::vector<cltAabb>> m_steps;
    std::vector<cltFilter> m_filters;
    mutable std::optional<PairSet> m_pairs;
};

/// What the library tells of its updates, step by step.
class FollowedPairs
{
public:
    void update( cltBroadphase& core );

    /// Whether what it told comes to these pairs, and the list that it has of them now is the same.
    bool are( cltBroadphase& core, const PairSet& expected ) const;

private:
    ToldPairs m_told;
    bool m_isSound = true;
};

/// What the library says of an update: medians.
struct Updates
{
    std::optional<double> setMs;   ///< handing over the boxes, and finding out what changed
    std::optional<double> buildMs; ///< sorting, tree or cells
    std::optional<double> findMs;  ///< testing candidates
    std::optional<double> totalMs; ///< from the boxes to the changes in canonical order
    double candidates = 0;         ///< that the last one tested, where they are counted
    std::string instead;           ///< ", by ..." if another algorithm took the place of what was asked for
    bool isRight = false;
};

Updates measureUpdates( const cltBroadphaseDef& def, const Motion& motion, const Effort& effort );

/// On the CPU, and on a device if it is asked for.
struct Everywhere
{
    Updates cpu;
    std::optional<Updates> device;
};

/// \param def  its device is not looked at
Everywhere measureEverywhere( cltBroadphaseDef def, const Motion& motion, const Effort& effort );

/// The library's defaults, with that algorithm.
cltBroadphaseDef defOf( cltAlgorithm algorithm, const Effort& effort );

/// A row of that time.
Row rowOf( const std::string& size, const std::string& what, std::optional<double> paper, const Everywhere& measured,
           std::optional<double> Updates::*time );

/// For what takes seconds: the milliseconds of one run.
template <typename Work>
std::optional<double> onceMs( const Effort& effort, Work&& work )
{
    double milliseconds = 0;
    {
        const compare::Stopwatch stopwatch( milliseconds );
        work();
    }
    return effort.isQuick ? std::nullopt : std::optional<double>( milliseconds );
}

/// The median of nine runs of `work` in milliseconds; a quick run is one, and has no time.
template <typename Work>
std::optional<double> medianMs( const Effort& effort, Work&& work )
{
    std::vector<double> times;
    onceMs( effort, work ); // does not count, but is all that a quick run does
    for ( int repeat = 0; repeat < timedSteps && !effort.isQuick; ++repeat )
    {
        times.push_back( *onceMs( effort, work ) );
    }
    return compare::medianIfAny( times );
}

/// Gives the rows that have no place in the figure yet this one.
void placeAt( std::vector<Row>& rows, double x );

/// Those of the sizes that a quick run has time for, or all.
std::vector<std::uint32_t> sizesFor( const Effort& effort, std::vector<std::uint32_t> sizes );

/// The same of what a table knows about sizes.
template <typename Known, std::size_t count>
std::vector<Known> knownFor( const Effort& effort, const Known ( &all )[count] )
{
    std::vector<Known> some( all, all + count );
    const auto isOut = [&]( const Known& known ) { return sizesFor( effort, { known.size } ).empty(); };
    some.erase( std::remove_if( some.begin(), some.end(), isOut ), some.end() );
    return some;
}

} // namespace cullet::papers

#endif
