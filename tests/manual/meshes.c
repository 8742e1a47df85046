// SPDX-License-Identifier: Zlib
// The snippets of the manual's page on meshes.
#include "check.h"

#include "cullet_mesh.h"

#include <stdbool.h>
#include <stddef.h>

static const float corners[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
static const uint32_t faces[4][3] = { { 0, 1, 2 }, { 0, 3, 1 }, { 0, 2, 3 }, { 1, 3, 2 } };

//! [create]
static cltStatus addMesh( cltMeshSet* set, const float* vertices, uint32_t vertexCount, const uint32_t* triangles,
                          uint32_t triangleCount, cltMeshId* mesh )
{
    cltMeshDef def = cltDefaultMeshDef();
    def.vertices = vertices; // three numbers each; all arrays are copied
    def.vertexCount = vertexCount;
    def.triangles = triangles; // three vertices each
    def.triangleCount = triangleCount;
    def.selfCollision = true; // for cloth: also pairs within the mesh
    def.thickness = 0.001f;   // for clt_meshBoxes and clt_meshKdops
    return cltMeshSet_CreateMesh( set, &def, mesh );
}
//! [create]

//! [search]
static cltStatus countPairs( cltMeshSet* set, cltMeshId mesh, const float* vertices, size_t* crossings,
                             size_t* contacts )
{
    const cltTrianglePair* pairs;
    const cltVertexFace* near;
    cltStatus status = cltMeshSet_MoveVertices( set, mesh, vertices );
    if ( status == clt_ok )
    {
        status = cltMeshSet_FindPairs( set, clt_meshTriangles, &pairs, crossings ); // triangles that intersect
    }
    if ( status == clt_ok )
    {
        status = cltMeshSet_FindVertexFaces( set, clt_meshKdops, &near, contacts ); // vertices close to triangles
    }
    return status;
}
//! [search]

int main( void )
{
    const cltBroadphaseDef def = cltDefaultBroadphaseDef();
    cltMeshSet* set;
    cltMeshId still, moving;
    size_t crossings, contacts;
    CHECK( cltCreateMeshSet( &def, &set ) == clt_ok );
    CHECK( addMesh( set, corners[0], 4, faces[0], 4, &still ) == clt_ok );
    CHECK( addMesh( set, corners[0], 4, faces[0], 4, &moving ) == clt_ok );
    float moved[4][3];
    for ( int i = 0; i < 12; ++i )
    {
        moved[i / 3][i % 3] = corners[i / 3][i % 3] + 0.2f;
    }
    CHECK( countPairs( set, moving, moved[0], &crossings, &contacts ) == clt_ok );
    CHECK( crossings > 0 && contacts > 0 );
    for ( int i = 0; i < 12; ++i )
    {
        moved[i / 3][i % 3] += 5;
    }
    CHECK( countPairs( set, moving, moved[0], &crossings, &contacts ) == clt_ok );
    CHECK( crossings == 0 );
    cltDestroyMeshSet( set );
    return 0;
}
