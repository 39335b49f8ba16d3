# The program behind tools/make_solvers_doc: every solver against every problem.
add_executable(solver_table ${CMAKE_CURRENT_LIST_DIR}/solver_table.cpp)
target_link_libraries(solver_table PRIVATE touchstone_test_support)
