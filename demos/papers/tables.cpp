// SPDX-License-Identifier: Zlib
/// \file tables.cpp
/// All tables, and a list of the parts of the papers that no table measures.
#include "papers.h"

namespace cullet::papers
{

static constexpr Paper avril = { "Avril 2012",
                                 "Fast Collision Culling in Large-Scale Environments Using GPU Mapping Function",
                                 "Quadro FX 3600M, Core2 X7900 at 2.8 GHz" };
static constexpr Paper karras = { "Karras 2012", "Thinking Parallel, Parts II and III",
                                  "GTX 690, one of its two chips" };
static constexpr Paper chitalu = { "Chitalu 2018", "Bulk-synchronous Parallel Simultaneous BVH Traversal",
                                   "GeForce GTX 960, Radeon R9 280X" };
static constexpr Paper thesis = { "Thesis", "Cloth collision detection with trees of 18-DOPs, in OpenCL",
                                  "Quadro FX 3800, Tesla C2050, Core 2 Duo T8300 at 2.13 GHz" };

std::vector<Table> allTables()
{
    return {
        { "avril-fig1", &avril, "figure 1", "Falling cubes, spheres and slabs in Bullet worlds",
          "The paper gives one time, \"less than 25 ms\" for the spheres. Measured here at the beginning of the fall: "
          "setting boxes and finding pairs, in each of Bullet's steps.",
          measureWorlds },
        { "avril-2", &avril, "table 2", "From an index to a pair: by a square root, or by divide and modulo",
          "The paper's figures contradict each other: brute force on 1,000 bodies takes 0.21 ms here, 0.872 in table 7 "
          "and 2.70 in table 5. 100,000 bodies in 29.66 ms would be 169 thousand million tests a second, on a card "
          "that takes 21 thousand million roots a second (table 4). So the paper's 100,000 must be in a grid, as ours "
          "are, where the map numbers the pairs within a cell. Section 3.2.2 says that on one processor divide and "
          "modulo is four times as fast as the root, but gives only its time, 4.51 s. Rates count indices; divide and "
          "modulo has twice as many.",
          measurePairMaps },
        { "avril-3", &avril, "table 3", "Roots with a wrong integer part, before any correction",
          "With IEEE 754 rounding, two Newton steps err as printed. Three steps come near the paper's figures only "
          "with the multiply-add of cards of that time, which truncates the product (\"truncated\"). A fourth step "
          "does change the result. The last rows are pairs that stay wrong after both rules of section 3.3, each "
          "applied once; the paper says that there are none. Our map compares with the row's first index in integers "
          "as often as needed. The tick means that it is right with each of these roots, and that each root is within "
          "the error of its Newton steps.",
          measureRootErrors },
        { "avril-4", &avril, "table 4", "Time for a number of roots",
          "On one thread. The compiler computes four fast roots at a time, but square root instructions one by one, "
          "because sqrtf has to report errors. The thousand million are timed once. Ticks are as in table 3.",
          measureRoots },
        { "avril-5", &avril, "table 5, figure 3", "A byte or a bit for each tested pair",
          "On one thread; \"output\" is one copy in memory. In the paper eight threads read, OR and write the same "
          "byte, which loses pairs; here a thread owns whole bytes.",
          measureOutput, "bodies" },
        { "avril-fig4", &avril, "figure 4", "Brute force: time, and bytes in and out",
          "The paper prints sizes in its text only. Cullet returns pairs, not bits.", measureTraffic, "bodies" },
        { "avril-6", &avril, "table 6", "The stages of an update with the grid, everything moving",
          "\"Less than 25 ms with more than 100,000 objects\" in the abstract is 27.91 in this table. Scene column. In "
          "our grid a body is in one cell, and the neighbouring cells are searched as well.",
          measureStages },
        { "avril-7", &avril, "table 7", "Brute force with and without the grid", "Scene brownian.", measureCrossover,
          "bodies" },
        { "avril-x", &avril, "section 4.1", "How many bodies a cell should hold",
          "The paper leaves X open. On one thread, with each body in all cells that it overlaps, as in the paper. In "
          "the library's grid a body is in one cell, and cells are as wide as the largest body.",
          measureCellSize, "bodies that a cell should hold" },
        { "avril-others", &avril, "section 6", "Other published systems",
          "First lines: published figures on other cards; they have no tick. The scenes differ: ours is brownian. "
          "Section 3.5.1 claims 20 % over Liu 2010 at 2,500 objects, and five and three times the speed of Pabst 2010 "
          "and Kim 2009 on another scene, without their figures.",
          measureOtherSystems },
        { "avril-fig5", &avril, "figure 5", "Bullet's broadphases, everything moving",
          "The paper prints one number, \"less than 25 ms\" for 100,000. Scene column. cullet-grid has each body in "
          "one cell; cullet uses the algorithm that auto chooses.",
          measureBullet, "bodies" },
        { "avril-fig6", &avril, "figure 6", "The same, over the percentage of bodies that move",
          "The paper's time does not depend on it; ours falls with it. Scene brownian.", measureMoving,
          "percent of the bodies that move", false },

        { "karras-ladder", &karras, "Part II", "From a recursive walk to a one-sided one, and two trees at a time",
          "Scene corridor has as many bodies and pairs as the post's scene, which was not published. The first three "
          "walks find each body with itself and each pair twice, as in the post. \"Most of our optimizations were only "
          "aimed at minimizing divergence\": from 0.43 to 0.25 ms it is less work, as the counts show. With a million "
          "bodies each walk runs once.",
          measureWalks },
        { "karras-build", &karras, "Part III", "The stages of an update, and three ways to build the tree",
          "The post splits equal codes in the middle. That works only for the top-down build; here the index is part "
          "of the code. On one thread the parallel build's searches make it slower than the build that was \"50x\" "
          "slower on the card, as Part III itself says.",
          measureBuild },
        { "karras-sizes", &karras, "Part III", "Two ways to build the tree, from few bodies to many",
          "Part III prints numbers for one size, and says that the build without levels is faster at all sizes: with "
          "few bodies because no thread waits, and with many because neighbouring threads read neighbouring codes. On "
          "one thread nothing waits, so this compares work. Up to 100,000 bodies the trees' pairs are compared with "
          "the sweep, beyond that the trees with each other.",
          measureBuildsBySize, "bodies" },

        { "chitalu-1", &chitalu, "table 1", "Pairs of triangles of many meshes, in passes over pairs of nodes",
          "The meshes have as many triangles as the paper's, but other shapes. The paper does not say whether it "
          "counts pairs of triangles that share a vertex, which always touch. It calls its node numbers pre-order, but "
          "they go by levels. Two levels at a time, from the roots. The library searches the current and the previous "
          "boxes for changes.",
          measureSearchTimes },
        { "chitalu-fig7", &chitalu, "figure 7", "In passes, from a front with private stacks, and leaf by leaf",
          "The text gives 7.1 times over streams for NBody on an R9 280X, 6.2 on a GTX 960, and 4.4 and 4.3 on "
          "average. The paper does not measure a walk leaf by leaf, which Karras 2012 calls extremely difficult to "
          "beat with a simultaneous one on a card. Passes exist to keep idle threads busy, and one core has none: "
          "compare the tests. Only pairs of different meshes, as in the paper; the front is that of the previous step.",
          measureSpeedups },
        { "chitalu-fig8", &chitalu, "figure 8", "At which level to begin, and how many levels at a time",
          "Levels 0 to 6 below the roots, and to 5 for NBody, whose 305 meshes begin there with 42 million pairs of "
          "nodes, timed once. According to the text four levels at a time are three to five times as slow as one to "
          "three, and NBody with two goes from 3 ms to 16 ms as the entry goes from level 1 to 5; 3 ms is more than "
          "the 2.42 of table 1. The paper attributes spikes at three and four levels at a time to padding. Our trees "
          "have none, but the same spikes: the entry level decides which levels are tested, and the pattern repeats "
          "after as many levels as are taken at a time.",
          measureEntryLevels },
        { "chitalu-fig9", &chitalu, "figure 9", "How often the queues of thread groups are flushed",
          "The paper shows milliseconds over the sizes of queue and group, and prints none. A core has neither; this "
          "counts how often groups would flush, each time through one shared counter. The library sums the output of "
          "a block and has no queue.",
          measureQueues },

        { "thesis-4.2", &thesis, "tables 4.2 and 4.3", "Building the tree of a mesh",
          "The meshes are bumpy balls with as many triangles as the thesis' models. The first row is one core there "
          "and one thread here; the last is the library's tree of the triangles' boxes, on all threads. The dragon "
          "takes 1,105 ms in table 4.2 and 1,150 in table 4.3 with the same program on the same card.",
          measureDopBuild, "triangles" },
        { "thesis-4.4", &thesis, "table 4.4", "Refitting that tree after vertices moved",
          "\"10 times faster in average than reconstructing\": by the thesis' own tables it is 4.5 to 7.9 times on "
          "the card and 12 to 22 on the processor.",
          measureDopUpdate, "triangles" },
        { "thesis-4.6", &thesis, "figure 4.6", "A cloth of 2,048 triangles sinks through a mesh of 69,451",
          "The thesis prints one number, \"about 25 times faster\" on the card than on one core. As in the thesis, "
          "nothing stops the cloth. Both kinds of tests walk the same tree; with 6 planes they compare boxes. The "
          "library's time is for setting all boxes of both meshes, as two groups, and reporting the changes.",
          measureClothDrop, "pairs of triangles whose 18-DOPs overlap" },
        { "thesis-4.8", &thesis, "section 3.3.2, figure 4.8", "Searching from where the last search stopped",
          "The thesis prints one number: joining the parts of the front takes 0.1 to 0.2 ms. Here the front is never "
          "in parts. The thesis' rule tests every entry in every step, and most of the pairs above them, to decide "
          "whether they move up. The library's front notes at each entry how far boxes may move until its next test, "
          "and bounds each box's current and previous place, which makes it a little longer. Bodies in random motion, "
          "0.1 to 0.3 of their size a step at speed 1.",
          measureFront, "speed" },
        { "thesis-4.9", &thesis, "section 3.4, figure 4.9", "Which of those pairs of triangles intersect",
          "The thesis prints no numbers. The same cloth. Its test is Moller's in floats, one pair after the other; "
          "here on one core over all pairs whose 18-DOPs overlap. It has no tick, as floats may be wrong: rows count "
          "the pairs that it misses and those that it wrongly finds. \"As printed\" uses axis x where the line that "
          "two planes share runs along y. The library's three rows are whole searches on all threads, from the "
          "vertices to the sorted pairs.",
          measureNarrowPhase, "pairs of triangles whose 18-DOPs overlap" },
        { "thesis-kdops", &thesis, "section 2.2.2.1", "How much testing 18-DOPs before exact tests saves",
          "The thesis prints no numbers. Its cloth, and the meshes of Chitalu 2018; Funnel and Cloth-Ball also with "
          "themselves, without triangles that share a vertex. The first two times are of one core, which computes a "
          "pair's 18-DOPs when it tests the pair, as the library does.",
          measureKdops },
        { "thesis-update", &thesis, "section 2.2.2.4", "When to rebuild a tree that is refitted",
          "The thesis prints no numbers. A tree of Karras, refitted and searched in each of 1,000 steps; sums of all. "
          "\"Balance\" rebuilds when the tests by which searches exceed the first one have cost as much as a new tree. "
          "It decides by counts, and costs at most twice as much as the best choice in hindsight.",
          measureRebuildRules },
        { "thesis-4.10", &thesis, "figures 3.3 and 4.10", "Building and refitting level by level, 1,087,716 triangles",
          "The thesis prints no numbers. On its card the first levels are the slowest to build in the first version, "
          "as they have few nodes to share among threads; one thread takes longer the more nodes there are. The "
          "root's level includes making the 18-DOPs of all triangles. A refit takes time in proportion to nodes.",
          measureDopLevels, "level, the root's is 0", false },
    };
}

std::vector<Absent> absentTables()
{
    return {
        { "Avril 2012", "table 1, equations (1) and (2), the example",
          "no measurements; tests/unit/core/test_pair_map.cpp tests the map against them" },
        { "Avril 2012", "figure 2", "a drawing" },
        { "Avril 2012", "section 3.5.1, beside Liu, Pabst and Kim",
          "ratios without times; avril-others has the times that section 6 prints" },
        { "Karras 2012", "the pictures of Parts II and III", "drawings, and the scene, which was not published" },
        { "Karras 2012", "the walks and the top-down build on a device",
          "written for one thread only. Their work is counted here, but not how threads share it, which is the posts' "
          "subject. With a device karras-build has the library's tree and one-sided walk, and chitalu-1 and "
          "chitalu-fig7 have its walk of node pairs" },
        { "Chitalu 2018", "figures 1 to 5",
          "drawings: nodes in one array, the tree of a node, the two lists of a pass, the children of a pair, the "
          "queue. chitalu-1 has the first four; chitalu-fig9 counts the fifth" },
        { "Chitalu 2018", "figure 6", "pictures of meshes that belong to others; ours have as many triangles" },
        { "Chitalu 2018", "figure 8 from level 6 on for NBody",
          "its 305 meshes would begin with 170 million pairs of nodes" },
        { "Chitalu 2018", "figure 9 in milliseconds",
          "only devices have queues in a group's own memory; chitalu-fig9 counts how often they are flushed" },
        { "Chitalu 2018", "the library's passes over 305 meshes in table 1 and figure 7",
          "its filters separate 32 groups, not 305 meshes; thesis-kdops has its mesh search, which separates them" },
        { "Thesis", "figures 2.1 to 2.7", "drawings of related work and of OpenCL" },
        { "Thesis", "section 2.1.4, a grid that tests 27 neighbouring cells",
          "finds the pairs of bodies that are no larger than a cell; Avril's grid takes larger ones too" },
        { "Thesis", "section 2.2, vertex and face, edge and edge", "named there, not built; cullet_mesh.h finds both" },
        { "Thesis", "section 2.2.1, space enumerated or hashed", "the thesis itself rejects it" },
        { "Thesis", "section 2.2.2.1, spheres and oriented boxes",
          "named there, not built; thesis-kdops has boxes and 18-DOPs" },
        { "Thesis", "section 2.2.2.4, half trees, updates led by a front",
          "cited work of others; thesis-4.4 refits whole trees, as the thesis does" },
        { "Thesis", "section 2.2.3, trees by surface area, hybrid builds, queues for each core",
          "cited work of others; thesis-4.2 has the thesis' own build" },
        { "Thesis", "figures 3.1, 3.2 and 3.4 to 3.10",
          "drawings of the build's steps. thesis-4.2 makes the first two; the others split a node among thread groups "
          "and remove leaves from the list of nodes, which one thread does not need" },
        { "Thesis", "figures 3.11 to 3.16",
          "drawings: walking two trees (thesis-4.6), a front that is made and rises (thesis-4.8), and a refit "
          "(thesis-4.4)" },
        { "Thesis", "section 3.3.2, queues of some thousand pairs of nodes",
          "full queues lose pairs, as the thesis says; here nothing is lost" },
        { "Thesis", "table 4.1", "the machines, which are in the heading of each table" },
        { "Thesis", "figures 4.1 and 4.7", "pictures of meshes that belong to others; ours have as many triangles" },
        { "Thesis", "figures 4.2 to 4.5",
          "curves without numbers, on sharing work among a card's threads. The text says what each change saves: work "
          "groups that shrink with their nodes (94 and 67 %), a thread for each small node (1.5 to 2 times as fast, "
          "and 3 times), several groups for a large node (5 times, 70 %), and the cost of removing leaves from the "
          "list of nodes. One thread shares nothing; thesis-4.2 has the card's times before and after all of them" },
    };
}

} // namespace cullet::papers
