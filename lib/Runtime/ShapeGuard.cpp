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
  auto isDynamic = [](const EntryType &type) {
    return llvm::any_of(type.shape, ShapedType::isDynamic);
  };
  return llvm::any_of(entry.arguments, isDynamic) ||
         llvm::any_of(entry.results, isDynamic);
}

/// Replaces the results by their dynamic extents, or by nothing. Returns how
/// many there are.
static size_t replaceResults(func::FuncOp function, bool keepExtents) {
  auto terminator =
      cast<func::ReturnOp>(function.getBody().front().getTerminator());
  OpBuilder b(terminator);
  SmallVector<Value> extents;
  for (Value result : terminator.getOperands()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    for (int64_t dim = 0; keepExtents && type && dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        extents.push_back(
            tensor::DimOp::create(b, terminator.getLoc(), result, dim));
  }
  terminator.getOperandsMutable().assign(extents);
  function.setFunctionType(FunctionType::get(function.getContext(),
                                             function.getArgumentTypes(),
                                             ValueRange(extents).getTypes()));
  function.setResAttrsAttr(nullptr);
  return extents.size();
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

static FailureOr<size_t> buildGuard(ModuleOp module, const EntryPoint &entry,
                                    bool resultExtents) {
  if (failed(runCompilerPipeline(module, std::nullopt, Phase::Input, {})))
    return failure();
  module.getContext()->loadDialect<cf::ControlFlowDialect>();
  module.walk([](IndexedOpInterface op) { assertSizes(op); });
  PassManager verification(module.getContext());
  verification.addPass(createGenerateRuntimeVerificationPass());
  if (failed(verification.run(module)))
    return failure();
  auto function = module.lookupSymbol<func::FuncOp>(entry.name);
  size_t numExtents = replaceResults(function, resultExtents);
  for (auto other : module.getOps<func::FuncOp>())
    if (other != function)
      other.setPrivate();
  // Extents of what is computed become extents of arguments; then nothing needs
  // the computation, but for indices into it, which are verified where they
  // are.
  PassManager reduction(module.getContext());
  reduction.addPass(memref::createResolveRankedShapeTypeResultDimsPass());
  reduction.addPass(createCanonicalizerPass());
  reduction.addPass(createCSEPass());
  reduction.addPass(createSymbolDCEPass());
  if (failed(reduction.run(module)))
    return failure();
  return numExtents;
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

llvm::Error ShapeGuard::add(ModuleOp module, const EntryPoint &entry,
                            bool resultExtents) {
  FailureOr<size_t> extents = buildGuard(module, entry, resultExtents);
  if (failed(extents) || failed(runOraclePipeline(module)))
    return llvm::createStringError("cannot compile the guard of @" +
                                   entry.name);
  auto compiled = CompiledModule::create(module);
  if (!compiled)
    return compiled.takeError();
  auto function = (*compiled)->lookup(entry.name);
  if (!function)
    return function.takeError();
  if (resultExtents)
    numExtents = *extents;
  parts.push_back({std::move(*compiled), *function});
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<ShapeGuard>>
ShapeGuard::create(ModuleOp module, ModuleOp recognised,
                   const EntryPoint &entry) {
  auto guard = std::make_unique<ShapeGuard>();
  if (llvm::Error error = guard->add(module, entry, /*resultExtents=*/true))
    return error;
  if (recognised) {
    OwningOpRef<ModuleOp> copy(recognised.clone());
    if (llvm::Error error = guard->add(*copy, entry, /*resultExtents=*/false))
      return error;
  }
  return guard;
}

llvm::Expected<SmallVector<int64_t>>
ShapeGuard::run(ArrayRef<void *> fields) const {
  SmallVector<int64_t> extents(numExtents);
  for (const Part &part : parts) {
    SmallVector<void *, 64> pointers(fields);
    pointers.push_back(extents.data());
    if (llvm::Error error = callCompiled(part.function, pointers.data()))
      return explain(std::move(error));
  }
  return extents;
}

llvm::Error mlir::attn::checkShapes(ModuleOp module, const EntryPoint &entry,
                                    ArrayRef<::attn::Array> arguments) {
  if (!needsShapeGuard(entry))
    return llvm::Error::success();
  OwningOpRef<ModuleOp> copy(module.clone());
  ShapeGuard guard;
  if (llvm::Error error = guard.add(*copy, entry, /*resultExtents=*/false))
    return error;
  PreparedCall call(entry, arguments);
  return guard.run(call.getFields()).takeError();
}
