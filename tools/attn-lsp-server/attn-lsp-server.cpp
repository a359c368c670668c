//===- attn-lsp-server.cpp - mlir-lsp-server that knows attn --------------===//
#include "attn/Pipelines/Registration.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/thread.h"

/// Upstream's server reads and parses by itself, by recursion, whatever an
/// editor sends: it gets a stack for some hundred thousand levels of nesting.
/// Pages that are not touched cost nothing.
constexpr unsigned kStackBytes = 1u << 30;

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::attn::registerEveryDialect(registry);
  bool failed = true;
  llvm::thread server(std::optional<unsigned>(kStackBytes), [&] {
    failed = mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
  });
  server.join();
  return failed;
}
