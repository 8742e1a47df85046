// SPDX-License-Identifier: Zlib
/// \file chitalu.h
/// Chitalu, Dubach, Komura, Bulk-synchronous Parallel Simultaneous BVH Traversal for Collision Detection on GPUs, 2018:
/// the rows of its tables. On one thread; how many threads a pass could have is in the counts.
#ifndef CLT_PAPERS_CHITALU_H
#define CLT_PAPERS_CHITALU_H

#include "mesh_forest.h"
#include "papers.h"

namespace cullet::papers
{

/// One of the paper's scenes.
struct ForestScene
{
    cltMeshSceneKind kind;
    const char* name;
    Between between;             ///< in table 1 and figure 8
    double firstCard, otherCard; ///< table 1: GTX 960, R9 280
    double pairs;
    std::optional<double> speedup; ///< figure 7: over streams, as far as the text tells
};

std::vector<ForestScene> forestScenes( const Effort& effort );

/// A scene at the step that is measured, the trees of its meshes, and its pairs.
class Forest
{
public:
    Forest( const ForestScene& known, Between between, const Effort& effort );

    /// Moves triangles and trees by so many steps.
    void move( int steps );

    bool isRight( ForestWalked& walked ) const;

    const cltMeshScene& scene() const
    {
        return *m_scene;
    }

    const MeshForest& trees() const
    {
        return m_trees;
    }

    const PairSet& pairs() const
    {
        return m_pairs;
    }

    /// The library's passes and its walk leaf by leaf over the boxes of the triangles as they move, on all threads or a
    /// device. Its groups keep a few meshes apart; of more there are no rows. The scene is left where the last step is.
    void addLibrary( std::vector<Row>& rows, const Effort& effort );

private:
    const char* m_name;
    Between m_between;
    MeshScenePointer m_scene;
    MeshForest m_trees;
    PairSet m_pairs;
};

// chitalu_queries.cpp: how long a search takes
std::vector<Row> measureQueries( const Effort& effort );  ///< table 1
std::vector<Row> measureSpeedups( const Effort& effort ); ///< figure 7

// chitalu_choices.cpp: what it should be made with
std::vector<Row> measureEntry( const Effort& effort );  ///< figure 8
std::vector<Row> measureQueues( const Effort& effort ); ///< figure 9

} // namespace cullet::papers

#endif
