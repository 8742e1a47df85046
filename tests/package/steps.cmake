# What the scripts here have in common. BUILD is the build that is installed, CONFIG its configuration, GENERATOR, C and
# CXX are its, SANITIZE the sanitizers in it; WORK is a folder for whatever comes up.
cmake_minimum_required(VERSION 3.22)

# Runs a command; its output is in `output`. Ends the test if it fails.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN} failed:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Installs the build as it is, but for the tools, into WORK/prefix.
function(install_build)
  file(REMOVE_RECURSE ${WORK})
  foreach(component library development)
    run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix --config "${CONFIG}" --component ${component})
  endforeach()
endfunction()

# From here on pkg-config finds what is installed below `prefix`, and then what the system has.
function(use_pkg_config prefix)
  file(GLOB_RECURSE pc ${prefix}/*/cullet.pc)
  cmake_path(GET pc PARENT_PATH folder)
  set(ENV{PKG_CONFIG_PATH} ${folder})
endfunction()

# The flags of packages, as a list.
function(pkg_config_flags result)
  run(${PKG_CONFIG} --cflags --libs ${ARGN})
  separate_arguments(flags UNIX_COMMAND "${output}")
  set(${result} "${flags}" PARENT_SCOPE)
endfunction()

# Configures and builds the project in `source` in WORK/build; what follows are options of CMake's.
function(build_project source)
  set(flags)
  if(SANITIZE) # in the library, so also in the program that links it
    set(flags -DCMAKE_C_FLAGS=-fsanitize=${SANITIZE} -DCMAKE_CXX_FLAGS=-fsanitize=${SANITIZE})
  endif()
  run(${CMAKE_COMMAND} -S ${source} -B ${WORK}/build -G ${GENERATOR} -DCMAKE_C_COMPILER=${C} -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_PREFIX_PATH=${WORK}/prefix ${flags} ${ARGN})
  run(${CMAKE_COMMAND} --build ${WORK}/build --config "${CONFIG}")
endfunction()

# Ends the test if `program` does not print what the file says.
function(expect_output program file)
  run(${program})
  file(READ ${file} expected)
  if(NOT output STREQUAL expected)
    message(FATAL_ERROR "${program} printed\n${output}instead of\n${expected}")
  endif()
endfunction()
