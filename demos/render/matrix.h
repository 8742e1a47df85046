// SPDX-License-Identifier: Zlib
/// \file matrix.h
/// The matrices that OpenGL needs: from world coordinates to those of the image, by columns.
#ifndef CLT_RENDER_MATRIX_H
#define CLT_RENDER_MATRIX_H

#include "camera.h"

#include <array>

namespace cullet::render
{

using Matrix = std::array<float, 16>;

/// A camera's image, in a frame of right, up and backwards, with the depths from `nearest` to `farthest`.
inline Matrix imageMatrix( const Camera& camera, btScalar nearest, btScalar farthest )
{
    const btScalar across = 2 * camera.scale / btScalar( camera.width );
    const btScalar upwards = 2 * camera.scale / btScalar( camera.height );
    const btScalar range = ( farthest + nearest ) / ( farthest - nearest );
    const btScalar offset = -2 * farthest * nearest / ( farthest - nearest );
    const btVector3 rows[] = { across * camera.right, -upwards * camera.down, range * camera.forward, camera.forward };
    Matrix matrix;
    for ( int row = 0; row < 4; ++row )
    {
        for ( int column = 0; column < 3; ++column )
        {
            matrix[std::size_t( 4 * column + row )] = float( rows[row][column] );
        }
        matrix[std::size_t( 12 + row )] = float( -rows[row].dot( camera.eye ) + ( row == 2 ? offset : 0 ) );
    }
    return matrix;
}

/// The image of parallel light: a ball around `centre` fills it.
inline Matrix lightMatrix( const btVector3& direction, const btVector3& centre, btScalar radius )
{
    const btVector3 right = direction.cross( btVector3( 0, 1, 0 ) ).normalized();
    const btVector3 rows[] = { right / radius, right.cross( direction ) / radius, direction / radius };
    Matrix matrix{};
    for ( int row = 0; row < 3; ++row )
    {
        for ( int column = 0; column < 3; ++column )
        {
            matrix[std::size_t( 4 * column + row )] = float( rows[row][column] );
        }
        matrix[std::size_t( 12 + row )] = float( -rows[row].dot( centre ) );
    }
    matrix[15] = 1;
    return matrix;
}

} // namespace cullet::render

#endif
