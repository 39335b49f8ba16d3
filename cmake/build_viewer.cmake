# Builds the viewer's page in a copy of its sources, so that nothing is written beside them.
#   cmake -D SOURCE=<viewer/> -D BUILD=<build/viewer> -D TESTS=<with the tools of the tests too> -P build_viewer.cmake
# Ends without an error where nodejs, npm or npm's packages cannot be had: only `view` and `export x.html` miss it.
file(MAKE_DIRECTORY ${BUILD}/project)
file(WRITE ${BUILD}/build.log "")
file(COPY ${SOURCE}/index.html ${SOURCE}/vite.config.js ${SOURCE}/package.json ${SOURCE}/package-lock.json ${SOURCE}/.npmrc
  DESTINATION ${BUILD}/project)
file(REMOVE_RECURSE ${BUILD}/project/src)
file(COPY ${SOURCE}/src DESTINATION ${BUILD}/project)

function(give_up reason)
  file(APPEND ${BUILD}/build.log "${reason}\n")
  message(WARNING "The viewer's page is not built: ${reason}. `touchstone view` and `export x.html` will say so; "
    "all else works. Log: ${BUILD}/build.log")
endfunction()

# Sets `failed` where the command does not end with 0.
function(run what)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${BUILD}/project RESULT_VARIABLE result
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  file(APPEND ${BUILD}/build.log "${output}\n")
  if(NOT result EQUAL 0)
    give_up("${what} failed")
    set(failed TRUE PARENT_SCOPE)
  endif()
endfunction()

find_program(NODE NAMES node nodejs)
find_program(NPM npm)
if(NOT NODE OR NOT NPM)
  give_up("nodejs or npm is missing")
  return()
endif()

# The packages are fetched anew when the lock file is another one.
file(SHA256 ${SOURCE}/package-lock.json lock)
set(lock "${lock} ${TESTS}")
set(stamp ${BUILD}/project/node_modules/.touchstone-lock)
set(fetched "")
if(EXISTS ${stamp})
  file(READ ${stamp} fetched)
endif()
if(NOT fetched STREQUAL lock)
  set(omit --omit=dev)
  if(TESTS)
    set(omit "")
  endif()
  run("npm ci (no network, or its registry does not answer?)"
    ${NPM} ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 --fetch-timeout=60000 ${omit})
  if(failed)
    return()
  endif()
  file(WRITE ${stamp} "${lock}")
endif()

run("vite build" ${NODE} node_modules/vite/bin/vite.js build --outDir ${BUILD}/dist --emptyOutDir --logLevel warn)
if(NOT failed)
  file(COPY_FILE ${BUILD}/dist/index.html ${BUILD}/index.html)
endif()
