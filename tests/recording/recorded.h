// SPDX-License-Identifier: Zlib
/// \file recorded.h
/// A small recording with every kind of event in it, and files as bytes.
#ifndef CULLET_TESTS_RECORDED_H
#define CULLET_TESTS_RECORDED_H

#include "demos/recording/event.h"

#include <string>
#include <vector>

namespace test
{

using Bytes = std::vector<unsigned char>;

/// A name in the folder for temporary files that no other test uses.
std::string temporaryPath();

Bytes readFile( const std::string& path );
void writeFile( const std::string& path, const Bytes& bytes );

/// Writes two bodies, moves, an edited filter, a ray, a box query, a step and a destroyed body to `path`.
/// \param packed  with Zstandard, or as the plugin alone writes it
void recordLittle( const std::string& path, bool packed );

/// All of it. Throws RecordingError as the reader does.
std::vector<cullet::recording::Event> eventsOf( const std::string& path );

/// Whether the reader refuses such a file, in one line.
bool isRefused( const std::string& path, const Bytes& bytes );

} // namespace test

#endif
