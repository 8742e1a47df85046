// SPDX-License-Identifier: Zlib
/// \file doctor_command.cpp
/// `cullet doctor`: tells how a program could run on cullet. Reads the program's file and does not run it.
#include "reach.h"

#include "demos/command/commands.h"

#include <CLI/App.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

namespace cullet::run
{
namespace
{

constexpr const char* rebuild = "  #include \"CulletBroadphase.h\"\n"
                                "  btBroadphaseInterface* broadphase = new CulletBroadphase();"
                                "   // was: new btDbvtBroadphase()\n"
                                "  target_link_libraries(app PRIVATE cullet::plugin)               // CMake\n";

std::string description( const Finding& finding )
{
    std::string text = fmt::format( "program    {}\n", finding.program );
    if ( !finding.bullet.empty() )
    {
        text += fmt::format( "Bullet     {}\n", finding.bullet );
        text += fmt::format( "precision  {}\n", finding.precision );
    }
    if ( finding.chain.size() > 2 )
    {
        text += fmt::format( "reached    {}\n", fmt::join( finding.chain, "\n         > " ) );
    }
    if ( !finding.notFound.empty() )
    {
        text += fmt::format( "not found  {}\n", fmt::join( finding.notFound, ", " ) );
    }
    return text;
}

/// The word after `cullet run --`.
std::string programToRun( const Finding& finding )
{
    return finding.isLibrary ? "the program that loads it" : finding.program;
}

std::string advisedSteps( const Finding& finding )
{
    if ( !finding.cullet.empty() )
    {
        return fmt::format( "It has cullet inside already: {}.\n", finding.cullet );
    }
    switch ( finding.reach )
    {
    case Reach::dynamic:
        return fmt::format( "It links Bullet dynamically{}. Without a rebuild:\n  cullet run -- {}\n",
                            finding.makesBroadphase
                                ? ", and a broadphase is constructed by name"
                                : "; no constructor call of a broadphase was found, perhaps it is in a "
                                  "library that is loaded later",
                            programToRun( finding ) );
    case Reach::boundLocally:
        return fmt::format(
            "A library has Bullet inside and calls it past the loader. Rebuild it with these lines:\n{}", rebuild );
    case Reach::inside:
        return fmt::format( "It has Bullet inside (linked statically). Rebuild it with these lines:\n{}", rebuild );
    case Reach::onDemand:
        return fmt::format(
            "It links no Bullet. If it loads one later, as plug-ins and Python modules do, this reaches "
            "it:\n  cullet run -- {}\nTo know more, ask about the plug-in: cullet doctor FILE.so\n",
            programToRun( finding ) );
    case Reach::never:
        return "It has no Bullet, and no loader starts it (linked statically): nothing reaches it.\n";
    case Reach::unknown:
        return fmt::format( "It may not be read. To try:\n  cullet run -- {}\n", finding.program );
    case Reach::script:
        return fmt::format( "A script, run by {}. What that loads is not known here; this reaches a Bullet that is "
                            "linked dynamically:\n  cullet run -- {}\n",
                            finding.interpreter, finding.program );
    }
    return "";
}

} // namespace

std::string advice( const Finding& finding )
{
    return description( finding ) + advisedSteps( finding );
}

std::string warning( const Finding& finding )
{
    if ( finding.reach == Reach::inside )
    {
        return fmt::format( "changes nothing: {} has Bullet inside; see cullet doctor", finding.program );
    }
    if ( finding.reach == Reach::boundLocally )
    {
        return fmt::format( "changes nothing: {} has Bullet inside and calls it past the loader; see cullet doctor",
                            finding.bullet );
    }
    if ( finding.reach == Reach::never )
    {
        return fmt::format( "changes nothing: {} is linked statically, without Bullet", finding.program );
    }
    return "";
}

} // namespace cullet::run

void addDoctorCommand( CLI::App& app )
{
    CLI::App* command = app.add_subcommand( "doctor", "How a program could run on cullet; does not run it" );
    const auto program = std::make_shared<std::string>();
    command->add_option( "PROGRAM", *program, "A program, script or library" )->required();
    command->callback(
        [program]
        { fmt::print( "{}", cullet::run::advice( cullet::run::examine( cullet::run::findProgram( *program ) ) ) ); } );
}
