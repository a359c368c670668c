//===- Optimize.cpp - LLVM's optimiser as the project uses it -------------===//
#include "attn/Runtime/Optimize.h"
#include "BFloat16Support.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

void mlir::attn::optimize(llvm::Module &module, llvm::TargetMachine &machine,
                          Unrolling unrolling) {
  addBFloat16Support(module, machine);
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = unrolling == Unrolling::Full;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}
