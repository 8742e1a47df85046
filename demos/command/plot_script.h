// SPDX-License-Identifier: Zlib
/// \file plot_script.h
/// Panels as a program for gnuplot, the numbers inside it.
#ifndef CLT_COMMAND_PLOT_SCRIPT_H
#define CLT_COMMAND_PLOT_SCRIPT_H

#include "plot_panels.h"

#include <string>
#include <vector>

namespace cullet::compare
{

/// \param path     an SVG if it ends so, else a PNG
/// \param heading  above all panels, in lines
/// \param panels   at least one
std::string plotScript( const std::string& path, const std::vector<std::string>& heading,
                        const std::vector<Panel>& panels );

} // namespace cullet::compare

#endif
