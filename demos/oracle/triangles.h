// SPDX-License-Identifier: Zlib
/// \file triangles.h
/// The oracle for triangles, edges and vertices: exact for all finite doubles, degenerate or not. It uses none of the
/// library's code. Intervals of doubles answer if they suffice, else integers.
#ifndef CLT_ORACLE_TRIANGLES_H
#define CLT_ORACLE_TRIANGLES_H

#include <array>
#include <vector>

namespace cullet
{

using ExactPoint = std::array<double, 3>;

/// The sign of the determinant with the rows (x, y, z, 1) of four points.
int determinantSign( const ExactPoint& a, const ExactPoint& b, const ExactPoint& c, const ExactPoint& d );

/// Whether the convex hulls of two sets of one to three points have a point in common: two triangles, a vertex and a
/// triangle, or two edges. Touching counts.
bool hullsIntersect( const std::vector<ExactPoint>& a, const std::vector<ExactPoint>& b );

} // namespace cullet

#endif
