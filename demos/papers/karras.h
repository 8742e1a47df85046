// SPDX-License-Identifier: Zlib
/// \file karras.h
/// What the tables of Karras 2012 share.
#ifndef CLT_PAPERS_KARRAS_H
#define CLT_PAPERS_KARRAS_H

#include "karras_walks.h"
#include "motion.h"

#include <numeric>

namespace cullet::papers
{

constexpr std::uint32_t bodiesOfThePost = 12486;

/// What takes seconds is timed once: from here on.
constexpr std::uint32_t timedOnce = 1000000;

/// Corridor is made to have as many pairs as the scene of the posts at its size.
inline std::vector<std::uint32_t> postSizesFor( const Effort& effort )
{
    return effort.isQuick ? std::vector<std::uint32_t>{ bodiesOfThePost }
                          : std::vector<std::uint32_t>{ bodiesOfThePost, 100000, timedOnce };
}

template <typename Work>
std::optional<double> timeMs( const Effort& effort, std::uint32_t bodies, Work&& work )
{
    return bodies >= timedOnce ? onceMs( effort, work ) : medianMs( effort, work );
}

/// Whether a walk of that tree finds the pairs after the last step.
bool findsThePairs( KarrasTree tree, const Motion& motion );

/// Whether levels of so many inner nodes are all of a tree.
inline bool areAllOf( const std::vector<std::uint32_t>& levelSizes, std::uint32_t bodyCount )
{
    return std::accumulate( levelSizes.begin(), levelSizes.end(), std::uint64_t( 1 ) ) == bodyCount;
}

std::vector<Row> measureLadder( const Effort& effort );       ///< Part II, karras_ladder.cpp
std::vector<Row> measureBuild( const Effort& effort );        ///< Part III, karras_build.cpp
std::vector<Row> measureBuildsBySize( const Effort& effort ); ///< from few bodies to many, karras_sizes.cpp

} // namespace cullet::papers

#endif
