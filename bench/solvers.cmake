# solver_bench: `auto` beside the solvers of Siconos 4.4, on the problems of the folder TOUCHSTONE_DATA. Debian package:
# libsiconos-numerics-dev. Run it with OPENBLAS_NUM_THREADS=1.
find_path(SICONOS_INCLUDE siconos/numerics/SiconosNumerics.h REQUIRED)
find_library(SICONOS_NUMERICS siconos_numerics REQUIRED)
find_library(SICONOS_EXTERNALS siconos_externals REQUIRED)

file(GLOB solver_bench_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/solvers/*.cpp)
add_executable(solver_bench ${solver_bench_sources} ${CMAKE_CURRENT_LIST_DIR}/proximity/table.cpp)
target_compile_definitions(solver_bench PRIVATE TOUCHSTONE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_include_directories(solver_bench SYSTEM PRIVATE
  ${SICONOS_INCLUDE} ${SICONOS_INCLUDE}/siconos ${SICONOS_INCLUDE}/siconos/numerics)
target_link_libraries(solver_bench PRIVATE
  touchstone_problems ${SICONOS_NUMERICS} ${SICONOS_EXTERNALS} CLI11::CLI11)
