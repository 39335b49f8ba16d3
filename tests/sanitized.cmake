# The unit tests of the rooms that change most, with the address and undefined-behaviour sanitizers and with assertions,
# at -O1: the target sanitized_tests, the label sanitized. Only these rooms are instrumented; the rooms below them are
# those of the build, which saves nine tenths of the time. `./test --all` instruments every room (preset sanitized).
set(sanitized_rooms contact dynamics stepping)

add_library(sanitized_flags INTERFACE)
# With the address sanitizer Eigen would allocate in another way than in the rooms that are not instrumented.
target_compile_definitions(sanitized_flags INTERFACE EIGEN_MALLOC_ALREADY_ALIGNED=1)
target_compile_options(sanitized_flags INTERFACE -O1 -UNDEBUG -D_GLIBCXX_ASSERTIONS
  -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
target_link_options(sanitized_flags INTERFACE -fsanitize=address,undefined)
add_custom_target(sanitized_tests)

set(sanitized_libraries "")
foreach(room IN LISTS sanitized_rooms)
  get_target_property(sources touchstone_${room} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  add_library(sanitized_${room} STATIC EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(sanitized_${room} PRIVATE sanitized_flags touchstone_record)
  target_include_directories(sanitized_${room} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_precompile_headers(sanitized_${room} PRIVATE <Eigen/Core> <Eigen/Geometry> <algorithm> <string> <vector>)
  list(PREPEND sanitized_libraries sanitized_${room})
endforeach()

# Minutes with sanitizers, and paths through the code that the other tests take as well.
set(long_runs *ARandomDropOverlaps*:*FiveHundredRandomWorlds*:*ForAMinute*:Honesty*)
foreach(room IN LISTS sanitized_rooms)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${room}/*_test.cpp)
  add_executable(${room}_sanitized EXCLUDE_FROM_ALL ${sources})
  # The instrumented rooms come first: the linker takes each symbol where it finds it first.
  target_link_libraries(${room}_sanitized PRIVATE ${sanitized_libraries} sanitized_flags touchstone_test_support
    GTest::gtest_main)
  target_precompile_headers(${room}_sanitized PRIVATE <gtest/gtest.h> <Eigen/Core> <Eigen/Geometry> <vector>)
  add_dependencies(sanitized_tests ${room}_sanitized)
  add_test(NAME sanitized.${room} COMMAND ${room}_sanitized --gtest_brief=1 --gtest_filter=-${long_runs})
  set_tests_properties(sanitized.${room} PROPERTIES LABELS sanitized TIMEOUT ${patience})
endforeach()
