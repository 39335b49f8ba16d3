# peers_bench: Touchstone beside Bullet, ODE, MuJoCo, DART and Siconos on the same scenes. Debian packages: libbullet-dev
# libode-dev libmujoco-dev libdart-dev. Left out, saying so, where one of them is missing. Siconos alone is left out
# where libsiconos-mechanics-dev is missing.
find_path(BULLET_INCLUDE btBulletCollisionCommon.h PATH_SUFFIXES bullet)
find_library(BULLET_DYNAMICS BulletDynamics-float64)
find_library(BULLET_COLLISION BulletCollision-float64)
find_library(BULLET_MATH LinearMath-float64)
find_library(ODE_LIBRARY ode)
find_library(MUJOCO_LIBRARY mujoco)
find_package(DART 6.12 QUIET)
if(NOT BULLET_DYNAMICS OR NOT ODE_LIBRARY OR NOT MUJOCO_LIBRARY OR NOT DART_FOUND)
  message(STATUS "peers_bench is left out: it needs libbullet-dev libode-dev libmujoco-dev libdart-dev")
  return()
endif()

file(GLOB peers_bench_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/peers/*.cpp)
list(FILTER peers_bench_sources EXCLUDE REGEX "siconos_peer")
add_executable(peers_bench ${peers_bench_sources} ${CMAKE_CURRENT_LIST_DIR}/proximity/table.cpp)
target_compile_definitions(peers_bench PRIVATE BT_USE_DOUBLE_PRECISION dIDEDOUBLE
  TOUCHSTONE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_include_directories(peers_bench SYSTEM PRIVATE ${BULLET_INCLUDE})
target_link_libraries(peers_bench PRIVATE touchstone_scene CLI11::CLI11
  ${BULLET_DYNAMICS} ${BULLET_COLLISION} ${BULLET_MATH} ${ODE_LIBRARY} ${MUJOCO_LIBRARY} dart)

# Siconos is a library of its own, loaded when the benchmark runs: peers/siconos_peer.cpp tells why.
find_path(SICONOS_INCLUDE siconos/numerics/SiconosNumerics.h)
find_library(SICONOS_NUMERICS siconos_numerics)
find_library(SICONOS_KERNEL siconos_kernel)
find_library(SICONOS_MECHANICS siconos_mechanics)
if(NOT SICONOS_INCLUDE OR NOT SICONOS_NUMERICS OR NOT SICONOS_KERNEL OR NOT SICONOS_MECHANICS)
  message(STATUS "peers_bench goes without Siconos: it needs libsiconos-mechanics-dev libsiconos-kernel-dev")
  return()
endif()
file(GLOB peers_siconos_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/peers/siconos/*.cpp)
add_library(peers_siconos MODULE ${peers_siconos_sources})
set_target_properties(peers_siconos PROPERTIES CXX_STANDARD 17)  # its headers do not compile as C++20
set(siconos ${SICONOS_INCLUDE}/siconos)
target_include_directories(peers_siconos SYSTEM PRIVATE
  ${siconos} ${siconos}/numerics ${siconos}/kernel ${siconos}/mechanics)
target_link_libraries(peers_siconos PRIVATE ${SICONOS_MECHANICS} ${SICONOS_KERNEL} ${SICONOS_NUMERICS})
target_sources(peers_bench PRIVATE ${CMAKE_CURRENT_LIST_DIR}/peers/siconos_peer.cpp)
target_compile_definitions(peers_bench PRIVATE TOUCHSTONE_SICONOS_LIBRARY="$<TARGET_FILE:peers_siconos>")
target_link_libraries(peers_bench PRIVATE ${CMAKE_DL_LIBS})
add_dependencies(peers_bench peers_siconos)
