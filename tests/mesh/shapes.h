// SPDX-License-Identifier: Zlib
/// \file shapes.h
/// Meshes for tests: balls, sheets of cloth, random triangles.
#ifndef CLT_TESTS_SHAPES_H
#define CLT_TESTS_SHAPES_H

#include "tests/support/random.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace test
{

/// A mesh. Its vertices are double; add() rounds them to float.
struct Shape
{
    std::vector<double> vertices;
    std::vector<std::uint32_t> triangles;

    std::uint32_t vertexCount() const
    {
        return static_cast<std::uint32_t>( vertices.size() / 3 );
    }

    std::uint32_t triangleCount() const
    {
        return static_cast<std::uint32_t>( triangles.size() / 3 );
    }

    std::vector<float> floats() const
    {
        return std::vector<float>( vertices.begin(), vertices.end() );
    }

    void add( double x, double y, double z )
    {
        for ( double coordinate : { x, y, z } )
        {
            vertices.push_back( static_cast<double>( static_cast<float>( coordinate ) ) );
        }
    }

    void move( double x, double y, double z )
    {
        Shape moved;
        for ( std::size_t i = 0; i < vertices.size(); i += 3 )
        {
            moved.add( vertices[i] + x, vertices[i + 1] + y, vertices[i + 2] + z );
        }
        vertices = moved.vertices;
    }
};

/// A sheet of columns x rows vertices, two triangles per square.
/// \param place  place( shape, u, v ) adds the vertex at u, v, which run from 0 to 1 over the columns and the rows
template <typename Place>
Shape sheet( std::uint32_t columns, std::uint32_t rows, Place place )
{
    Shape shape;
    for ( std::uint32_t row = 0; row < rows; ++row )
    {
        for ( std::uint32_t column = 0; column < columns; ++column )
        {
            place( shape, double( column ) / ( columns - 1 ), double( row ) / ( rows - 1 ) );
        }
    }
    for ( std::uint32_t row = 0; row + 1 < rows; ++row )
    {
        for ( std::uint32_t column = 0; column + 1 < columns; ++column )
        {
            const std::uint32_t at = row * columns + column;
            const std::uint32_t corners[6] = { at, at + 1, at + columns, at + 1, at + columns + 1, at + columns };
            shape.triangles.insert( shape.triangles.end(), corners, corners + 6 );
        }
    }
    return shape;
}

/// A closed surface: an octahedron with faces subdivided `divisions` times.
inline Shape ball( int divisions, double radius )
{
    Shape shape;
    std::vector<std::vector<double>> points = { { 1, 0, 0 },  { -1, 0, 0 }, { 0, 1, 0 },
                                                { 0, -1, 0 }, { 0, 0, 1 },  { 0, 0, -1 } };
    shape.triangles = { 0, 2, 4, 0, 2, 5, 0, 3, 4, 0, 3, 5, 1, 2, 4, 1, 2, 5, 1, 3, 4, 1, 3, 5 };
    for ( int division = 0; division < divisions; ++division )
    {
        std::vector<std::uint32_t> finer;
        const auto middle = [&points]( std::uint32_t a, std::uint32_t b )
        {
            std::vector<double> point( 3 );
            for ( std::size_t axis = 0; axis < 3; ++axis )
            {
                point[axis] = ( points[a][axis] + points[b][axis] ) / 2;
            }
            const auto known = std::find( points.begin(), points.end(), point );
            const auto number = static_cast<std::uint32_t>( known - points.begin() );
            if ( known == points.end() )
            {
                points.push_back( point );
            }
            return number;
        };
        for ( std::size_t i = 0; i < shape.triangles.size(); i += 3 )
        {
            const std::uint32_t a = shape.triangles[i], b = shape.triangles[i + 1], c = shape.triangles[i + 2];
            const std::uint32_t ab = middle( a, b ), bc = middle( b, c ), ca = middle( c, a );
            finer.insert( finer.end(), { a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca } );
        }
        shape.triangles = finer;
    }
    for ( const auto& point : points )
    {
        const double length = std::sqrt( point[0] * point[0] + point[1] * point[1] + point[2] * point[2] );
        shape.add( radius * point[0] / length, radius * point[1] / length, radius * point[2] / length );
    }
    return shape;
}

/// Random triangles; some are degenerate, some share corners.
inline Shape soup( Random& random, std::uint32_t triangleCount, double size )
{
    Shape shape;
    const std::uint32_t vertexCount = triangleCount + 3;
    for ( std::uint32_t i = 0; i < vertexCount; ++i )
    {
        shape.add( random.between( -size, size ), random.between( -size, size ), random.between( -size, size ) );
    }
    for ( std::uint32_t i = 0; i < 3 * triangleCount; ++i )
    {
        shape.triangles.push_back( random.below( vertexCount ) );
    }
    return shape;
}

} // namespace test

#endif
