//===- JointRewrite.cpp - attention and attention_backward ----------------===//
#include "Joint.h"
#include "Layout.h"
#include "Operand.h"
#include "Rewrite.h"
#include "attn/IR/RowReference.h"
#include "attn/IR/ScoreRegion.h"
#include "attn/IR/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
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

/// True for what the attention itself returns.
static bool isForward(const JointResult &result) {
  return result.kind == MemberKind::Output ||
         result.kind == MemberKind::LogSumExp;
}

static SmallVector<Value> gradientOperands(JointMatch &match) {
  View &view = match.forward.view;
  SmallVector<Value> operands;
  for (Node *node : {match.outputGrad, match.savedLse, match.savedOutput,
                     match.lseGradient()}) {
    SetVector<Node *> leaves;
    if (node)
      collectLeaves(view, node, leaves);
    for (Node *leaf : leaves)
      operands.push_back(readingOfLeaf(view.getSpace(), leaf, node)->tensor);
  }
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
  SmallVector<Operation *> gradients, results;
  for (const JointResult &result : match.results)
    (isForward(result) ? results : gradients)
        .push_back(result.root.getDefiningOp());
  SmallVector<Value> operands = operandsOf(match.forward, region);
  Places places;
  places.attention =
      insertionPoint(earliest(results.empty() ? gradients : results), operands);
  llvm::append_range(operands, gradientOperands(match));
  places.backward = insertionPoint(earliest(gradients), operands);
  if (places.backward->isBeforeInBlock(places.attention))
    places.backward = places.attention;
  return places;
}

/// True if, in one block, an op needs another's results.
static bool isComputedFrom(Operation *op, Operation *from) {
  SmallVector<Operation *> work{op};
  DenseSet<Operation *> seen;
  while (!work.empty()) {
    Operation *next = work.pop_back_val();
    if (next == from)
      return true;
    if (!next || next->isBeforeInBlock(from) || !seen.insert(next).second)
      continue;
    next->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        work.push_back(definingIn(from->getBlock(), operand));
    });
  }
  return false;
}

bool mlir::attn::checkJointUses(JointMatch &match, const ScoreRegion &region) {
  if (!match.checkLseGradient())
    return false;
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
  Operation *used = nullptr;
  if (!checkNoOtherUse(match.forward, roots, kept, &used)) {
    if (!used && match.lseGradient())
      match.forward.failure =
          Failure{Obligation::JointGradient,
                  "what dS has beside P (dP - rowsum(P dP)) is computed from "
                  "the scores, and not from their log-sum-exp"};
    if (match.lseWithoutKeys)
      match.forward.failure = Failure{Obligation::JointRows,
                                      "the log-sum-exp is used, and in a row "
                                      "without keys it would be NaN, not -inf"};
    if (used && match.soughtFurther &&
        isComputedFrom(used, match.getProducts()))
      match.forward.failure =
          Failure{Obligation::JointGradient,
                  "a value computed from dP, by " +
                      used->getName().getStringRef().str() +
                      ", is used, and it is the gradient of none of Q, K, V, "
                      "the sink and what the score function reads"};
    return false;
  }
  Places places = placesOf(match, region);
  for (const JointResult &result : match.results) {
    bool early = isForward(result) && !match.savedLse;
    Operation *place = early ? places.attention : places.backward;
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

namespace {
class JointWriter {
public:
  JointWriter(JointMatch &match, ScoreRegion &region)
      : match(match), forward(match.forward), region(region),
        places(placesOf(match, region)), builder(places.attention),
        loc(places.attention->getLoc()),
        writer(forward.view, builder, loc, iterationSpace(forward)),
        differentiated(match.differentiatedExtras()) {}

  void run(DenseSet<Operation *> &erased);

private:
  void findLoops();
  void writeForward();
  Value withoutKeys();
  Value zeroWithoutKeys(const JointResult &result, Value value);
  Value savedOver(Node *saved, ArrayRef<ArrayRef<Atom>> units,
                  ArrayRef<Atom> to, FloatType type);
  Value rescaled(Value output, Value from, Value to);
  void replaceOutput();
  void replaceLogSumExps();
  void readSaved();
  Value gradientOver(Node *grad, ArrayRef<ArrayRef<Atom>> roles,
                     ArrayRef<Atom> to);
  void writeBackward();

  JointMatch &match;
  Match &forward;
  ScoreRegion &region;
  Places places;
  OpBuilder builder;
  Location loc;
  OperandWriter writer;
  SmallVector<int64_t> differentiated;
  SmallVector<Atom> loops, appended; // of O
  OperandWriter::Groups groups;
  WrittenAttention written;
  Value output, lse; // what the backward reads
  SmallVector<std::pair<Value, Value>> replaced;
};
} // namespace

/// O's own loops, in the order of its tensor if there is one.
void JointWriter::findLoops() {
  if (const JointResult *result = resultOf(match, MemberKind::Output)) {
    forward.root = result->root;
    groups =
        writer.groupsOf({result->root, result->rootIndices},
                        unitLoops({forward.row, forward.value_}), appended);
    for (const SmallVector<Atom> &group : groups)
      llvm::append_range(loops, group);
    llvm::append_range(loops, appended);
    return;
  }
  for (ArrayRef<Atom> atoms :
       {ArrayRef<Atom>(forward.batch), ArrayRef<Atom>(forward.row),
        ArrayRef<Atom>(forward.value_)})
    llvm::append_range(loops, atoms);
}

/// A saved tensor over some loops, in a type.
Value JointWriter::savedOver(Node *saved, ArrayRef<ArrayRef<Atom>> units,
                             ArrayRef<Atom> to, FloatType type) {
  if (saved->type != type) {
    bool wider = saved->type.getIntOrFloatBitWidth() < type.getWidth();
    saved = forward.view.apply(wider ? "arith.extf" : "arith.truncf", {saved},
                               type);
  }
  return writer.transpose(writer.operand(saved, unitLoops(units)), to);
}

/// O of probabilities that `from` normalises, as those that `to` does make it.
Value JointWriter::rescaled(Value output, Value from, Value to) {
  auto type = cast<RankedTensorType>(output.getType());
  auto place = [&](Atom atom) {
    return builder.getAffineDimExpr(llvm::find(loops, atom) - loops.begin());
  };
  AffineMap whole = builder.getMultiDimIdentityMap(loops.size());
  AffineMap rows = AffineMap::get(loops.size(), 0,
                                  llvm::map_to_vector(written.lseLoops, place),
                                  builder.getContext());
  Value init = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, output),
      type.getElementType());
  return linalg::GenericOp::create(
             builder, loc, TypeRange{init.getType()},
             ValueRange{output, from, to}, init,
             ArrayRef<AffineMap>{whole, rows, rows, whole},
             SmallVector<utils::IteratorType>(loops.size(),
                                              utils::IteratorType::parallel),
             [&](OpBuilder &b, Location at, ValueRange args) {
               Value ratio = math::ExpOp::create(
                   b, at, arith::SubFOp::create(b, at, args[1], args[2]));
               Type wide = ratio.getType();
               Value result = arith::MulFOp::create(
                   b, at, convertFloat(b, at, args[0], wide), ratio);
               linalg::YieldOp::create(
                   b, at, convertFloat(b, at, result, type.getElementType()));
             })
      .getResult(0);
}

/// Whether there is no key at all; null if there is one.
Value JointWriter::withoutKeys() {
  Value result;
  for (auto [dim, atom] : llvm::enumerate(written.key.loops)) {
    int64_t size = forward.view.getSpace().size(atom);
    if (!llvm::is_contained(forward.keys, atom) ||
        (size != 0 && !ShapedType::isDynamic(size)))
      continue;
    Value keys = tensor::DimOp::create(builder, loc, written.key.tensor, dim);
    Value none = arith::ConstantIndexOp::create(builder, loc, 0);
    Value empty = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        keys, none);
    result = result ? arith::OrIOp::create(builder, loc, result, empty) : empty;
  }
  return result;
}

/// A sum over the keys is 0 where there is none, in O and in dQ: a row that is
/// empty for another reason, its keys hidden, may be NaN.
Value JointWriter::zeroWithoutKeys(const JointResult &result, Value value) {
  if (forward.sink || forward.emptyRowsZero || result.dividedAfter)
    return value;
  Value empty = withoutKeys();
  if (!empty)
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  Value init = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, value),
      type.getElementType());
  AffineMap whole = builder.getMultiDimIdentityMap(type.getRank());
  return linalg::GenericOp::create(
             builder, loc, TypeRange{init.getType()}, value, init,
             ArrayRef<AffineMap>{whole, whole},
             SmallVector<utils::IteratorType>(type.getRank(),
                                              utils::IteratorType::parallel),
             [&](OpBuilder &b, Location at, ValueRange args) {
               Value zero = arith::ConstantOp::create(
                   b, at, b.getFloatAttr(type.getElementType(), 0));
               linalg::YieldOp::create(
                   b, at,
                   arith::SelectOp::create(b, at, empty, zero, args.front())
                       .getResult());
             })
      .getResult(0);
}

/// The attention: where its results were saved, only what the backward is made
/// from.
void JointWriter::writeForward() {
  written = writeAttention(forward, region, builder, loc, writer, loops,
                           /*withLse=*/true, differentiated);
  output = written.op->getResult(0);
  lse = written.op->getResult(1);
  // What stands in rows without keys, and is multiplied with exp(-inf - L).
  if (match.savedLse)
    written.op.setEmptyRowsAttr(
        EmptyRowsAttr::get(builder.getContext(), EmptyRows::Zero));
}

/// Puts the output in the place of what computed it.
void JointWriter::replaceOutput() {
  if (const JointResult *result = resultOf(match, MemberKind::Output)) {
    output = zeroWithoutKeys(*result, output);
    replaced.push_back(
        {result->root,
         writer.write(output, cast<RankedTensorType>(result->root.getType()),
                      groups, appended)});
  }
}

/// Puts the log-sum-exp in the places where it was computed.
void JointWriter::replaceLogSumExps() {
  for (const JointResult &result : match.results) {
    if (result.kind != MemberKind::LogSumExp)
      continue;
    auto type = cast<RankedTensorType>(result.root.getType());
    Value rows = lse;
    auto own = cast<RankedTensorType>(rows.getType());
    if (own.getElementType() != type.getElementType()) {
      bool wider = own.getElementTypeBitWidth() < type.getElementTypeBitWidth();
      Type to = own.clone(type.getElementType());
      rows = wider
                 ? arith::ExtFOp::create(builder, loc, to, rows).getResult()
                 : arith::TruncFOp::create(builder, loc, to, rows).getResult();
    }
    replaced.push_back({result.root, inShapeOf(match, writer, result,
                                               {rows, written.lseLoops})});
  }
}

/// O and the log-sum-exp that the backward reads, where they were saved.
void JointWriter::readSaved() {
  if (match.savedLse) {
    Value own = lse;
    lse = savedOver(match.savedLse, {forward.row}, written.lseLoops,
                    accumulateType(forward));
    if (!match.savedOutput || resultOf(match, MemberKind::Output))
      output = rescaled(output, own, lse);
    replaceOutput();
  }
  if (match.savedOutput)
    output = savedOver(match.savedOutput, {forward.row, forward.value_}, loops,
                       cast<FloatType>(match.savedOutput->type));
}

/// A gradient over loops, some of which, or all, it may not depend on.
Value JointWriter::gradientOver(Node *grad, ArrayRef<ArrayRef<Atom>> roles,
                                ArrayRef<Atom> to) {
  TensorOverLoops qkv[] = {written.query, written.key, written.value};
  auto whole = [&] { return writer.destination(to, qkv, grad->type); };
  if (grad->kind == Node::Constant || grad->kind == Node::Scalar) {
    Value number = grad->value;
    if (grad->kind == Node::Constant)
      number = arith::ConstantOp::create(builder, loc, grad->attr);
    return linalg::FillOp::create(builder, loc, number, whole()).getResult(0);
  }
  TensorOverLoops read = writer.operand(grad, unitLoops(roles));
  if (read.loops.size() == to.size())
    return writer.transpose(read, to);
  auto place = [&](Atom atom) {
    return builder.getAffineDimExpr(llvm::find(to, atom) - to.begin());
  };
  AffineMap from =
      AffineMap::get(to.size(), 0, llvm::map_to_vector(read.loops, place),
                     builder.getContext());
  Value init = whole();
  return linalg::GenericOp::create(
             builder, loc, TypeRange{init.getType()}, read.tensor, init,
             ArrayRef<AffineMap>{from,
                                 builder.getMultiDimIdentityMap(to.size())},
             SmallVector<utils::IteratorType>(to.size(),
                                              utils::IteratorType::parallel),
             [](OpBuilder &b, Location at, ValueRange args) {
               linalg::YieldOp::create(b, at, args.front());
             })
      .getResult(0);
}

void JointWriter::writeBackward() {
  Value dO =
      gradientOver(match.outputGrad, {forward.row, forward.value_}, loops);
  Value dLse;
  if (Node *grad = match.lseGradient())
    dLse = gradientOver(grad, {forward.row}, written.lseLoops);
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
  if (written.op.getSink())
    operand(written.sink, MemberKind::SinkGrad);
  for (int64_t extra : differentiated)
    operand(written.extras[extra], MemberKind::ExtraGrad, extra);
  SmallVector<Value> outs;
  for (const auto &[tensor, gradients] : operands)
    outs.push_back(writer.destination(
        tensor->loops, *tensor,
        getElementTypeOrSelf(gradients.empty() ? tensor->tensor
                                               : gradients.front().root)));
  ReferredAttention source{written.op, lse};
  // What is recognised is whole and has no `blocks`: its mask can move. From a
  // log-sum-exp that is given, probabilities are as exact as they were.
  if (!match.savedLse && mayLoseLogSum(source.attention))
    if (FailureOr<ReferredAttention> referred =
            referToRows(builder, source.attention, source.lse);
        succeeded(referred))
      source = *referred;
  AttentionBackwardOp backward =
      createBackward(builder, source.attention, output, source.lse, dO, dLse,
                     differentiated, outs);
  backward.setEmptyRowsAttr(
      EmptyRowsAttr::get(builder.getContext(), emptyRowsOf(forward)));
  for (auto [i, entry] : llvm::enumerate(operands))
    for (const JointResult &result : entry.second) {
      Value gradient = backward->getResult(i);
      if (result.kind == MemberKind::QueryGrad)
        gradient = zeroWithoutKeys(result, gradient);
      replaced.push_back(
          {result.root,
           inShapeOf(match, writer, result, {gradient, entry.first->loops})});
    }
}

void JointWriter::run(DenseSet<Operation *> &erased) {
  findLoops();
  writeForward();
  if (!match.savedLse)
    replaceOutput();
  replaceLogSumExps();
  builder.setInsertionPoint(places.backward);
  readSaved();
  writeBackward();
  for (auto [root, value] : replaced)
    root.replaceAllUsesWith(value);
  for (const JointResult &result : match.results)
    if (Operation *op = result.root.getDefiningOp(); !erased.contains(op))
      eraseDead(op, erased);
  eraseDead(written.op, erased);
}

void mlir::attn::rewriteJoint(JointMatch &match, ScoreRegion &region,
                              DenseSet<Operation *> &erased) {
  JointWriter(match, region).run(erased);
}
