//===- JointRewrite.cpp - attention and attention_backward ----------------===//
#include "Joint.h"
#include "Layout.h"
#include "Operand.h"
#include "Rewrite.h"
#include "attn/IR/RowReference.h"
#include "attn/IR/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

static const JointResult *resultOf(const JointMatch &match, MemberKind kind) {
  for (const JointResult &result : match.results)
    if (result.kind == kind)
      return &result;
  return nullptr;
}

/// The last op of the block that a value depends on directly, or null.
static Operation *definingIn(Block *block, Value value) {
  Operation *def = value.getDefiningOp();
  return def ? block->findAncestorOpInBlock(*def) : nullptr;
}

/// Where both ops can be written: behind all operands and before the first use
/// of what they replace. The attention alone goes before its own result.
static Operation *insertionPoint(Operation *first, ArrayRef<Value> operands) {
  Operation *point = first;
  for (Value value : operands)
    if (Operation *def = definingIn(first->getBlock(), value))
      if (!def->isBeforeInBlock(point))
        point = def->getNextNode();
  return point;
}

static SmallVector<Value> gradientOperands(JointMatch &match) {
  SetVector<Node *> leaves;
  SmallVector<Value> operands;
  collectLeaves(match.forward.view, match.outputGrad, leaves);
  for (Node *leaf : leaves)
    operands.push_back(
        bestReading(match.forward.view.getSpace(), leaf, true)->tensor);
  return operands;
}

static Operation *earliest(ArrayRef<Operation *> ops) {
  Operation *first = ops.front();
  for (Operation *op : ops)
    if (op->isBeforeInBlock(first))
      first = op;
  return first;
}

namespace {
struct Places {
  Operation *attention, *backward;
};
} // namespace

static Places placesOf(JointMatch &match, const ScoreRegion &region) {
  SmallVector<Operation *> gradients;
  for (const JointResult &result : match.results)
    if (result.kind != MemberKind::Output)
      gradients.push_back(result.root.getDefiningOp());
  SmallVector<Value> operands = operandsOf(match.forward, region);
  Places places;
  const JointResult *output = resultOf(match, MemberKind::Output);
  places.attention = insertionPoint(
      output ? output->root.getDefiningOp() : earliest(gradients), operands);
  llvm::append_range(operands, gradientOperands(match));
  places.backward = insertionPoint(earliest(gradients), operands);
  if (places.backward->isBeforeInBlock(places.attention))
    places.backward = places.attention;
  return places;
}

bool mlir::attn::checkJointUses(JointMatch &match, const ScoreRegion &region) {
  SmallVector<Operation *> roots;
  for (const JointResult &result : match.results)
    roots.push_back(result.root.getDefiningOp());
  SmallVector<Value> kept = operandsOf(match.forward, region);
  llvm::append_range(kept, gradientOperands(match));
  Block *block = roots.front()->getBlock();
  for (Operation *root : roots)
    if (root->getBlock() != block)
      return match.forward.fail(Obligation::NoOtherUse,
                                "the gradients are computed in several blocks");
  if (!checkNoOtherUse(match.forward, roots, kept))
    return false;
  Places places = placesOf(match, region);
  for (const JointResult &result : match.results) {
    Operation *place =
        result.kind == MemberKind::Output ? places.attention : places.backward;
    for (Operation *user : result.root.getUsers()) {
      Operation *ancestor = block->findAncestorOpInBlock(*user);
      if (!ancestor || ancestor->isBeforeInBlock(place))
        return match.forward.fail(
            Obligation::JointPlace,
            "a gradient or the output is used before all operands are known");
    }
  }
  return true;
}

/// The operand's gradient in the shape of the tensor that it replaces.
static Value inShapeOf(JointMatch &match, OperandWriter &writer,
                       const JointResult &result, const TensorOverLoops &grad) {
  SmallVector<Atom> units, appended, order;
  for (Atom atom : grad.loops)
    if (isUnitLoop(atom))
      units.push_back(atom);
  OperandWriter::Groups groups =
      writer.groupsOf({result.root, result.rootIndices}, units, appended);
  for (const SmallVector<Atom> &group : groups)
    llvm::append_range(order, group);
  llvm::append_range(order, appended);
  Value value = writer.transpose(grad, order);
  return writer.write(value, cast<RankedTensorType>(result.root.getType()),
                      groups, appended);
}

void mlir::attn::rewriteJoint(JointMatch &match, ScoreRegion &region,
                              DenseSet<Operation *> &erased) {
  Match &forward = match.forward;
  Places places = placesOf(match, region);
  OpBuilder builder(places.attention);
  Location loc = places.attention->getLoc();
  OperandWriter writer(forward.view, builder, loc, iterationSpace(forward));

  // O's own loops, in the order of its tensor if there is one.
  const JointResult *output = resultOf(match, MemberKind::Output);
  SmallVector<Atom> loops, appended;
  OperandWriter::Groups groups;
  if (output) {
    forward.root = output->root;
    groups =
        writer.groupsOf({output->root, output->rootIndices},
                        unitLoops({forward.row, forward.value_}), appended);
    for (const SmallVector<Atom> &group : groups)
      llvm::append_range(loops, group);
    llvm::append_range(loops, appended);
  } else {
    for (ArrayRef<Atom> atoms :
         {ArrayRef<Atom>(forward.batch), ArrayRef<Atom>(forward.row),
          ArrayRef<Atom>(forward.value_)})
      llvm::append_range(loops, atoms);
  }
  SmallVector<int64_t> differentiated = match.differentiatedExtras();
  WrittenAttention written =
      writeAttention(forward, region, builder, loc, writer, loops,
                     /*withLse=*/true, differentiated);
  SmallVector<std::pair<Value, Value>> replaced;
  if (output)
    replaced.push_back({output->root, writer.write(written.op->getResult(0),
                                                   cast<RankedTensorType>(
                                                       output->root.getType()),
                                                   groups, appended)});

  builder.setInsertionPoint(places.backward);
  TensorOverLoops outputGrad = writer.operand(
      match.outputGrad, unitLoops({forward.row, forward.value_}));
  Value dO = writer.transpose(outputGrad, loops);
  // The operands in the order of the gradients, and what they replace.
  SmallVector<std::pair<const TensorOverLoops *, SmallVector<JointResult>>>
      operands;
  auto operand = [&](const TensorOverLoops &tensor, MemberKind kind,
                     int64_t extra = 0) {
    operands.push_back({&tensor, {}});
    for (const JointResult &result : match.results)
      if (result.kind == kind && result.extra == extra)
        operands.back().second.push_back(result);
  };
  operand(written.query, MemberKind::QueryGrad);
  operand(written.key, MemberKind::KeyGrad);
  operand(written.value, MemberKind::ValueGrad);
  for (int64_t extra : differentiated)
    operand(written.extras[extra], MemberKind::ExtraGrad, extra);
  SmallVector<Value> outs;
  for (const auto &[tensor, gradients] : operands)
    outs.push_back(writer.destination(
        tensor->loops, *tensor,
        getElementTypeOrSelf(gradients.empty() ? tensor->tensor
                                               : gradients.front().root)));
  ReferredAttention source{written.op, written.op.getResult(1)};
  // What is recognised is whole and has no `blocks`: its mask can move.
  if (mayLoseLogSum(source.attention))
    if (FailureOr<ReferredAttention> referred =
            referToRows(builder, source.attention, source.lse);
        succeeded(referred))
      source = *referred;
  AttentionBackwardOp backward =
      createBackward(builder, source.attention, written.op->getResult(0),
                     source.lse, dO, Value(), differentiated, outs);
  for (auto [i, entry] : llvm::enumerate(operands))
    for (const JointResult &result : entry.second)
      replaced.push_back({result.root, inShapeOf(match, writer, result,
                                                 {backward->getResult(i),
                                                  entry.first->loops})});
  for (auto [root, value] : replaced)
    root.replaceAllUsesWith(value);
  for (const JointResult &result : match.results)
    if (Operation *op = result.root.getDefiningOp(); !erased.contains(op))
      eraseDead(op, erased);
}
