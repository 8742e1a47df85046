# cullet below a project of its user's (PROJECT): it decides nothing there, and may be compiled in one
# piece (a unity build; package.bullet compiles the plugin so). What a static library has
# is not exported from a shared one that it is linked into, and a shared one exports what its headers declare, nothing
# else.
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)

# The functions of ours that `library` exports in a matching version.
function(list_exports result library version)
  run(${NM} --dynamic --defined-only ${library})
  string(REGEX MATCHALL "clt[A-Za-z_]+${version}" names "${output}")
  list(TRANSFORM names REPLACE "@.*" "")
  list(SORT names)
  set(${result} "${names}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
build_project(${PROJECT} -DROOT=${ROOT} -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0)
expect_output(${WORK}/build/four_boxes ${ROOT}/tests/package/project/expected.txt)
list_exports(names ${WORK}/build/libfour_boxes.so "")
if(names)
  message(FATAL_ERROR "the user's own library exports ${names}")
endif()

build_project(${PROJECT} -DBUILD_SHARED_LIBS=ON)
expect_output(${WORK}/build/four_boxes ${ROOT}/tests/package/project/expected.txt)

# Expects the shared library `name` to export, in the version that matches, what the headers declare and nothing else.
function(expect_exports name version)
  list_exports(names ${WORK}/build/${name} "@@${version}_[0-9]+[.][0-9]+")
  foreach(header ${ARGN})
    file(STRINGS ${ROOT}/bridge/${header} functions REGEX "^CLT_(MESH_)?API ")
    list(TRANSFORM functions REPLACE "^[^(]*(clt[A-Za-z_]+)\\(.*" "\\1")
    list(APPEND declared ${functions})
  endforeach()
  list(SORT declared)
  if(NOT names STREQUAL declared)
    message(FATAL_ERROR "${name} exports\n${names}\nbut its headers declare\n${declared}")
  endif()
endfunction()

expect_exports(cullet/libcullet.so CULLET cullet.h cullet_queries.h cullet_research.h)
expect_exports(cullet/libcullet_mesh.so CULLET_MESH mesh/cullet_mesh.h)
