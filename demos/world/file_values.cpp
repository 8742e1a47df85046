// SPDX-License-Identifier: Zlib
#include "file_values.h"

#include <algorithm>
#include <cmath>

namespace cullet::demo
{
namespace
{

constexpr btScalar longest = btScalar( 1e9 );
constexpr btScalar largestScaling = btScalar( 1e6 );
constexpr btScalar rotationTolerance = btScalar( 0.01 ); ///< of the length of a row, which is 1

void demandValue( bool holds, const char* field, const char* rule )
{
    if ( !holds )
    {
        refuseDamaged( std::string( field ) + rule );
    }
}

btScalar checkedLength( btScalar value, const char* field )
{
    demandValue( std::abs( value ) <= longest, field, " is beyond 1e9" );
    return value;
}

btVector3 threeOf( const StoredStruct& vector )
{
    return btVector3( scalarOf( vector, "m_floats", 0 ), scalarOf( vector, "m_floats", 1 ),
                      scalarOf( vector, "m_floats", 2 ) );
}

} // namespace

btScalar scalarOf( const StoredStruct& owner, const char* field, std::size_t index )
{
    constexpr auto largest = double( SIMD_INFINITY );
    return btScalar( std::clamp( owner.number( field, index ), -largest, largest ) );
}

int wholeOf( const StoredStruct& owner, const char* field, int least, int most )
{
    const double value = owner.number( field );
    demandValue( value >= least && value <= most, field, " is out of range" );
    return int( value );
}

btScalar lengthOf( const StoredStruct& owner, const char* field )
{
    return checkedLength( scalarOf( owner, field ), field );
}

btVector3 vectorOf( const StoredStruct& owner, const char* field )
{
    return threeOf( owner.member( field ) );
}

btVector3 placeOf( const StoredStruct& vector )
{
    const btVector3 place = threeOf( vector );
    for ( int axis = 0; axis < 3; ++axis )
    {
        checkedLength( place[axis], "a coordinate" );
    }
    return place;
}

btVector3 placeOf( const StoredStruct& owner, const char* field )
{
    return placeOf( owner.member( field ) );
}

btVector3 scalingOf( const StoredStruct& owner, const char* field )
{
    const btVector3 scaling = vectorOf( owner, field );
    for ( int axis = 0; axis < 3; ++axis )
    {
        demandValue( scaling[axis] >= 1 / largestScaling && scaling[axis] <= largestScaling, field,
                     " is not from 1e-6 to 1e6" );
    }
    return scaling;
}

btTransform transformOf( const StoredStruct& owner, const char* field )
{
    const StoredStruct transform = owner.member( field );
    const StoredStruct basis = transform.member( "m_basis" );
    btTransform result( btMatrix3x3::getIdentity(), placeOf( transform, "m_origin" ) );
    for ( int row = 0; row < 3; ++row )
    {
        result.getBasis()[row] = threeOf( basis.member( "m_el", std::size_t( row ) ) );
        demandValue( std::abs( result.getBasis()[row].length() - 1 ) <= rotationTolerance, field, " is no rotation" );
    }
    return result;
}

} // namespace cullet::demo
