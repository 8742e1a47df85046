// SPDX-License-Identifier: Zlib
/// \file launch_papers.cpp
/// `cullet papers` in the program cullet: runs cullet-papers with the same arguments. The papers' baselines are a third
/// of the command's code, so they are left out of the program cullet.
#include "papers_options.h"

#include "demos/command/commands.h"

#include <memory>

void addPapersCommand( CLI::App& app )
{
    const auto options = std::make_shared<cullet::papers::PapersOptions>();
    cullet::papers::addPapersOptions( app, *options )
        ->callback( [options] { execProgram( "cullet-papers", "the target cullet_papers builds it" ); } );
}
