# What all toolchain files have in common: libraries of this machine are not taken. CMAKE_FIND_ROOT_PATH lists the
# folders of the other machine's; -DCMAKE_FIND_ROOT_PATH=FOLDER adds one.
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
# Otherwise CMake's trial projects include this file without -D's folder, and change the environment variable below.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CMAKE_FIND_ROOT_PATH)
set(libraries ${CMAKE_FIND_ROOT_PATH})
list(TRANSFORM libraries APPEND /lib/pkgconfig)
string(REPLACE ";" ":" libraries "${libraries}")
set(ENV{PKG_CONFIG_LIBDIR} ${libraries})
