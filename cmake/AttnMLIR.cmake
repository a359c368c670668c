# attn_add_library(NAME [MLIR] SOURCES a.cpp ... [DEPENDS AttnX ...])
#
# A static library of the project. MLIR: it includes MLIR headers, so it links
# the MLIR and LLVM dylibs, waits for the generated headers, and shares the one
# precompiled header that AttnIR owns. Without MLIR it links libLLVM alone (for
# llvm::json and ADT).
function(attn_add_library name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  add_library(AttnMLIR::${name} ALIAS ${name})
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:include>)
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS})
  if(ARG_MLIR)
    add_dependencies(${name} AttnIncGen)
    target_link_libraries(${name} PUBLIC MLIR LLVM)
    attn_use_pch(${name})
  else()
    target_link_libraries(${name} PUBLIC LLVM)
  endif()
  install(TARGETS ${name} EXPORT AttnMLIRTargets ARCHIVE DESTINATION lib)
endfunction()

# attn_add_tool(NAME [MLIR] SOURCES main.cpp ... [DEPENDS AttnX ...])
function(attn_add_tool name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} LLVM)
  if(ARG_MLIR)
    add_dependencies(${name} AttnIncGen)
    target_link_libraries(${name} PRIVATE MLIR)
    attn_use_pch(${name})
    export_executable_symbols_for_plugins(${name})
  endif()
  install(TARGETS ${name} RUNTIME DESTINATION bin)
  set_property(GLOBAL APPEND PROPERTY ATTN_TOOLS ${name})
endfunction()

# attn_add_unittest(NAME [MLIR] SOURCES ... [DEPENDS AttnX ...])
#
# A GoogleTest binary that ctest runs as NAME.
function(attn_add_unittest name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} LLVM GTest::gtest_main)
  if(ARG_MLIR)
    add_dependencies(${name} AttnIncGen)
    target_link_libraries(${name} PRIVATE MLIR)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_property(GLOBAL APPEND PROPERTY ATTN_UNITTESTS ${name})
endfunction()

# What is heavy and changes only with LLVM: precompiled once, used by every
# library and tool that includes MLIR.
set(ATTN_PCH_HEADERS
  <mlir/Dialect/Affine/IR/AffineOps.h>
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h>
  <mlir/Dialect/Bufferization/IR/Bufferization.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/Linalg/IR/Linalg.h>
  <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/MemRef/IR/MemRef.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h>
  <mlir/Dialect/Vector/IR/VectorOps.h>
  <mlir/IR/Remarks.h>
  <mlir/Interfaces/TilingInterface.h>
  <mlir/Pass/PassManager.h>
  <mlir/Transforms/DialectConversion.h>)

function(attn_use_pch name)
  if(NOT ATTN_ENABLE_PCH)
    return()
  endif()
  if(name STREQUAL AttnIR)
    target_precompile_headers(${name} PRIVATE ${ATTN_PCH_HEADERS})
  else()
    target_precompile_headers(${name} REUSE_FROM AttnIR)
  endif()
  # Without a time stamp the precompiled header is the same bytes in each build
  # tree, so ccache can serve what includes it from any of them.
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()
