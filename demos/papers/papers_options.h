// SPDX-License-Identifier: Zlib
/// \file papers_options.h
/// The options of `cullet papers`. The program cullet has them for its help and its manual, and passes the command line
/// on to the program cullet-papers, which measures.
#ifndef CLT_PAPERS_PAPERS_OPTIONS_H
#define CLT_PAPERS_PAPERS_OPTIONS_H

#include "cullet.h"
#include "demos/command/option_checks.h"

#include <CLI/App.hpp>

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
inline CLI::App* addPapersOptions( CLI::App& app, PapersOptions& options )
{
    CLI::App* command = app.add_subcommand( "papers", "Measures the tables of the papers on which cullet is based" );
    command->add_option( "ID", options.ids, "Tables, or all; without any, lists them, and what has no table" );
    command->add_flag( "--quick", options.isQuick,
                       "Small sizes and no times: only checks that everything is right. Without an ID, all tables" );
    command->add_option( "--device", options.device, "Measure the CPU, or also a CUDA device" )
        ->check( command::oneOf( { "cpu", "cuda" } ) );
    command->add_option( "--threads", options.threads, "Threads of cullet; 0: one for each processor" )
        ->check( command::between( 0, CLT_MAX_THREADS, command::Number::whole ) );
    command->add_option( "--format", options.format, "Format of the result" )
        ->check( command::oneOf( { "table", "csv", "json" } ) );
    command->add_option( "--plot", options.plot, "Also draw the figures into this folder, with gnuplot" )
        ->check( command::require( []( const std::string& folder ) { return !folder.empty(); }, "is no folder" ) );
    command->footer( R"(
Times are medians of nine runs after three untimed ones. "same pairs" says whether the pairs equal those of
an independent sweep; exit code 1 if any row is wrong. "-" stands for what a paper does not print, what was not
measured, and rows that have nothing to compare. G/s: thousand millions of tested pairs, or of roots, a second.
)" );
    return command;
}

} // namespace cullet::papers

#endif
