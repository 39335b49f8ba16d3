# The house itself is tested: its table, its documents, its examples, its headers, its installation.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
add_subdirectory(${PROJECT_SOURCE_DIR}/examples ${PROJECT_BINARY_DIR}/examples)

foreach(tool IN ITEMS check_layers check_docs check_headers compare_states campaign)
  add_test(NAME tools.${tool} COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/tools/${tool}_test.py)
  set_tests_properties(tools.${tool} PROPERTIES ENVIRONMENT CXX=${CMAKE_CXX_COMPILER})
endforeach()

add_test(NAME format COMMAND ${PROJECT_SOURCE_DIR}/tools/check_format)
set_tests_properties(format PROPERTIES SKIP_RETURN_CODE 77 LABELS sources)

if(TARGET touchstone)
  set(program --program $<TARGET_FILE:touchstone>)
  set(program_name $<TARGET_FILE_NAME:touchstone>)
endif()
if(TARGET _touchstone)
  set(python --python ${TOUCHSTONE_PYTHON_INTERPRETER} --modules ${PROJECT_BINARY_DIR}/python)
endif()
add_test(NAME docs COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/check_docs.py ${program} ${python})

# The reference of the doors can be made, and Doxygen finds no fault with their comments.
add_test(NAME api_doc COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/make_api_doc ${PROJECT_BINARY_DIR}/api)

# Every header compiles alone; one that was found good and has not changed since is not compiled again, nor one that the
# build compiles alone.
get_property(built GLOBAL PROPERTY touchstone_built_alone)
get_target_property(folders Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
list(APPEND folders ${HDF5_INCLUDE_DIRS})
list(TRANSFORM folders PREPEND -isystem)
add_test(NAME headers_compile_alone
  COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/check_headers.py
    --stamps ${PROJECT_BINARY_DIR}/headers.stamps ${built} ${CMAKE_CXX_COMPILER} -std=c++20 ${folders})

add_test(NAME install_and_use
  COMMAND ${CMAKE_COMMAND} -D BUILD=${PROJECT_BINARY_DIR} -D CONSUMER=${CMAKE_CURRENT_SOURCE_DIR}/consumer
    -D WORK=${PROJECT_BINARY_DIR}/consumer -D CONFIG=$<CONFIG> -D COMPILER=${CMAKE_CXX_COMPILER}
    -D FLAGS=${CMAKE_CXX_FLAGS} -D PROGRAM=${program_name}
    -D PYTHON=$<$<TARGET_EXISTS:_touchstone>:${TOUCHSTONE_PYTHON_INTERPRETER}> -D PYTHON_DIR=${TOUCHSTONE_PYTHON_DIR}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/consumer/install_and_use.cmake)
set_tests_properties(headers_compile_alone install_and_use PROPERTIES TIMEOUT ${patience})
set_tests_properties(headers_compile_alone PROPERTIES LABELS sources PROCESSORS 2)
