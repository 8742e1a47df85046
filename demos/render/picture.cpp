// SPDX-License-Identifier: Zlib
/// \file picture.cpp
/// Draws the bodies as seen from the eye and from the sun, and computes the light at each sample of the eye's view.
/// Samples without a body show the plane y = 0 or the sky.
#include "picture.h"

#include "canvas.h"

namespace cullet::demo
{
namespace
{

constexpr int sunImageSize = 4096;
constexpr btScalar fieldOfView = btScalar( 0.6 ); ///< vertical, radians

/// Field of view of the sun: so small that rays are nearly parallel, but large enough for the precision of floats.
constexpr btScalar sunFieldOfView = btScalar( 0.04 );

/// Metres by which an object must be nearer to the sun to cast a shadow: more than the resolution of the sun's image.
constexpr btScalar shadowBias = btScalar( 0.05 );

/// Weights of the sky's light, for surfaces that face up and for those that face down.
constexpr btScalar skyLightUp = btScalar( 0.42 );
constexpr btScalar skyLightDown = btScalar( 0.16 );
constexpr btScalar sunLight = btScalar( 0.95 );

/// Outlines separate bodies of the same colour in a heap.
constexpr btScalar outlineShade = btScalar( 0.55 );

/// An upper bound of the bodies' radii in metres.
constexpr btScalar bodyReach = 1;

const btVector3 up( 0, 1, 0 );
const btVector3 viewDirection( btScalar( -0.45 ), btScalar( -0.36 ), -1 );
const btVector3 sunDirection = btVector3( btScalar( 0.55 ), -1, btScalar( -0.5 ) ).normalized();

// Reflectance of the plane, and light from the sky.
const btVector3 bareGround( btScalar( 0.617 ), btScalar( 0.617 ), btScalar( 0.578 ) );
const btVector3 horizon( btScalar( 0.839 ), btScalar( 0.871 ), btScalar( 0.905 ) );
const btVector3 zenith( btScalar( 0.188 ), btScalar( 0.352 ), btScalar( 0.61 ) );

/// Lines on the plane show the scale: fine ones every two metres and strong ones every ten.
struct Grid
{
    btScalar cell;     ///< metres from line to line
    btScalar line;     ///< metres of a line's width
    btScalar strength; ///< how much darker, 0 to 1
};

constexpr Grid grids[] = { { 2, btScalar( 0.05 ), btScalar( 0.35 ) }, { 10, btScalar( 0.12 ), btScalar( 0.55 ) } };

/// Reflectance of the plane with its lines.
/// \param footprint  metres of ground under one sample. Thinner lines are faded in proportion, to avoid aliasing
btVector3 groundColour( const btVector3& point, btScalar footprint )
{
    btVector3 colour = bareGround;
    for ( const Grid& grid : grids )
    {
        const auto toLine = [&grid]( btScalar position )
        { return std::abs( position - grid.cell * std::round( position / grid.cell ) ); };
        const btScalar covered = ( grid.line + footprint ) / 2 - std::min( toLine( point.x() ), toLine( point.z() ) );
        const btScalar share = std::clamp( covered, btScalar( 0 ), std::min( grid.line, footprint ) ) / footprint;
        colour *= 1 - grid.strength * share;
    }
    return colour;
}

/// Light from the sky along a direction of any length. The ground fades to this light with distance.
btVector3 skyColour( const btVector3& direction )
{
    const btScalar height = std::clamp( direction.y() / direction.length(), btScalar( 0 ), btScalar( 1 ) );
    return horizon.lerp( zenith, std::sqrt( height ) );
}

/// The body's color in one of seven shades, so that neighbours of one kind differ slightly.
btVector3 bodyColour( const Placement& body, std::int32_t index )
{
    return body.kind().colour * ( btScalar( 0.72 ) + btScalar( 0.08 ) * btScalar( index * 5 % 7 ) );
}

/// A camera that shows two rings: one around the top of the column, one around the foot of the pile.
Camera viewOf( const Column& column, PictureSize size )
{
    constexpr int ringPoints = 16;
    constexpr btScalar pileSpread = btScalar( 2.3 ); // nearly all bodies end within it
    std::vector<btVector3> points;
    for ( int i = 0; i < ringPoints; ++i )
    {
        const btScalar angle = SIMD_2_PI * btScalar( i ) / ringPoints;
        const btVector3 outward = column.halfWidth * btVector3( std::cos( angle ), 0, std::sin( angle ) );
        points.push_back( column.top * up + std::sqrt( btScalar( 2 ) ) * outward );
        points.push_back( pileSpread * outward );
    }
    return fitCamera( viewDirection, fieldOfView, size.width * samplesPerSide, size.height * samplesPerSide, points,
                      bodyReach );
}

/// A camera in the direction of the sun that shows all bodies.
Camera sunOver( const std::vector<Placement>& bodies )
{
    std::vector<btVector3> points = { btVector3( 0, 0, 0 ) };
    for ( const Placement& body : bodies )
    {
        points.push_back( body.transform.getOrigin() );
    }
    return fitCamera( sunDirection, sunFieldOfView, sunImageSize, sunImageSize, points, bodyReach );
}

btScalar intersectBall( const btVector3& centre, btScalar radius, const Ray& ray )
{
    const btVector3 offset = centre - ray.origin;
    const btScalar lengthSquared = ray.direction.length2();
    const btScalar nearest = offset.dot( ray.direction ) / lengthSquared;
    const btScalar halfChord2 = radius * radius - ( offset - nearest * ray.direction ).length2();
    return halfChord2 < 0 ? 0 : nearest - std::sqrt( halfChord2 / lengthSquared );
}

/// Intersects the ray with three pairs of parallel planes, in the frame of the box. The ray is inside between the last
/// entry and the first exit. For a ray parallel to a plane the division gives infinities, which compare correctly.
btScalar intersectBox( const btTransform& transform, const btVector3& halfExtents, const Ray& ray )
{
    const btVector3 origin = ( ray.origin - transform.getOrigin() ) * transform.getBasis();
    const btVector3 direction = ray.direction * transform.getBasis();
    btScalar entry = -BT_LARGE_FLOAT;
    btScalar exit = BT_LARGE_FLOAT;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const btScalar inverse = 1 / direction[axis];
        const btScalar first = ( -halfExtents[axis] - origin[axis] ) * inverse;
        const btScalar second = ( halfExtents[axis] - origin[axis] ) * inverse;
        entry = std::max( entry, std::min( first, second ) );
        exit = std::min( exit, std::max( first, second ) );
    }
    return entry <= exit ? entry : 0;
}

/// The outward unit normal at a point of the surface.
btVector3 normalAt( const Placement& body, const btVector3& point )
{
    const btVector3 offset = point - body.transform.getOrigin();
    if ( body.kind().isSphere )
    {
        return offset.normalized();
    }
    const btVector3 share = offset * body.transform.getBasis() / body.kind().halfExtents; // 1 or -1 on the point's face
    const int axis = share.absolute().maxAxis();
    return btScalar( share[axis] < 0 ? -1 : 1 ) * body.transform.getBasis().getColumn( axis );
}

/// Draws the bodies, the nearest first: in a pile most bodies are hidden, so that few rays are cast.
Canvas drawBodies( const Camera& camera, const std::vector<Placement>& bodies )
{
    Canvas canvas( camera );
    std::vector<std::pair<btScalar, std::int32_t>> byDepth;
    for ( const Placement& body : bodies )
    {
        byDepth.emplace_back( camera.project( body.transform.getOrigin() ).z(), std::int32_t( byDepth.size() ) );
    }
    std::sort( byDepth.begin(), byDepth.end() );
    for ( const auto& [depth, index] : byDepth )
    {
        const Placement& body = bodies[std::size_t( index )];
        const BodyKind& kind = body.kind();
        canvas.draw( body.transform.getOrigin(), kind.radius(), index,
                     [&]( const Ray& ray )
                     {
                         return kind.isSphere ? intersectBall( body.transform.getOrigin(), kind.radius(), ray )
                                              : intersectBox( body.transform, kind.halfExtents, ray );
                     } );
    }
    return canvas;
}

class Scene
{
public:
    Scene( const std::vector<Placement>& bodies, const Camera& camera )
        : m_bodies( bodies ), m_view( drawBodies( camera, bodies ) ), m_sun( drawBodies( sunOver( bodies ), bodies ) )
    {
    }

    /// The light of one sample.
    btVector3 light( int x, int y ) const
    {
        const Ray ray = m_view.camera().ray( x, y );
        const Sample& sample = m_view.at( x, y );
        const bool meetsGround = ray.direction.y() < 0;
        const btScalar ground = -ray.origin.y() / ray.direction.y();
        if ( meetsGround && ground <= btScalar( sample.depth ) )
        {
            return groundLight( ray, ground );
        }
        if ( sample.surface == emptySample )
        {
            return skyColour( ray.direction );
        }
        const Placement& body = m_bodies[std::size_t( sample.surface )];
        const btVector3 point = ray.origin + btScalar( sample.depth ) * ray.direction;
        const btScalar outline = isOutline( x, y ) ? outlineShade : btScalar( 1 );
        return outline * bodyColour( body, sample.surface ) *
               irradiance( point, normalAt( body, point ), sample.surface );
    }

private:
    btVector3 groundLight( const Ray& ray, btScalar depth ) const
    {
        const btVector3 point = ray.origin + depth * ray.direction;
        const btScalar slant = ray.direction.length() / -ray.direction.y();
        const btScalar footprint = depth / m_view.camera().scale * std::sqrt( slant );
        const btVector3 lit = groundColour( point, footprint ) * irradiance( point, up, emptySample );
        // The ground fades with distance, so that the plane has no hard edge at the horizon.
        const btScalar clear = std::min( btScalar( 1 ), m_view.camera().eye.length() * 2 / depth );
        return skyColour( ray.direction ).lerp( lit, clear * clear );
    }

    btScalar irradiance( const btVector3& point, const btVector3& normal, std::int32_t body ) const
    {
        const btScalar upwards = ( 1 + normal.y() ) / 2;
        const btScalar facing = -normal.dot( sunDirection );
        const btScalar sun = facing > 0 ? facing * sunShare( point, body ) : btScalar( 0 );
        return skyLightDown + ( skyLightUp - skyLightDown ) * upwards + sunLight * sun;
    }

    /// The fraction of the sun that is visible from a point: the mean over 3 x 3 samples, which softens shadow edges.
    btScalar sunShare( const btVector3& point, std::int32_t body ) const
    {
        const btVector3 seen = m_sun.camera().project( point );
        const int x = int( std::floor( seen.x() ) );
        const int y = int( std::floor( seen.y() ) );
        if ( x < 1 || y < 1 || x + 1 >= sunImageSize || y + 1 >= sunImageSize )
        {
            return 1;
        }
        int lit = 0;
        for ( int i = 0; i < 9; ++i )
        {
            const Sample& sample = m_sun.at( x + i % 3 - 1, y + i / 3 - 1 );
            lit += sample.surface == body || btScalar( sample.depth ) > seen.z() - shadowBias;
        }
        return btScalar( lit ) / 9;
    }

    bool isOutline( int x, int y ) const
    {
        const std::int32_t body = m_view.at( x, y ).surface;
        return m_view.at( std::max( x - 1, 0 ), y ).surface != body ||
               m_view.at( x, std::max( y - 1, 0 ) ).surface != body;
    }

    const std::vector<Placement>& m_bodies;
    Canvas m_view;
    Canvas m_sun;
};

} // namespace

void writePicture( const std::vector<Placement>& bodies, const Column& column, PictureSize size,
                   const std::string& path )
{
    const Scene scene( bodies, viewOf( column, size ) );
    writePng( path, size.width, size.height, [&]( int x, int y ) { return scene.light( x, y ); } );
}

} // namespace cullet::demo
