// SPDX-License-Identifier: Zlib
/// \file CulletRecordFormat.h The format of recordings, version 1, written here and read by demos/recording. Numbers
/// are stored with the lowest byte first. A checksum (XXH64) covers every byte of the file, so any damage is found.
///
///     file header   "CULLET\r\n" | version u32 | scalar bytes u32 | checksum u64 of the previous 16 bytes
///     frame         kind u32 | stored bytes u32 | block bytes u32 | number u32 | checksum u64 | stored bytes
///     frame         …
///     last frame    the same, kind end: the number of events, u64
///
/// Frames are numbered from 0. A frame's checksum is that of its stored bytes. Its seed is the checksum of the previous
/// 16 bytes. A complete file ends right after its last frame. The file of a program that crashed has no last frame and
/// may end within a frame. It is valid up to the last step in its whole frames.
///
/// Decompressed blocks hold whole events, one after the other:
///
///     event         byte: code in bits 0-3, `next` in bit 4, `same` in bit 5 | the fields of the code
///     create        group, mask, box           proxies are numbered from 0 in the order of creation
///     destroy       proxy
///     move          proxy, box                 a setAabb, even if the box did not change
///     filter        proxy, group, mask         an edit in place, when the recorder notices it
///     step          pairs                      a calculateOverlappingPairs, and the number of pairs after it
///     ray           signs in bits 0-2, scalars of origin, target, inverse direction, length, lower, upper
///     boxQuery      box
///     resetPool
///     callback      1 if the pair cache has a filter callback from here on, 0 if it has none
///
///     proxy         empty with `next`: the last proxy's number plus one; else the difference from that sum
///     box           scalars of lower, upper; the reference is the proxy's last box, in create the last box created, in
///                   boxQuery the last query
///     scalars       empty with `same`; else a number with one bit for each scalar that differs from the reference, the
///                   first one lowest; then for each of these its bits, exclusive-or'ed with those of the reference
///     number        seven bits a byte, lowest first, bit 7 set in all bytes but the last; group, mask and differences
///                   have the sign in the lowest bit
#ifndef CULLET_RECORD_FORMAT_H
#define CULLET_RECORD_FORMAT_H

#include <stdint.h>

static const unsigned char CULLET_RECORD_MAGIC[8] = { 'C', 'U', 'L', 'L', 'E', 'T', '\r', '\n' };

enum CulletRecordSizes
{
    CULLET_RECORD_VERSION = 1,
    CULLET_RECORD_SUMMED_BYTES = 16,     ///< the part of both kinds of header that the checksum covers
    CULLET_RECORD_HEADER_BYTES = 24,     ///< of both kinds of header
    CULLET_RECORD_FLUSH_BYTES = 1 << 16, ///< a block of at least this size is written
    CULLET_RECORD_BLOCK_BYTES = 1 << 18, ///< maximum size of a block
    CULLET_RECORD_BOX_SCALARS = 6,
    CULLET_RECORD_RAY_SCALARS = 16
};

enum CulletFrameKind
{
    CULLET_FRAME_PLAIN = 0, ///< the block uncompressed
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
