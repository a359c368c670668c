//===- Structured.cpp - gradients of structured ops -----------------------===//
//
// A structured op that is elementwise, or sums over its reduction loops, is
//
//   y[f(i)] = init[f(i)] + sum over the loops that f lacks of body(x[g(i)],
//   ...)
//
// so its vector-Jacobian product is one of the same loops:
//
//   dx[g(i)] += d body / d x (...)  dy[f(i)],      d init = dy
//
//===----------------------------------------------------------------------===//
#include "Tape.h"
#include "attn/IR/ScoreDerivative.h"
#include "attn/IR/ScoreRegion.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
class StructuredGradient {
public:
  StructuredGradient(linalg::LinalgOp op, Tape &tape)
      : op(op), tape(tape), b(tape.builder()), loc(op->getLoc()),
        block(*op.getBlock()) {}

  LogicalResult run();

private:
  LogicalResult readResults();
  LogicalResult checkBody();
  LogicalResult gradientOf(OpOperand *input);

  linalg::LinalgOp op;
  Tape &tape;
  OpBuilder &b;
  Location loc;
  Block &block;
  SmallVector<Value> elements;   // of the body, one per result
  SmallVector<unsigned> results; // with a gradient
};
} // namespace

/// The value that each result is made of: what is yielded, or what is added to
/// the running sum.
LogicalResult StructuredGradient::readResults() {
  for (OpResult result : op->getResults()) {
    unsigned number = result.getResultNumber();
    Value yielded = block.getTerminator()->getOperand(number);
    OpOperand *init = op.getDpsInitOperand(number);
    bool sums = op.payloadUsesValueFromOperand(init);
    if (!sums && op.getNumReductionLoops() != 0)
      return noDerivative(op, "it keeps the last of several elements");
    if (sums) {
      BlockArgument running = op.getMatchingBlockArgument(init);
      auto add = yielded.getDefiningOp<arith::AddFOp>();
      if (!add || !running.hasOneUse() ||
          (add.getLhs() != running && add.getRhs() != running))
        return noDerivative(op, "it reduces by something other than a sum");
      yielded = add.getLhs() == running ? add.getRhs() : add.getLhs();
    }
    elements.push_back(yielded);
    Value grad = tape.grad(result);
    if (!grad)
      continue;
    results.push_back(number);
    if (sums)
      tape.add(loc, init->get(), grad);
  }
  return success();
}

/// Every op on the way from an active operand has a derivative; nothing active
/// is read past the operands.
LogicalResult StructuredGradient::checkBody() {
  llvm::SmallDenseSet<Value> reached;
  for (OpOperand *input : op.getDpsInputOperands())
    if (tape.isActive(input->get()))
      reached.insert(op.getMatchingBlockArgument(input));
  for (Operation &inner : block.without_terminator()) {
    bool touched = false;
    for (Value operand : inner.getOperands()) {
      touched |= reached.contains(operand);
      if (tape.isActive(operand))
        return noDerivative(&inner, "it reads a tensor past the operands of '" +
                                        op->getName().getStringRef() + "'");
    }
    if (!touched || llvm::none_of(inner.getResultTypes(), [](Type type) {
          return isa<FloatType>(type);
        }))
      continue;
    if (!hasDerivative(&inner))
      return noDerivative(&inner);
    reached.insert(inner.result_begin(), inner.result_end());
  }
  return success();
}

LogicalResult StructuredGradient::gradientOf(OpOperand *input) {
  auto type = dyn_cast<RankedTensorType>(input->get().getType());
  AffineMap map = op.getMatchingIndexingMap(input);
  if (!type || !map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return noDerivative(op, "it reads an operand through a map that is no "
                            "projected permutation");
  SmallVector<Value> ins;
  SmallVector<AffineMap> maps;
  for (OpOperand *other : op.getDpsInputOperands()) {
    ins.push_back(tape.copy(other->get()));
    maps.push_back(op.getMatchingIndexingMap(other));
  }
  for (unsigned number : results) {
    ins.push_back(tape.grad(op->getResult(number)));
    maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(number)));
  }
  maps.push_back(map);
  SmallVector<utils::IteratorType> iterators(op.getNumLoops(),
                                             utils::IteratorType::reduction);
  for (AffineExpr expr : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      iterators[dim.getPosition()] = utils::IteratorType::parallel;
  Type sum = sumType(type.getElementType());
  Value init = tape.zeros(loc, input->get(), sum);
  size_t inputs = op.getNumDpsInputs();
  auto generic = linalg::GenericOp::create(
      b, loc, TypeRange{init.getType()}, ins, ValueRange{init}, maps, iterators,
      [&](OpBuilder &n, Location at, ValueRange args) {
        IRMapping values;
        for (auto [i, other] : llvm::enumerate(op.getDpsInputOperands()))
          values.map(op.getMatchingBlockArgument(other), args[i]);
        block.walk([&](Operation *inner) {
          for (Value operand : inner->getOperands())
            if (operand.getParentBlock() != &block)
              values.map(operand, tape.copy(operand));
        });
        for (Operation &inner : block.without_terminator()) {
          // The running sum itself is not known here, and not needed.
          bool known = llvm::all_of(inner.getOperands(), [&](Value operand) {
            return values.contains(operand);
          });
          if (known)
            n.clone(inner, values);
        }
        SmallVector<std::pair<Value, Value>> seeds;
        for (auto [i, number] : llvm::enumerate(results))
          seeds.push_back({elements[number], args[inputs + i]});
        Value grad = emitBlockGradient(
            n, at, block, values,
            seeds)[op.getMatchingBlockArgument(input).getArgNumber()];
        Value total = args.back();
        if (grad)
          total = arith::AddFOp::create(n, at, total,
                                        convertFloat(n, at, grad, sum));
        linalg::YieldOp::create(n, at, total);
      });
  tape.add(loc, input->get(),
           tape.convert(loc, generic.getResult(0), type.getElementType()));
  return success();
}

LogicalResult StructuredGradient::run() {
  if (!op.hasPureTensorSemantics() || !isMemoryEffectFree(op))
    return noDerivative(op);
  if (failed(readResults()) || failed(checkBody()))
    return failure();
  if (results.empty())
    return success();
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!tape.isActive(input->get()))
      continue;
    if (!isa<RankedTensorType>(input->get().getType()))
      return noDerivative(op, "a scalar operand depends on the arguments");
    if (failed(gradientOf(input)))
      return failure();
  }
  return success();
}

LogicalResult mlir::attn::differentiateStructured(linalg::LinalgOp op,
                                                  Tape &tape) {
  return StructuredGradient(op, tape).run();
}
