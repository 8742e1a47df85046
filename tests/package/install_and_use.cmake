# Installs the build, then configures, builds and runs PROJECT against it, in OPTIONS, and compares what it prints. With
# PKG_CONFIG the project's main.c is also compiled without CMake, by a C compiler alone.
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)

install_build()
build_project(${PROJECT} ${OPTIONS})
expect_output(${WORK}/build/four_boxes ${PROJECT}/expected.txt)

if(PKG_CONFIG)
  file(GLOB_RECURSE pc ${WORK}/prefix/*/cullet.pc)
  run(${PKG_CONFIG} --cflags --libs ${pc})
  separate_arguments(flags UNIX_COMMAND "${output}")
  string(REGEX REPLACE "^(.+)" "-fsanitize=\\1" sanitize "${SANITIZE}")
  run(${C} ${PROJECT}/main.c -o ${WORK}/by_hand ${flags} ${sanitize})
  expect_output(${WORK}/by_hand ${PROJECT}/expected.txt)
endif()
