// SPDX-License-Identifier: Zlib
/// \file thesis.h
/// The rows of the tables of the thesis on collision detection of cloth.
#ifndef CLT_PAPERS_THESIS_H
#define CLT_PAPERS_THESIS_H

#include "papers.h"

namespace cullet::papers
{

// thesis_trees.cpp: one mesh and its tree
std::vector<Row> measureDopBuild( const Effort& effort );  ///< tables 4.2 and 4.3
std::vector<Row> measureDopUpdate( const Effort& effort ); ///< table 4.4
std::vector<Row> measureDopLevels( const Effort& effort ); ///< figures 3.3 and 4.10

// thesis_cloth.cpp: two meshes
std::vector<Row> measureClothDrop( const Effort& effort ); ///< figure 4.6

// thesis_narrow.cpp: their triangles
std::vector<Row> measureNarrowPhase( const Effort& effort ); ///< figure 4.9
std::vector<Row> measureKdops( const Effort& effort );       ///< section 2.2.2.1

// thesis_front.cpp: many bodies
std::vector<Row> measureFront( const Effort& effort ); ///< figure 4.8

// thesis_rebuild.cpp
std::vector<Row> measureRebuildRules( const Effort& effort ); ///< section 2.2.2.4

} // namespace cullet::papers

#endif
