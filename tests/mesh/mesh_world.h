// SPDX-License-Identifier: Zlib
/// \file mesh_world.h
/// A mesh set; its pairs are compared with those of brute force.
#ifndef CLT_TESTS_MESH_WORLD_H
#define CLT_TESTS_MESH_WORLD_H

#include "cullet_mesh.h"
#include "tests/mesh/shapes.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace test
{

using MeshSetPtr = std::unique_ptr<cltMeshSet, decltype( &cltDestroyMeshSet )>;

/// The kinds of elements that form a pair.
enum class Pairing
{
    triangles,
    vertexFaces,
    edges
};

/// Two elements, three numbers each: the mesh, then a triangle and 0, a vertex and 0, or the two vertices of an edge.
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

    /// Expects the set to find the pairs of brute force: for every pairing and test, or only for the given ones.
    void expectPairs();
    void expectPairs( Pairing pairing );
    void expectPairs( Pairing pairing, cltMeshTest test );

    /// The pairs that the set finds.
    PartPairs find( cltMeshTest test )
    {
        return find( Pairing::triangles, test );
    }
    PartPairs find( Pairing pairing, cltMeshTest test );

    cltMeshStats stats() const;

    const Shape& shape( cltMeshId mesh ) const
    {
        return m_meshes.at( mesh ).shape;
    }

private:
    struct Mesh
    {
        Shape shape;                          ///< current
        std::vector<double> previousVertices; ///< previous vertices
        std::vector<double> given;            ///< vertices as passed to create() or move(); place() transforms them
        MeshOptions options;
    };

    struct Element;

    template <typename Call>
    void call( Call call );
    template <typename Pair>
    std::vector<Pair> search( cltStatus ( *find )( cltMeshSet*, cltMeshTest, const Pair**, std::size_t* ),
                              cltMeshTest test );
    void setVertices( Mesh& mesh, const std::vector<double>& vertices );
    Element elementOf( const Mesh& mesh, std::array<std::uint32_t, 2> name, std::vector<std::uint32_t> vertices ) const;
    std::vector<Element> elementsOf( const Mesh& mesh, Pairing pairing, bool isFirst ) const;
    void findAllOf( cltMeshId idA, cltMeshId idB, Pairing pairing, std::array<PartPairs, 3>& pairs ) const;
    std::array<PartPairs, 3> findAll( Pairing pairing ) const;
    void expectFound( const PartPairs& expected, Pairing pairing, cltMeshTest test );

    cltBroadphaseDef m_def;
    bool m_isDouble;
    std::function<void()> m_onOutOfMemory;
    MeshSetPtr m_set{ nullptr, cltDestroyMeshSet };
    std::map<cltMeshId, Mesh> m_meshes;
};

} // namespace test

#endif
