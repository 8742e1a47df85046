// SPDX-License-Identifier: Zlib
/// \file child.h
/// Questions whose answer must leave no trace in this process: how much memory something takes, whether a driver
/// answers.
#ifndef CLT_COMMAND_CHILD_H
#define CLT_COMMAND_CHILD_H

#include <functional>
#include <string>

namespace cullet::command
{

/// What `work` returns in a child process of its own. To be called before this process has started threads or used a
/// CUDA device: neither survives into a child. Throws std::runtime_error with the words of what was thrown there, or if
/// the child died.
std::string askChild( const std::function<std::string()>& work );

} // namespace cullet::command

#endif
