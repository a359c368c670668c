//===- attn-opt.cpp - mlir-opt with everything registered -----------------===//
#include "attn/Pipelines/Registration.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::attn::registerEveryDialect(registry);
  mlir::attn::registerEveryPass();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "attn-mlir optimizer driver\n", registry));
}
