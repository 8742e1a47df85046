// SPDX-License-Identifier: Zlib
#include "fat_boxes.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

namespace cullet::view
{
namespace
{

struct LeafDrawer : btDbvt::ICollide
{
    explicit LeafDrawer( render::Drawing& target ) : drawing( target )
    {
    }

    void Process( const btDbvtNode* leaf ) override
    {
        constexpr render::Colour colour = { 200, 60, 200, 160 };
        constexpr btScalar endless = btScalar( 1e6 ); // metres; a plane's box
        if ( leaf->volume.Lengths().length() < endless )
        {
            drawing.addBox( render::wireBox, leaf->volume.Mins(), leaf->volume.Maxs(), colour );
        }
    }

    render::Drawing& drawing;
};

} // namespace

void addFatBoxes( btBroadphaseInterface* broadphase, render::Drawing& drawing )
{
    LeafDrawer drawer( drawing );
    if ( const auto* dbvt = dynamic_cast<btDbvtBroadphase*>( broadphase ) )
    {
        for ( const btDbvt& tree : dbvt->m_sets )
        {
            if ( tree.m_root != nullptr )
            {
                btDbvt::enumLeaves( tree.m_root, drawer );
            }
        }
    }
}

} // namespace cullet::view
