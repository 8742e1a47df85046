// SPDX-License-Identifier: Zlib
/// \file renderer.cpp
/// Two depth images, one from the eye and one from the sun, and the light at each sample of the first. Where no body
/// is, the plane y = 0 and the sky over it are seen.
#include "renderer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cullet::demo
{
namespace
{

constexpr int samplesPerSide = 2; ///< of a pixel
constexpr int sunImageSize = 4096;
constexpr btScalar fieldOfView = btScalar( 0.6 ); ///< vertical, radians

/// How much nearer to the sun something has to be to shade, metres: more than the sun image's own coarseness.
constexpr btScalar shadowBias = btScalar( 0.05 );

/// Weight of light from above, for surfaces that look up and for those that look down.
constexpr btScalar skyLightUp = btScalar( 0.42 );
constexpr btScalar skyLightDown = btScalar( 0.16 );
constexpr btScalar sunLight = btScalar( 0.95 );

/// Outlines keep bodies of one colour apart in a heap.
constexpr btScalar outlineShade = btScalar( 0.55 );

const btVector3& viewDirection()
{
    static const btVector3 direction = btVector3( btScalar( -0.45 ), btScalar( -0.36 ), -1 ).normalized();
    return direction;
}

const btVector3& sunDirection()
{
    static const btVector3 direction = btVector3( btScalar( 0.55 ), -1, btScalar( -0.5 ) ).normalized();
    return direction;
}

/// Fine lines every two metres and strong ones every ten give the picture its scale.
struct Grid
{
    btScalar cell;     ///< metres from line to line
    btScalar line;     ///< metres of a line's width
    btScalar strength; ///< how much darker, 0 to 1
};

constexpr Grid fineGrid = { 2, btScalar( 0.05 ), btScalar( 0.35 ) };
constexpr Grid coarseGrid = { 10, btScalar( 0.12 ), btScalar( 0.55 ) };

/// The part of the footprint around `position` that is on a line.
btScalar lineShare( btScalar position, const Grid& grid, btScalar footprint )
{
    const btScalar distance = std::abs( position - grid.cell * std::round( position / grid.cell ) );
    const btScalar overlap = ( grid.line + footprint ) / 2 - distance;
    return std::clamp( overlap, btScalar( 0 ), std::min( grid.line, footprint ) ) / footprint;
}

btScalar darkening( const btVector3& point, const Grid& grid, btScalar footprint )
{
    const btScalar share = std::max( lineShare( point.x(), grid, footprint ), lineShare( point.z(), grid, footprint ) );
    return 1 - grid.strength * share;
}

/// The depth at which the ray meets the plane, infinite if it does not.
btScalar groundDepth( const Ray& ray )
{
    return ray.direction.y() < 0 ? -ray.origin.y() / ray.direction.y() : std::numeric_limits<btScalar>::infinity();
}

/// Reflectance of the plane with its lines.
/// \param footprint  metres of ground under one sample; thinner lines are faded by their share of it, not aliased
btVector3 groundColour( const btVector3& point, btScalar footprint )
{
    static const btVector3 bare = linearColour( 206, 206, 200 );
    return bare * darkening( point, fineGrid, footprint ) * darkening( point, coarseGrid, footprint );
}

/// Light from the sky along a direction that need not be of unit length; also what the ground fades to.
btVector3 skyColour( const btVector3& direction )
{
    static const btVector3 horizon = linearColour( 236, 240, 244 );
    static const btVector3 zenith = linearColour( 120, 160, 205 );
    const btScalar height = std::clamp( direction.y() / direction.length(), btScalar( 0 ), btScalar( 1 ) );
    return horizon.lerp( zenith, std::sqrt( height ) );
}

/// Sees every figure, however far away one is.
Camera sunCamera( const std::vector<Figure>& figures )
{
    if ( figures.empty() )
    {
        return frameWithParallelRays( sunDirection(), sunImageSize, btVector3( 0, 0, 0 ), 1 );
    }
    btVector3 lower( BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT );
    btVector3 upper = -lower;
    btScalar largest = 0;
    for ( const Figure& figure : figures )
    {
        lower.setMin( figure.transform.getOrigin() );
        upper.setMax( figure.transform.getOrigin() );
        largest = std::max( largest, figure.radius() );
    }
    const btScalar radius = ( upper - lower ).length() / 2 + largest;
    return frameWithParallelRays( sunDirection(), sunImageSize, ( lower + upper ) / 2, radius );
}

class Scene
{
public:
    Scene( const std::vector<Figure>& figures, const Camera& camera )
        : m_figures( figures ), m_view( camera, figures ), m_sun( sunCamera( figures ), figures )
    {
    }

    /// Linear light of one sample.
    btVector3 light( int x, int y ) const
    {
        const Ray ray = m_view.camera().ray( x, y );
        const Sample& sample = m_view.at( x, y );
        const btScalar ground = groundDepth( ray );
        if ( ground <= btScalar( sample.depth ) )
        {
            return std::isfinite( ground ) ? groundLight( ray, ground ) : skyColour( ray.direction );
        }
        const Figure& figure = m_figures[std::size_t( sample.figure )];
        const btVector3 point = ray.at( btScalar( sample.depth ) );
        const btScalar outline = isOutline( x, y ) ? outlineShade : btScalar( 1 );
        return outline * figure.colour * irradiance( point, normalAt( figure, point ), sample.figure );
    }

private:
    btVector3 groundLight( const Ray& ray, btScalar depth ) const
    {
        const btVector3 point = ray.at( depth );
        const btScalar slant = ray.direction.length() / -ray.direction.y();
        const btScalar footprint = depth / m_view.camera().scale * std::sqrt( slant );
        const btVector3 lit = groundColour( point, footprint ) * irradiance( point, btVector3( 0, 1, 0 ), noFigure );
        // Into haze with distance, so that the plane has no hard edge at the horizon.
        const btScalar clear = std::min( btScalar( 1 ), m_view.camera().eye.length() * 2 / depth );
        return skyColour( ray.direction ).lerp( lit, clear * clear );
    }

    btScalar irradiance( const btVector3& point, const btVector3& normal, std::int32_t figure ) const
    {
        const btScalar up = ( 1 + normal.y() ) / 2;
        const btScalar facing = std::max( btScalar( 0 ), -normal.dot( sunDirection() ) );
        const btScalar sun = facing > 0 ? facing * sunShare( point, figure ) : btScalar( 0 );
        return skyLightDown + ( skyLightUp - skyLightDown ) * up + sunLight * sun;
    }

    /// The part of the sun that a point sees: the mean over three by three samples, which softens the shadow's edge.
    btScalar sunShare( const btVector3& point, std::int32_t figure ) const
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
            lit += sample.figure == figure || btScalar( sample.depth ) > seen.z() - shadowBias;
        }
        return btScalar( lit ) / 9;
    }

    bool isOutline( int x, int y ) const
    {
        const std::int32_t figure = m_view.at( x, y ).figure;
        return m_view.at( std::max( x - 1, 0 ), y ).figure != figure ||
               m_view.at( x, std::max( y - 1, 0 ) ).figure != figure;
    }

    const std::vector<Figure>& m_figures;
    DepthImage m_view;
    DepthImage m_sun;
};

} // namespace

Image render( const std::vector<Figure>& figures, const std::vector<btVector3>& framed, PictureSize size )
{
    const Camera camera = frameWithPerspective( viewDirection(), fieldOfView, size.width * samplesPerSide,
                                                size.height * samplesPerSide, framed );
    const Scene scene( figures, camera );
    Image image( size.width, size.height );
    for ( int y = 0; y < size.height; ++y )
    {
        for ( int x = 0; x < size.width; ++x )
        {
            btVector3 sum( 0, 0, 0 );
            for ( int i = 0; i < samplesPerSide * samplesPerSide; ++i )
            {
                sum += scene.light( x * samplesPerSide + i % samplesPerSide, y * samplesPerSide + i / samplesPerSide );
            }
            image.set( x, y, sum / ( samplesPerSide * samplesPerSide ) );
        }
    }
    return image;
}

} // namespace cullet::demo
