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

inline bool mayPair( FilterRule rule, const Body& a, const Body& b )
{
    switch ( rule )
    {
    case FilterRule::either:
        return ( a.filter.group & b.filter.mask ) != 0 || ( b.filter.group & a.filter.mask ) != 0;
    case FilterRule::thirds:
        return ( std::uint64_t( a.uid ) + b.uid ) % 3 != 0;
    case FilterRule::stock:
        break;
    }
    return cullet::mayPair( a.filter, b.filter );
}

/// The rule as Bullet calls it. Reads the proxies as they are, like any application's callback.
class RuleFilter : public btOverlapFilterCallback
{
public:
    explicit RuleFilter( FilterRule rule ) : m_rule( rule )
    {
    }

    bool needBroadphaseCollision( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) const override
    {
        return mayPair( m_rule, readBody( *proxy0 ), readBody( *proxy1 ) );
    }

private:
    static Body readBody( const btBroadphaseProxy& proxy )
    {
        Body body = {};
        body.uid = std::uint32_t( proxy.m_uniqueId );
        body.filter = { proxy.m_collisionFilterGroup, proxy.m_collisionFilterMask };
        return body;
    }

    FilterRule m_rule;
};

} // namespace cullet::stress

#endif
