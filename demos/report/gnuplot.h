// SPDX-License-Identifier: Zlib
/// \file gnuplot.h
/// Pictures of numbers. Scripts go through a pipe, so that no path ever passes through a shell.
#ifndef CLT_REPORT_GNUPLOT_H
#define CLT_REPORT_GNUPLOT_H

#include <string>

namespace cullet::gnuplot
{

bool isInstalled();

/// A text in which nothing is expanded.
std::string quoted( const std::string& text );

/// Throws std::runtime_error if gnuplot cannot be started or does not like the script.
void run( const std::string& script );

} // namespace cullet::gnuplot

#endif
