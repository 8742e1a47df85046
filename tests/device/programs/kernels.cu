// SPDX-License-Identifier: Zlib
// Prints three tables for tests/gpu.sh: the basic costs of the device; the time of an update from boxes on the device;
// and the time of each kernel of an update, the bytes that it has to move, and the time of these bytes at the device's
// copy rate. All bodies move; times are medians over several updates.
//
//     cullet_device_kernels <bodies>,... [<kind>,...]
#include "demos/scenes/scenes.h"
#include "tests/device/device_world.h"
#include "tests/device/programs/array_updates.cuh"
#include "tests/device/programs/costs.cuh"

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <sstream>

using namespace test;

namespace
{

constexpr int warmups = 4;
constexpr int repeats = 9;
constexpr size_t copyBytes = size_t( 256 ) << 20; // larger than any cache

/// A kind of update. If `isSortedAnew`, each update creates a body, so that all leaves are sorted, mostly over the kept
/// region of the curve codes (gpu/cuda/cuda_backend.cuh). The grid sorts over a new region in each update.
struct Kind
{
    const char* name;
    cltAlgorithm algorithm;
    bool isSortedAnew;
};

constexpr Kind kinds[] = { { "lbvh", clt_algorithmLbvh, false }, { "lbvh-anew", clt_algorithmLbvh, true },
                           { "wide", clt_algorithmWide, false }, { "wide-anew", clt_algorithmWide, true },
                           { "grid", clt_algorithmGrid, false }, { "frontier", clt_algorithmFrontier, false } };

// ---------------------------------------------------------------------------------------------- the bytes of a kernel

/// The least number of bytes that an operation reads and writes, for each body and for each changed pair. Boxes are
/// float, no filter is read, and all bodies move with one leaf each. The table in gpu/cuda/cuda_backend.cuh counts the
/// bytes of filters too.
struct LeastBytes
{
    double ofBody;
    double ofChange;
};

/// Zero for an operation that moves few bytes, reads only from caches, or copies across the bus.
const std::map<std::string, LeastBytes> leastBytes = { { "copy", { 0, 0 } },
                                                       { "clear", { 0, 0 } },
                                                       { "nothing", { 0, 0 } },
                                                       { "spread", { 53, 0 } },
                                                       { "commit", { 53, 0 } },
                                                       { "statistics", { 49, 0 } },
                                                       { "decide", { 0, 0 } },
                                                       { "write keys", { 57, 0 } },
                                                       { "write keys in region", { 57, 0 } },
                                                       { "sort leaves", { 16, 0 } },
                                                       { "scan", { 16, 0 } },
                                                       { "place in groups", { 0, 28 } },
                                                       { "rank in groups", { 0, 24 } },
                                                       { "gather", { 108, 0 } },
                                                       { "gather in region", { 109, 0 } },
                                                       { "gather again", { 109, 0 } },
                                                       { "climb", { 196, 0 } },
                                                       { "find in tree", { 116, 8 } },
                                                       { "walk alone", { 64, 0 } },
                                                       { "find from movers", { 116, 8 } },
                                                       { "build blocks", { 89, 0 } },
                                                       { "find in blocks", { 89, 8 } },
                                                       { "join pieces", { 180, 0 } },
                                                       { "join top", { 0, 0 } },
                                                       { "frontier entry", { 0, 0 } },
                                                       { "frontier pass", { 164, 8 } },
                                                       { "write starts", { 20, 0 } },
                                                       { "count candidates", { 76, 0 } },
                                                       { "find in cells", { 76, 8 } },
                                                       { "find outliers", { 0, 0 } } };

double bytesOf( const TimedRow& row, const cltPlan& plan )
{
    const auto found = leastBytes.find( row.name );
    if ( found == leastBytes.end() )
    {
        fail( "unknown bytes of " + row.name );
    }
    const LeastBytes& floor = found->second;
    return floor.ofBody * plan.leafCount + floor.ofChange * double( plan.keyCount );
}

// ------------------------------------------------------------------------------------------------------- the updates

void check( cltStatus status, const char* what )
{
    if ( status != clt_ok )
    {
        fail( std::string( what ) + ": " + cltStatusMessage( status ) );
    }
}

/// A scene on the device.
class DeviceScene : public CudaBackendAccess
{
public:
    DeviceScene( const Kind& kind, uint32_t bodyCount ) : m_kind( kind )
    {
        const cltSceneDef def = { clt_sceneBrownian, bodyCount, 100.0, 1.0f, CLT_SCENE_SEED, 0.0 };
        m_scene.reset( cltCreateScene( &def ) );
        cltBroadphaseDef broadphaseDef = defOf( kind.algorithm );
        broadphaseDef.hooks.log = []( cltStatus, const char* message, void* ) { fail( message ); }; // the device failed
        m_broadphase = createOnCuda( broadphaseDef );
        if ( m_broadphase == nullptr || m_scene == nullptr )
        {
            fail( "no device, or no memory" );
        }
        create( m_scene->boxCount );
        update();
    }

    void step()
    {
        cltScene_Step( m_scene.get() );
        check( cltBroadphase_MoveProxies( m_broadphase.get(), m_scene->boxCount, nullptr, m_scene->boxes ), "moves" );
        create( m_kind.isSortedAnew ? 1 : 0 );
        update();
    }

private:
    void create( uint32_t count )
    {
        check( cltBroadphase_CreateProxies( m_broadphase.get(), count, m_scene->boxes, nullptr, nullptr, nullptr ),
               "bodies" );
    }

    void update()
    {
        check( cltBroadphase_Update( m_broadphase.get(), nullptr ), "an update" );
    }

    Kind m_kind;
    std::unique_ptr<cltScene, void ( * )( cltScene* )> m_scene{ nullptr, cltDestroyScene };
    BroadphasePtr m_broadphase;
};

/// The median rows of all updates with the most frequent sequence of operations. Other updates are left out.
std::vector<TimedRow> medianRows( const std::vector<std::vector<TimedRow>>& updates )
{
    std::map<std::string, std::vector<const std::vector<TimedRow>*>> alike;
    for ( const std::vector<TimedRow>& rows : updates )
    {
        std::string operations;
        for ( const TimedRow& row : rows )
        {
            operations += row.name + std::to_string( row.count );
        }
        alike[operations].push_back( &rows );
    }
    const auto typical = std::max_element(
        alike.begin(), alike.end(), []( const auto& a, const auto& b ) { return a.second.size() < b.second.size(); } );
    std::vector<TimedRow> medians = *typical->second[0];
    for ( size_t i = 0; i < medians.size(); ++i )
    {
        std::vector<double> times;
        for ( const std::vector<TimedRow>* rows : typical->second )
        {
            times.push_back( ( *rows )[i].us );
        }
        medians[i].us = medianOf( times );
    }
    return medians;
}

/// Traverses the tree from each leaf without testing the leaves reached, and adds their number to `metCount`.
__global__ void TraverseOnlyKernel( cltTree tree, const cltPlan* plan, unsigned long long* metCount )
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

/// Adds a row with the time of the traversal alone. Called after an update.
void launchTraversalOnly( cltCudaBackend& cuda )
{
    const cltCudaDeviceScope visit( &cuda.device, "walk alone" );
    const cltDeviceLeaves* leaves = &cuda.leaves;
    unsigned long long* spare = static_cast<unsigned long long*>( cuda.leaves.bins.data ); // cleared before each use
    check( cltLaunch( &cuda.device, "walk alone", leaves->room, TraverseOnlyKernel,
                      cltDeviceTree_View( &cuda.tree, leaves ), (const cltPlan*)cltDeviceLeaves_Plan( leaves ), spare ),
           "walk alone" );
    check( cltLaunch( &cuda.device, "nothing", 1, NothingKernel, 0u ), "nothing" );
}

/// Bytes per microsecond, read plus written, of a copy on the device.
double copyRate( cltCudaDevice* device )
{
    const cltCudaDeviceScope visit( device, "copy" );
    cltCudaBuffer buffer;
    check( cltCudaBuffer_Reserve( &buffer, device, copyBytes, 1 ), "memory to copy" );
    std::vector<double> times;
    for ( int i = 0; i < repeats; ++i )
    {
        startTiming( device );
        check( cltCudaCopy( device, buffer.data, (char*)buffer.data + copyBytes / 2, copyBytes / 2 ), "a copy" );
        times.push_back( stopTiming( device )[0].us );
    }
    return double( copyBytes ) / medianOf( times );
}

// --------------------------------------------------------------------------------------------------------- the table

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
void measure( const Kind& kind, uint32_t bodyCount )
{
    DeviceScene scene( kind, bodyCount );
    cltCudaDevice* device = &scene.cuda->device;
    static const double rate = copyRate( device );
    std::vector<std::vector<TimedRow>> updates;
    for ( int i = 0; i < warmups + repeats; ++i )
    {
        startTiming( device );
        scene.step();
        if ( kind.algorithm == clt_algorithmLbvh )
        {
            launchTraversalOnly( *scene.cuda );
        }
        updates.push_back( stopTiming( device ) );
    }
    updates.erase( updates.begin(), updates.begin() + warmups );
    const cltPlan& plan = *static_cast<const cltPlan*>( scene.cuda->result.data );
    TimedRow together = { "**an update, but for copies**", 0, 0.0 };
    double bytesTogether = 0.0;
    for ( const TimedRow& row : medianRows( updates ) )
    {
        const double bytes = bytesOf( row, plan );
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

std::vector<std::string> split( const char* list )
{
    std::vector<std::string> items;
    std::istringstream stream( list );
    for ( std::string item; std::getline( stream, item, ',' ); )
    {
        items.push_back( item );
    }
    return items;
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
    const std::vector<std::string> wanted = split( argc > 2 ? argv[2] : "lbvh,lbvh-anew,wide,wide-anew,grid,frontier" );
    for ( const std::string& bodies : split( argv[1] ) )
    {
        char* end;
        const unsigned long bodyCount = std::strtoul( bodies.c_str(), &end, 10 );
        if ( bodyCount < 2 || bodyCount > 10000000 || *end != '\0' )
        {
            fail( std::string( "no numbers of bodies: " ) + argv[1] );
        }
    }
    printCosts();
    std::printf(
        "| bodies | update from arrays, us | its kernels, us | began | ended |\n|---:|---:|---:|---:|---:|\n" );
    for ( const std::string& bodies : split( argv[1] ) )
    {
        printArrayUpdates( uint32_t( std::stoul( bodies ) ) );
    }
    std::printf( "\n" );
    std::printf( "| bodies | search | kernel | launches | us | MB | us for these alone | %% |\n" );
    std::printf( "|---:|---|---|---:|---:|---:|---:|---:|\n" );
    for ( const std::string& bodies : split( argv[1] ) )
    {
        for ( const Kind& kind : kinds )
        {
            if ( std::find( wanted.begin(), wanted.end(), kind.name ) != wanted.end() )
            {
                measure( kind, uint32_t( std::stoul( bodies ) ) );
            }
        }
    }
    releaseTimes();
    return 0;
}
