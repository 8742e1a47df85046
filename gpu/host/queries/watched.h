// SPDX-License-Identifier: Zlib
/// \file watched.h
/// Who may have come to overlap a body since the last update, though both stay by their anchors: pairs that are watched
/// and were none then. They are listed once an update, of those bodies alone that are asked about, when as much was
/// spent on walking the tree for some of them, or is about to be. A body's pairs are linked in no order:
///
///     bodies    by slot: the last turn in which it was asked about, and its first link, or
///               CLT_WATCHED_END    it has none
///               UNLISTED           it was not asked about in time for the list of this turn (watched.c)
///     links     with whom, and the next one of the same body
///
/// A turn ends with the first update after somebody asked. The list of a turn has the links of bodies that were asked
/// about in the last one, or in this one before the list was made; who asks later walks the tree, and is listed in the
/// next turn.
#ifndef CLT_HOST_WATCHED_H
#define CLT_HOST_WATCHED_H

#include "gpu/queries.h"

#define CLT_WATCHED_END UINT32_MAX

/// Where turns are counted from: 0 is long ago.
#define CLT_FIRST_TURN 2u

/// What is known of a body that may be asked about.
typedef struct cltWatchedBody
{
    uint32_t turn;  ///< the last one in which it was asked about
    uint32_t first; ///< link of it, if there is a list
} cltWatchedBody;

typedef struct cltWatchedLink
{
    uint32_t other; ///< slot
    uint32_t next;  ///< or CLT_WATCHED_END
} cltWatchedLink;

/// With `turn` CLT_FIRST_TURN and all else zero it is empty and valid.
typedef struct cltWatchedList
{
    cltBuffer bodies;             ///< cltWatchedBody, by slot
    cltBuffer links;              ///< cltWatchedLink
    uint32_t bodyCount;           ///< slots that `bodies` knows
    uint32_t linkCount;           ///< of the last list
    cltShrinkPolicy shrinkPolicy; ///< of links
    uint32_t turn;                ///< counts times between updates in which anything was asked
    uint32_t asked;               ///< bodies in this turn
    uint32_t askedBefore;         ///< and in the one before
    bool isKnown;                 ///< the links are those of this turn
} cltWatchedList;

/// \param[out] first  link of the slot, to be followed until CLT_WATCHED_END
/// \return false if a walk will do: the list is not worth it yet, the slot is not in it, or there is no memory for it
bool cltWatchedList_First( cltWatchedList* list, const cltAnchors* anchors, uint32_t slot, cltMemory* memory,
                           uint32_t* first );

/// To be called when an update may have begun. Gives back room that has not been needed for a while.
void cltWatchedList_Forget( cltWatchedList* list, cltMemory* memory );

void cltWatchedList_Release( cltWatchedList* list, cltMemory* memory );

#endif
