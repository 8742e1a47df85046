// SPDX-License-Identifier: Zlib
/// \file gnuplot.h
/// Draws pictures with gnuplot. Scripts go through a pipe, so that the shell never sees a path.
#ifndef CLT_REPORT_GNUPLOT_H
#define CLT_REPORT_GNUPLOT_H

#include <string>

namespace cullet::gnuplot
{

bool isInstalled();

/// The text as a gnuplot string in which nothing is expanded.
std::string quoted( const std::string& text );

/// Throws std::runtime_error if gnuplot is missing or the folder of `path` is not writable. Call it before an hour of
/// measuring, not after it.
void requireWritable( const std::string& path );

/// Throws std::runtime_error if gnuplot cannot be started or rejects the script.
void run( const std::string& script );

} // namespace cullet::gnuplot

#endif
