// SPDX-License-Identifier: Zlib
/// \file file_constraints.cpp
/// As in Bullet's importer, the motors of constraints stand still, except those of hinges.
#include "file_constraints.h"

#include "file_values.h"

#include "BulletDynamics/ConstraintSolver/btConeTwistConstraint.h"
#include "BulletDynamics/ConstraintSolver/btFixedConstraint.h"
#include "BulletDynamics/ConstraintSolver/btGearConstraint.h"
#include "BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h"
#include "BulletDynamics/ConstraintSolver/btGeneric6DofSpringConstraint.h"
#include "BulletDynamics/ConstraintSolver/btHingeConstraint.h"
#include "BulletDynamics/ConstraintSolver/btPoint2PointConstraint.h"
#include "BulletDynamics/ConstraintSolver/btSliderConstraint.h"

#include <climits>

namespace cullet::demo
{
namespace
{

constexpr int mostIterations = 1000; ///< of a constraint, in a substep

struct Joined
{
    World& world;
    btRigidBody& a;
    btRigidBody& b;
};

bool flagOf( const StoredStruct& stored, const char* field, std::size_t index = 0 )
{
    return stored.number( field, index ) != 0;
}

btTypedConstraint* makePoint( const StoredStruct& stored, const Joined& joined )
{
    return &joined.world.make<btPoint2PointConstraint>( joined.a, joined.b, placeOf( stored, "m_pivotInA" ),
                                                        placeOf( stored, "m_pivotInB" ) );
}

/// A constraint of two frames.
template <typename Constraint, typename... More>
Constraint& makeFramed( const StoredStruct& stored, const Joined& joined, More... more )
{
    return joined.world.make<Constraint>( joined.a, joined.b, transformOf( stored, "m_rbAFrame" ),
                                          transformOf( stored, "m_rbBFrame" ), more... );
}

btTypedConstraint* makeHinge( const StoredStruct& stored, const Joined& joined )
{
    auto& hinge = makeFramed<btHingeConstraint>( stored, joined, flagOf( stored, "m_useReferenceFrameA" ) );
    hinge.enableAngularMotor( flagOf( stored, "m_enableAngularMotor" ), scalarOf( stored, "m_motorTargetVelocity" ),
                              scalarOf( stored, "m_maxMotorImpulse" ) );
    hinge.setAngularOnly( flagOf( stored, "m_angularOnly" ) );
    hinge.setLimit( scalarOf( stored, "m_lowerLimit" ), scalarOf( stored, "m_upperLimit" ),
                    scalarOf( stored, "m_limitSoftness" ), scalarOf( stored, "m_biasFactor" ),
                    scalarOf( stored, "m_relaxationFactor" ) );
    return &hinge;
}

btTypedConstraint* makeCone( const StoredStruct& stored, const Joined& joined )
{
    auto& cone = makeFramed<btConeTwistConstraint>( stored, joined );
    cone.setLimit( scalarOf( stored, "m_swingSpan1" ), scalarOf( stored, "m_swingSpan2" ),
                   scalarOf( stored, "m_twistSpan" ), scalarOf( stored, "m_limitSoftness" ),
                   scalarOf( stored, "m_biasFactor" ), scalarOf( stored, "m_relaxationFactor" ) );
    cone.setDamping( scalarOf( stored, "m_damping" ) );
    return &cone;
}

btTypedConstraint* makeSlider( const StoredStruct& stored, const Joined& joined )
{
    auto& slider = makeFramed<btSliderConstraint>( stored, joined, flagOf( stored, "m_useLinearReferenceFrameA" ) );
    slider.setLowerLinLimit( scalarOf( stored, "m_linearLowerLimit" ) );
    slider.setUpperLinLimit( scalarOf( stored, "m_linearUpperLimit" ) );
    slider.setLowerAngLimit( scalarOf( stored, "m_angularLowerLimit" ) );
    slider.setUpperAngLimit( scalarOf( stored, "m_angularUpperLimit" ) );
    slider.setUseFrameOffset( flagOf( stored, "m_useOffsetForConstraintFrame" ) );
    return &slider;
}

template <typename Constraint>
void setLimits( const StoredStruct& stored, Constraint& constraint )
{
    constraint.setLinearLowerLimit( vectorOf( stored, "m_linearLowerLimit" ) );
    constraint.setLinearUpperLimit( vectorOf( stored, "m_linearUpperLimit" ) );
    constraint.setAngularLowerLimit( vectorOf( stored, "m_angularLowerLimit" ) );
    constraint.setAngularUpperLimit( vectorOf( stored, "m_angularUpperLimit" ) );
}

template <typename Constraint>
Constraint& makeSixDof( const StoredStruct& stored, const Joined& joined )
{
    auto& constraint = makeFramed<Constraint>( stored, joined, flagOf( stored, "m_useLinearReferenceFrameA" ) );
    setLimits( stored, constraint );
    return constraint;
}

btTypedConstraint* makeSpring( const StoredStruct& stored, const Joined& joined )
{
    auto& spring = makeSixDof<btGeneric6DofSpringConstraint>( stored.member( "m_6dofData" ), joined );
    for ( int axis = 0; axis < 6; ++axis )
    {
        const auto index = std::size_t( axis );
        spring.setStiffness( axis, scalarOf( stored, "m_springStiffness", index ) );
        spring.setDamping( axis, scalarOf( stored, "m_springDamping", index ) );
        spring.setEquilibriumPoint( axis, scalarOf( stored, "m_equilibriumPoint", index ) );
        spring.enableSpring( axis, flagOf( stored, "m_springEnabled", index ) );
    }
    return &spring;
}

/// The springs of three axes of a btGeneric6DofSpring2Constraint.
/// \param prefix  of the names of their fields
/// \param first   index of the first axis
void setSprings( const StoredStruct& stored, const std::string& prefix, int first,
                 btGeneric6DofSpring2Constraint& spring )
{
    const auto field = [&]( const char* name ) { return prefix + name; };
    const btVector3 stiffness = vectorOf( stored, field( "SpringStiffness" ).c_str() );
    const btVector3 damping = vectorOf( stored, field( "SpringDamping" ).c_str() );
    const btVector3 equilibrium = vectorOf( stored, field( "EquilibriumPoint" ).c_str() );
    for ( int axis = 0; axis < 3; ++axis )
    {
        const auto is = [&]( const char* name )
        { return flagOf( stored, field( name ).c_str(), std::size_t( axis ) ); };
        spring.setStiffness( first + axis, stiffness[axis], is( "SpringStiffnessLimited" ) );
        spring.setDamping( first + axis, damping[axis], is( "SpringDampingLimited" ) );
        spring.setEquilibriumPoint( first + axis, equilibrium[axis] );
        spring.enableSpring( first + axis, is( "EnableSpring" ) );
    }
}

btTypedConstraint* makeSpring2( const StoredStruct& stored, const Joined& joined )
{
    const auto order = RotateOrder( wholeOf( stored, "m_rotateOrder", RO_XYZ, RO_ZYX ) );
    auto& spring = makeFramed<btGeneric6DofSpring2Constraint>( stored, joined, order );
    setLimits( stored, spring );
    setSprings( stored, "m_linear", 0, spring );
    setSprings( stored, "m_angular", 3, spring );
    return &spring;
}

/// Old versions of Bullet do not write its frames. Then the bodies keep their current places to each other.
btTypedConstraint* makeFixed( const StoredStruct& stored, const Joined& joined )
{
    if ( stored.has( "m_rbAFrame" ) )
    {
        return &makeFramed<btFixedConstraint>( stored, joined );
    }
    const btTransform &a = joined.a.getWorldTransform(), &b = joined.b.getWorldTransform();
    const btTransform middle( btMatrix3x3::getIdentity(), ( a.getOrigin() + b.getOrigin() ) / 2 );
    return &joined.world.make<btFixedConstraint>( joined.a, joined.b, a.inverse() * middle, b.inverse() * middle );
}

btTypedConstraint* makeGear( const StoredStruct& stored, const Joined& joined )
{
    return &joined.world.make<btGearConstraint>( joined.a, joined.b, placeOf( stored, "m_axisInA" ),
                                                 placeOf( stored, "m_axisInB" ), lengthOf( stored, "m_ratio" ) );
}

/// NULL if the type is unknown.
btTypedConstraint* makeConstraint( int type, const StoredStruct& stored, const Joined& joined )
{
    switch ( type )
    {
    case POINT2POINT_CONSTRAINT_TYPE:
        return makePoint( stored, joined );
    case HINGE_CONSTRAINT_TYPE:
        return makeHinge( stored, joined );
    case CONETWIST_CONSTRAINT_TYPE:
        return makeCone( stored, joined );
    case SLIDER_CONSTRAINT_TYPE:
        return makeSlider( stored, joined );
    case D6_CONSTRAINT_TYPE:
        return &makeSixDof<btGeneric6DofConstraint>( stored, joined );
    case D6_SPRING_CONSTRAINT_TYPE:
        return makeSpring( stored, joined );
    case D6_SPRING_2_CONSTRAINT_TYPE:
        return makeSpring2( stored, joined );
    case FIXED_CONSTRAINT_TYPE:
        return makeFixed( stored, joined );
    case GEAR_CONSTRAINT_TYPE:
        return makeGear( stored, joined );
    default:
        return nullptr;
    }
}

} // namespace

bool addConstraint( const StoredStruct& stored, const FileBodies& bodies, World& world )
{
    // The springs of the first kind hold a constraint without springs.
    const StoredStruct framed = stored.has( "m_6dofData" ) ? stored.member( "m_6dofData" ) : stored;
    const StoredStruct common = framed.has( "m_typeConstraintData" ) ? framed.member( "m_typeConstraintData" ) : framed;
    const auto a = bodies.find( common.address( "m_rbA" ) ), b = bodies.find( common.address( "m_rbB" ) );
    if ( a == bodies.end() && b == bodies.end() )
    {
        return false;
    }
    const auto bodyOrFixed = [&]( FileBodies::const_iterator found ) -> btRigidBody&
    { return found == bodies.end() ? world.make<btRigidBody>( btScalar( 0 ), nullptr, nullptr ) : *found->second; };
    const Joined joined = { world, bodyOrFixed( a ), bodyOrFixed( b ) };
    btTypedConstraint* constraint =
        makeConstraint( wholeOf( common, "m_objectType", INT_MIN, INT_MAX ), stored, joined );
    if ( constraint == nullptr )
    {
        return false;
    }
    if ( common.has( "m_isEnabled" ) ) // not in files of versions before 2.80
    {
        constraint->setEnabled( flagOf( common, "m_isEnabled" ) );
        constraint->setBreakingImpulseThreshold( scalarOf( common, "m_breakingImpulseThreshold" ) );
        constraint->setOverrideNumSolverIterations(
            wholeOf( common, "m_overrideNumSolverIterations", -1, mostIterations ) );
    }
    world.bullet().addConstraint( constraint, flagOf( common, "m_disableCollisionsBetweenLinkedBodies" ) );
    return true;
}

} // namespace cullet::demo
