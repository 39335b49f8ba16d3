# The long sweeps of the accuracy tests.
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
