//===- attn-plugin.cpp - dialect and passes for stock mlir-opt ------------===//
//
// mlir-opt-22 --load-dialect-plugin=AttnPlugin.so
// --load-pass-plugin=AttnPlugin.so
//   --pass-pipeline='builtin.module(attn-recognize)' FILE
//
// Passes of plug-ins are known to --pass-pipeline only, not as flags.
//
//===----------------------------------------------------------------------===//
#include "attn/IR/AttnDialect.h"
#include "attn/Pipelines/Registration.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "AttnPasses", LLVM_VERSION_STRING,
          [] { mlir::attn::registerOurPasses(); }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "AttnDialect", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            registry->insert<mlir::attn::AttnDialect>();
          }};
}
