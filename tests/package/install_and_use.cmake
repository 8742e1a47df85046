# Installs the build, then configures, builds and runs PROJECT against it, in OPTIONS, and compares what it prints. With
# PKG_CONFIG its main file is also compiled without CMake, by a compiler alone; with PLUGIN, the plugin and Bullet with
# it.
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)

install_build()
build_project(${PROJECT} ${OPTIONS})
expect_output(${WORK}/build/four_boxes ${PROJECT}/expected.txt)

if(PKG_CONFIG)
  use_pkg_config(${WORK}/prefix)
  string(REGEX REPLACE "^(.+)" "-fsanitize=\\1" sanitize "${SANITIZE}")
  if(PLUGIN)
    run(${PKG_CONFIG} --variable=source cullet-plugin)
    string(STRIP "${output}" source)
    pkg_config_flags(flags cullet-plugin bullet)
    run(${CXX} ${PROJECT}/main.cpp ${source} -o ${WORK}/by_hand ${flags} ${sanitize})
  else()
    pkg_config_flags(flags cullet)
    run(${C} ${PROJECT}/main.c -o ${WORK}/by_hand ${flags} ${sanitize})
  endif()
  expect_output(${WORK}/by_hand ${PROJECT}/expected.txt)
endif()
