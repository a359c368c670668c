# cmake -DBUILD=.. -DSOURCE=.. -DWORK=.. -DCXX=.. -DMLIR_DIR=.. -P check.cmake
file(REMOVE_RECURSE ${WORK})
foreach(step IN ITEMS install configure build run)
  if(step STREQUAL install)
    set(command ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
  elseif(step STREQUAL configure)
    set(command ${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${WORK}/build
      -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${WORK}/prefix
      -DMLIR_DIR=${MLIR_DIR})
  elseif(step STREQUAL build)
    set(command ${CMAKE_COMMAND} --build ${WORK}/build)
  else()
    set(command ${WORK}/build/attn-mlir-user)
  endif()
  execute_process(COMMAND ${command} RESULT_VARIABLE result
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${step} failed (${result}):\n${output}")
  endif()
endforeach()
