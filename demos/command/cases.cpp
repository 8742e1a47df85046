// SPDX-License-Identifier: Zlib
/// \file cases.cpp
/// Starts from one case and multiplies it by each list in turn.
#include "cases.h"

#include <fmt/format.h>

namespace cullet::compare
{

namespace
{

/// Each case becomes as many as there are values; `set` puts a value into one.
template <typename Value, typename Set>
void multiply( std::vector<cltSceneDef>& cases, const std::vector<Value>& values, Set set )
{
    std::vector<cltSceneDef> result;
    for ( const cltSceneDef& one : cases )
    {
        for ( const Value& value : values )
        {
            set( result.emplace_back( one ), value );
        }
    }
    cases = result;
}

} // namespace

std::vector<cltSceneDef> casesOf( const CompareOptions& options )
{
    std::vector<cltSceneDef> cases( 1 );
    cases[0].seed = options.seed;
    multiply( cases, options.scenes,
              []( cltSceneDef& def, const std::string& name )
              {
                  cltFindScene( name.c_str(), &def.kind ); // the option took only names that exist
              } );
    multiply( cases, options.speeds, []( cltSceneDef& def, double speed ) { def.speed = float( speed ); } );
    multiply( cases, options.jumping, []( cltSceneDef& def, double percent ) { def.jumpingPercent = percent; } );
    multiply( cases, options.moving, []( cltSceneDef& def, double percent ) { def.movingPercent = percent; } );
    multiply( cases, options.bodies, []( cltSceneDef& def, std::uint32_t bodies ) { def.bodyCount = bodies; } );
    return cases;
}

std::string shortName( const cltSceneDef& def )
{
    std::string name = fmt::format( "{}, {} bodies", cltSceneName( def.kind ), def.bodyCount );
    if ( def.movingPercent != 100 )
    {
        name += fmt::format( ", {:g} % moving", def.movingPercent );
    }
    if ( def.speed != 1 )
    {
        name += fmt::format( ", speed {:g}", def.speed );
    }
    if ( def.jumpingPercent != 0 )
    {
        name += fmt::format( ", {:g} % jumping", def.jumpingPercent );
    }
    return name;
}

} // namespace cullet::compare
