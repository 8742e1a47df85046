// SPDX-License-Identifier: Zlib
/// \file broadphases.h
/// The broadphases that the demo's world can be built on, by the names of the command line.
#ifndef CLT_DEMO_BROADPHASES_H
#define CLT_DEMO_BROADPHASES_H

#include "column.h"

#include <memory>
#include <string>
#include <vector>

class btBroadphaseInterface;
class CulletBroadphase;

namespace cullet::demo
{

std::vector<std::string> broadphaseNames();

struct NamedBroadphase
{
    std::unique_ptr<btBroadphaseInterface> broadphase;
    CulletBroadphase* cullet; ///< the same object if it is one of cullet's, else null
};

/// \param name     one of broadphaseNames()
/// \param threads  of cullet; 0 for one per processor. Bullet's own have none
/// \throws std::runtime_error if cullet cannot be had as asked for
NamedBroadphase createBroadphase( const std::string& name, int threads, const Column& column, int bodyCount );

} // namespace cullet::demo

#endif
