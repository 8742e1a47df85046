// SPDX-License-Identifier: Zlib
/// \file thesis_triangles.h
/// Moller, A Fast Triangle-Triangle Intersection Test, 1997, in floats, as the thesis' appendix A.5 has it: two that
/// lie in one plane are said not to meet, and what is within a millionth of a plane is taken to lie in it.
#ifndef CLT_PAPERS_THESIS_TRIANGLES_H
#define CLT_PAPERS_THESIS_TRIANGLES_H

#include "triangle_oracle.h"

namespace cullet::papers
{

/// Along which axis stretches of the line that two planes share are compared.
enum class LineAxis
{
    printed, ///< z or x: there y is chosen, and x then put in its place
    longest  ///< the one along which the line runs most, as Moller says
};

bool meetAsInThesis( const Triangle& a, const Triangle& b, LineAxis lineAxis );

} // namespace cullet::papers

#endif
