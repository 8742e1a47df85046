// SPDX-License-Identifier: Zlib
/// \file mesh_world.h
/// A mesh set whose pairs are compared with those of brute force.
#ifndef CLT_TESTS_MESH_WORLD_H
#define CLT_TESTS_MESH_WORLD_H

#include "cullet_mesh.h"
#include "gpu/mesh/core/exact.h"
#include "tests/mesh/shapes.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace test
{

struct DestroyMeshSet
{
    void operator()( cltMeshSet* set ) const
    {
        cltDestroyMeshSet( set );
    }
};
using MeshSetPtr = std::unique_ptr<cltMeshSet, DestroyMeshSet>;

using TrianglePair = std::array<std::uint32_t, 4>;
using TrianglePairs = std::vector<TrianglePair>;

/// The kinds of elements that form a pair.
enum class Pairing
{
    triangles,
    vertexFaces,
    edges
};

/// Two elements of three numbers each: a mesh, then a triangle and 0, a vertex and 0, or the two vertices of an edge.
using PartPair = std::array<std::uint32_t, 6>;
using PartPairs = std::vector<PartPair>;

struct MeshOptions
{
    cltFilter filter = { 1, -1 };
    bool selfCollision = false;
    bool keepShared = false;
    bool isSwept = false;
    float thickness = 0;
};

/// Lower and upper bounds along nine directions: the three axes and six diagonals.
template <typename Number>
struct Bounds
{
    std::array<Number, 9> lower;
    std::array<Number, 9> upper;
};

/// A triangle, vertex or edge, with its bounds.
struct Piece
{
    std::array<std::uint32_t, 2> name;
    std::vector<std::uint32_t> vertices;
    std::vector<cltPoint> now;
    Bounds<double> bounds;
    bool isHidden;
    bool isFinite;
};

class MeshWorld
{
public:
    /// Creates the set on the test device.
    /// \param onOutOfMemory  called if a call runs out of memory; that call is then repeated
    explicit MeshWorld( const cltBroadphaseDef& def, std::function<void()> onOutOfMemory = {} );

    cltMeshId create( const Shape& shape, const MeshOptions& options = {} );
    void move( cltMeshId mesh, const std::vector<double>& vertices );
    void place( cltMeshId mesh, const std::array<double, 12>& matrix );
    void setFilter( cltMeshId mesh, const cltFilter& filter );
    void destroy( cltMeshId mesh );

    /// Expects the set to find the pairs of brute force. May be used after calls that may fail.
    void expectPairs();
    void expectPairs( Pairing pairing );
    void expectPairs( Pairing pairing, cltMeshTest test );

    /// The pairs that the set finds.
    TrianglePairs find( cltMeshTest test );
    PartPairs find( Pairing pairing, cltMeshTest test );

    const Shape& shape( cltMeshId mesh ) const
    {
        return m_meshes.at( mesh ).shape;
    }

    cltMeshSet* set() const
    {
        return m_set.get();
    }

private:
    struct Mesh
    {
        Shape shape; // current
        std::vector<double> before;
        std::vector<double> given;
        MeshOptions options;
    };

    template <typename Call>
    void mustWork( Call call );

    template <typename Pair>
    std::vector<Pair> search( cltStatus ( *call )( cltMeshSet*, cltMeshTest, const Pair**, std::size_t* ),
                              cltMeshTest test );

    Piece pieceOf( const Mesh& mesh, std::array<std::uint32_t, 2> name, std::vector<std::uint32_t> vertices ) const;
    std::vector<Piece> trianglesOf( const Mesh& mesh ) const;
    std::vector<Piece> verticesOf( const Mesh& mesh ) const;
    std::vector<Piece> edgesOf( const Mesh& mesh ) const;
    std::vector<Piece> piecesOf( const Mesh& mesh, Pairing pairing, bool isFirst ) const;
    void findAllOf( cltMeshId idA, cltMeshId idB, Pairing pairing, std::array<PartPairs, 3>& pairs ) const;
    std::array<PartPairs, 3> findAll( Pairing pairing ) const;
    void expectFound( const PartPairs& expected, Pairing pairing, cltMeshTest test );

    cltBroadphaseDef m_def;
    std::function<void()> m_onOutOfMemory;
    MeshSetPtr m_set;
    std::map<cltMeshId, Mesh> m_meshes;
};

} // namespace test

#endif
