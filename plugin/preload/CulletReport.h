// SPDX-License-Identifier: Zlib
/// \file CulletReport.h
/// What --verify and --stats have found in a process so far: counts and times. They are in memory that the process
/// shares with `cullet run`. A process prints its report when it exits; if it dies, `cullet run` prints the report. A
/// forked child has a new report, without times. Needs no Bullet.
#ifndef CULLET_REPORT_H
#define CULLET_REPORT_H

#include <algorithm>
#include <atomic>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct CulletReport
{
    enum Call
    {
        call_create, ///< createProxy, destroyProxy and getOverlappingPairCache
        call_set,
        call_calculate,
        callCount
    };

    /// Writes one line to standard error. The arguments are those of printf.
    typedef void Say( const char* format, ... );

    static const int SHARED_COUNT = 256; ///< reports in the shared memory. The processes after these have private ones

    std::atomic<int> m_process; ///< its id; 0 if no process uses this report
    std::atomic<bool> m_isPrinted;
    bool m_isVerifying;
    bool m_isTiming;
    bool m_isChild; ///< of a process with a report

    std::atomic<int> m_steps;
    std::atomic<int> m_queries;
    std::atomic<int> m_wrong; ///< steps and queries with an error

    // Members of CulletStopwatch, which has a lock for all but the last.
    int m_broadphases;
    int m_mostProxies;
    int m_mostPairs;
    uint64_t m_calls[callCount];
    double m_cullet[callCount]; ///< ns, like the next four members
    double m_bullet[callCount];
    double m_begin;   ///< of the process, by the steady clock
    double m_end;     ///< of the last timed call
    double m_inCalls; ///< what timed calls took in all, with both broadphases and the measuring
    std::atomic<uint64_t> m_untimedQueries;

    /// The report of this process; NULL before `claim`.
    static CulletReport*& own()
    {
        static CulletReport* report = 0;
        return report;
    }

    /// Gives this process a new report: an unused one in the file CULLET_REPORT, or else a private one.
    static void claim( bool isVerifying, bool isTiming, double begin )
    {
        static CulletReport* const shared = mapShared();
        CulletReport* report = 0;
        for ( int i = 0; shared && !report && i < SHARED_COUNT; ++i )
        {
            int unused = 0;
            report = shared[i].m_process.compare_exchange_strong( unused, getpid() ) ? shared + i : 0;
        }
        report = report ? report : new CulletReport();
        report->m_isVerifying = isVerifying;
        report->m_isTiming = isTiming;
        report->m_isChild = own() != 0;
        report->m_begin = begin;
        own() = report;
    }

    /// False for forked children that have compared nothing.
    bool hasContent() const
    {
        return m_isTiming || ( m_isVerifying && ( !m_isChild || m_steps + m_queries > 0 ) );
    }

    void print( Say* say ) const
    {
        if ( m_isTiming )
        {
            printTimes( say );
        }
        if ( m_isVerifying && hasContent() )
        {
            say( "verify: %d steps and %d queries compared, %d wrong", m_steps.load(), m_queries.load(),
                 m_wrong.load() );
        }
    }

private:
    /// \return NULL if there is no shared memory
    static CulletReport* mapShared()
    {
        const char* path = getenv( "CULLET_REPORT" );
        const int file = path ? open( path, O_RDWR | O_CLOEXEC ) : -1;
        if ( file < 0 )
        {
            return 0;
        }
        const int access = PROT_READ | PROT_WRITE;
        void* shared = mmap( NULL, SHARED_COUNT * sizeof( CulletReport ), access, MAP_SHARED, file, 0 );
        close( file );
        return shared == MAP_FAILED ? 0 : static_cast<CulletReport*>( shared );
    }

    static double sum( const double ( &times )[callCount] )
    {
        return times[call_create] + times[call_set] + times[call_calculate];
    }

    void printTimes( Say* say ) const
    {
        typedef unsigned long long Count;
        say( "stats: %d broadphases, %llu steps, at most %d bodies and %d pairs, %llu boxes set, %llu queries",
             m_broadphases, Count( m_calls[call_calculate] ), m_mostProxies, m_mostPairs, Count( m_calls[call_set] ),
             Count( m_untimedQueries.load() ) );
        printTimes( say, "cullet", m_cullet );
        printTimes( say, "Bullet", m_bullet );
        const double cullet = std::max( sum( m_cullet ), 1.0 );
        const double bullet = std::max( sum( m_bullet ), 1.0 );
        const double rest = std::max( m_end - m_begin - m_inCalls, 0.0 );
        say( "stats: %.2f times as fast as Bullet's own, %.1f %% of the run (Bullet's own: %.1f %%)", bullet / cullet,
             100 * cullet / ( rest + cullet ), 100 * bullet / ( rest + bullet ) );
    }

    static void printTimes( Say* say, const char* name, const double ( &times )[callCount] )
    {
        say( "stats: %-6s %10.3f ms: setAabb %.3f, calculateOverlappingPairs %.3f, createProxy and destroyProxy %.3f",
             name, sum( times ) * 1e-6, times[call_set] * 1e-6, times[call_calculate] * 1e-6,
             times[call_create] * 1e-6 );
    }
};

#endif
