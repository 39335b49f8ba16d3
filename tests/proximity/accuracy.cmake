# The oracles and the sets of pairs, which several test programs use, and the long sweeps of the accuracy tests.
file(GLOB oracle_sources CONFIGURE_DEPENDS
  ${CMAKE_CURRENT_SOURCE_DIR}/oracles/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/support/*.cpp)
list(FILTER oracle_sources EXCLUDE REGEX "_test\\.cpp$")
find_package(Qhull REQUIRED)
add_library(touchstone_oracles STATIC ${oracle_sources})
target_link_libraries(touchstone_oracles
  PUBLIC touchstone_test_support touchstone_proximity GTest::gtest PRIVATE Qhull::qhull_r)
target_link_libraries(proximity_tests PRIVATE touchstone_oracles)
target_link_libraries(papers_tests PRIVATE touchstone_oracles)

file(GLOB oracle_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/oracles/*_test.cpp)
add_executable(oracles_tests ${oracle_tests})
target_link_libraries(oracles_tests PRIVATE touchstone_oracles GTest::gtest_main)
gtest_discover_tests(oracles_tests PROPERTIES TIMEOUT 300 DISCOVERY_TIMEOUT 60)

# 100 000 pairs per set instead of 10 000; one ctest entry each, so that all cores have work.
foreach(sweep IN ITEMS
    AccuracyInSpace.*/boxes AccuracyInSpace.*/boxes_yaw AccuracyInSpace.*/boxes_grid AccuracyInSpace.*/hulls50
    AccuracyInSpace.*/spheres200 AccuracyInThePlane.*/squares AccuracyInThePlane.*/squares_parallel
    AccuracyInThePlane.*/squares_grid AccuracyInThePlane.*/polygons50 AccuracyInThePlane.*/rounds200
    Accuracy.*Kiss*Plane Accuracy.*Kiss*Space Accuracy.*Scale*Plane Accuracy.*Scale*Space
    Accuracy.*Needles*Plane Accuracy.*Needles*Space)
  string(REGEX REPLACE "[.*/]+" "_" name ${sweep})
  add_test(NAME slow_${name} COMMAND proximity_tests --gtest_filter=*${sweep})
  set_tests_properties(slow_${name} PROPERTIES LABELS slow TIMEOUT 3600 ENVIRONMENT TOUCHSTONE_PAIRS=100000
    PASS_REGULAR_EXPRESSION "PASSED  . 1 test" FAIL_REGULAR_EXPRESSION "FAILED")
endforeach()
