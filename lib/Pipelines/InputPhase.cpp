//===- InputPhase.cpp - what the recogniser reads ------------------------===//
#include "Phases.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::attn;

/// input: matchers see linalg only, in one function.
void mlir::attn::addInputPhase(OpPassManager &pm) {
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  tosa::addTosaToLinalgPasses(pm, TosaToLinalgOptions(),
                              TosaToLinalgNamedOptions(), std::nullopt);
  OpPassManager &function = pm.nest<func::FuncOp>();
  TosaToArithPassOptions toArith;
  toArith.includeApplyRescale = true;
  function.addPass(createTosaToArithPass(toArith));
  function.addPass(createTosaToTensorPass());
  function.addPass(createTosaToSCFPass());
}
