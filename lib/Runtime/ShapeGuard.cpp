//===- ShapeGuard.cpp - do arrays of dynamic shape fit together? ----------===//
#include "attn/Runtime/ShapeGuard.h"
#include "attn/IR/Roles.h"
#include "attn/Pipelines/Pipelines.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
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

/// Asserts what constraint C7 (M1, F1) of attn ops leaves to run time: operands
/// that a dim indexes agree on its size, and others are as large as is read of
/// them.
static void assertSizes(IndexedOpInterface op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  std::string where;
  llvm::raw_string_ostream(where) << loc;
  auto require = [&](arith::CmpIPredicate predicate, Value size, Value want,
                     unsigned operand) {
    Value holds = arith::CmpIOp::create(b, loc, predicate, size, want);
    std::string text = "ERROR: Runtime op verification failed\n" +
                       op->getName().getStringRef().str() + "\n^ C7: operand " +
                       std::to_string(operand) +
                       " does not have the size that another operand gives "
                       "its dim\nLocation: " +
                       where;
    cf::AssertOp::create(b, loc, holds, text);
  };
  SmallVector<Value> sizes;
  for (OpFoldResult size : iterationSizes(b, op))
    sizes.push_back(getValueOrCreateConstantIndexOp(b, loc, size));
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMapOf(operand);
    if (!map || !isa<RankedTensorType>(operand.get().getType()))
      continue;
    for (auto [i, expr] : llvm::enumerate(map.getResults())) {
      Value size = tensor::DimOp::create(b, loc, operand.get(), i);
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (dim) {
        require(arith::CmpIPredicate::eq, size, sizes[dim.getPosition()],
                operand.getOperandNumber());
        continue;
      }
      auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
      Value needed = arith::ConstantIndexOp::create(b, loc, 1);
      if (binary) {
        Value whole = sizes[cast<AffineDimExpr>(binary.getLHS()).getPosition()];
        int64_t divisor = cast<AffineConstantExpr>(binary.getRHS()).getValue();
        Value by = arith::ConstantIndexOp::create(b, loc, divisor);
        needed =
            binary.getKind() == AffineExprKind::Mod
                ? arith::MinSIOp::create(b, loc, whole, by).getResult()
                : arith::CeilDivSIOp::create(b, loc, whole, by).getResult();
      }
      require(arith::CmpIPredicate::sge, size, needed,
              operand.getOperandNumber());
    }
  }
}

static LogicalResult buildGuard(ModuleOp module, const EntryPoint &entry) {
  if (failed(runCompilerPipeline(module, std::nullopt, Phase::Input, {})))
    return failure();
  module.getContext()->loadDialect<cf::ControlFlowDialect>();
  module.walk([](IndexedOpInterface op) { assertSizes(op); });
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
