// SPDX-License-Identifier: Zlib
// When the last changes are enough to update the list of all pairs. tests/behaviour/backends tests the listed pairs.
#include "gpu/host/pair_list.h"

#include <gtest/gtest.h>

TEST( PairList, AgeFollowsFromCommittedUpdates )
{
    const uint32_t slotBits = 10;
    cltPairList list = {};
    list.age = clt_pairListCurrent;
    cltPairList_Commit( &list, slotBits - 1, true );
    EXPECT_EQ( clt_pairListOneBehind, list.age ) << "as long as it is empty, whatever the width of its keys to come";
    list.count = 1;
    list.slotBits = slotBits;
    list.age = clt_pairListCurrent;
    cltPairList_BeginUpdate( &list );
    EXPECT_EQ( clt_pairListCurrent, list.age ) << "through an update that fails";
    cltPairList_Commit( &list, slotBits, true );
    EXPECT_EQ( clt_pairListOneBehind, list.age );
    cltPairList_BeginUpdate( &list );
    EXPECT_EQ( clt_pairListUnknown, list.age ) << "after two updates";
    list.age = clt_pairListCurrent;
    cltPairList_Commit( &list, slotBits, false );
    EXPECT_EQ( clt_pairListUnknown, list.age ) << "after pairs ended silently";
    list.age = clt_pairListCurrent;
    cltPairList_Commit( &list, slotBits + 1, true );
    EXPECT_EQ( clt_pairListUnknown, list.age ) << "after keys changed their width";
}
