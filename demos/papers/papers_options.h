// SPDX-License-Identifier: Zlib
/// \file papers_options.h
/// The options of `cullet papers`. The program cullet has them for its help and its manual, and passes the command line
/// on to the program cullet-papers, which measures.
#ifndef CLT_PAPERS_PAPERS_OPTIONS_H
#define CLT_PAPERS_PAPERS_OPTIONS_H

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace cullet::papers
{

struct PapersOptions
{
    std::vector<std::string> ids;
    std::string device = "cpu";
    int threads = 0;
    bool isQuick = false;
    std::string format = "table";
    std::string plot; ///< a folder; empty: no pictures
};

/// Adds the subcommand with its options, without a callback.
/// \param options  must outlive the parsing
CLI::App* addPapersOptions( CLI::App& app, PapersOptions& options );

} // namespace cullet::papers

#endif
