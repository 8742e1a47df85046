// SPDX-License-Identifier: Zlib
/// \file successor.h
/// One backend in the place of another, at the point where that one had come to: what takeover and moving up share.
#ifndef CLT_BRIDGE_SUCCESSOR_H
#define CLT_BRIDGE_SUCCESSOR_H

#include "bridge/broadphase.h"

typedef struct cltSuccessor
{
    cltBackend* backend; ///< NULL if it could not even be created
} cltSuccessor;

/// Creates a backend and makes it one that is as of the last committed update. On a failure what there is of it can be
/// asked why, and has to be discarded.
cltStatus cltSuccessor_Make( cltBroadphase* broadphase, cltCreateBackendFcn* create, cltSuccessor* successor );

void cltSuccessor_Discard( cltSuccessor* successor );

/// Destroys the broadphase's backend; this one takes its place.
void cltSuccessor_Install( cltBroadphase* broadphase, const cltSuccessor* successor );

/// What a device said when it failed, for people, as long as its backend lives; without a backend the failure's name.
const char* cltWhatFailed( const cltBackend* backend, cltStatus failure );

/// One line for the log hook: what a device said, and what follows from it.
void cltTellFailure( const cltBroadphase* broadphase, cltStatus failure, const char* what, const char* consequence );

#endif
