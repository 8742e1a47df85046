// SPDX-License-Identifier: Zlib
/// \file CulletRecordFormat.h
/// The recording file, version 1: what its writer here and its reader in demos/recording agree on. Every number has its
/// lowest byte first, and every byte of the file is under a checksum (XXH64), so that damage is found wherever it is.
///
///     file header   "CULLET\r\n" | version u32 | scalar bytes u32 | checksum u64 of the 16 bytes before
///     frame         kind u32 | stored bytes u32 | block bytes u32 | number u32 | checksum u64 | stored bytes
///     frame         …
///     last frame    the same, kind end: the number of events, u64
///
/// Frames are numbered from 0. A frame's checksum is that of its stored bytes, seeded with that of the 16 bytes before
/// it. A file that does not end right behind its last frame is cut off or patched together.
///
/// Unpacked, the blocks hold whole events, one after the other:
///
///     event         byte: code in bits 0-3, `next` in bit 4, `same` in bit 5 | what the code needs
///     create        group, mask, box           the proxies are numbered from 0 in the order of creation
///     destroy       proxy
///     move          proxy, box                 a setAabb, changed or not
///     filter        proxy, group, mask         an edit in place, noticed where the recorder looks
///     step          pairs                      a calculateOverlappingPairs, and how many pairs there were after it
///     ray           signs in bits 0-2, scalars of origin, target, inverse direction, length, lower, upper
///     boxQuery      box
///     resetPool
///     callback      1 if the pair cache has a filter callback from here on, 0 if it has none
///
///     proxy         nothing with `next`, which names the one after the last one named; else the difference to that one
///     box           scalars of lower, upper, against the proxy's last box; in create against the last one created, in
///                   boxQuery against the last one asked
///     scalars       nothing with `same`; else a number with one bit for each scalar that differs from the one that it
///                   stands against, the first lowest; then for each of those its bits, exclusive-or'ed with the
///                   other's
///     number        seven bits a byte, lowest first, bit 7 in all bytes but the last; in group, mask and differences
///                   with the sign in the lowest bit
#ifndef CULLET_RECORD_FORMAT_H
#define CULLET_RECORD_FORMAT_H

#include <stdint.h>

static const unsigned char CULLET_RECORD_MAGIC[8] = { 'C', 'U', 'L', 'L', 'E', 'T', '\r', '\n' };

enum CulletRecordSizes
{
    CULLET_RECORD_VERSION = 1,
    CULLET_RECORD_SUMMED_BYTES = 16,     ///< of both kinds of header, in front of their checksum
    CULLET_RECORD_HEADER_BYTES = 24,     ///< of both kinds of header
    CULLET_RECORD_FLUSH_BYTES = 1 << 16, ///< a block is written when it has grown beyond this
    CULLET_RECORD_BLOCK_BYTES = 1 << 18, ///< no block is larger
    CULLET_RECORD_BOX_SCALARS = 6,
    CULLET_RECORD_RAY_SCALARS = 16
};

enum CulletFrameKind
{
    CULLET_FRAME_PLAIN = 0, ///< the block as it is
    CULLET_FRAME_ZSTD = 1,  ///< the block as one Zstandard frame
    CULLET_FRAME_END = 2
};

enum CulletRecordEvent
{
    CULLET_EVENT_CREATE = 1,
    CULLET_EVENT_DESTROY = 2,
    CULLET_EVENT_MOVE = 3,
    CULLET_EVENT_FILTER = 4,
    CULLET_EVENT_STEP = 5,
    CULLET_EVENT_RAY = 6,
    CULLET_EVENT_BOX_QUERY = 7,
    CULLET_EVENT_RESET_POOL = 8,
    CULLET_EVENT_CALLBACK = 9,

    CULLET_EVENT_CODE_MASK = 15,
    CULLET_EVENT_NEXT = 16,
    CULLET_EVENT_SAME = 32
};

#endif
