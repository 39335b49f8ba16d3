# proximity_bench: Touchstone beside FCL, Bullet (double precision) and libccd, in one process and with the
# same flags. Debian packages: libfcl-dev libccd-dev libbullet-dev.
find_package(fcl REQUIRED)
find_package(ccd REQUIRED)
# Bullet's own CMake files know the single-precision libraries only.
find_path(BULLET_INCLUDE btBulletCollisionCommon.h PATH_SUFFIXES bullet REQUIRED)
find_library(BULLET_COLLISION BulletCollision-float64 REQUIRED)
find_library(BULLET_MATH LinearMath-float64 REQUIRED)

file(GLOB proximity_bench_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/proximity/*.cpp)
add_executable(proximity_bench ${proximity_bench_sources})
target_compile_definitions(proximity_bench PRIVATE BT_USE_DOUBLE_PRECISION)
target_include_directories(proximity_bench SYSTEM PRIVATE ${BULLET_INCLUDE})
target_link_libraries(proximity_bench PRIVATE
  touchstone_proximity fcl ccd ${BULLET_COLLISION} ${BULLET_MATH} CLI11::CLI11)
