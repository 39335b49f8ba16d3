# peers_bench: Touchstone beside Bullet, ODE, MuJoCo and DART on the same scenes. Debian packages: libbullet-dev
# libode-dev libmujoco-dev libdart-dev. Left out, saying so, where one of them is missing.
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
add_executable(peers_bench ${peers_bench_sources} ${CMAKE_CURRENT_LIST_DIR}/proximity/table.cpp)
target_compile_definitions(peers_bench PRIVATE BT_USE_DOUBLE_PRECISION dIDEDOUBLE
  TOUCHSTONE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_include_directories(peers_bench SYSTEM PRIVATE ${BULLET_INCLUDE})
target_link_libraries(peers_bench PRIVATE touchstone_scene CLI11::CLI11
  ${BULLET_DYNAMICS} ${BULLET_COLLISION} ${BULLET_MATH} ${ODE_LIBRARY} ${MUJOCO_LIBRARY} dart)
