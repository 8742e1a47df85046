// SPDX-License-Identifier: Zlib
/// \file cullet_research.h
/// Options and counters for experiments: the variants that papers describe, and what a search tests. No option changes
/// which pairs are found.
///
///     cltResearchDef research = cltDefaultResearchDef();
///     research.keepFront = true;
///     cltBroadphaseDef def = cltDefaultBroadphaseDef();
///     def.algorithm = clt_algorithmFrontier;
///     def.research = &research;
#ifndef CLT_CULLET_RESEARCH_H
#define CLT_CULLET_RESEARCH_H

#include "cullet.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How bruteForce and grid turn the index of a candidate into a pair of boxes (Avril, Gouranton, Arnaldi, Fast
/// Collision Culling in Large-Scale Environments Using GPU Mapping Function, 2012, section 3).
typedef enum cltRoot
{
    clt_rootHardware, ///< the square root instruction
    clt_rootCarmack,  ///< fast inverse square root, constant 0x5f3759df, with cltResearchDef::rootSteps Newton steps
    clt_rootLomont,   ///< as clt_rootCarmack, with Lomont's constant 0x5f375a86
    clt_rootNone      ///< no root: divide and modulo over the full square; half of the candidates are discarded
} cltRoot;

/// What bruteForce writes on a CUDA device.
typedef enum cltOutput
{
    clt_outputKeys, ///< a key for each pair that is found
    clt_outputBits  ///< a bit for each candidate; a second pass turns bits into keys (table 5 of the paper at cltRoot)
} cltOutput;

/// The largest cltResearchDef::entryLevel: the search then begins with eight million pairs of nodes.
#define CLT_MAX_ENTRY_LEVEL 12

/// Must come from cltDefaultResearchDef(). A broadphase copies it at creation.
typedef struct cltResearchDef
{
    cltRoot root;     ///< default clt_rootHardware; used by bruteForce and grid
    int rootSteps;    ///< Newton steps of clt_rootCarmack and clt_rootLomont, 1 to 4, default 2
    cltOutput output; ///< default clt_outputKeys; used by bruteForce on a CUDA device
    /// levels below the root at which frontier begins, 0 to CLT_MAX_ENTRY_LEVEL; default -1: 5 on a CPU, 10 on a CUDA
    /// device
    int entryLevel;
    int depthStep; ///< levels that frontier descends per pass, 1 to 4, default 2
    /// frontier starts from the pairs of nodes at which its last search stopped, and tests only those that the largest
    /// displacement of any proxy may have changed. Good if all proxies move slowly, bad if one moves far. With one pair
    /// per proxy the front has about ten entries per proxy, with four 19, with seven 27. If it would have more than 32,
    /// the search goes on without a front, and a front is tried again after 64 updates. Default false. Unused on a CUDA
    /// device, where tests cost less than the memory traffic of a front
    bool keepFront;
} cltResearchDef;

/// A def with the defaults that are listed at its members.
CLT_API cltResearchDef cltDefaultResearchDef( void );

/// What the last update counted.
typedef struct cltResearchStats
{
    uint32_t outlierCount;   ///< proxies much larger than most, or infinite, that are tested against all others
    uint32_t redoCount;      ///< times that a stage was repeated with a larger buffer
    uint32_t passCount;      ///< passes of frontier, else 0
    uint32_t operationCount; ///< launches, copies, clears and waits on a device; 0 on the CPU
    uint64_t candidateCount; ///< pairs of boxes that bruteForce or grid tested, else 0
    uint64_t nodeTestCount;  ///< pairs of nodes that frontier tested, including leaves
    uint64_t frontierPeak;   ///< most pairs of nodes that a pass of frontier handed to the next one
    uint64_t frontSize;      ///< pairs of nodes in the front, see cltResearchDef::keepFront; 0 without one
    float kernelMs;          ///< on a device, from the start of the first to the end of the last kernel before commit
} cltResearchStats;

/// What the last update counted.
CLT_API cltStatus cltBroadphase_GetResearchStats( const cltBroadphase* broadphase, cltResearchStats* stats );

#ifdef __cplusplus
}
#endif

#endif
