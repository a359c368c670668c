# What `cmake --install` adds to the libraries and tools, which their own
# functions install: headers, .td and generated files, and the package files.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ ${PROJECT_BINARY_DIR}/include/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc"
  PATTERN "CMakeFiles" EXCLUDE)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/AttnMLIR)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/AttnMLIRConfig.cmake.in AttnMLIRConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(AttnMLIRConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/AttnMLIRConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/AttnMLIRConfigVersion.cmake
  DESTINATION ${package_dir})
install(EXPORT AttnMLIRTargets NAMESPACE AttnMLIR:: DESTINATION ${package_dir})
