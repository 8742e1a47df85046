// SPDX-License-Identifier: Zlib
/// \file watch.h
/// Prints the result of --verify and --stats of a program that dies before it can print its own.
#ifndef CLT_RUN_WATCH_H
#define CLT_RUN_WATCH_H

namespace cullet::run
{

/// Forks, and returns in the child, which becomes the program. The parent passes signals on to it and waits for its
/// end. Then the parent prints the reports (CulletReport.h) that are not printed yet, and ends as the program did. If a
/// report has errors, the exit code is CULLET_EXIT_WRONG.
void forkAndWatch();

} // namespace cullet::run

#endif
