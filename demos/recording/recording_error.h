// SPDX-License-Identifier: Zlib
/// \file recording_error.h
/// A file that is no good recording. What it says goes behind the file's name, in one line.
#ifndef CLT_RECORDING_RECORDING_ERROR_H
#define CLT_RECORDING_RECORDING_ERROR_H

#include <stdexcept>

namespace cullet::recording
{

class RecordingError : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

} // namespace cullet::recording

#endif
