// SPDX-License-Identifier: Zlib
/// \file filter_rule.cpp
/// One set of rules, applied to the tester's copy and to Bullet's proxies.
#include "filter_rule.h"

namespace cullet::stress
{

namespace
{

struct Side
{
    int uid;
    int group;
    int mask;
};

bool mayPair( FilterRule rule, const Side& a, const Side& b )
{
    const bool aWants = ( b.group & a.mask ) != 0;
    const bool bWants = ( a.group & b.mask ) != 0;
    switch ( rule )
    {
    case FilterRule::either:
        return aWants || bWants;
    case FilterRule::thirds:
        return ( std::int64_t( a.uid ) + b.uid ) % 3 != 0;
    case FilterRule::stock:
        break;
    }
    return aWants && bWants;
}

Side sideOf( const btBroadphaseProxy& proxy )
{
    return { proxy.m_uniqueId, proxy.m_collisionFilterGroup, proxy.m_collisionFilterMask };
}

} // namespace

bool mayPair( FilterRule rule, const Body& a, const Body& b )
{
    return mayPair( rule, Side{ a.uid, a.group, a.mask }, Side{ b.uid, b.group, b.mask } );
}

RuleFilter::RuleFilter( FilterRule rule ) : m_rule( rule )
{
}

bool RuleFilter::needBroadphaseCollision( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) const
{
    return mayPair( m_rule, sideOf( *proxy0 ), sideOf( *proxy1 ) );
}

} // namespace cullet::stress
