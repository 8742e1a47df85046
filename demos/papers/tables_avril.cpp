// SPDX-License-Identifier: Zlib
/// \file tables_avril.cpp
/// What there is of Avril, Gouranton and Arnaldi 2012.
#include "avril.h"

namespace cullet::papers
{

static constexpr Paper avril = { "Avril 2012",
                                 "Fast Collision Culling in Large-Scale Environments Using GPU Mapping Function",
                                 "Quadro FX 3600M, Core2 X7900 at 2.8 GHz" };

std::vector<Table> avrilTables()
{
    return {
        { "avril-fig1", &avril, "figure 1", "Cubes, spheres and slabs that fall, as worlds of Bullet's",
          "The paper tells the time for the spheres, \"less than 25 ms\", and that of no others. Here as they begin "
          "to fall: boxes set, and pairs found, in each of Bullet's steps.",
          measureWorlds },
        { "avril-2", &avril, "table 2", "From an index to a pair: by a square root, or by divide and modulo",
          "The paper's own figures cannot all be meant alike: brute force on 1,000 bodies takes 0.21 ms here, 0.872 "
          "in table 7 and 2.70 in table 5, and 100,000 bodies in 29.66 ms would be 169 thousand million tests a "
          "second on a card that takes 21 thousand million roots (table 4). So its 100,000 must be in a grid, as ours "
          "are, where the map is for the pairs within a cell. Section 3.2.2 finds divide and modulo four times as "
          "fast as the root on one processor, where it tells their 4.51 s alone. Rates are of indices, of which they "
          "have twice as many.",
          measureMaps },
        { "avril-3", &avril, "table 3", "Roots whose whole part is wrong, before any correction",
          "With floats rounded as IEEE 754 says two steps err as printed. Three come near it only with the "
          "multiply-add of cards of that time, which cut the product off (\"truncated\"); and a fourth step is not "
          "the same as the third. The last rows are pairs that stay wrong after both rules of section 3.3, each "
          "applied once; the paper has none. Ours compares with the row's first index in integers, as often as "
          "needed. Ticked is that it is right with each of these roots, and that each is as near to the true root as "
          "so many steps come.",
          measureRootErrors },
        { "avril-4", &avril, "table 4", "Time for so many roots",
          "On one thread. Four of the fast roots are taken at a time, and roots of the instruction one by one: the "
          "compiler has to let sqrtf tell of an error. The thousand million are taken once. Ticked as in table 3.",
          measureRoots },
        { "avril-5", &avril, "table 5, figure 3", "A byte or a bit for each pair that was tested",
          "On one thread; \"output\" is one copy in memory. Eight threads of the paper read, OR and write the same "
          "byte, which loses pairs; here a thread owns whole bytes.",
          measureOutput, "bodies" },
        { "avril-fig4", &avril, "figure 4", "Time, and bytes in and out, of brute force",
          "The paper prints sizes in its text only. Cullet hands back pairs, not bits.", measureTraffic, "bodies" },
        { "avril-6", &avril, "table 6", "The stages of an update with the grid, everything moving",
          "\"Less than 25 ms with more than 100,000 objects\" in the abstract is 27.91 here. Scene column. Ours has "
          "each "
          "body in one cell, and looks for its pairs in the cells around as well.",
          measureStages },
        { "avril-7", &avril, "table 7", "Brute force with and without the grid", "Scene brownian.", measureCrossing,
          "bodies" },
        { "avril-x", &avril, "section 4.1", "How many bodies a cell should hold",
          "The paper leaves X open. On one thread, with each body in all cells that it shares space with, as there; "
          "the library's grid has each in one, which is as wide as the largest.",
          measureCellSize, "bodies that a cell should hold" },
        { "avril-others", &avril, "section 6", "Beside what others published",
          "First lines: what they published, on other cards, of which nothing is ours to tick. The scenes are not the "
          "same: ours is brownian. Section 3.5.1 claims 20 % over Liu 2010 at 2,500 objects, and five and three times "
          "Pabst 2010 and Kim 2009 on another scene, without their figures.",
          measureOthers },
        { "avril-fig5", &avril, "figure 5", "Beside Bullet's broadphases, everything moving",
          "The paper prints no numbers but \"less than 25 ms\" for 100,000. Scene column. cullet-grid has each body in "
          "one cell; cullet is what auto takes.",
          measureBullet, "bodies" },
        { "avril-fig6", &avril, "figure 6", "The same, over the share that moves",
          "The paper's time does not depend on it; ours falls with it. Scene brownian.", measureMoving,
          "percent of the bodies that move", false },
    };
}

} // namespace cullet::papers
