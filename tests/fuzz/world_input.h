// SPDX-License-Identifier: Zlib
/// \file world_input.h
/// An input that is also turned into coordinates, boxes and filters of a World.
#ifndef CLT_TESTS_WORLD_INPUT_H
#define CLT_TESTS_WORLD_INPUT_H

#include "tests/fuzz/input.h"
#include "tests/support/boxes.h"

#include <algorithm>
#include <cfloat>
#include <cstring>

namespace test
{

class WorldInput : public Input
{
public:
    using Input::Input;

    /// Reads how large most boxes are, and where.
    void readPlace()
    {
        m_unit = pick( { 1.0, 1.0, 1.0, 1e-44, 1e-3, 1e36, 1e38, 1e305 } );
        m_origin = pick( { 0.0, 0.0, 0.0, -3e7 } );
    }

    double unit() const
    {
        return m_unit;
    }

    cltAabbD placed( const cltAabbD& box ) const
    {
        const auto place = [this]( double number ) { return m_origin + m_unit * number; };
        cltAabbD result;
        std::transform( box.lower, box.lower + 3, result.lower, place );
        std::transform( box.upper, box.upper + 3, result.upper, place );
        return result;
    }

    /// A box that is mostly a few units long.
    cltAabbD anyBox()
    {
        return box( [this] { return coordinate(); }, m_unit );
    }

    /// Mostly small integers, so that faces touch.
    double coordinate()
    {
        constexpr double special[] = { 0.0,     -0.0,  infinity, -infinity, notANumber, FLT_MAX, -FLT_MAX,
                                       FLT_MIN, 1e-45, -1e-45,   5e-324,    -5e-324,    DBL_MAX, -DBL_MAX };
        switch ( below( 8 ) )
        {
        case 0:
            return pick( special );
        case 1:
            return anyDouble();
        case 2:
            return m_origin + m_unit * any<int16_t>() / 1024.0;
        case 3:
            return 1e38 * ( int( below( 16 ) ) - 8 ); // around the largest float
        default:
            return m_origin + m_unit * below( 16 );
        }
    }

    /// Any bits.
    double anyDouble()
    {
        const auto bits = any<uint64_t>();
        double number;
        std::memcpy( &number, &bits, sizeof number );
        return number;
    }

    cltFilter anyFilter()
    {
        constexpr cltFilter filters[] = { { 1, -1 }, { 2, -3 }, { 2, 1 }, { 1, 0 }, { INT32_MIN, -1 }, { -1, -1 } };
        return pick( filters );
    }

private:
    double m_unit = 1;
    double m_origin = 0;
};

} // namespace test

#endif
