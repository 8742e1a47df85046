// SPDX-License-Identifier: Zlib
/// \file thesis_triangles.h
/// Moller, A Fast Triangle-Triangle Intersection Test, 1997, in floats, as in the thesis' appendix A.5. It reports no
/// intersection for two triangles in one plane, and treats a point within a millionth of a plane as lying in it.
#ifndef CLT_PAPERS_THESIS_TRIANGLES_H
#define CLT_PAPERS_THESIS_TRIANGLES_H

#include "mesh_oracle.h"

namespace cullet::papers
{

/// The axis along which two intervals on the planes' common line are compared.
enum class LineAxis
{
    printed, ///< z or x: the appendix finds y and then uses x in its place
    longest  ///< the axis along which the line is longest, as in Moller's paper
};

bool intersectAsInThesis( const Triangle& a, const Triangle& b, LineAxis lineAxis );

} // namespace cullet::papers

#endif
