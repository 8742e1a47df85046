// SPDX-License-Identifier: Zlib
/// \file quota.h
/// The processor time that a process may use. Containers often have a quota of time per period: all processors are
/// visible, but once the quota of a period is used up, every thread is stopped until the next period.
#ifndef CLT_GPU_QUOTA_H
#define CLT_GPU_QUOTA_H

#ifdef __cplusplus
extern "C" {
#endif

#define CLT_NO_QUOTA 0

/// The quota in processors, rounded up: with one and a half processors a second thread still pays off.
/// \param membership  a file that lists the process's control groups, as "/proc/self/cgroup"
/// \param mount       the folder of all control groups, as "/sys/fs/cgroup"
/// \return CLT_NO_QUOTA if there is none
int cltQuota_Processors( const char* membership, const char* mount );

#ifdef __cplusplus
}
#endif

#endif
