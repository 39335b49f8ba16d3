# Installs a build tree into a folder of its own, moves that folder, and builds a consumer against it.
#   cmake -D BUILD=<build tree> -D CONSUMER=<this folder> -D WORK=<scratch> -D CONFIG=<build type>
#         -D COMPILER=<c++> -D FLAGS=<flags> -D PROGRAM=<name of the program> -D PYTHON=<interpreter>
#         -D PYTHON_DIR=<folder of the package, below the prefix> -P install_and_use.cmake
# COMPILER and FLAGS are those of the build tree: a sanitized library needs a sanitized consumer.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nended with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${WORK}/installed)
# The moved folder shows that no absolute path of the build was written into it.
file(RENAME ${WORK}/installed ${WORK}/moved)

run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build -D CMAKE_PREFIX_PATH=${WORK}/moved
    -D CMAKE_BUILD_TYPE=${CONFIG} -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${FLAGS})
run(${CMAKE_COMMAND} --build ${WORK}/build --config ${CONFIG} --parallel 2)
foreach(consumer IN ITEMS consumer consumer_of_one_room)
  run(${WORK}/build/${consumer})
  if(NOT output STREQUAL "gap 0.5 normal 1 0 0\n")
    message(FATAL_ERROR "${consumer} said: ${output}")
  endif()
endforeach()

file(GLOB_RECURSE files ${WORK}/moved/lib/cmake/*.cmake ${WORK}/moved/lib/*/cmake/*.cmake)
if(NOT files)
  message(FATAL_ERROR "no package files below ${WORK}/moved")
endif()
foreach(file IN LISTS files)
  file(READ ${file} text)
  string(FIND "${text}" "${BUILD}" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${file} names the build tree ${BUILD}")
  endif()
endforeach()

if(PROGRAM)
  run(${WORK}/moved/bin/${PROGRAM} --version)
endif()

# The Python package, moved as well, brings the named scenes with it.
if(PYTHON)
  set(code "import touchstone as ts\nsim = ts.Simulation('slide')\nsim.run_until(0.1)\nprint(sim.scene.file, ts.gap('box:1,1', 'box:1,1', [2, 0]))")
  run(${CMAKE_COMMAND} -E env PYTHONPATH=${WORK}/moved/${PYTHON_DIR} ${PYTHON} -c "${code}")
  if(NOT output STREQUAL "${WORK}/moved/share/touchstone/scenes/slide.yaml 1.0\n")
    message(FATAL_ERROR "the installed Python package said: ${output}")
  endif()
endif()
