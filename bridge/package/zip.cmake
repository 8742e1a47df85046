# A ZIP for Windows, by CPack: cmake --preset zip && cmake --build --preset zip. It has DLLs with import libraries, static
# libraries, headers, the sources of the plugin, and the command if that was built. It needs no DLL of the compiler.
# Shared libraries are built; the static ones consist of the same objects.
function(cullet_add_static name)
  add_library(${name}_static STATIC $<TARGET_OBJECTS:${name}>)
  target_include_directories(${name}_static INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set_target_properties(${name}_static PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE C)
  install(TARGETS ${name}_static EXPORT cullet-targets ARCHIVE COMPONENT development)
endfunction()
if(BUILD_SHARED_LIBS)
  cullet_add_static(cullet)
  if(CULLET_MESH)
    cullet_add_static(cullet_mesh)
    set_target_properties(cullet_mesh_static PROPERTIES EXPORT_NAME mesh_static)
    target_link_libraries(cullet_mesh_static INTERFACE cullet_static)
  endif()
endif()

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md DESTINATION . COMPONENT development)
set(CPACK_GENERATOR ZIP)
set(CPACK_PACKAGE_FILE_NAME cullet-${PROJECT_VERSION}-windows-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
include(CPack)
