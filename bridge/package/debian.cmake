# Packages for Debian, by CPack. The target `package` makes them: cmake --preset deb && cmake --build --preset deb.
# Each component has a package, named by Debian's rules: the name of a library's package contains the soname, so that
# two versions can be installed together.
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL library development)
if(TARGET cullet_command)
  list(APPEND CPACK_COMPONENTS_ALL tools)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS # independent of the umask
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# Mail to .invalid is never delivered (RFC 2606). Distributors set an address of their own.
set(CPACK_PACKAGE_CONTACT "The cullet authors <cullet@packages.invalid>" CACHE STRING "Maintainer of the packages")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # the descriptions below have one
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(about "Cullet finds every pair of overlapping boxes among up to millions of moving
ones, exactly, and tells which pairs began and which ended. It takes the
place of the broadphases of the Bullet physics engine, and works without it.
")
# cullet_describe_package(<component> <package> <section> <what it is> <description>)
macro(cullet_describe_package component package section what description)
  set(CPACK_DEBIAN_${component}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${component}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${component}_DESCRIPTION
    "exact broadphase for collision detection (${what})\n${about}.\n${description}")
endmacro()
cullet_describe_package(LIBRARY libcullet${CULLET_ABI} libs "library"
  "This package has the library that programs need to run.")
cullet_describe_package(DEVELOPMENT libcullet-dev libdevel "development files"
  "This package has what is needed to build programs: the headers of the C API,\nfiles for CMake and pkg-config, and the \
sources of the plugin for Bullet.")
cullet_describe_package(TOOLS cullet-tools science "command"
  "This package has the command cullet, which runs programs that link Bullet on\ncullet as they are, compares \
broadphases, records what a program asks of one,\nand replays it.")

# Dependencies. debian_prepare.cmake finds the packages that the library and the tools depend on.
set(CPACK_CULLET_CONTROLS ${CMAKE_CURRENT_BINARY_DIR}/debian)
set(from "${CULLET_ABI} ${CPACK_DEBIAN_LIBRARY_PACKAGE_NAME} (>= ${PROJECT_VERSION})")
file(WRITE ${CPACK_CULLET_CONTROLS}/shlibs "libcullet ${from}\n")
if(CULLET_MESH)
  file(APPEND ${CPACK_CULLET_CONTROLS}/shlibs "libcullet_mesh ${from}\n")
endif()
file(WRITE ${CPACK_CULLET_CONTROLS}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CPACK_CULLET_CONTROLS}/shlibs ${CPACK_CULLET_CONTROLS}/triggers)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "${CPACK_DEBIAN_LIBRARY_PACKAGE_NAME} (= ${PROJECT_VERSION}), libc6-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libbullet-dev, cmake, pkg-config")
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "libegl1, libgl1-mesa-dri")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "gnuplot-nox, bash-completion")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_prepare.cmake)
set(CPACK_CULLET_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_CULLET_BINARY_DIR ${PROJECT_BINARY_DIR})
include(CPack)
