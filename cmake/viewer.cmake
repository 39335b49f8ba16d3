# The web page of `touchstone view`: vite makes one self-contained file of viewer/, build/viewer/index.html. It needs
# nodejs, npm and, once, the packages that npm downloads; where these cannot be had, all else is built all the same.
file(GLOB_RECURSE viewer_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/viewer/src/*)
list(APPEND viewer_sources ${PROJECT_SOURCE_DIR}/viewer/index.html ${PROJECT_SOURCE_DIR}/viewer/vite.config.js
  ${PROJECT_SOURCE_DIR}/viewer/package.json ${PROJECT_SOURCE_DIR}/viewer/package-lock.json)
set(viewer_page ${PROJECT_BINARY_DIR}/viewer/index.html)
add_custom_command(OUTPUT ${viewer_page}
  COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR}/viewer -D BUILD=${PROJECT_BINARY_DIR}/viewer
    -D TESTS=${TOUCHSTONE_TESTS} -P ${CMAKE_CURRENT_LIST_DIR}/build_viewer.cmake
  DEPENDS ${viewer_sources} ${CMAKE_CURRENT_LIST_DIR}/build_viewer.cmake
  COMMENT "Building the viewer's page" VERBATIM)
add_custom_target(viewer ALL DEPENDS ${viewer_page})
# What `export x.png` runs lies beside the program too.
configure_file(${PROJECT_SOURCE_DIR}/viewer/plot_recording.py ${PROJECT_BINARY_DIR}/viewer/plot_recording.py COPYONLY)
