// SPDX-License-Identifier: Zlib
// Prints a table for tests/gpu.sh: the time of each kernel of an update, the bytes that it has to move, and the time of
// these bytes at the device's copy rate. All bodies move; times are medians over several updates. For small scenes the
// changes must be those of the CPU, or the program fails.
//
//     cullet_device_kernels <bodies>,... [<kind>,...]
#include "demos/scenes/scenes.h"
#include "gpu/cuda/cuda_backend.cuh"
#include "tests/device/programs/kernel_floors.h"
#include "tests/device/programs/timed_queue.cuh"
#include "tests/device/table.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace test;

namespace
{

constexpr int warmups = 4;
constexpr int repeats = 9;
constexpr uint32_t mostChecked = 20000;
constexpr size_t copyBytes = size_t( 256 ) << 20; // larger than any cache

/// A kind of update. If a body is created in each update all leaves are sorted in each, mostly over the kept region.
/// The grid finds a new region in each update.
struct Kind
{
    const char* name;
    cltAlgorithm algorithm;
    bool isSortedAnew;
    bool keepsFront;
};

constexpr Kind kinds[] = { { "lbvh", clt_algorithmLbvh, false, false },
                           { "lbvh-anew", clt_algorithmLbvh, true, false },
                           { "grid", clt_algorithmGrid, false, false },
                           { "frontier", clt_algorithmFrontier, false, false },
                           { "front", clt_algorithmFrontier, false, true } };

[[noreturn]] void fail( const std::string& why )
{
    std::fprintf( stderr, "cullet_device_kernels: %s\n", why.c_str() );
    std::exit( 1 );
}

void check( cltStatus status, const Backend& backend, const char* what )
{
    if ( status != clt_ok )
    {
        fail( std::string( what ) + ": " + backend.failure() );
    }
}

cltAabbD boxOf( const cltScene* scene, uint32_t i )
{
    return toDouble( scene->boxes[i] );
}

/// A scene on the device, and on the CPU if it is small.
class World
{
public:
    World( const Kind& kind, uint32_t bodyCount )
        : m_kind( kind ), m_table( clt_precisionFloat ),
          m_cuda( clt_deviceCuda, kind.algorithm, clt_precisionFloat, clt_outputKeys, kind.keepsFront ),
          m_cpu( clt_deviceCpu, clt_algorithmAuto, clt_precisionFloat ), m_isChecked( bodyCount <= mostChecked )
    {
        const cltSceneDef def = { clt_sceneBrownian, bodyCount, 100.0, 1.0f, CLT_SCENE_SEED, 0.0 };
        m_scene = cltCreateScene( &def );
        if ( !m_cuda.exists() || m_scene == nullptr )
        {
            fail( "no device, or no memory" );
        }
        for ( uint32_t i = 0; i < m_scene->boxCount; ++i )
        {
            m_table.create( boxOf( m_scene, i ) );
        }
        update();
    }

    ~World()
    {
        cltDestroyScene( m_scene );
    }

    World( const World& ) = delete;
    World& operator=( const World& ) = delete;

    void step()
    {
        cltScene_Step( m_scene );
        for ( uint32_t i = 0; i < m_scene->movedCount; ++i )
        {
            m_table.move( m_scene->moved[i], boxOf( m_scene, m_scene->moved[i] ) );
        }
        if ( m_kind.isSortedAnew )
        {
            m_table.create( boxOf( m_scene, 0 ) );
        }
        update();
    }

    Backend& cuda()
    {
        return m_cuda;
    }

    Counts counts() const
    {
        const cltCudaBackend& cuda = m_cuda.as<cltCudaBackend>();
        const cltPlan* plan = static_cast<const cltPlan*>( cuda.result.data );
        Counts counts;
        counts.bodies = plan->leafCount;
        counts.entries = double( plan->frontCount );
        counts.changes = double( plan->keyCount );
        return counts;
    }

private:
    void update()
    {
        Keys changes;
        check( m_cuda.update( m_table, &changes ), m_cuda, "an update" );
        if ( m_isChecked )
        {
            Keys expected;
            check( m_cpu.update( m_table, &expected ), m_cpu, "an update on the CPU" );
            if ( changes != expected )
            {
                fail( std::string( m_kind.name ) + ": other changes than on the CPU" );
            }
        }
        m_table.commit();
    }

    Kind m_kind;
    cltScene* m_scene;
    Table m_table;
    Backend m_cuda;
    Backend m_cpu;
    bool m_isChecked;
};

template <typename Value>
Value medianOf( std::vector<Value> values )
{
    std::nth_element( values.begin(), values.begin() + values.size() / 2, values.end() );
    return values[values.size() / 2];
}

/// Median rows of the updates with the most frequent operations; others, such as an occasional sort, are left out.
std::vector<TimedRow> medianRows( const std::vector<std::vector<TimedRow>>& updates )
{
    const auto isAlike = []( const std::vector<TimedRow>& a, const std::vector<TimedRow>& b )
    {
        return std::equal( a.begin(), a.end(), b.begin(), b.end(),
                           []( const TimedRow& x, const TimedRow& y )
                           { return x.name == y.name && x.count == y.count; } );
    };
    const std::vector<TimedRow>* typical = &updates[0];
    const auto alike = [&]( const std::vector<TimedRow>& rows )
    {
        return std::count_if( updates.begin(), updates.end(),
                              [&]( const auto& other ) { return isAlike( rows, other ); } );
    };
    for ( const auto& rows : updates )
    {
        typical = alike( rows ) > alike( *typical ) ? &rows : typical;
    }
    std::vector<TimedRow> medians = *typical;
    for ( size_t i = 0; i < medians.size(); ++i )
    {
        std::vector<double> times;
        for ( const auto& rows : updates )
        {
            if ( isAlike( rows, *typical ) )
            {
                times.push_back( rows[i].us );
            }
        }
        medians[i].us = medianOf( times );
    }
    return medians;
}

// The traversal of the tree alone: its time, and the number of leaves reached.

__global__ void WalkAloneKernel( cltTree tree, const cltPlan* plan, unsigned long long* metCount )
{
    const uint32_t i = cltThreadIndex();
    tree.leafCount = cltPlan_TreeLeafCount( plan );
    if ( i >= tree.leafCount )
    {
        return;
    }
    uint32_t met = 0;
    for ( cltTreeWalk walk = cltTreeWalk_FromLeaf( &tree, i ); cltTreeWalk_Next( &walk, &tree ) != CLT_ROPE_END; )
    {
        ++met;
    }
    if ( met > 0 ) // otherwise the compiler would remove the traversal
    {
        atomicAdd( metCount, (unsigned long long)met );
    }
}

__global__ void NothingKernel( uint32_t )
{
}

/// Adds a row for the tree, after an update.
void walkAlone( Backend& backend )
{
    cltCudaBackend& cuda = const_cast<cltCudaBackend&>( backend.as<cltCudaBackend>() );
    const cltCudaVisit visit( &cuda.device, "walk alone" );
    const cltDeviceLeaves* leaves = &cuda.leaves;
    unsigned long long* spare = static_cast<unsigned long long*>( cuda.leaves.bins.data ); // cleared before each use
    check( cltLaunch( &cuda.device, "walk alone", leaves->room, WalkAloneKernel,
                      cltDeviceTree_View( &cuda.tree, leaves ), (const cltPlan*)cltDeviceLeaves_Plan( leaves ), spare ),
           backend, "walk alone" );
    check( cltLaunch( &cuda.device, "nothing", 1, NothingKernel, 0u ), backend, "nothing" );
    check( cltCudaDevice_Wait( &cuda.device ), backend, "walk alone" );
}

/// Bytes per microsecond, read plus written, of a copy on the device.
double copyRate( Backend& backend )
{
    cltCudaBackend& cuda = const_cast<cltCudaBackend&>( backend.as<cltCudaBackend>() );
    const cltCudaVisit visit( &cuda.device, "copy" );
    cltCudaBuffer buffer;
    check( cltCudaBuffer_Reserve( &buffer, &cuda.device, copyBytes, 1 ), backend, "memory to copy" );
    std::vector<double> times;
    for ( int i = 0; i < repeats; ++i )
    {
        beginTimes();
        check( cltCudaCopy( &cuda.device, buffer.data, (char*)buffer.data + copyBytes / 2, copyBytes / 2 ), backend,
               "a copy" );
        check( cltCudaDevice_Wait( &cuda.device ), backend, "a copy" );
        times.push_back( endTimes()[0].us );
    }
    return double( copyBytes ) / medianOf( times );
}

void printRow( const Kind& kind, uint32_t bodyCount, const TimedRow& row, double bytes, double rate )
{
    std::printf( "| %u | %s | %s | %d | %.3g |", bodyCount, kind.name, row.name.c_str(), row.count, row.us );
    if ( bytes > 0 )
    {
        std::printf( " %.3g | %.3g | %.3g |\n", bytes * 1e-6, bytes / rate, 100.0 * bytes / rate / row.us );
    }
    else
    {
        std::printf( " | | |\n" );
    }
}

/// Prints all rows, and the sum of an update's kernels without copies.
void print( const Kind& kind, uint32_t bodyCount, const std::vector<TimedRow>& rows, const Counts& counts, double rate )
{
    std::string before;
    TimedRow together = { "**an update, but for copies**", 0, 0.0 };
    double bytesTogether = 0.0;
    for ( const TimedRow& row : rows )
    {
        double bytes;
        if ( !floorOf( row.name, row.count, before, counts, &bytes ) )
        {
            fail( "unknown bytes of " + row.name );
        }
        before = row.name;
        printRow( kind, bodyCount, row, bytes, rate );
        if ( row.name != "copy" && row.name != "walk alone" && row.name != "nothing" )
        {
            together.count += row.count;
            together.us += row.us;
            bytesTogether += bytes;
        }
    }
    printRow( kind, bodyCount, together, bytesTogether, rate );
    std::fflush( stdout );
}

void measure( const Kind& kind, uint32_t bodyCount )
{
    World world( kind, bodyCount );
    static const double rate = copyRate( world.cuda() );
    std::vector<std::vector<TimedRow>> updates;
    for ( int i = 0; i < warmups + repeats; ++i )
    {
        beginTimes();
        world.step();
        if ( kind.algorithm == clt_algorithmLbvh )
        {
            walkAlone( world.cuda() );
        }
        updates.push_back( endTimes() );
    }
    updates.erase( updates.begin(), updates.begin() + warmups );
    print( kind, bodyCount, medianRows( updates ), world.counts(), rate );
}

/// True if `name` is one of a list with commas.
bool isListed( const char* list, const char* name )
{
    const size_t length = std::strlen( name );
    for ( const char* at = list; ( at = std::strstr( at, name ) ) != nullptr; ++at )
    {
        if ( ( at == list || at[-1] == ',' ) && ( at[length] == ',' || at[length] == '\0' ) )
        {
            return true;
        }
    }
    return false;
}

} // namespace

int main( int argc, char** argv )
{
    if ( argc < 2 || argc > 3 )
    {
        std::fprintf( stderr, "usage: cullet_device_kernels <bodies>,... [<kind>,...]\n" );
        return 2;
    }
    setenv( "CUDA_MODULE_LOADING", "EAGER", 1 ); // a lazy load would wait for the held stream
    std::printf( "| bodies | search | kernel | launches | us | MB | us for these alone | %% |\n" );
    std::printf( "|---:|---|---|---:|---:|---:|---:|---:|\n" );
    for ( char* at = argv[1]; *at != '\0'; at += *at == ',' ? 1 : 0 )
    {
        const unsigned long bodyCount = std::strtoul( at, &at, 10 );
        if ( bodyCount < 2 || bodyCount > 10000000 || ( *at != ',' && *at != '\0' ) )
        {
            fail( std::string( "no numbers of bodies: " ) + argv[1] );
        }
        for ( const Kind& kind : kinds )
        {
            if ( argc < 3 || isListed( argv[2], kind.name ) )
            {
                measure( kind, uint32_t( bodyCount ) );
            }
        }
    }
    releaseTimes();
    return 0;
}
