// SPDX-License-Identifier: Zlib
/// \file motion.h
/// The steps of a scene, the pairs after the last step, and the time that the library's updates take.
#ifndef CLT_PAPERS_MOTION_H
#define CLT_PAPERS_MOTION_H

#include "mesh_oracle.h"
#include "papers.h"

#include "demos/oracle/oracle.h"
#include "demos/report/timing.h"
#include "demos/scenes/scenes.h"

namespace cullet::papers
{

constexpr int untimedSteps = 3;
constexpr int timedSteps = 9;

using ScenePointer = std::unique_ptr<cltScene, decltype( &cltDestroyScene )>;

/// Throws std::runtime_error if memory runs out.
ScenePointer createScene( const cltSceneDef& def );

/// Finds the overlapping pairs of boxes by an independent sweep along the axis on which they spread most.
PairSet sweptPairsOf( const std::vector<cltAabb>& boxes, const std::vector<cltFilter>& filters );

/// The boxes of a scene after each of its steps. All of its bodies move.
class Motion
{
public:
    /// Makes as many steps as the tables measure: untimedSteps and timedSteps.
    Motion( cltSceneKind kind, std::uint32_t bodyCount, const Effort& effort );

    /// \param steps  0: only the initial boxes
    Motion( const cltSceneDef& def, int steps );

    /// The boxes of the triangles of a mesh scene, from its current step on. The scene ends at the last step.
    Motion( cltMeshScene& scene, Between between, const Effort& effort );

    /// \param step  0: the initial boxes
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

    /// The pairs after the last step. The first call computes them.
    const PairSet& pairs() const;

private:
    std::vector<std::vector<cltAabb>> m_steps;
    std::vector<cltFilter> m_filters;
    mutable std::optional<PairSet> m_pairs;
};

/// What the library reports of its updates. Times are medians over the timed steps; a quick run has none.
struct Updates
{
    std::optional<double> setMs;    ///< setting the boxes, and detecting the changed ones
    std::optional<double> buildMs;  ///< sorting, and building the tree or the cells
    std::optional<double> findMs;   ///< testing candidates
    std::optional<double> searchMs; ///< buildMs and findMs together
    std::optional<double> totalMs;  ///< from the boxes to the changes in canonical order
    double candidates = 0;          ///< tested in the last update, by algorithms that count them
    double nodeTests = 0;           ///< median over the timed steps, by algorithms that count them
    double frontSize = 0;           ///< entries of the front after the last update
    std::string replacement;        ///< ", by ..." if the library used another algorithm than the one asked for
    bool isRight = false;           ///< the changes add up to the pairs of the sweep, and the pair list equals them
};

Updates measureUpdates( const cltBroadphaseDef& def, const Motion& motion, const Effort& effort,
                        std::size_t untimed = untimedSteps );

struct CpuAndDevice
{
    Updates cpu;
    std::optional<Updates> device; ///< if `Effort::hasCuda`
};

/// \param def  its device is ignored
CpuAndDevice measureCpuAndDevice( cltBroadphaseDef def, const Motion& motion, const Effort& effort );

/// The library's default definition with that algorithm.
cltBroadphaseDef defOf( cltAlgorithm algorithm, const Effort& effort );

/// A row that shows one of the times.
Row rowOf( const std::string& size, const std::string& what, std::optional<double> paper, const CpuAndDevice& measured,
           std::optional<double> Updates::*time );

/// The milliseconds of one run of `work`, for work that takes seconds. A quick run has no time.
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

/// The median milliseconds of nine runs of `work` after an untimed one. A quick run makes only the untimed one.
template <typename Work>
std::optional<double> medianMs( const Effort& effort, Work&& work )
{
    std::vector<double> times;
    onceMs( effort, work );
    for ( int repeat = 0; repeat < timedSteps && !effort.isQuick; ++repeat )
    {
        times.push_back( *onceMs( effort, work ) );
    }
    return compare::medianIfAny( times );
}

/// Sets the x coordinate of the rows that have none yet.
void setX( std::vector<Row>& rows, double x );

/// The sizes without those that a quick run has no time for.
std::vector<std::uint32_t> sizesFor( const Effort& effort, std::vector<std::uint32_t> sizes );

/// The same for entries with a member `size`.
template <typename Published, std::size_t count>
std::vector<Published> publishedFor( const Effort& effort, const Published ( &all )[count] )
{
    std::vector<Published> some( all, all + count );
    const auto isOut = [&]( const Published& published ) { return sizesFor( effort, { published.size } ).empty(); };
    some.erase( std::remove_if( some.begin(), some.end(), isOut ), some.end() );
    return some;
}

} // namespace cullet::papers

#endif
