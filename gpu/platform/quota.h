// SPDX-License-Identifier: Zlib
/// \file quota.h
/// How many processors' worth of time a process may use. Containers are mostly given a quota of time: all processors
/// are there to be seen, but when the quota of a period is used up, every thread stands still until the next one.
#ifndef CLT_GPU_QUOTA_H
#define CLT_GPU_QUOTA_H

#ifdef __cplusplus
extern "C" {
#endif

#define CLT_NO_QUOTA 0

/// Rounded up: with one and a half processors a second thread is worth having. CLT_NO_QUOTA if there is none, or the
/// system has no such thing.
/// \param membership  "/proc/self/cgroup": the process's control groups
/// \param mount       "/sys/fs/cgroup": where these are found
int cltQuota_Processors( const char* membership, const char* mount );

#ifdef __cplusplus
}
#endif

#endif
