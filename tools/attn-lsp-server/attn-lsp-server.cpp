//===- attn-lsp-server.cpp - mlir-lsp-server that knows attn --------------===//
#include "attn/Pipelines/Registration.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::attn::registerEveryDialect(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
