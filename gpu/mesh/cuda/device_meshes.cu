// SPDX-License-Identifier: Zlib
// Copies meshes to the device, where they lie one after the other, by id, in arrays for all meshes. A mesh is copied
// again if it moved, if its triangles were sorted again, or if its position in the arrays changed. Adjacent changes are
// sent as one copy.

#include "gpu/mesh/cuda/device_meshes.cuh"

/// Indices at which the next mesh begins in the arrays of vertices, nodes, triangles and pieces.
typedef struct MeshOffsets
{
    uint64_t vertex; ///< a swept mesh has two entries per vertex: first all current, then all previous positions
    uint32_t node;
    uint32_t triangle;
    uint32_t piece;
} MeshOffsets;

/// Adjacent bytes that must still be copied.
typedef struct ByteRun
{
    size_t first;
    size_t last;
} ByteRun;

typedef struct MeshSending
{
    cltDeviceMeshes* meshes;
    cltCudaDevice* device;
    const cltMeshSearch* search;
    size_t vertexSize;
    ByteRun vertices;
    ByteRun leaves;
    bool areRecordsNew;
} MeshSending;

// -------------------------------------------------------------------------------------------------------- capacity

/// Advances the indices past one mesh.
static void AdvanceOffsets( MeshOffsets* offsets, const cltMeshArrays* mesh )
{
    offsets->vertex += (uint64_t)mesh->vertexCount * ( mesh->view.before != NULL ? 2u : 1u );
    offsets->node += cltLevels_NodeCount( mesh->levels );
    offsets->triangle += mesh->triangleCount;
    offsets->piece += ( mesh->triangleCount + CLT_MESH_PIECE_SIZE - 1u ) / CLT_MESH_PIECE_SIZE;
}

static size_t RecordBytes( uint32_t meshCount )
{
    return meshCount * sizeof( cltDeviceMesh ) + 2u * ( (size_t)meshCount + 1u ) * sizeof( uint32_t );
}

/// Reserves both arrays. \param[out] isNew  set to true if the old content is lost; never set to false
static cltStatus ReserveMirrored( cltMirroredBuffer* mirrored, cltCudaDevice* device, size_t bytes, bool* isNew )
{
    *isNew = *isNew || bytes > mirrored->pinned.bytes || bytes > mirrored->device.bytes;
    CLT_TRY( cltCudaBuffer_Reserve( &mirrored->pinned, device, bytes, 1u ) );
    return cltCudaBuffer_Reserve( &mirrored->device, device, bytes, 1u );
}

/// Ensures capacity for all meshes. If an array moves to new memory, all meshes are copied again.
static cltStatus ReserveMeshes( MeshSending* sending, cltMemory* memory )
{
    cltDeviceMeshes* meshes = sending->meshes;
    cltCudaDevice* device = sending->device;
    const uint32_t meshCount = sending->search->meshCount;
    MeshOffsets end = {};
    CLT_TRY( cltBuffer_Reserve( &meshes->sent, memory, meshCount, sizeof( cltSentMesh ) ) ); // before any device work
    for ( uint32_t id = 0; id < meshCount; ++id )
    {
        if ( sending->search->meshes[id] != NULL )
        {
            const cltMeshArrays mesh = cltMesh_Arrays( sending->search->meshes[id] );
            AdvanceOffsets( &end, &mesh );
            sending->vertexSize = 3u * ( mesh.view.isDouble ? sizeof( double ) : sizeof( float ) );
        }
    }
    bool isNew = meshCount != meshes->sentCount; // the arrays after the records then move
    CLT_TRY( ReserveMirrored( &meshes->records, device, RecordBytes( meshCount ), &isNew ) );
    CLT_TRY( ReserveMirrored( &meshes->vertices, device, end.vertex * sending->vertexSize, &isNew ) );
    CLT_TRY( ReserveMirrored( &meshes->leaves, device, end.triangle * sizeof( cltMeshLeaf ), &isNew ) );
    CLT_TRY( cltCudaBuffer_Reserve( &meshes->nodes, device, end.node, sizeof( cltLevelNode ) ) );
    if ( isNew ) // every mesh is copied again, even if a new array has the old address
    {
        memset( meshes->records.pinned.data, 0, RecordBytes( meshCount ) );
    }
    meshes->sentCount = meshCount;
    return clt_ok;
}

// --------------------------------------------------------------------------------------------------------- sending

static cltStatus Send( const MeshSending* sending, const cltMirroredBuffer* mirrored, ByteRun* run )
{
    const ByteRun sent = *run;
    run->first = run->last;
    return cltCudaCopy( sending->device, (char*)mirrored->device.data + sent.first,
                        (const char*)mirrored->pinned.data + sent.first, sent.last - sent.first );
}

/// Adds bytes to the run. If they do not follow the run directly, sends the run first and begins a new run with them.
static cltStatus Extend( const MeshSending* sending, const cltMirroredBuffer* mirrored, ByteRun* run, size_t first,
                         size_t bytes )
{
    if ( first != run->last )
    {
        CLT_TRY( Send( sending, mirrored, run ) );
        run->first = first;
    }
    run->last = first + bytes;
    return clt_ok;
}

static cltStatus AddVertices( MeshSending* sending, const cltMeshArrays* mesh, uint64_t place )
{
    const cltMirroredBuffer* mirrored = &sending->meshes->vertices;
    const size_t first = place * sending->vertexSize;
    const size_t bytes = mesh->vertexCount * sending->vertexSize;
    const void* const moments[] = { mesh->view.now, mesh->view.before };
    for ( size_t i = 0; i < 2u && moments[i] != NULL && bytes > 0; ++i )
    {
        memcpy( (char*)mirrored->pinned.data + first + i * bytes, moments[i], bytes );
        CLT_TRY( Extend( sending, mirrored, &sending->vertices, first + i * bytes, bytes ) );
    }
    return clt_ok;
}

static cltStatus AddLeaves( MeshSending* sending, const cltMeshArrays* mesh, uint32_t place )
{
    const cltMirroredBuffer* mirrored = &sending->meshes->leaves;
    cltMeshLeaf* leaves = (cltMeshLeaf*)mirrored->pinned.data + place;
    for ( uint32_t leaf = 0; leaf < mesh->triangleCount; ++leaf )
    {
        memcpy( leaves[leaf].corners, cltMeshView_Corners( &mesh->view, leaf ), sizeof leaves[leaf].corners );
        leaves[leaf].triangle = mesh->triangles[leaf];
    }
    return Extend( sending, mirrored, &sending->leaves, place * sizeof *leaves, mesh->triangleCount * sizeof *leaves );
}

/// Writes the record of a mesh. Padding is zero, so that records can be compared as bytes.
static void WriteRecord( const cltDeviceMeshes* meshes, const cltMeshArrays* mesh, const MeshOffsets* offsets,
                         size_t vertexSize, cltDeviceMesh* record )
{
    char* now = (char*)meshes->vertices.device.data + offsets->vertex * vertexSize;
    memset( record, 0, sizeof *record );
    record->tree.levels = *mesh->levels;
    record->tree.nodes = (cltLevelNode*)meshes->nodes.data + offsets->node;
    record->view.now = now;
    record->view.before = mesh->view.before != NULL ? now + mesh->vertexCount * vertexSize : NULL;
    record->view.thickness = mesh->view.thickness;
    record->view.isDouble = mesh->view.isDouble;
    record->leaves = (const cltMeshLeaf*)meshes->leaves.device.data + offsets->triangle;
    record->firstNode = offsets->node;
    record->firstTriangle = offsets->triangle;
    record->vertexCount = mesh->vertexCount;
    record->keepsShared = mesh->keepsShared;
}

static cltStatus AddMesh( MeshSending* sending, uint32_t id, const cltMeshArrays* mesh, const MeshOffsets* offsets )
{
    cltDeviceMeshes* meshes = sending->meshes;
    cltDeviceMesh* known = (cltDeviceMesh*)meshes->records.pinned.data + id;
    cltSentMesh* sent = (cltSentMesh*)meshes->sent.data + id;
    cltDeviceMesh record;
    WriteRecord( meshes, mesh, offsets, sending->vertexSize, &record );
    const bool isNew = memcmp( known, &record, sizeof record ) != 0;
    if ( isNew )
    {
        memcpy( known, &record, sizeof record );
        sending->areRecordsNew = true;
    }
    if ( isNew || sent->fitStamp != mesh->fitStamp )
    {
        CLT_TRY( AddVertices( sending, mesh, offsets->vertex ) );
    }
    if ( isNew || sent->orderStamp != mesh->orderStamp )
    {
        CLT_TRY( AddLeaves( sending, mesh, offsets->triangle ) );
    }
    *sent = { mesh->fitStamp, mesh->orderStamp };
    meshes->top = mesh->levels->top > meshes->top ? mesh->levels->top : meshes->top;
    return clt_ok;
}

/// Clears the record of an unused id. A mesh that reuses the id then differs from the record, and is copied.
static void ForgetMesh( MeshSending* sending, uint32_t id )
{
    cltDeviceMeshes* meshes = sending->meshes;
    cltDeviceMesh* record = (cltDeviceMesh*)meshes->records.pinned.data + id;
    sending->areRecordsNew = sending->areRecordsNew || cltLevels_NodeCount( &record->tree.levels ) > 0;
    memset( record, 0, sizeof *record );
}

static cltStatus SendAll( MeshSending* sending )
{
    cltDeviceMeshes* meshes = sending->meshes;
    const uint32_t meshCount = sending->search->meshCount;
    uint32_t* firstNodes = (uint32_t*)( (cltDeviceMesh*)meshes->records.pinned.data + meshCount );
    uint32_t* firstPieces = firstNodes + meshCount + 1u;
    MeshOffsets offsets = {};
    meshes->top = 0;
    for ( uint32_t id = 0; id < meshCount; ++id )
    {
        firstNodes[id] = offsets.node;
        firstPieces[id] = offsets.piece;
        if ( sending->search->meshes[id] == NULL )
        {
            ForgetMesh( sending, id );
            continue;
        }
        const cltMeshArrays mesh = cltMesh_Arrays( sending->search->meshes[id] );
        CLT_TRY( AddMesh( sending, id, &mesh, &offsets ) );
        AdvanceOffsets( &offsets, &mesh );
    }
    firstNodes[meshCount] = offsets.node;
    firstPieces[meshCount] = offsets.piece;
    meshes->pieceCount = offsets.piece;
    CLT_TRY( Send( sending, &meshes->vertices, &sending->vertices ) );
    CLT_TRY( Send( sending, &meshes->leaves, &sending->leaves ) );
    ByteRun records = { 0, sending->areRecordsNew ? RecordBytes( meshCount ) : 0u };
    return Send( sending, &meshes->records, &records );
}

cltStatus cltDeviceMeshes_Update( cltDeviceMeshes* meshes, cltCudaDevice* device, cltMemory* memory,
                                  const cltMeshSearch* search )
{
    MeshSending sending = {};
    sending.meshes = meshes;
    sending.device = device;
    sending.search = search;
    CLT_TRY( ReserveMeshes( &sending, memory ) );
    CLT_TRY( SendAll( &sending ) );
    cltDeviceMeshesView* view = &meshes->view;
    view->meshes = (const cltDeviceMesh*)meshes->records.device.data;
    view->firstNodes = (const uint32_t*)( view->meshes + search->meshCount );
    view->firstPieces = view->firstNodes + search->meshCount + 1u;
    view->meshCount = search->meshCount;
    return cltDeviceMeshes_BuildTrees( meshes, device );
}
