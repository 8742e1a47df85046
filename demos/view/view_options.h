// SPDX-License-Identifier: Zlib
/// \file view_options.h
/// The options of the viewer that the command and the page have in common.
#ifndef CLT_VIEW_VIEW_OPTIONS_H
#define CLT_VIEW_VIEW_OPTIONS_H

#include "controls.h"

namespace CLI
{
class App;
}

namespace cullet::view
{

struct ViewOptions
{
    std::vector<std::string> what; ///< a scene, a kind of world, or files
    std::vector<std::string> shown = { "bodies" };
    Controls controls;
};

/// \param options  must outlive the parsing; its values are the defaults
void addViewOptions( CLI::App& app, ViewOptions& options );

/// The controls that parsed options ask for. If `what` is neither a scene nor a kind, it becomes the files of the
/// request, for which the caller must set `fromFiles`.
Controls controlsOf( const ViewOptions& options );

} // namespace cullet::view

#endif
