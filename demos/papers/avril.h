// SPDX-License-Identifier: Zlib
/// \file avril.h
/// Avril, Gouranton and Arnaldi, Fast Collision Culling in Large-Scale Environments Using GPU Mapping Function, 2012:
/// the rows of its tables.
#ifndef CLT_PAPERS_AVRIL_H
#define CLT_PAPERS_AVRIL_H

#include "papers.h"

#include "gpu/core/pair_map.h"

namespace cullet::papers
{

/// From an index to a pair.
struct NamedMap
{
    const char* name;
    cltPairMap map;
};

// avril_maps.cpp: from an index to a pair
std::vector<Row> measureMaps( const Effort& effort ); ///< table 2

// avril_roots.cpp: its root
std::vector<Row> measureRootErrors( const Effort& effort ); ///< table 3
std::vector<Row> measureRoots( const Effort& effort );      ///< table 4

// avril_output.cpp: from tested pairs to the processor
std::vector<Row> measureOutput( const Effort& effort );  ///< table 5, figure 3
std::vector<Row> measureTraffic( const Effort& effort ); ///< figure 4

// avril_grid.cpp: many bodies, in cells
std::vector<Row> measureStages( const Effort& effort );   ///< table 6
std::vector<Row> measureCrossing( const Effort& effort ); ///< table 7
std::vector<Row> measureOthers( const Effort& effort );   ///< section 6

// avril_cells.cpp: how large they should be
std::vector<Row> measureCellSize( const Effort& effort ); ///< section 4.1

// avril_bullet.cpp: beside Bullet's broadphases
std::vector<Row> measureWorlds( const Effort& effort ); ///< figure 1
std::vector<Row> measureBullet( const Effort& effort ); ///< figure 5
std::vector<Row> measureMoving( const Effort& effort ); ///< figure 6

} // namespace cullet::papers

#endif
