# Run by CPack after it has installed the files and before it packs them. Adds to each package its copyright and its
# changelog, which Debian requires, and compresses its manuals.
function(compress file)
  file(ARCHIVE_CREATE OUTPUT ${file}.gz PATHS ${file} FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
  file(REMOVE ${file})
endfunction()

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # of SOURCE_DATE_EPOCH if that is set
set(changelog "cullet (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}; README.md says what changed.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
  set(documents ${root}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  file(WRITE ${documents}/changelog "${changelog}")
  compress(${documents}/changelog)
  configure_file(${CPACK_CULLET_LICENSE} ${documents}/copyright COPYONLY)
  file(GLOB pages ${root}/man/man*/*)
  foreach(page IN LISTS pages)
    compress(${page})
  endforeach()
endforeach()

# Sets the dependencies of a component's programs and libraries. CPack could find them itself, but it would also add
# scripts that call ldconfig to the package of the library. A trigger calls ldconfig already, and because of the scripts
# dpkg would keep an entry of a removed package. The file shlibs says which package has this build's library.
set(work ${CPACK_TEMPORARY_DIRECTORY}/needs)
file(WRITE ${work}/debian/control "")
function(find_needs component) # <files, from the prefix>...
  list(TRANSFORM ARGN PREPEND ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX}/)
  file(GLOB files ${ARGN})
  if(files)
    string(TOUPPER ${component} upper)
    execute_process( # -x: a package does not depend on itself
      COMMAND dpkg-shlibdeps -O -x${CPACK_DEBIAN_${upper}_PACKAGE_NAME} -l${CPACK_CULLET_BINARY_DIR}
        -L${CPACK_CULLET_CONTROLS}/shlibs ${files}
      WORKING_DIRECTORY ${work} OUTPUT_VARIABLE needs ERROR_VARIABLE errors RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "dpkg-shlibdeps: ${errors}")
    endif()
    string(REGEX REPLACE "^.*Depends=|\n" "" needs "${needs}")
    set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${needs}" PARENT_SCOPE)
  endif()
endfunction()
find_needs(library lib/*/libcullet.so.* lib/*/libcullet_mesh.so.*)
find_needs(tools bin/* lib/*/cullet/lib*.so) # not the modules: each program decides which Bullet they need
