# What `cmake --install` puts down: the command, both libraries, the header, a pkg-config file and a CMake
# package. Everything is found relative to where it lies, so an installed tree can be moved.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tenure)
install(TARGETS tenure RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS tenure_shared EXPORT tenureTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS tenure_static EXPORT tenureStaticTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/facts DESTINATION ${CMAKE_INSTALL_DATADIR}/tenure)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tenure DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
        FILES_MATCHING PATTERN "*.h")

# find_package(tenure): tenure::tenure, and tenure::tenure_static where its libraries are found too. The OpenCL
# runtime adds tenure::cl.
foreach(set tenureTargets tenureStaticTargets)
  install(EXPORT ${set} NAMESPACE tenure:: DESTINATION ${package_dir} COMPONENT development)
endforeach()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tenureConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/tenureConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may break what is not marked stable.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tenureConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tenureConfig.cmake ${PROJECT_BINARY_DIR}/tenureConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT development)

# pkg-config: the way from the .pc file back to the prefix.
file(RELATIVE_PATH to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${CMAKE_CURRENT_LIST_DIR}/tenure.pc.in ${PROJECT_BINARY_DIR}/tenure.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tenure.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# `cmake --build . --target uninstall` takes away what the last install put down. A parent project may have
# a target of that name.
if(NOT TARGET uninstall)
  add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_LIST_DIR}/TenureUninstall.cmake
                    WORKING_DIRECTORY ${PROJECT_BINARY_DIR} VERBATIM)
endif()
