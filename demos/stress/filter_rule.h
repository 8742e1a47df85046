// SPDX-License-Identifier: Zlib
/// \file filter_rule.h
/// Which overlapping bodies may pair: the rule that Bullet has built in, and two that applications install.
#ifndef CLT_STRESS_FILTER_RULE_H
#define CLT_STRESS_FILTER_RULE_H

#include "population.h"

#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

namespace cullet::stress
{

enum class FilterRule
{
    stock,  ///< no callback: each one's group meets the other one's mask
    either, ///< one of the two is enough, as in pybullet
    thirds  ///< every third pair is refused, whatever group and mask
};

bool mayPair( FilterRule rule, const Body& a, const Body& b );

/// The rule as Bullet calls it. Reads the proxies as they are, like any application's callback.
class RuleFilter : public btOverlapFilterCallback
{
public:
    explicit RuleFilter( FilterRule rule );

    bool needBroadphaseCollision( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) const override;

private:
    FilterRule m_rule;
};

} // namespace cullet::stress

#endif
