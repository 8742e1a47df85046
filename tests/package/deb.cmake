# The packages of the library, made by CPack and taken apart: they need and say what they should, lintian (LINTIAN,
# where there is one) finds nothing wrong, and what is in them builds demos/hello.c. No root needed: debian.sh installs
# them.
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)

function(expect_match what text regex)
  if(NOT text MATCHES "${regex}")
    message(SEND_ERROR "${what} should match '${regex}':\n${text}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
build_project(${ROOT} -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DBUILD_SHARED_LIBS=ON -DCULLET_CUDA=OFF
  -DCULLET_TESTS=OFF -DCULLET_DEMOS=OFF -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0)
run(${CMAKE_COMMAND} --build ${WORK}/build --config "${CONFIG}" --target package)
file(GLOB packages ${WORK}/build/*.deb)
foreach(package IN LISTS packages)
  run(dpkg-deb --extract ${package} ${WORK}/root)
endforeach()

list(LENGTH packages count)
if(NOT count EQUAL 2)
  message(FATAL_ERROR "there should be two packages: ${packages}")
endif()
file(STRINGS ${ROOT}/CMakeLists.txt version REGEX "^project\\(cullet VERSION")
string(REGEX MATCH "[0-9]+\\.[0-9]+" abi "${version}")
file(GLOB library ${WORK}/build/libcullet${abi}_*.deb)
run(dpkg-deb --field ${library} Depends)
expect_match("what the library needs" "${output}" "^libc6 \\([^,]*\\)\n$")
run(dpkg-deb --info ${library} shlibs)
expect_match("what programs will need" "${output}" 
  "^libcullet ${abi} libcullet${abi} \\(>= ${abi}\\.[0-9]+\\)\nlibcullet_mesh ${abi} libcullet${abi} [^\n]*\n$")
file(GLOB development ${WORK}/build/libcullet-dev_*.deb)
run(dpkg-deb --field ${development} Depends)
expect_match("what who builds programs needs" "${output}" "^libcullet${abi} \\(= ${abi}\\.[0-9]+\\), libc6-dev\n$")
if(LINTIAN)
  run(${LINTIAN} --fail-on error,warning ${packages})
endif()

use_pkg_config(${WORK}/root)
pkg_config_flags(flags cullet)
run(${C} ${ROOT}/demos/hello.c -o ${WORK}/hello ${flags})
file(GLOB_RECURSE library ${WORK}/root/libcullet.so.${abi})
cmake_path(GET library PARENT_PATH folder)
set(ENV{LD_LIBRARY_PATH} ${folder})
run(${WORK}/hello)
expect_match("hello" "${output}" "^0 meets 1\n1 meets 2\n$")
