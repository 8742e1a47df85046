// SPDX-License-Identifier: Zlib
/// \file kernel_floors.h The least number of bytes that each operation of an update reads and writes, for float boxes
/// without filters, if all bodies move with one leaf each: the table in gpu/cuda/cuda_backend.cuh without its bytes of
/// filters (8 for the slot and 32 for the nodes in Climb, 16 in FindInTree, 8 in JoinPieces and FrontierPass).
#ifndef CLT_TESTS_KERNEL_FLOORS_H
#define CLT_TESTS_KERNEL_FLOORS_H

#include <string>

namespace test
{

/// Sizes of an update.
struct Counts
{
    double bodies;
    double entries; ///< of the front
    double changes;
};

struct KernelFloor
{
    const char* name;
    double ofBody;
    double ofEntry;
    double ofChange;
};

/// Zeros: little, only from caches, or over the bus.
constexpr KernelFloor kernelFloors[] = { { "copy", 0, 0, 0 },
                                         { "nothing", 0, 0, 0 },
                                         { "spread", 53, 0, 0 },
                                         { "commit", 53, 0, 0 },
                                         { "statistics", 49, 0, 0 },
                                         { "decide", 0, 0, 0 },
                                         { "write keys", 57, 0, 0 },
                                         { "write keys in region", 57, 0, 0 },
                                         { "gather", 108, 0, 0 },
                                         { "gather in region", 109, 0, 0 },
                                         { "gather again", 109, 0, 0 },
                                         { "climb", 196, 0, 0 },
                                         { "find in tree", 116, 0, 8 },
                                         { "walk alone", 64, 0, 0 },
                                         { "find from movers", 116, 0, 8 },
                                         { "join pieces", 180, 0, 0 },
                                         { "join top", 0, 0, 0 },
                                         { "frontier entry", 0, 0, 0 },
                                         { "frontier pass", 164, 0, 8 },
                                         { "measure way", 57, 0, 0 },
                                         { "front", 0, 24, 8 },
                                         { "below the front", 0, 0, 8 },
                                         { "write starts", 20, 0, 0 },
                                         { "count candidates", 76, 0, 0 },
                                         { "find in cells", 76, 0, 8 },
                                         { "find outliers", 0, 0, 0 } };

/// Bytes of `count` consecutive launches of one name. Sorts before the search are of leaves, sorts after it of changes.
/// \param before  the previous operation
/// \param[out] bytes  0 if unknown
/// \return false if there is no such operation
inline bool floorOf( const std::string& name, int count, const std::string& before, const Counts& counts,
                     double* bytes )
{
    static bool isOfLeaves = false; // of the last sort of keys
    if ( name == "sort tiles" || name == "merge runs" )
    {
        isOfLeaves = name == "sort tiles" ? before.rfind( "write keys", 0 ) == 0 : isOfLeaves;
        *bytes = 16.0 * count * ( isOfLeaves ? counts.bodies : counts.changes );
        return true;
    }
    if ( name == "clear" ) // bins
    {
        *bytes = 0.0;
        return true;
    }
    for ( const KernelFloor& floor : kernelFloors )
    {
        if ( name == floor.name )
        {
            *bytes = floor.ofBody * counts.bodies + floor.ofEntry * counts.entries + floor.ofChange * counts.changes;
            return true;
        }
    }
    return false;
}

} // namespace test

#endif
