# Runs an example and compares what it prints with what is written down. An example that no longer fits on a
# screen is no example.
#     cmake -D PROGRAM=<program, or script> [-D INTERPRETER=<of the script>] -D SOURCE=<its source>
#           -D EXPECTED=<what it prints> -P run_example.cmake
set(line_limit 30)
if(SOURCE MATCHES "own_contact_model")
  set(line_limit 65)  # a contact model of 40 lines, and a world to show it
endif()
file(READ ${SOURCE} text)
string(REGEX MATCHALL "\n" line_ends "${text}")
list(LENGTH line_ends length)
if(length GREATER line_limit)
  message(FATAL_ERROR "${SOURCE} has ${length} lines; at most ${line_limit} are allowed")
endif()

execute_process(COMMAND ${INTERPRETER} ${PROGRAM} RESULT_VARIABLE result OUTPUT_VARIABLE printed)
file(READ ${EXPECTED} expected)
if(NOT result EQUAL 0 OR NOT printed STREQUAL expected)
  message(FATAL_ERROR "${PROGRAM} ended with ${result} and printed\n${printed}expected was\n${expected}")
endif()
