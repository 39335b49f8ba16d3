# experiments_table: every experiment under every contact model; tools/make_experiments_doc runs it.
file(GLOB experiment_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/experiments/*.cpp)
add_executable(experiments_table ${experiment_sources})
target_link_libraries(experiments_table PRIVATE touchstone_scene CLI11::CLI11)
