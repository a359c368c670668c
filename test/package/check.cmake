# cmake -DBUILD=.. -DSOURCE=.. -DWORK=.. -DMLIR_DIR=.. -DPYTHON=.. -P check.cmake
#
# Installs attn-mlir and builds the projects of docs/Integrate.md against it.
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
