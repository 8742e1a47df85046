// SPDX-License-Identifier: Zlib
/// \file mesh_world.h
/// A set of meshes that is held against testing every triangle with every other.
#ifndef CLT_TESTS_MESH_WORLD_H
#define CLT_TESTS_MESH_WORLD_H

#include "cullet_mesh.h"
#include "tests/meshes/shapes.h"

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

struct MeshOptions
{
    cltFilter filter = { 1, -1 };
    bool selfCollision = false;
    bool isSwept = false;
    float thickness = 0;
};

class MeshWorld
{
public:
    /// \param onOutOfMemory  called when a call says that memory is lacking; it is then repeated
    explicit MeshWorld( const cltBroadphaseDef& def, std::function<void()> onOutOfMemory = {} );

    cltMeshId create( const Shape& shape, const MeshOptions& options = {} );
    void move( cltMeshId mesh, const std::vector<double>& vertices );
    void place( cltMeshId mesh, const std::array<double, 12>& matrix );
    void destroy( cltMeshId mesh );

    /// What the set finds, which must be what testing all finds. Run after calls that may fail, too.
    void expectPairs();

    /// What the set finds.
    TrianglePairs find( cltMeshTest test );

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
        Shape shape; // now
        std::vector<double> before;
        std::vector<double> given;
        MeshOptions options;
    };

    template <typename Call>
    void mustWork( Call call );

    TrianglePairs findAll( cltMeshTest test ) const;
    bool arePair( const Mesh& a, std::uint32_t i, const Mesh& b, std::uint32_t j, cltMeshTest test ) const;

    cltBroadphaseDef m_def;
    std::function<void()> m_onOutOfMemory;
    MeshSetPtr m_set;
    std::map<cltMeshId, Mesh> m_meshes;
};

} // namespace test

#endif
