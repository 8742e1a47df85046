// SPDX-License-Identifier: Zlib
/// \file tables_chitalu.cpp
/// What there is of Chitalu, Dubach and Komura 2018.
#include "chitalu.h"

namespace cullet::papers
{

static constexpr Paper chitalu = { "Chitalu 2018", "Bulk-synchronous Parallel Simultaneous BVH Traversal",
                                   "GeForce GTX 960, Radeon R9 280X" };

std::vector<Table> chitaluTables()
{
    return {
        { "chitalu-1", &chitalu, "table 1", "Pairs of triangles of many meshes, in passes over pairs of nodes",
          "The meshes have as many triangles as those of the paper, and other shapes. It does not say whether its "
          "pairs include those of triangles that have a vertex in common, which always touch. Its node numbers are "
          "called pre-order and are by levels. Two levels at a time, from the roots. The library searches the boxes "
          "now and before for what changed.",
          measureQueries },
        { "chitalu-fig7", &chitalu, "figure 7", "In passes, from a front with private stacks, and leaf by leaf",
          "The text tells 7.1 times over streams for NBody on an R9 280X, 6.2 on a GTX 960, and 4.4 and 4.3 on "
          "average. The paper measures no walk leaf by leaf, which Karras 2012 calls extremely difficult to "
          "beat by a simultaneous one on a card. One core has no idle threads, which are what passes avoid: the tests "
          "are what can be "
          "compared. Pairs of different meshes only, as there; the front is that of the step before.",
          measureSpeedups },
        { "chitalu-fig8", &chitalu, "figure 8", "Where to enter, and how many levels at a time",
          "Levels 0 to 6 below the roots, and to 5 for NBody, whose 305 meshes begin there with 42 million pairs of "
          "nodes, timed once. The text tells that four levels at a time are three to five times as slow as one to "
          "three, and NBody with two goes from 3 ms to 16 ms as the entry goes from level 1 to 5; with 3 ms that is "
          "more than the 2.42 of table 1. It puts spikes at three and four levels at a time down to padding. Our "
          "trees have none, and the spikes are there: which levels are looked at depends on where it enters, and "
          "comes back after as many levels as are taken at a time.",
          measureEntry },
        { "chitalu-fig9", &chitalu, "figure 9", "How often a queue of threads is written out",
          "The paper shows milliseconds over the size of the queue and that of the group, and prints none. A core has "
          "neither; counted is how often groups would write, each time through one counter that all share. The "
          "library sums up what a block has to write and has no queue.",
          measureQueues },
    };
}

} // namespace cullet::papers
