// SPDX-License-Identifier: Zlib
/// \file absent.cpp
/// What the papers have and no table does.
#include "papers.h"

namespace cullet::papers
{

std::vector<Absent> absentTables()
{
    return {
        { "Avril 2012", "figure 2", "a drawing" },
        { "Karras 2012", "the rungs and builds on a device", "there the library's own search alone is measured" },
        { "Karras 2012", "two builds from 1,000 to 4 million", "at 12,486, 100,000 and a million they tell the same" },
        { "Chitalu 2018", "figure 9 in milliseconds",
          "a queue in a group's own memory is a thing of devices; counted is how often it is written out" },
        { "Chitalu 2018", "the library's passes over 305 meshes in table 1 and figure 7",
          "32 groups cannot keep 305 meshes apart; thesis-kdops has the library's search of them" },
        { "Thesis", "section 2.1.4, a grid that looks at 27 neighbors", "Avril's grid takes its place" },
        { "Thesis", "section 2.2.1, space enumerated or hashed", "the thesis rejects it itself" },
        { "Thesis", "section 2.2.3, trees by surface area, hybrid builds, queues for each core",
          "other people's, cited there" },
        { "Thesis", "section 2.2.2.4, half trees, updates led by a front", "other people's, cited there" },
        { "Thesis", "section 2.2, a vertex and a face, two edges", "named there, not made; cullet_mesh.h finds both" },
        { "Thesis", "figures 4.2 to 4.5, four versions of the build",
          "a processor has none of what they mend; thesis-4.2 has their times beside one build" },
        { "Thesis", "table 4.1 and figure 4.7", "the machines, which head each table; a picture" },
    };
}

} // namespace cullet::papers
