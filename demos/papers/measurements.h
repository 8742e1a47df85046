// SPDX-License-Identifier: Zlib
/// \file measurements.h
/// The functions that measure the rows of each table. tables.cpp lists the tables.
#ifndef CLT_PAPERS_MEASUREMENTS_H
#define CLT_PAPERS_MEASUREMENTS_H

#include "papers.h"

namespace cullet::papers
{

using Measurement = std::vector<Row>( const Effort& effort );

// Avril 2012
Measurement measureWorlds;     ///< figure 1, avril_bullet.cpp
Measurement measureMaps;       ///< table 2, avril_maps.cpp
Measurement measureRootErrors; ///< table 3, avril_roots.cpp
Measurement measureRoots;      ///< table 4, avril_roots.cpp
Measurement measureOutput;     ///< table 5 and figure 3, avril_maps.cpp
Measurement measureTraffic;    ///< figure 4, avril_maps.cpp
Measurement measureStages;     ///< table 6, avril_grid.cpp
Measurement measureCrossing;   ///< table 7, avril_grid.cpp
Measurement measureCellSize;   ///< section 4.1, avril_cells.cpp
Measurement measureOthers;     ///< section 6, avril_grid.cpp
Measurement measureBullet;     ///< figure 5, avril_bullet.cpp
Measurement measureMoving;     ///< figure 6, avril_bullet.cpp

// Karras 2012, karras.cpp
Measurement measureWalks;        ///< Part II
Measurement measureBuild;        ///< Part III
Measurement measureBuildsBySize; ///< Part III, from few bodies to many

// Chitalu 2018, chitalu.cpp
Measurement measureQueries;  ///< table 1
Measurement measureSpeedups; ///< figure 7
Measurement measureEntry;    ///< figure 8
Measurement measureQueues;   ///< figure 9

// The thesis
Measurement measureDopBuild;     ///< tables 4.2 and 4.3, thesis_trees.cpp
Measurement measureDopUpdate;    ///< table 4.4, thesis_trees.cpp
Measurement measureDopLevels;    ///< figures 3.3 and 4.10, thesis_trees.cpp
Measurement measureClothDrop;    ///< figure 4.6, thesis_trees.cpp
Measurement measureFront;        ///< figure 4.8, thesis_front.cpp
Measurement measureNarrowPhase;  ///< figure 4.9, thesis_narrow.cpp
Measurement measureKdops;        ///< section 2.2.2.1, thesis_narrow.cpp
Measurement measureRebuildRules; ///< section 2.2.2.4, thesis_rebuild.cpp

} // namespace cullet::papers

#endif
