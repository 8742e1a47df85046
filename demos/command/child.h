// SPDX-License-Identifier: Zlib
/// \file child.h
/// Runs work in a child process, for measurements that must not affect this process: how much memory an engine takes,
/// and whether a driver responds.
#ifndef CLT_COMMAND_CHILD_H
#define CLT_COMMAND_CHILD_H

#include <functional>
#include <string>

namespace cullet::command
{

/// Runs `work` in a child process and returns its result. Call it before this process starts threads or uses a CUDA
/// device, as a forked child can use neither. Throws std::runtime_error with the message of an exception in the child,
/// or if the child died.
std::string runInChild( const std::function<std::string()>& work );

} // namespace cullet::command

#endif
