// A compiler of someone else's: its own dialect beside attn, its own pass over
// attn's ops, in a pipeline that goes on with attn's phases.
#include "attn/IR/AttnDialect.h"
#include "attn/Pipelines/Parse.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Pipelines/Registration.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/SourceMgr.h"

#include "RingDialect.h.inc"
#define GET_OP_CLASSES
#include "Ring.h.inc"

#include "RingDialect.cpp.inc"
#define GET_OP_CLASSES
#include "Ring.cpp.inc"

void ring::RingDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "Ring.cpp.inc"
      >();
}

using namespace mlir;
using namespace mlir::attn;

namespace {
/// Notes each attention's tiling on an op of our own.
struct NotePass : PassWrapper<NotePass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NotePass)
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<ring::RingDialect, arith::ArithDialect>();
  }
  void runOnOperation() override {
    getOperation().walk([](AttentionOp op) {
      OpBuilder builder(op);
      Value rank = arith::ConstantIntOp::create(builder, op.getLoc(), 0, 32);
      auto note =
          ring::PassOp::create(builder, op.getLoc(), rank.getType(), rank,
                               op->getAttrOfType<TilingAttr>("tiling"));
      note->setAttr("kept", builder.getUnitAttr());
    });
  }
};
} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  DialectRegistry registry;
  registerEveryDialect(registry);
  registry.insert<ring::RingDialect>();
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseModuleFile(argv[1], sources, &context);
  if (!module)
    return 1;

  PipelineOptions options;
  options.tiling = "query_block=8,key_block=8";
  if (failed(setTarget(*module, "host")))
    return 1;
  PassManager passes(&context);
  buildCompilerPipeline(passes, std::nullopt, Phase::Attn, /*gpu=*/false,
                        options);
  passes.addNestedPass<func::FuncOp>(std::make_unique<NotePass>());
  if (failed(passes.run(*module)))
    return 1;
  unsigned notes = 0, loops = 0;
  module->walk([&](ring::PassOp op) { notes += bool(op.getTiling()); });
  PassManager rest(&context);
  buildCompilerPipeline(rest, Phase::Attn, Phase::Tiled, /*gpu=*/false,
                        options);
  if (failed(rest.run(*module)))
    return 1;
  module->walk([&](scf::ForallOp) { ++loops; });
  llvm::outs() << notes << " notes, " << loops << " loops\n";
  return notes != 1 || loops == 0;
}
