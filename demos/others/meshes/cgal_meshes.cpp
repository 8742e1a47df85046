// SPDX-License-Identifier: Zlib
#include "demos/others/meshes/engine.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/box_intersection_d.h>

namespace cullet::others
{

namespace
{

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Triangles = std::vector<Kernel::Triangle_3>;
using Box = CGAL::Box_intersection_d::Box_with_handle_d<double, 3, Triangles::const_iterator>;

Kernel::Point_3 pointOf( const cltMesh& mesh, std::uint32_t vertex )
{
    return { mesh.vertices[vertex][0], mesh.vertices[vertex][1], mesh.vertices[vertex][2] };
}

void place( const cltMesh& mesh, Triangles& triangles, std::vector<Box>& boxes )
{
    triangles.clear();
    boxes.clear();
    for ( std::uint32_t i = 0; i < mesh.triangleCount; ++i )
    {
        const std::uint32_t* corners = mesh.triangles[i];
        triangles.emplace_back( pointOf( mesh, corners[0] ), pointOf( mesh, corners[1] ), pointOf( mesh, corners[2] ) );
    }
    for ( auto triangle = triangles.cbegin(); triangle != triangles.cend(); ++triangle )
    {
        boxes.emplace_back( triangle->bbox(), triangle );
    }
}

class CgalMeshes : public MeshEngine
{
public:
    void step( const cltMesh& first, const cltMesh& second, MeshPairs& pairs ) override
    {
        place( first, m_first, m_firstBoxes );
        place( second, m_second, m_secondBoxes );
        pairs.clear();
        const auto meet = [&]( const Box& a, const Box& b )
        {
            if ( CGAL::do_intersect( *a.handle(), *b.handle() ) )
            {
                pairs.push_back( { std::uint32_t( a.handle() - m_first.cbegin() ),
                                   std::uint32_t( b.handle() - m_second.cbegin() ) } );
            }
        };
        CGAL::box_intersection_d<CGAL::Sequential_tag>( m_firstBoxes.begin(), m_firstBoxes.end(), m_secondBoxes.begin(),
                                                        m_secondBoxes.end(), meet );
    }

private:
    Triangles m_first;
    Triangles m_second;
    std::vector<Box> m_firstBoxes;
    std::vector<Box> m_secondBoxes;
};

} // namespace

std::unique_ptr<MeshEngine> createCgalMeshes( const cltMesh&, const cltMesh& )
{
    return std::make_unique<CgalMeshes>();
}

} // namespace cullet::others
