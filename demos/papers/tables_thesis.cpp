// SPDX-License-Identifier: Zlib
/// \file tables_thesis.cpp
/// What there is of the thesis on collision detection of cloth on graphics cards: how its trees are built and updated,
/// and what is found with them.
#include "thesis.h"

namespace cullet::papers
{

constexpr Paper thesis = { "Thesis", "Cloth collision detection with trees of 18-DOPs, in OpenCL",
                           "Quadro FX 3800, Tesla C2050, Core 2 Duo T8300 at 2.13 GHz" };

std::vector<Table> thesisTables()
{
    return {
        { "thesis-4.2", &thesis, "tables 4.2 and 4.3", "Building the tree of a mesh",
          "The meshes are bumpy balls with as many triangles as the models of the thesis. The first row is one core "
          "there and one thread here; the last is the library's tree of the triangles' boxes, on all threads. The "
          "dragon takes 1,105 ms in table 4.2 and 1,150 in table 4.3 with the same program on the same card.",
          measureDopBuild, "triangles" },
        { "thesis-4.4", &thesis, "table 4.4", "Updating that tree where vertices moved",
          "\"10 times faster in average than reconstructing\": by the thesis' own tables it is 4.5 to 7.9 times on "
          "the card and 12 to 22 on the processor.",
          measureDopUpdate, "triangles" },
        { "thesis-4.6", &thesis, "figure 4.6", "A cloth of 2,048 triangles sinks through a mesh of 69,451",
          "The thesis prints no numbers but \"about 25 times faster\" for the card than for one core. As there "
          "nothing keeps the cloth out. Both kinds of tests walk the same tree; with three directions it compares "
          "boxes. The library's time is that of setting all boxes of both, as two groups, and telling what changed.",
          measureClothDrop, "pairs of triangles whose 18-DOPs overlap" },
        { "thesis-4.8", &thesis, "section 3.3.2, figure 4.8", "Searching from where the last search stopped",
          "The thesis prints no numbers, but that putting the front's parts together takes 0.1 to 0.2 ms; here they "
          "are never apart. Its rule tests every entry in every step, and most pairs above them, to learn whether "
          "they should go up. The library's front notes with each entry how far boxes may move until then, and has "
          "each pair's boxes of before and of now around it, which makes it a little longer. Bodies in random motion, "
          "0.1 to 0.3 of their size a step at speed 1.",
          measureFront, "speed" },
        { "thesis-4.9", &thesis, "section 3.4, figure 4.9", "Which of those pairs of triangles meet",
          "The thesis prints no numbers. The same cloth; its test is Moller's, in floats, of one pair after the "
          "other, here on one core over all pairs whose 18-DOPs overlap, and not ticked, as floats may be wrong: what "
          "they miss and find too much is counted, against pairs that are right. As printed, where the line that two "
          "planes share runs along y, x is looked at instead. The library's three rows are whole searches on all "
          "threads, from the vertices to the pairs in order.",
          measureNarrowPhase, "pairs of triangles whose 18-DOPs overlap" },
        { "thesis-kdops", &thesis, "section 2.2.2.1", "What 18-DOPs are worth before triangles are looked at exactly",
          "The thesis prints no numbers. Its cloth, and the meshes of Chitalu 2018; these with themselves too in "
          "Funnel and Cloth-Ball, where triangles that have a vertex in common are left out. The first two times are "
          "of one core, which makes a pair's 18-DOPs when it comes to it, as the library does.",
          measureKdops },
        { "thesis-update", &thesis, "section 2.2.2.4", "When to build anew a tree that is refitted",
          "The thesis prints no numbers. A tree of Karras, refitted and searched in each of 1,000 steps; sums of all. "
          "\"Balance\" builds anew when what searches have tested more than the first one comes to what a new tree "
          "costs: by counts, and never more than twice as bad as knowing what comes.",
          measureRebuildRules },
        { "thesis-4.10", &thesis, "figures 3.3 and 4.10", "Building and updating level by level, 1,087,716 triangles",
          "The thesis prints no numbers. On its card the first levels of the first version are the slowest to build, "
          "for want of nodes to share out; one thread takes the longer the more nodes there are. The root's level "
          "also makes the 18-DOPs of all triangles. An update takes time where the nodes are.",
          measureDopLevels, "level, the root's is 0", false },
    };
}

} // namespace cullet::papers
