// SPDX-License-Identifier: Zlib
/// \file triangle_oracle.h
/// Whether two triangles meet, told with nothing of the library's: determinants are written out into products, and
/// these are summed without rounding (Shewchuk, Adaptive Precision Floating-Point Arithmetic, 1997, section 2).
#ifndef CLT_PAPERS_TRIANGLE_ORACLE_H
#define CLT_PAPERS_TRIANGLE_ORACLE_H

namespace cullet::papers
{

struct Triangle
{
    const float* corners[3];
};

/// Closed sets, touching counts. Throws std::logic_error for one without an area, which the scenes do not have.
bool meetExactly( const Triangle& a, const Triangle& b );

} // namespace cullet::papers

#endif
