// SPDX-License-Identifier: Zlib
/// \file life.h
/// A random life: what an application changes in its world, step after step. Every choice comes from the seed and from
/// the bodies as the stage tells them, never from the broadphase, so that the same seed makes the same calls whatever
/// it answers.
#ifndef CLT_ORACLE_LIFE_H
#define CLT_ORACLE_LIFE_H

#include "arena.h"
#include "phases.h"

namespace cullet
{

/// Where a life is led: a broadphase, and what it was last told of its bodies, which are numbered from 0.
class Stage
{
public:
    virtual ~Stage() = default;

    virtual std::size_t count() const = 0;
    virtual cltAabbD boxOf( std::size_t body ) const = 0;

    virtual void create( const cltAabbD& box, const cltFilter& filter ) = 0; ///< as number count()
    virtual void destroy( std::size_t body ) = 0;                            ///< the last body takes its number
    virtual void move( std::size_t body, const cltAabbD& box ) = 0;
    virtual void setFilter( std::size_t body, const cltFilter& filter ) = 0;

    /// Called between changes of different kinds: the world may be looked at half changed.
    virtual void meanwhile()
    {
    }
};

class Life
{
public:
    /// \param bodyCount  towards which most phases create or destroy
    Life( Stage& stage, std::uint64_t seed, std::size_t bodyCount, cltPrecision precision );

    /// Begins the next step, of the same phase or of another one that the seed chooses. The first steps fill the world.
    void beginStep();

    /// Begins the next step, of a given phase.
    void beginStep( const Phase& phase );

    /// The two halves of a step. Filters first: whether a pair may be is settled before its boxes change.
    void changeFilters();
    void changeBoxes();

    const Phase& phase() const
    {
        return *m_phase;
    }

    const Arena& arena() const
    {
        return m_arena;
    }

    /// Of this step.
    Random& random()
    {
        return m_random;
    }

    std::size_t anyBody();

    /// How many odd and wide boxes were given so far.
    std::uint64_t oddCount() const
    {
        return m_oddCount;
    }

private:
    void headForPopulation();
    void churn();
    void drift();
    void jump();
    void repeat();
    void setOdd();
    void setWide();
    void crowd();

    void create();
    void destroyAny();
    void moveOddly( std::size_t body, const cltAabbD& box );
    std::size_t countOf( double share ) const;
    std::size_t wideCount() const;

    Stage& m_stage;
    Arena m_arena;
    std::uint64_t m_seed;
    std::size_t m_bodyCount;
    const Phase* m_phase = &phases[0];
    unsigned m_stepsLeft;           ///< of the phase
    std::uint64_t m_phaseIndex = 0; ///< among those of this life
    std::uint64_t m_step = 0;
    std::uint64_t m_oddCount = 0;
    Random m_random;
};

} // namespace cullet

#endif
