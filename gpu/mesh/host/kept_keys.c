// SPDX-License-Identifier: Zlib

#include "gpu/mesh/host/kept_keys.h"

#include "gpu/mesh/host/write_pairs.h"

static bool HasMoved( const cltKeptKeys* kept, const cltMeshSearch* search, uint32_t mesh )
{
    return search->meshes[mesh]->fitStamp > kept->searchedAt;
}

/// Removes the keys of meshes that moved and keeps the order of the others.
static void DropMoved( cltKeptKeys* kept, const cltMeshSearch* search )
{
    uint64_t* keys = kept->sink.buffer.data;
    const size_t count = (size_t)kept->sink.next;
    const uint32_t bitsB = cltMeshSearch_Bits( search, search->partB );
    size_t stayed = 0;
    cltKeyParts parts = { 0 };
    for ( size_t i = 0; i < count; ++i )
    {
        cltMeshSearch_ReadKey( search, keys[i], bitsB, &parts );
        keys[stayed] = keys[i];
        stayed += !HasMoved( kept, search, parts.meshA ) && !HasMoved( kept, search, parts.meshB );
    }
    kept->sink.next = stayed;
}

/// If neither mesh of a pair moved, the pair was searched last time too, because filters are part of the layout.
size_t cltKeptKeys_Begin( cltKeptKeys* kept, const cltMeshSearch* search, uint64_t fitStamp, cltPair* walked )
{
    if ( kept->layout != search->layout || kept->test != search->test )
    {
        kept->searchedAt = 0;
    }
    size_t count = 0;
    for ( size_t i = 0; i < search->meshPairCount; ++i )
    {
        const cltPair pair = search->meshPairs[i];
        walked[count] = pair;
        count += HasMoved( kept, search, pair.proxyA ) || HasMoved( kept, search, pair.proxyB );
    }
    if ( count == search->meshPairCount )
    {
        kept->sink.next = 0;
    }
    else if ( fitStamp > kept->searchedAt ) // some mesh moved, even if only away from all others
    {
        DropMoved( kept, search );
    }
    kept->searchedAt = 0; // invalid until the search completes
    return count;
}

void cltKeptKeys_End( cltKeptKeys* kept, const cltMeshSearch* search, uint64_t fitStamp )
{
    kept->searchedAt = fitStamp;
    kept->layout = search->layout;
    kept->test = search->test;
}
