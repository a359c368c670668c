//===- ShapeGuard.cpp - do arrays of dynamic shape fit together? ----------===//
#include "attn/Runtime/ShapeGuard.h"
#include "attn/Pipelines/Pipelines.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::attn;

bool mlir::attn::needsShapeGuard(const EntryPoint &entry) {
  return llvm::any_of(entry.arguments, [](const EntryType &type) {
    return llvm::any_of(type.shape, ShapedType::isDynamic);
  });
}

static void dropResults(func::FuncOp function) {
  auto terminator =
      cast<func::ReturnOp>(function.getBody().front().getTerminator());
  terminator.getOperandsMutable().clear();
  function.setFunctionType(FunctionType::get(
      function.getContext(), function.getArgumentTypes(), TypeRange()));
  function.setResAttrsAttr(nullptr);
}

static LogicalResult buildGuard(ModuleOp module, const EntryPoint &entry) {
  if (failed(runCompilerPipeline(module, std::nullopt, Phase::Input, {})))
    return failure();
  PassManager verification(module.getContext());
  verification.addPass(createGenerateRuntimeVerificationPass());
  if (failed(verification.run(module)))
    return failure();
  auto function = module.lookupSymbol<func::FuncOp>(entry.name);
  dropResults(function);
  // Extents of what is computed become extents of arguments; then nothing needs
  // the computation, but for indices into it, which are verified where they
  // are.
  PassManager reduction(module.getContext());
  reduction.addPass(memref::createResolveRankedShapeTypeResultDimsPass());
  reduction.addPass(createCanonicalizerPass());
  reduction.addPass(createCSEPass());
  return reduction.run(module);
}

/// Upstream's message holds the op's text, a line "^ what is wrong" and a line
/// "Location: loc(...)".
static llvm::Error explain(llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n');
  std::string reason = text, location;
  for (StringRef line : lines) {
    if (line.consume_front("^ "))
      reason = line.str();
    if (line.consume_front("Location: loc(")) {
      location = line.drop_back(1).str();
      llvm::erase(location, '"');
      location += ": ";
    }
  }
  return llvm::createStringError(
      location + "the shapes of the arguments do not fit together: " + reason);
}

llvm::Error mlir::attn::checkShapes(ModuleOp module, const EntryPoint &entry,
                                    ArrayRef<::attn::Array> arguments) {
  if (failed(buildGuard(module, entry)) || failed(runOraclePipeline(module)))
    return llvm::createStringError("cannot compile the guard of @" +
                                   entry.name);
  auto compiled = CompiledModule::create(module);
  if (!compiled)
    return compiled.takeError();
  auto function = (*compiled)->lookup(entry.name);
  if (!function)
    return function.takeError();
  EntryPoint guard = entry;
  guard.results.clear();
  auto nothing = PreparedCall(guard, arguments).run(*function);
  if (!nothing)
    return explain(nothing.takeError());
  return llvm::Error::success();
}
