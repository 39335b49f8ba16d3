# `view`, `export` and the page itself, as a user meets them. Where npm could not be reached there is no page: skipped.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
find_program(TOUCHSTONE_NODE NAMES node nodejs)
if(TOUCHSTONE_NODE)
  add_test(NAME viewer.store COMMAND ${TOUCHSTONE_NODE} ${CMAKE_CURRENT_LIST_DIR}/store_test.mjs)
  set_tests_properties(viewer.store PROPERTIES TIMEOUT ${patience})
endif()
if(TARGET touchstone)
  add_test(NAME viewer.commands
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/viewer_commands_test.py $<TARGET_FILE:touchstone>)
  add_test(NAME viewer.server
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/viewer_server_test.py $<TARGET_FILE:touchstone>)
  set_tests_properties(viewer.commands viewer.server PROPERTIES TIMEOUT ${patience})
  if(TOUCHSTONE_NODE)
    add_test(NAME viewer.page COMMAND ${TOUCHSTONE_NODE} ${CMAKE_CURRENT_LIST_DIR}/page_test.mjs
      $<TARGET_FILE:touchstone> ${PROJECT_BINARY_DIR}/viewer/project)
    set_tests_properties(viewer.page PROPERTIES TIMEOUT ${patience} SKIP_RETURN_CODE 77 PROCESSORS 2)
  endif()
endif()
