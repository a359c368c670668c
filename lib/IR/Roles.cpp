//===- Roles.cpp - what the dims of an attention are ----------------------===//
#include "attn/IR/Roles.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::attn;

StringRef mlir::attn::stringify(Role role) {
  switch (role) {
  case Role::Batch:
    return "batch";
  case Role::Row:
    return "row";
  case Role::Key:
    return "key";
  case Role::Depth:
    return "depth";
  case Role::Value:
    return "value";
  case Role::None:
    break;
  }
  return "no role";
}

SmallVector<unsigned> Roles::setDims() const {
  SmallVector<unsigned> dims;
  for (auto [dim, role] : llvm::enumerate(ofDim))
    if (role == Role::Batch || role == Role::Row || role == Role::Key)
      dims.push_back(dim);
  return dims;
}

Roles mlir::attn::inferRoles(AffineMap query, AffineMap key, AffineMap value,
                             AffineMap output) {
  enum : unsigned { Q = 1, K = 2, V = 4, O = 8 };
  Roles roles;
  auto indexes = [](AffineMap map, unsigned dim) {
    return dim < map.getNumDims() && map.isFunctionOfDim(dim);
  };
  auto add = [&](unsigned dim, Role role, SmallVectorImpl<unsigned> &dims) {
    dims.push_back(dim);
    return role;
  };
  for (unsigned dim = 0; dim < output.getNumDims(); ++dim) {
    unsigned incidence =
        (indexes(query, dim) ? Q : 0) | (indexes(key, dim) ? K : 0) |
        (indexes(value, dim) ? V : 0) | (indexes(output, dim) ? O : 0);
    Role role = Role::None;
    switch (incidence) {
    case Q | O:
      role = add(dim, Role::Row, roles.row);
      break;
    case K | V:
      role = add(dim, Role::Key, roles.key);
      break;
    case Q | K:
      role = add(dim, Role::Depth, roles.depth);
      break;
    case V | O:
      role = add(dim, Role::Value, roles.value);
      break;
    case Q | K | V | O:
    case K | V | O:
    case Q | K | O:
    case Q | V | O:
    case K | O:
      role = add(dim, Role::Batch, roles.batch);
      break;
    default:
      break;
    }
    roles.ofDim.push_back(role);
  }
  return roles;
}

Roles mlir::attn::inferRoles(ScoreOpInterface op) {
  // Q, K and V come first; the output's map follows those of the inputs.
  SmallVector<AffineMap> maps = op.getMapArray();
  AffineMap output = cast<IndexedOpInterface>(op.getOperation())
                         .getMapOf(op.getOutputOperand());
  if (output && maps.size() >= 3)
    return inferRoles(maps[0], maps[1], maps[2], output);
  return {};
}

SmallVector<unsigned> mlir::attn::stateDims(const Roles &roles) {
  SmallVector<unsigned> dims;
  for (auto [dim, role] : llvm::enumerate(roles.ofDim))
    if (role == Role::Batch || role == Role::Row)
      dims.push_back(dim);
  return dims;
}

FloatType mlir::attn::accumulateType(ScoreOpInterface op) {
  for (Value operand : {op.getQuery(), op.getKey(), op.getValue()})
    if (getElementTypeOrSelf(operand).isF64())
      return Float64Type::get(op.getContext());
  return Float32Type::get(op.getContext());
}

/// Calls `visit(dim, operand, position)` for each operand dim that is a plain
/// iteration dim.
static void visitDims(IndexedOpInterface op,
                      function_ref<void(unsigned, Value, unsigned)> visit) {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMapOf(operand);
    if (!map || !isa<ShapedType>(operand.get().getType()))
      continue;
    for (auto [position, expr] : llvm::enumerate(map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        visit(dim.getPosition(), operand.get(), position);
  }
}

SmallVector<int64_t> mlir::attn::staticSizes(IndexedOpInterface op) {
  SmallVector<int64_t> sizes(op.getNumLoops(), ShapedType::kDynamic);
  visitDims(op, [&](unsigned dim, Value operand, unsigned position) {
    int64_t size = cast<ShapedType>(operand.getType()).getDimSize(position);
    if (!ShapedType::isDynamic(size))
      sizes[dim] = size;
  });
  return sizes;
}

SmallVector<OpFoldResult> mlir::attn::iterationSizes(OpBuilder &b,
                                                     IndexedOpInterface op) {
  SmallVector<OpFoldResult> sizes(op.getNumLoops());
  for (auto [dim, size] : llvm::enumerate(staticSizes(op)))
    if (!ShapedType::isDynamic(size))
      sizes[dim] = b.getIndexAttr(size);
  visitDims(op, [&](unsigned dim, Value operand, unsigned position) {
    if (!sizes[dim])
      sizes[dim] = linalg::createFoldedDimOp(b, op.getLoc(), operand, position);
  });
  return sizes;
}

Position mlir::attn::getPosition(OpBuilder &b, ScoreOpInterface op) {
  Position position{op.getMixedOrigin(), op.getMixedExtents()};
  auto indexed = cast<IndexedOpInterface>(op.getOperation());
  if (position.origin.empty())
    position.origin.assign(indexed.getNumLoops(), b.getIndexAttr(0));
  if (position.extents.empty())
    position.extents = iterationSizes(b, indexed);
  return position;
}

bool mlir::attn::dependsOnPosition(ScoreOpInterface op) {
  if (op.getVisibleAttr())
    return true;
  return op.getScoreRegion()
      .walk([](Operation *inner) {
        return isa<IndexOp, KeepOp>(inner) ? WalkResult::interrupt()
                                           : WalkResult::advance();
      })
      .wasInterrupted();
}

bool mlir::attn::hasIdentityScore(ScoreOpInterface op) {
  if (op.getScoreRegion().empty() || op.getScoreRegion().front().empty())
    return false;
  Block &block = op.getScoreRegion().front();
  auto yield = dyn_cast<YieldOp>(block.front());
  return yield && block.getNumArguments() && !yield.getWeight() &&
         yield.getScore() == block.getArgument(0);
}
