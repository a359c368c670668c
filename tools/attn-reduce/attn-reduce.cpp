//===- attn-reduce.cpp - mlir-reduce that knows attn ----------------------===//
#include "attn/Pipelines/Parse.h"
#include "attn/Pipelines/Registration.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/SourceMgr.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::attn::registerEveryDialect(registry);
  mlir::attn::registerEveryPass();
  mlir::MLIRContext context(registry);
  // Upstream's main reads the file by itself: whatever of the command line is
  // one is looked at first.
  for (int i = 1; i < argc; ++i) {
    llvm::SourceMgr sources;
    mlir::SourceMgrDiagnosticHandler handler(sources, &context);
    if (auto file = llvm::MemoryBuffer::getFile(argv[i]);
        file && mlir::failed(mlir::attn::checkNesting(**file, &context)))
      return 1;
  }
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
