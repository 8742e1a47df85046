// SPDX-License-Identifier: Zlib
/// \file absent.cpp
/// What the papers have and no table does.
#include "papers.h"

namespace cullet::papers
{

std::vector<Absent> absentTables()
{
    return {
        { "Avril 2012", "table 1, equations (1) and (2), the example",
          "no measurements; tests/core/test_pair_map.cpp holds the map to them" },
        { "Avril 2012", "figure 2", "a drawing" },
        { "Avril 2012", "section 3.5.1, beside Liu, Pabst and Kim",
          "ratios without a time of either side; avril-others has those times that section 6 prints" },
        { "Karras 2012", "the pictures of Parts II and III", "drawings, and the scene, which was not published" },
        { "Karras 2012", "the rungs and the top-down build on a device",
          "written for one thread only: how much work each of them does is counted here, and what threads side by "
          "side make of it, which is what the posts are about, is not. With a device karras-build has the library's "
          "tree and one-sided walk there, chitalu-1 and chitalu-fig7 its walk of pairs of nodes" },
        { "Chitalu 2018", "figures 1 to 5",
          "drawings: nodes in one array, whose tree a node is, the two lists of a pass, what follows a pair, the "
          "queue. chitalu-1 has the first four, chitalu-fig9 counts the fifth" },
        { "Chitalu 2018", "figure 6", "pictures of meshes that belong to others; here are as many triangles" },
        { "Chitalu 2018", "figure 8 from level 6 on for NBody",
          "305 meshes begin there with 170 million pairs of nodes" },
        { "Chitalu 2018", "figure 9 in milliseconds",
          "a queue in a group's own memory is a thing of devices; counted is how often it is written out" },
        { "Chitalu 2018", "the library's passes over 305 meshes in table 1 and figure 7",
          "its filters keep 32 groups apart, not 305 meshes; thesis-kdops has its search of meshes, which does" },
        { "Thesis", "figures 2.1 to 2.7", "drawings of what others made, and of OpenCL" },
        { "Thesis", "section 2.1.4, a grid that looks at 27 neighbors",
          "it finds the pairs of bodies that are no larger than a cell, those of Avril's, which takes others too" },
        { "Thesis", "section 2.2, a vertex and a face, two edges", "named there, not made; cullet_mesh.h finds both" },
        { "Thesis", "section 2.2.1, space enumerated or hashed", "the thesis rejects it itself" },
        { "Thesis", "section 2.2.2.1, spheres and boxes that are turned",
          "named there, not made; thesis-kdops has boxes and 18-DOPs" },
        { "Thesis", "section 2.2.2.4, half trees, updates led by a front",
          "other people's, cited there; thesis-4.4 updates whole trees, as the thesis does" },
        { "Thesis", "section 2.2.3, trees by surface area, hybrid builds, queues for each core",
          "other people's, cited there; thesis-4.2 has the build that is the thesis' own" },
        { "Thesis", "figures 3.1, 3.2 and 3.4 to 3.10",
          "drawings of the build's steps. thesis-4.2 makes the first two; the others share a node out among groups of "
          "threads, and take leaves out of the list of nodes, of which one thread does neither" },
        { "Thesis", "figures 3.11 to 3.16",
          "drawings: walking two trees, which thesis-4.6 does, a front that is made and rises, thesis-4.8, and an "
          "update, thesis-4.4" },
        { "Thesis", "section 3.3.2, queues of some thousand pairs of nodes",
          "pairs for which there is no room are lost there, as the thesis says; here there is room" },
        { "Thesis", "table 4.1", "the machines, which head each table" },
        { "Thesis", "figures 4.1 and 4.7", "pictures of meshes that belong to others; here are as many triangles" },
        { "Thesis", "figures 4.2 to 4.5",
          "curves, of which the text tells what they save: work groups that shrink with their nodes (94 and 67 %), a "
          "thread for each small node (1.5 to 2 times as fast, and 3 times), several groups for a large one (5 times, "
          "70 %), and what it costs to take leaves out of the list of nodes: how a card's threads share the work. One "
          "thread has nobody to share it with; thesis-4.2 has the card's times before all "
          "of them and after" },
    };
}

} // namespace cullet::papers
