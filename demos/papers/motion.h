// SPDX-License-Identifier: Zlib
/// \file motion.h
/// The steps of a scene, the pairs after the last step, and the time that the library's updates take.
#ifndef CLT_PAPERS_MOTION_H
#define CLT_PAPERS_MOTION_H

#include "mesh_oracle.h"
#include "papers.h"

#include "demos/oracle/oracle.h"
#include "demos/scenes/scenes.h"

#include "cullet_research.h"

#include <array>

namespace cullet::papers
{

using ScenePointer = std::unique_ptr<cltScene, decltype( &cltDestroyScene )>;

/// Throws std::runtime_error if memory runs out.
ScenePointer createScene( const cltSceneDef& def );

/// The overlapping pairs of boxes, found by an independent sweep along the axis on which the boxes spread most.
/// \param filters  the filter of each box; empty: all boxes may pair
PairSet sweptPairsOf( const std::vector<cltAabb>& boxes, const std::vector<cltFilter>& filters = {} );

/// The boxes of a scene after each of its steps. All of its bodies move.
class Motion
{
public:
    std::vector<std::vector<cltAabb>> steps; ///< boxes by step; steps[0] are the initial ones
    std::vector<cltFilter> filters;

    /// Makes as many steps as the tables measure: untimedSteps and timedSteps.
    Motion( cltSceneKind kind, std::uint32_t bodyCount, const TableBuilder& table );

    /// \param stepCount  0: only the initial boxes
    Motion( const cltSceneDef& def, int stepCount );

    /// The boxes of the triangles of a mesh scene, from its current step on. Leaves the scene at the last step.
    Motion( cltMeshScene& scene, Between between, const TableBuilder& table );

    const std::vector<cltAabb>& lastBoxes() const
    {
        return steps.back();
    }

    /// The pairs after the last step. The first call computes them.
    const PairSet& pairs() const;

private:
    mutable std::optional<PairSet> m_pairs;
};

/// The parts of an update that the tables show.
enum Part
{
    setPart,    ///< setting the boxes, and detecting the changed ones
    buildPart,  ///< sorting, and building the tree or the cells
    findPart,   ///< testing candidates
    searchPart, ///< buildPart and findPart together
    totalPart,  ///< from the boxes to the changes in canonical order
    partCount
};

/// What the library reports of its updates.
struct Updates
{
    std::array<Figure, partCount> ms; ///< medians over the timed steps; a quick run has none
    double candidates = 0;            ///< tested in the last update, by algorithms that count them
    double nodeTests = 0;             ///< median over the timed steps, by algorithms that count them
    double frontSize = 0;             ///< entries of the front after the last update
    std::string replacement;          ///< ", by ..." if the library used another algorithm than the requested one
    bool isRight = false;             ///< the changes add up to the pairs of the sweep, and so does the pair list
};

/// The library's default def, with the given algorithm and device.
/// \param research  NULL, or must outlive the definition
cltBroadphaseDef defOf( const TableBuilder& table, cltAlgorithm algorithm, cltDevice device,
                        const cltResearchDef* research = nullptr );

Updates measureUpdates( const TableBuilder& table, const cltBroadphaseDef& def, const Motion& motion,
                        std::size_t untimed = untimedSteps );

struct CpuAndDevice
{
    Updates cpu;
    std::optional<Updates> device; ///< if `Effort::hasCuda`
};

CpuAndDevice measureLibrary( const TableBuilder& table, cltAlgorithm algorithm, const Motion& motion,
                             const cltResearchDef* research = nullptr );

/// Adds a row that shows the time of a part.
Row& addTime( TableBuilder& table, const std::string& size, const std::string& what, Figure paper,
              const CpuAndDevice& measured, Part part );

} // namespace cullet::papers

#endif
