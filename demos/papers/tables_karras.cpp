// SPDX-License-Identifier: Zlib
/// \file tables_karras.cpp
/// What there is of Karras, Thinking Parallel, Parts II and III, 2012. On a processor all of it runs on one thread: the
/// posts count what threads of a device do, and here the steps and tests are counted.
#include "karras.h"

namespace cullet::papers
{

static constexpr Paper karras = { "Karras 2012", "Thinking Parallel, Parts II and III",
                                  "GTX 690, one of its two chips" };

std::vector<Table> karrasTables()
{
    return {
        { "karras-ladder", &karras, "Part II", "From a recursive walk to a one-sided one, and two trees at a time",
          "Scene corridor has the bodies and pairs of the post's scene, which was not published. The first three "
          "rungs report each body with itself and each pair twice, as there. \"Most of our optimizations were only "
          "aimed at minimizing divergence\": from 0.43 to 0.25 ms it is work that falls away, as the counts show. A "
          "million is walked once by each.",
          measureLadder },
        { "karras-build", &karras, "Part III", "The stages of an update, and three ways to build the tree",
          "Splitting equal codes in the middle, as the post does, fits the top-down build alone; here places are part "
          "of the codes. On one thread the searches are what makes the parallel build slower than the one that was "
          "\"50x\" slower there, as Part III says itself.",
          measureBuild },
        { "karras-sizes", &karras, "Part III", "Two ways to build the tree, from few bodies to many",
          "Part III prints no numbers for other sizes than its own, but says that the build without levels is the "
          "quicker at all of them: at few bodies, as none of its threads waits, and at many, as threads side by side "
          "read codes side by side. On one thread there is nothing to wait for, and what is compared is work. Up to "
          "100,000 bodies the trees are held against the sweep, from there on against each other.",
          measureBuildsBySize, "bodies" },
    };
}

} // namespace cullet::papers
