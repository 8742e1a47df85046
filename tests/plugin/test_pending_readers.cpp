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

struct Reader
{
    const char* name;
    std::function<int( Couple& )> count; ///< pairs that this way of looking finds
};

const Reader readers[] = {
    { "getNumOverlappingPairs", []( Couple& couple ) { return couple.cache.getNumOverlappingPairs(); } },
    { "getOverlappingPairArray", []( Couple& couple ) { return couple.cache.getOverlappingPairArray().size(); } },
    { "getOverlappingPairArrayPtr", []( Couple& couple )
      { return int( couple.cache.getOverlappingPairArrayPtr()->m_pProxy1 == couple.proxy( 1 ) ); } },
    { "getOverlappingPairArrayPtr, const",
      []( Couple& couple )
      {
          const btOverlappingPairCache& cache = couple.cache;
          return int( cache.getOverlappingPairArrayPtr()->m_pProxy1 == couple.proxy( 1 ) );
      } },
    { "getOverlappingPairArray, const", []( Couple& couple )
      { return static_cast<const CulletPairCache&>( couple.cache ).getOverlappingPairArray().size(); } },
    { "findPair", []( Couple& couple )
      { return int( couple.cache.findPair( couple.proxy( 0 ), couple.proxy( 1 ) ) != nullptr ); } },
    { "processAllOverlappingPairs",
      []( Couple& couple )
      {
          CountPairs counter;
          couple.cache.processAllOverlappingPairs( &counter, nullptr );
          return counter.count;
      } },
    { "processAllOverlappingPairs with a btDispatcherInfo",
      []( Couple& couple ) { return countProcessed( couple, false ); } },
    { "processAllOverlappingPairs in order", []( Couple& couple ) { return countProcessed( couple, true ); } },
    { "sortOverlappingPairs",
      []( Couple& couple )
      {
          couple.cache.sortOverlappingPairs( nullptr );
          return countSilently( couple );
      } },
    { "cleanProxyFromPairs",
      []( Couple& couple )
      {
          couple.cache.cleanProxyFromPairs( couple.proxy( 0 ), nullptr );
          return countSilently( couple );
      } },
    { "addOverlappingPair of another pair",
      []( Couple& couple )
      {
          couple.cache.addOverlappingPair( couple.proxy( 0 ), couple.proxy( 2 ) );
          return countSilently( couple ) - 1;
      } },
    { "removeOverlappingPair of another pair",
      []( Couple& couple )
      {
          couple.cache.removeOverlappingPair( couple.proxy( 0 ), couple.proxy( 2 ), nullptr );
          return countSilently( couple );
      } },
    { "setOverlapFilterCallback",
      []( Couple& couple )
      {
          couple.cache.setOverlapFilterCallback( nullptr );
          return countSilently( couple );
      } },
    { "setInternalGhostPairCallback",
      []( Couple& couple )
      {
          couple.cache.setInternalGhostPairCallback( nullptr );
          return countSilently( couple );
      } },
    { "getOverlappingPairCache",
      []( Couple& couple )
      {
          couple.rig.broadphase->getOverlappingPairCache();
          return countSilently( couple );
      } },
    { "getOverlappingPairCache, const",
      []( Couple& couple )
      {
          const btBroadphaseInterface& broadphase = *couple.rig.broadphase;
          broadphase.getOverlappingPairCache();
          return countSilently( couple );
      } },
};
} // namespace

TEST( PendingPairs, EveryReaderFindsThem )
{
    for ( const Reader& reader : readers )
    {
        SCOPED_TRACE( reader.name );
        Couple couple;
        couple.meet();
        EXPECT_EQ( 0, countSilently( couple ) ) << "nobody has looked yet";
        EXPECT_EQ( 1, reader.count( couple ) );
    }
}
