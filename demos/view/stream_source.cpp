// SPDX-License-Identifier: Zlib
#include "stream_source.h"

#include "fat_boxes.h"

#include "demos/engines/engines.h"
#include "demos/report/timing.h"

namespace cullet::view
{
namespace
{

using namespace compare;

enum StreamPart : std::size_t
{
    setPart,
    pairsPart,
    streamPartCount
};

struct StreamContestant
{
    std::string name;
    std::unique_ptr<Engine> engine;
    std::vector<double> ms = std::vector<double>( streamPartCount );
};

/// A colour for each slot, so that neighbours differ.
render::Colour colourOf( std::uint32_t slot, bool hasMoved )
{
    if ( !hasMoved )
    {
        return { 150, 150, 145, 255 };
    }
    const auto shade = [slot]( std::uint32_t factor ) { return std::uint8_t( 90 + slot * factor % 140 ); };
    return { shade( 37 ), shade( 59 ), shade( 83 ), 255 };
}

class StreamSource : public Source
{
public:
    StreamSource( std::unique_ptr<Stream> stream, const SourceRequest& request ) : m_stream( std::move( stream ) )
    {
        const StreamInfo& info = m_stream->info();
        m_bodies.boxes.assign( info.mostAlive, noBox );
        m_bodies.filters.assign( info.mostAlive, openFilter );
        m_hasMoved.assign( info.mostAlive, false );
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.threadCount = request.threads;
        for ( const std::string& name : request.broadphases )
        {
            StreamContestant& contestant = m_contestants.emplace_back();
            contestant.name = name;
            contestant.engine = createEngine( engineKind( name ), info, def );
        }
        playStep(); // creates the boxes
    }

    bool step() override
    {
        return playStep();
    }

    const std::vector<TimedPart>& parts() const override
    {
        static const std::vector<TimedPart> parts = { { "set boxes", true }, { "find pairs", true } };
        return parts;
    }

    std::size_t contestantCount() const override
    {
        return m_contestants.size();
    }

    std::string contestantName( std::size_t contestant ) const override
    {
        return m_contestants[contestant].name;
    }

    std::vector<double> times( std::size_t contestant ) const override
    {
        return m_contestants[contestant].ms;
    }

    void getBodies( std::size_t, Bodies& bodies ) const override
    {
        bodies = m_bodies;
    }

    PairSet pairs( std::size_t contestant ) override
    {
        return m_contestants[contestant].engine->pairs();
    }

    void draw( std::size_t, render::Drawing& drawing ) override
    {
        for ( std::size_t slot = 0; slot < m_bodies.count(); ++slot )
        {
            if ( m_bodies.isDrawable( slot ) )
            {
                const BulletBox box = bulletBox( m_bodies.boxes[slot] );
                drawing.addBox( render::box, box.lower, box.upper,
                                colourOf( std::uint32_t( slot ), m_hasMoved[slot] ) );
            }
        }
    }

    void drawFatBoxes( std::size_t contestant, render::Drawing& drawing ) const override
    {
        addFatBoxes( m_contestants[contestant].engine->bulletBroadphase(), drawing );
    }

private:
    /// Plays batches up to the end of a step.
    bool playStep()
    {
        for ( StreamContestant& contestant : m_contestants )
        {
            contestant.ms.assign( streamPartCount, 0 );
        }
        do
        {
            if ( !m_stream->next( m_batch ) )
            {
                return false;
            }
            for ( StreamContestant& contestant : m_contestants )
            {
                play( contestant );
            }
            noteBodies();
        } while ( !m_batch.endsStep );
        return true;
    }

    void play( StreamContestant& contestant ) const
    {
        {
            const Stopwatch stopwatch( contestant.ms[setPart] );
            for ( const Calls& calls : m_batch.calls )
            {
                if ( !calls.areQueries() )
                {
                    contestant.engine->change( m_batch, calls );
                }
            }
        }
        if ( m_batch.endsStep )
        {
            const Stopwatch stopwatch( contestant.ms[pairsPart] );
            contestant.engine->findPairs();
        }
    }

    void noteBodies()
    {
        for ( const Calls& calls : m_batch.calls )
        {
            const bool setsBox = calls.kind == EventKind::create || calls.kind == EventKind::move;
            const bool setsFilter = calls.kind == EventKind::create || calls.kind == EventKind::filter;
            for ( std::size_t call = calls.first; call < calls.last && !calls.areQueries(); ++call )
            {
                const std::uint32_t slot = calls.kind == EventKind::resetPool ? 0 : m_batch.slots[call];
                if ( setsBox )
                {
                    m_bodies.boxes[slot] = m_batch.boxes[call];
                    m_hasMoved[slot] = calls.kind == EventKind::move;
                }
                if ( setsFilter )
                {
                    m_bodies.filters[slot] = m_batch.filters[call];
                }
                if ( calls.kind == EventKind::destroy )
                {
                    m_bodies.boxes[slot] = noBox;
                }
            }
        }
    }

    std::unique_ptr<Stream> m_stream;
    Batch m_batch;
    std::vector<StreamContestant> m_contestants;
    Bodies m_bodies;
    std::vector<bool> m_hasMoved;
};

} // namespace

std::unique_ptr<Source> makeStreamSource( std::unique_ptr<Stream> stream, const SourceRequest& request )
{
    return std::make_unique<StreamSource>( std::move( stream ), request );
}

} // namespace cullet::view
