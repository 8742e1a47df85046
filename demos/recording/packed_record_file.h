// SPDX-License-Identifier: Zlib
/// \file packed_record_file.h
/// A CulletRecordFile whose blocks are packed with Zstandard: about half the size for bodies that move, and next to
/// nothing for those that rest.
#ifndef CLT_RECORDING_PACKED_RECORD_FILE_H
#define CLT_RECORDING_PACKED_RECORD_FILE_H

#include "plugin/recorder/CulletRecordFile.h"

#include <string>
#include <vector>

namespace cullet::recording
{

class PackedRecordFile : public CulletRecordFile
{
public:
    explicit PackedRecordFile( const std::string& path );

protected:
    Stored pack( const unsigned char* block, std::uint32_t size ) override;

private:
    std::vector<unsigned char> m_packed;
};

} // namespace cullet::recording

#endif
