# Run by CPack between what is installed and what is packed: adds what Debian wants to find in every package, its
# copyright and its changelog, and compresses its manual.
function(compress file)
  file(ARCHIVE_CREATE OUTPUT ${file}.gz PATHS ${file} FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
  file(REMOVE ${file})
endfunction()

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH where that is set
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
