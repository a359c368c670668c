# cmake -DBUILD=.. -DSOURCE=.. -DWORK=.. -DMLIR_DIR=.. -DPYTHON=.. -P check.cmake
#
# Installs attn-mlir, builds the projects of docs/Integrate.md and
# test/Integration/consumer against it, and runs lit tests on what was installed.
file(REMOVE_RECURSE ${WORK})
set(ENV{ATTN_BUILD} ${BUILD})
set(ENV{MLIR_DIR} ${MLIR_DIR})
execute_process(
  COMMAND ${PYTHON} ${SOURCE}/test/docs/run_page.py
    ${SOURCE}/docs/Integrate.md ${WORK} sh
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
message("${output}")
if(NOT result EQUAL 0)
  message(FATAL_ERROR "docs/Integrate.md failed (${result})")
endif()

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${what} failed (${result}):\n${output}")
  endif()
  message("${what}: done")
endfunction()

set(prefix ${WORK}/prefix)
# A copy: nothing of the repository lies beside it.
file(COPY ${SOURCE}/test/Integration/consumer DESTINATION ${WORK})
run("configuring the consumer" ${CMAKE_COMMAND} -G Ninja -S ${WORK}/consumer
  -B ${WORK}/consumer/build -DCMAKE_C_COMPILER=clang-22
  -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_PREFIX_PATH=${prefix}
  -DMLIR_DIR=${MLIR_DIR})
run("building the consumer" ${CMAKE_COMMAND} --build ${WORK}/consumer/build -j 2)
run("running the consumer" ${CMAKE_CTEST_COMMAND} --test-dir
  ${WORK}/consumer/build --output-on-failure --no-tests=error)

# Tools and plug-in where they were installed; all of test/ passes there too.
set(ENV{ATTN_PYTHON} ${PYTHON})
run("lit on the installed tools" ${LIT} -q --param build=${prefix}
  --param output=${WORK}/lit ${SOURCE}/test/IR ${SOURCE}/test/Pipelines
  ${SOURCE}/test/Integration/attn-opt.test ${SOURCE}/test/Integration/attn-compile.test
  ${SOURCE}/test/docs/use-the-opt-tool.test)
