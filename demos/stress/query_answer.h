// SPDX-License-Identifier: Zlib
/// \file query_answer.h
/// What a query reported, and whether that is a right answer.
#ifndef CLT_STRESS_QUERY_ANSWER_H
#define CLT_STRESS_QUERY_ANSWER_H

#include "population.h"

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"

#include <functional>
#include <vector>

namespace cullet::stress
{

/// Notes every hit. Answers false to every other one, which must end nothing.
template <typename Callback>
class Hits : public Callback
{
public:
    bool process( const btBroadphaseProxy* proxy ) override
    {
        proxies.push_back( proxy );
        return proxies.size() % 2 == 0;
    }

    std::vector<const btBroadphaseProxy*> proxies;
};

using BoxHits = Hits<btBroadphaseAabbCallback>;
using RayHits = Hits<btBroadphaseRayCallback>;

struct Bounds
{
    std::function<bool( const Box& )> must; ///< a body with this box must be reported
    std::function<bool( const Box& )> may;  ///< one for which this is false must not
    bool hidesNan;                          ///< one with a NaN in its box must not, whatever the two say
};

/// Throws a Fault unless living proxies were reported, each at most once, all that must be, and only such as may be.
/// \param what  for the fault
void requireAnswer( const char* what, const Population& population, std::vector<const btBroadphaseProxy*> reported,
                    const Bounds& bounds );

} // namespace cullet::stress

#endif
