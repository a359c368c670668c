//===- Tolerance.cpp - how well results can agree -------------------------===//
#include "attn/Runtime/Tolerance.h"
#include "attn/Runtime/Compare.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;
using ::attn::DType;

/// 0 for what is no float. Types of other widths count as the next coarser one.
static double toleranceOf(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  if (!element)
    return 0;
  unsigned digits = element.getFPMantissaWidth();
  return getDefaultTolerance(digits >= 53   ? DType::F64
                             : digits >= 24 ? DType::F32
                             : digits >= 11 ? DType::F16
                                            : DType::BF16);
}

namespace {
/// The widest tolerance of what values are computed from.
class Path {
public:
  double of(Value root) {
    widest = toleranceOf(root.getType());
    reach(root);
    while (!work.empty()) {
      Operation *op = work.pop_back_val();
      // A branch may depend on any of them, a callee on anything in it.
      op->walk([&](Operation *inner) {
        note(inner->getResultTypes());
        for (Region &region : inner->getRegions())
          for (Block &block : region)
            note(block.getArgumentTypes());
        for (Value operand : inner->getOperands())
          reach(operand);
        if (auto call = dyn_cast<func::CallOp>(inner))
          if (auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                  call, call.getCalleeAttr()))
            enter(callee);
      });
    }
    return widest;
  }

private:
  void note(TypeRange types) {
    for (Type type : types)
      widest = std::max(widest, toleranceOf(type));
  }
  void enter(Operation *op) {
    if (seen.insert(op).second)
      work.push_back(op);
  }
  void reach(Value value) {
    note(value.getType());
    if (Operation *op = value.getDefiningOp())
      enter(op);
    else if (Block *block = cast<BlockArgument>(value).getOwner();
             !isa<func::FuncOp>(block->getParentOp()) || !block->isEntryBlock())
      enter(block->getParentOp());
  }

  double widest = 0;
  DenseSet<Operation *> seen;
  SmallVector<Operation *> work;
};
} // namespace

std::vector<double> mlir::attn::tolerancesOfResults(func::FuncOp function) {
  std::vector<double> result(function.getNumResults(), 0);
  function.walk([&](func::ReturnOp exit) {
    for (auto [i, value] : llvm::enumerate(exit.getOperands()))
      if (isa<FloatType>(getElementTypeOrSelf(value.getType())))
        result[i] = std::max(result[i], Path().of(value));
  });
  return result;
}
