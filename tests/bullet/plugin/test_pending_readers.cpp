// SPDX-License-Identifier: Zlib
// Pairs of boxes that were set and not searched yet: every way of looking finds them.
#include "couple.h"

#include <functional>

using namespace test;

namespace
{
/// Counts the pairs that it is shown, and wants none of them removed.
struct CountPairs : public btOverlapCallback
{
    bool processOverlap( btBroadphasePair& ) override
    {
        ++count;
        return false;
    }

    int count = 0;
};

int countProcessed( Couple& couple, bool inOrder )
{
    CountPairs counter;
    btDispatcherInfo info;
    info.m_deterministicOverlappingPairs = inOrder;
    couple.cache.processAllOverlappingPairs( &counter, nullptr, info );
    return counter.count;
}

/// How many pairs there are when `call` has been made on the cache.
std::function<int( Couple& )> after( std::function<void( Couple&, btOverlappingPairCache& )> call )
{
    return [call]( Couple& couple )
    {
        call( couple, couple.cache );
        return couple.countSilently();
    };
}

const CulletPairCache& own( const Couple& couple )
{
    return static_cast<const CulletPairCache&>( couple.cache );
}

const struct
{
    const char* name;
    std::function<int( Couple& )> count; ///< pairs that this way of looking finds
} readers[] = {
    { "getNumOverlappingPairs", []( Couple& c ) { return c.cache.getNumOverlappingPairs(); } },
    { "getOverlappingPairArray", []( Couple& c ) { return c.cache.getOverlappingPairArray().size(); } },
    { "getOverlappingPairArray, const", []( Couple& c ) { return own( c ).getOverlappingPairArray().size(); } },
    { "getOverlappingPairArrayPtr",
      []( Couple& c ) { return int( c.cache.getOverlappingPairArrayPtr()->m_pProxy1 == c.proxy( 1 ) ); } },
    { "getOverlappingPairArrayPtr, const",
      []( Couple& c ) { return int( own( c ).getOverlappingPairArrayPtr()->m_pProxy1 == c.proxy( 1 ) ); } },
    { "findPair", []( Couple& c ) { return int( c.cache.findPair( c.proxy( 0 ), c.proxy( 1 ) ) != nullptr ); } },
    { "processAllOverlappingPairs",
      []( Couple& c )
      {
          CountPairs counter;
          c.cache.processAllOverlappingPairs( &counter, nullptr );
          return counter.count;
      } },
    { "processAllOverlappingPairs with a btDispatcherInfo", []( Couple& c ) { return countProcessed( c, false ); } },
    { "processAllOverlappingPairs in order", []( Couple& c ) { return countProcessed( c, true ); } },
    { "sortOverlappingPairs", after( []( Couple&, auto& cache ) { cache.sortOverlappingPairs( nullptr ); } ) },
    { "cleanProxyFromPairs",
      after( []( Couple& c, auto& cache ) { cache.cleanProxyFromPairs( c.proxy( 0 ), nullptr ); } ) },
    { "adding and removing another pair", after(
                                              []( Couple& c, auto& cache )
                                              {
                                                  cache.addOverlappingPair( c.proxy( 0 ), c.proxy( 2 ) );
                                                  EXPECT_EQ( 2, c.countSilently() );
                                                  cache.removeOverlappingPair( c.proxy( 0 ), c.proxy( 2 ), nullptr );
                                              } ) },
    { "removeOverlappingPair of another pair",
      after( []( Couple& c, auto& cache ) { cache.removeOverlappingPair( c.proxy( 0 ), c.proxy( 2 ), nullptr ); } ) },
    { "setOverlapFilterCallback", after( []( Couple&, auto& cache ) { cache.setOverlapFilterCallback( nullptr ); } ) },
    { "setInternalGhostPairCallback",
      after( []( Couple&, auto& cache ) { cache.setInternalGhostPairCallback( nullptr ); } ) },
    { "getOverlappingPairCache", after( []( Couple& c, auto& ) { c.rig.broadphase->getOverlappingPairCache(); } ) },
    { "getOverlappingPairCache, const",
      after( []( Couple& c, auto& ) { std::as_const( *c.rig.broadphase ).getOverlappingPairCache(); } ) },
};
} // namespace

TEST( PendingPairs, EveryReaderFindsThem )
{
    for ( const auto& reader : readers )
    {
        SCOPED_TRACE( reader.name );
        Couple couple;
        couple.meet();
        EXPECT_EQ( 0, couple.countSilently() ) << "nobody has looked yet";
        EXPECT_EQ( 1, reader.count( couple ) );
    }
}
