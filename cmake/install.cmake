# find_package(Touchstone) after `cmake --install`: one target per room and Touchstone::touchstone for all.
option(TOUCHSTONE_INSTALL "make install rules" ${PROJECT_IS_TOP_LEVEL})
include(CMakePackageConfigHelpers)

# Whoever wants the whole house links this; the program holds the plain name `touchstone`.
add_library(touchstone_all INTERFACE)
add_library(Touchstone::touchstone ALIAS touchstone_all)
set_target_properties(touchstone_all PROPERTIES EXPORT_NAME touchstone)
target_link_libraries(touchstone_all INTERFACE ${TOUCHSTONE_ROOMS})

if(NOT TOUCHSTONE_INSTALL)
  return()
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Touchstone)
install(TARGETS touchstone_all ${TOUCHSTONE_ROOMS} EXPORT TouchstoneTargets FILE_SET HEADERS)
install(EXPORT TouchstoneTargets NAMESPACE Touchstone:: DESTINATION ${package_dir})
if(TARGET touchstone)
  install(TARGETS touchstone RUNTIME)
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/TouchstoneConfig.cmake.in
  ${PROJECT_BINARY_DIR}/TouchstoneConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a new minor version may change what a door says.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TouchstoneConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TouchstoneConfig.cmake
              ${PROJECT_BINARY_DIR}/TouchstoneConfigVersion.cmake DESTINATION ${package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/touchstone)
# The viewer's page, where it could be built, and the script that draws plots.
install(FILES ${PROJECT_BINARY_DIR}/viewer/index.html DESTINATION ${CMAKE_INSTALL_DATADIR}/touchstone/viewer OPTIONAL)
install(FILES ${PROJECT_SOURCE_DIR}/viewer/plot_recording.py DESTINATION ${CMAKE_INSTALL_DATADIR}/touchstone/viewer)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/tools/plot_study.py DESTINATION ${CMAKE_INSTALL_DATADIR}/touchstone)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
