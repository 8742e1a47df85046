// SPDX-License-Identifier: Zlib
/// \file CulletChecksum.h The checksum of recordings, XXH64 (Collet, xxHash fast digest algorithm, 2021, section "XXH64
/// algorithm description"). Written here, so that a program that records needs no library for it. The reader uses
/// libxxhash, so reading any file compares the two implementations.
#ifndef CULLET_CHECKSUM_H
#define CULLET_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

class CulletChecksum
{
public:
    static uint64_t of( const unsigned char* bytes, size_t size, uint64_t seed )
    {
        const unsigned char* end = bytes + size;
        uint64_t sum = size < STRIPE ? seed + PRIME5 : sumOfStripes( bytes, size / STRIPE, seed );
        bytes += size / STRIPE * STRIPE;
        sum += size;
        for ( ; end - bytes >= 8; bytes += 8 )
        {
            sum = rotate( sum ^ round( 0, read( bytes, 8 ) ), 27 ) * PRIME1 + PRIME4;
        }
        if ( end - bytes >= 4 )
        {
            sum = rotate( sum ^ read( bytes, 4 ) * PRIME1, 23 ) * PRIME2 + PRIME3;
            bytes += 4;
        }
        for ( ; bytes != end; ++bytes )
        {
            sum = rotate( sum ^ *bytes * PRIME5, 11 ) * PRIME1;
        }
        sum = ( sum ^ ( sum >> 33 ) ) * PRIME2;
        sum = ( sum ^ ( sum >> 29 ) ) * PRIME3;
        return sum ^ ( sum >> 32 );
    }

private:
    static const size_t STRIPE = 32; ///< in bytes: four lanes of eight
    static const uint64_t PRIME1 = 0x9e3779b185ebca87ull;
    static const uint64_t PRIME2 = 0xc2b2ae3d27d4eb4full;
    static const uint64_t PRIME3 = 0x165667b19e3779f9ull;
    static const uint64_t PRIME4 = 0x85ebca77c2b2ae63ull;
    static const uint64_t PRIME5 = 0x27d4eb2f165667c5ull;

    /// The lowest byte first, on every machine.
    static uint64_t read( const unsigned char* bytes, int count )
    {
        uint64_t value = 0;
        for ( int i = 0; i < count; ++i )
        {
            value |= uint64_t( bytes[i] ) << ( 8 * i );
        }
        return value;
    }

    static uint64_t rotate( uint64_t value, int bits )
    {
        return ( value << bits ) | ( value >> ( 64 - bits ) );
    }

    static uint64_t round( uint64_t lane, uint64_t input )
    {
        return rotate( lane + input * PRIME2, 31 ) * PRIME1;
    }

    static uint64_t sumOfStripes( const unsigned char* bytes, size_t stripeCount, uint64_t seed )
    {
        uint64_t lanes[4] = { seed + PRIME1 + PRIME2, seed + PRIME2, seed, seed - PRIME1 };
        for ( size_t i = 0; i < 4 * stripeCount; ++i )
        {
            lanes[i % 4] = round( lanes[i % 4], read( bytes + 8 * i, 8 ) );
        }
        uint64_t sum = rotate( lanes[0], 1 ) + rotate( lanes[1], 7 ) + rotate( lanes[2], 12 ) + rotate( lanes[3], 18 );
        for ( int lane = 0; lane < 4; ++lane )
        {
            sum = ( sum ^ round( 0, lanes[lane] ) ) * PRIME1 + PRIME4;
        }
        return sum;
    }
};

#endif
