# Ten sets of polygons at each step size instead of three [Thesis 5.2.3].
add_test(NAME slow_PolygonBox COMMAND papers_tests --gtest_filter=PolygonBox.Leaves*)
set_tests_properties(slow_PolygonBox PROPERTIES LABELS slow TIMEOUT 3600 ENVIRONMENT TOUCHSTONE_SETS=10)
