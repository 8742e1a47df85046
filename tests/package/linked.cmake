#! [library]
find_package(cullet REQUIRED)
target_link_libraries(app PRIVATE cullet::cullet)                        # the C API; cullet::mesh for meshes
#! [library]

#! [plugin]
find_package(cullet REQUIRED)
find_package(Bullet REQUIRED)
target_include_directories(game PRIVATE ${BULLET_INCLUDE_DIRS})
target_link_libraries(game PRIVATE cullet::plugin ${BULLET_LIBRARIES})   # CulletBroadphase, compiled with game's flags
#! [plugin]
