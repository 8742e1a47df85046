// SPDX-License-Identifier: Zlib
/// \file source.h
/// What the viewer shows. A source has one or several contestants, which make the same steps over different
/// broadphases.
#ifndef CLT_VIEW_SOURCE_H
#define CLT_VIEW_SOURCE_H

#include "bodies.h"

#include "demos/render/drawing.h"

#include <memory>
#include <string>
#include <vector>

namespace cullet::demo
{
struct WorldKind;
}

namespace cullet::view
{

/// A part of a step that is timed.
struct TimedPart
{
    const char* name;
    bool isBroadphase;
};

class Source
{
public:
    virtual ~Source() = default;

    /// Makes a step with each contestant. \return false at the end of a recording: there was no step
    virtual bool step() = 0;

    virtual const std::vector<TimedPart>& parts() const = 0;
    virtual std::size_t contestantCount() const = 0;
    virtual std::string contestantName( std::size_t contestant ) const = 0;

    /// Milliseconds of the last step, by part.
    virtual std::vector<double> times( std::size_t contestant ) const = 0;

    /// The bodies as the contestant's broadphase saw them in its last step. Keeps the memory of `bodies`.
    virtual void getBodies( std::size_t contestant, Bodies& bodies ) const = 0;

    /// The pairs that the contestant's broadphase reports, of slots, ascending.
    virtual PairSet pairs( std::size_t contestant ) = 0;

    virtual btVector3 up() const
    {
        return btVector3( 0, 1, 0 );
    }

    /// False if the pairs are not those of the bodies' boxes, and cannot be compared with the exact ones.
    virtual bool canBeChecked() const
    {
        return true;
    }

    /// Whether the program accepts a pair of boxes that overlap and whose filters accept it.
    virtual bool accepts( std::uint32_t slotA, std::uint32_t slotB ) const
    {
        return slotA != slotB;
    }

    /// Of the first contestant.
    virtual bool isResting( std::uint32_t ) const
    {
        return false;
    }

    /// Adds the surfaces of a contestant's bodies.
    virtual void draw( std::size_t contestant, render::Drawing& drawing ) = 0;

    /// Adds the boxes of a broadphase that makes them larger than those of the bodies.
    virtual void drawFatBoxes( std::size_t, render::Drawing& ) const
    {
    }
};

std::vector<std::string> kindNames();  ///< of worlds
std::vector<std::string> sceneNames(); ///< of boxes

/// What a source is made from: exactly one of kind, scene and files is not empty.
struct SourceRequest
{
    std::string kind = "pile";      ///< of a world
    std::string scene;              ///< of boxes
    std::vector<std::string> files; ///< a world, a recording, or meshes

    /// For files: how they are read.
    std::unique_ptr<Source> ( *fromFiles )( const SourceRequest& request ) = nullptr;

    bool arePoses = false; ///< the meshes are poses of one mesh
    int bodies = 2000;
    std::uint64_t seed = 12345; ///< of a scene
    double movingPercent = 100; ///< of a scene
    int threads = 0;
    std::vector<std::string> broadphases = { "dbvt", "cullet" }; ///< none for meshes
};

/// \throws std::runtime_error with one line, if a file cannot be read or memory runs out
std::unique_ptr<Source> makeSource( const SourceRequest& request );

/// \param kind  used instead of the request's
std::unique_ptr<Source> makeWorldSource( const SourceRequest& request, const demo::WorldKind& kind );
std::unique_ptr<Source> makeWorldFileSource( const SourceRequest& request );
std::unique_ptr<Source> makeSceneSource( const SourceRequest& request );
std::unique_ptr<Source> makeRecordingSource( const SourceRequest& request );
std::unique_ptr<Source> makeMeshSource( const SourceRequest& request );

/// The command that shows the same.
std::string commandOf( const SourceRequest& request );

/// One or two sentences about what is shown.
std::string descriptionOf( const SourceRequest& request );

} // namespace cullet::view

#endif
