# The command line and the scripts at the top of the repository, as a user meets them.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
if(TARGET touchstone)
  add_test(NAME apps.command_line
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/command_line_test.py $<TARGET_FILE:touchstone>)
  add_test(NAME apps.solve
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/solve_command_test.py $<TARGET_FILE:touchstone>)
  set_tests_properties(apps.command_line apps.solve PROPERTIES TIMEOUT ${patience})
endif()
if(TARGET touchstone)
  add_test(NAME apps.compare
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/compare_command_test.py $<TARGET_FILE:touchstone>)
  set_tests_properties(apps.compare PROPERTIES TIMEOUT ${patience})
  add_test(NAME apps.run_command
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/run_command_test.py $<TARGET_FILE:touchstone>)
  set_tests_properties(apps.run_command PROPERTIES TIMEOUT ${patience})
  add_test(NAME apps.run_endings
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/run_endings_test.py $<TARGET_FILE:touchstone>)
  set_tests_properties(apps.run_endings PROPERTIES TIMEOUT ${patience})
  add_test(NAME apps.study
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/study_command_test.py $<TARGET_FILE:touchstone>)
  set_tests_properties(apps.study PROPERTIES TIMEOUT ${patience})
  add_test(NAME apps.everyday
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/everyday_test.py $<TARGET_FILE:touchstone>)
  set_tests_properties(apps.everyday PROPERTIES TIMEOUT ${patience})
  add_test(NAME apps.faults
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/faults_test.py $<TARGET_FILE:touchstone>)
  set_tests_properties(apps.faults PROPERTIES TIMEOUT ${patience})
  add_test(NAME apps.broken_scenes
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/broken_scenes_test.py $<TARGET_FILE:touchstone>)
  set_tests_properties(apps.broken_scenes PROPERTIES TIMEOUT ${patience})
endif()
if(TARGET touchstone)
  add_test(NAME valgrind
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/valgrind_test.py $<TARGET_FILE:touchstone>)
  # Skipped without valgrind, and under a sanitizer, which does not run in it.
  set_tests_properties(valgrind PROPERTIES TIMEOUT ${patience} SKIP_RETURN_CODE 77)
endif()
add_test(NAME apps.study_pictures COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/study_pictures_test.py)
add_test(NAME apps.set_up
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/set_up_test.py ${PROJECT_SOURCE_DIR})
set_tests_properties(apps.set_up PROPERTIES TIMEOUT ${patience})
if(TARGET touchstone)
  add_test(NAME tools.interrupt_runs
    COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/tools/interrupt_runs_test.py $<TARGET_FILE:touchstone>)
  set_tests_properties(tools.interrupt_runs PROPERTIES TIMEOUT ${patience})
endif()
