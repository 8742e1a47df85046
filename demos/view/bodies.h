// SPDX-License-Identifier: Zlib
/// \file bodies.h
/// The boxes that a broadphase sees, and the exact pairs of them.
#ifndef CLT_VIEW_BODIES_H
#define CLT_VIEW_BODIES_H

#include "demos/engines/core_engine.h"
#include "demos/oracle/oracle.h"

#include <limits>
#include <vector>

namespace cullet::view
{

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr cltAabb noBox = { { nan, nan, nan }, { nan, nan, nan } };

/// By slot. Slots without a body have noBox, which pairs with nothing.
struct Bodies
{
    std::vector<cltAabb> boxes;
    std::vector<cltFilter> filters;

    std::size_t count() const
    {
        return boxes.size();
    }

    /// False for slots without a body, and for planes and other bodies without end.
    bool isDrawable( std::size_t slot ) const;
};

/// A broadphase of the viewer's own. Its proxy ids are the slots.
class ExactPairs
{
public:
    explicit ExactPairs( cltAlgorithm algorithm = clt_algorithmAuto );

    /// Finds the pairs of these bodies.
    /// \param bodies  at least as many slots as in the previous call
    void update( const Bodies& bodies );

    PairSet pairs() const; ///< ascending

    /// The last update's changes, valid until the next.
    const cltPairChanges& changes() const
    {
        return m_changes;
    }

    cltBroadphase* core() const
    {
        return m_core.get();
    }

private:
    compare::CorePointer m_core;
    cltPairChanges m_changes{};
    std::size_t m_count = 0;
};

} // namespace cullet::view

#endif
