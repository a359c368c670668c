//===- Scratch.cpp - buffers that outlive the op they serve ---------------===//
#include "Scratch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::attn;

static bool isSequential(Operation *op) {
  return isa<scf::ForOp, scf::IfOp>(op);
}

Block *mlir::attn::parallelBlock(Operation *op) {
  while (isSequential(op->getParentOp()))
    op = op->getParentOp();
  return op->getBlock();
}

Value ScratchPool::get(Operation *user, MemRefType type, const Twine &purpose) {
  Block *block = parallelBlock(user);
  std::string key;
  llvm::raw_string_ostream(key) << purpose << ' ' << type;
  Value &buffer = buffers[block][key];
  if (!buffer) {
    Emit b(user->getLoc(), user->getContext());
    b.setInsertionPointToStart(block);
    buffer = memref::AllocOp::create(b, type, b.getI64IntegerAttr(64));
    b.setInsertionPoint(block->getTerminator());
    memref::DeallocOp::create(b, buffer);
  }
  return buffer;
}

/// The buffer that a view is of.
static Value rootOf(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

/// Could an op in `block`, at any depth, write to the buffer `root`?
static bool mayWrite(Block *block, Value root) {
  WalkResult result = block->walk([&](Operation *op) {
    if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return WalkResult::advance(); // its ops are visited
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    if (!interface)
      return isMemoryEffectFree(op) || op->hasTrait<OpTrait::IsTerminator>()
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects)
      if (isa<MemoryEffects::Write>(effect.getEffect()) &&
          (!effect.getValue() || rootOf(effect.getValue()) == root))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

Operation *mlir::attn::hoistPoint(Operation *op, Value value) {
  Value root = rootOf(value);
  Operation *point = op;
  while (true) {
    Operation *parent = point->getParentOp();
    if (!isSequential(parent) ||
        parent->isAncestor(value.getParentRegion()->getParentOp()) ||
        mayWrite(parent->getBlock(), root))
      return point;
    point = parent;
  }
}
