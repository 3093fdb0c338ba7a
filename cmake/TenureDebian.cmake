# Run by cpack on what is installed for each package: what Debian's policy wants otherwise than `cmake --install`
# leaves it. Completion lies where Debian's zsh looks, and manual pages and the changelog are compressed.
file(GLOB packages ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/doc/*/copyright)
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(copyright IN LISTS packages)
  get_filename_component(documents ${copyright} DIRECTORY)
  file(WRITE ${documents}/changelog
       "tenure (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
       "  * See CHANGELOG.md of the package tenure.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${now}\n")
endforeach()
file(GLOB_RECURSE texts ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/man/*.1
     ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/doc/*/changelog)
execute_process(COMMAND gzip -9n ${texts} COMMAND_ERROR_IS_FATAL ANY)
file(GLOB places ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/zsh)
foreach(place IN LISTS places)
  file(RENAME ${place}/site-functions ${place}/vendor-completions)
endforeach()
