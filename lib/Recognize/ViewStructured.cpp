//===- ViewStructured.cpp - structured ops: bodies and reductions ---------===//
//
// One adapter for everything with a LinalgOp interface (generic, map, reduce,
// broadcast, transpose, contract, matmuls, elementwise named ops, ...): its
// indexing maps say where operands are read, its body what is computed. And one
// for linalg.softmax, which has neither.
//
//===----------------------------------------------------------------------===//
#include "Sizes.h"
#include "attn/Recognize/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn;

Extent mlir::attn::loopExtent(linalg::LinalgOp op, unsigned loop) {
  Extent unknown{ShapedType::kDynamic};
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    for (auto [dim, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto dimExpr = dyn_cast<AffineDimExpr>(expr);
      if (!dimExpr || dimExpr.getPosition() != loop)
        continue;
      if (!type.isDynamicDim(dim))
        return Extent{type.getDimSize(dim)};
      if (!unknown.source)
        unknown = {ShapedType::kDynamic, operand.get(),
                   static_cast<unsigned>(dim)};
    }
  }
  return unknown;
}

std::optional<Linear> View::evaluate(AffineExpr expr, ArrayRef<Linear> dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Linear(constant.getValue());
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  auto left = evaluate(binary.getLHS(), dims);
  auto right = evaluate(binary.getRHS(), dims);
  if (!left || !right)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    left->add(*right);
    return left;
  case AffineExprKind::Mul: {
    if (!right->isConstant())
      std::swap(left, right);
    if (!right->isConstant())
      return std::nullopt;
    Linear product;
    product.add(*left, right->constant);
    return product;
  }
  case AffineExprKind::FloorDiv:
  case AffineExprKind::Mod: {
    if (!right->isConstant())
      return std::nullopt;
    auto parts = space.divide(*left, right->constant);
    if (!parts)
      return std::nullopt;
    return expr.getKind() == AffineExprKind::Mod ? parts->second : parts->first;
  }
  default:
    return std::nullopt;
  }
}

std::optional<SmallVector<Linear>> View::evaluate(AffineMap map,
                                                  ArrayRef<Linear> dims) {
  if (map.getNumSymbols() != 0)
    return std::nullopt;
  SmallVector<Linear> result;
  for (AffineExpr expr : map.getResults()) {
    auto linear = evaluate(expr, dims);
    if (!linear)
      return std::nullopt;
    result.push_back(*linear);
  }
  return result;
}

std::optional<SmallVector<Linear>>
View::loopsOfResult(linalg::LinalgOp op, unsigned result,
                    ArrayRef<Linear> indices) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  SmallVector<Linear> loops(op.getNumLoops());
  llvm::SmallBitVector known(op.getNumLoops());
  for (auto [index, expr] : llvm::zip_equal(indices, map.getResults())) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      if (known.test(dim.getPosition()))
        return std::nullopt;
      loops[dim.getPosition()] = index;
      known.set(dim.getPosition());
    } else if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      if (!(index == Linear(constant.getValue())))
        return std::nullopt;
    } else {
      return std::nullopt;
    }
  }
  for (unsigned i = 0; i < loops.size(); ++i)
    if (!known.test(i) &&
        (op.getIteratorTypesArray()[i] != utils::IteratorType::reduction &&
         loopExtent(op, i).size != 1))
      return std::nullopt;
  return loops;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

namespace mlir::attn {
/// Reads the values of a structured op's body at an index per loop.
class BodyReader {
public:
  BodyReader(View &view, linalg::LinalgOp op, ArrayRef<Linear> loops)
      : view(view), op(op), loops(loops) {}

  Node *read(Value value) {
    if (auto it = known.find(value); it != known.end())
      return it->second;
    Node *node = compute(value);
    known[value] = node;
    return node;
  }

private:
  Node *compute(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      if (argument.getOwner() == op.getBlock()) {
        OpOperand *operand = op.getMatchingOpOperand(argument);
        if (!isa<RankedTensorType>(operand->get().getType()))
          return view.scalar(operand->get());
        auto at = view.evaluate(op.getMatchingIndexingMap(operand), loops);
        return at ? view.access(operand->get(), *at) : nullptr;
      }
    Region *region = value.getParentRegion();
    if (!op->isAncestor(region->getParentOp()))
      return isa<ShapedType>(value.getType()) ? nullptr : view.scalar(value);
    Operation *def = value.getDefiningOp();
    if (!def)
      return nullptr; // of a loop inside
    if (auto choice = dyn_cast<scf::IfOp>(def))
      return choose(choice, cast<OpResult>(value).getResultNumber());
    if (auto index = dyn_cast<linalg::IndexOp>(def))
      return view.index(loops[index.getDim()], value.getType());
    if (auto extract = dyn_cast<tensor::ExtractOp>(def))
      return gather(extract);
    Attribute attr;
    if (matchPattern(value, m_Constant(&attr)))
      return view.scalar(value);
    if (def->getNumRegions() != 0 || def->getNumResults() != 1 ||
        !isMemoryEffectFree(def) ||
        !isa<FloatType, IntegerType, IndexType>(value.getType()))
      return nullptr;
    SmallVector<Node *> operands;
    for (Value operand : def->getOperands()) {
      Node *node = read(operand);
      if (!node)
        return nullptr;
      operands.push_back(node);
    }
    return view.apply(def->getName().getIdentifier(), def->getAttrDictionary(),
                      operands, value.getType(), def);
  }

  /// A branch is read as a choice: reading has no effects.
  Node *choose(scf::IfOp choice, unsigned number) {
    if (!isMemoryEffectFree(choice))
      return nullptr;
    Node *condition = read(choice.getCondition());
    if (!condition)
      return nullptr;
    Node *yes = read(choice.thenYield().getOperand(number));
    Node *no = read(choice.elseYield().getOperand(number));
    return view.apply("arith.select", {condition, yes, no},
                      choice.getResult(number).getType());
  }

  /// An element fetched by computed indices: an access if they turn out linear.
  Node *gather(tensor::ExtractOp extract) {
    auto type = dyn_cast<RankedTensorType>(extract.getTensor().getType());
    if (!type)
      return nullptr;
    SmallVector<Node *> indices;
    SmallVector<Linear> linear;
    for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
      Node *node = read(index);
      if (!node)
        return nullptr;
      node = wholeDim(view.full(node), extract.getTensor(), dim);
      indices.push_back(node);
      if (node->kind == Node::Index)
        linear.push_back(node->index);
    }
    if (linear.size() == indices.size())
      return view.access(extract.getTensor(), linear);
    Node node{};
    node.kind = Node::Apply;
    node.type = extract.getType();
    node.name = extract->getName().getIdentifier();
    node.attributes = extract->getAttrDictionary();
    node.value = extract.getTensor();
    node.operands = indices;
    return view.unique(std::move(node));
  }

  /// "0 if the dim has size 1, else i" is i, unless a dim of size 1 is
  /// broadcast.
  Node *wholeDim(Node *node, Value tensor, unsigned dim) {
    if (!node->is("arith.select") || !node->operands[0]->is("arith.cmpi"))
      return node;
    Node *test = node->operands[0], *size = test->operands[0];
    Node *zero = node->operands[1], *index = node->operands[2];
    auto predicate =
        cast<arith::CmpIPredicateAttr>(test->attributes.get("predicate"));
    if (predicate.getValue() != arith::CmpIPredicate::eq ||
        size->kind != Node::Scalar || index->kind != Node::Index ||
        intConstant(test->operands[1]) != 1 || intConstant(zero) != 0)
      return node;
    Size tested = sizeOf(size->value);
    if (!(tested == sizeOf(tensor, dim)) || index->index.terms.size() != 1)
      return node;
    const Extent &extent =
        view.getSpace().info(index->index.terms.front().first).extent;
    bool same = extent.source && sizeOf(extent.source, extent.dim) == tested;
    if (!same)
      view.noteBroadcastTest();
    return index;
  }

  View &view;
  linalg::LinalgOp op;
  ArrayRef<Linear> loops;
  DenseMap<Value, Node *> known;
};
} // namespace mlir::attn

Node *View::structuredElement(linalg::LinalgOp op, Value yielded,
                              ArrayRef<Linear> loops) {
  return BodyReader(*this, op, loops).read(yielded);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static Combiner classify(Operation *op) {
  if (isa<arith::AddFOp, arith::AddIOp>(op))
    return Combiner::Add;
  if (isa<arith::MulFOp, arith::MulIOp>(op))
    return Combiner::Mul;
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op))
    return Combiner::Max;
  if (isa<arith::MinimumFOp, arith::MinNumFOp>(op))
    return Combiner::Min;
  if (isa<arith::AndIOp>(op))
    return Combiner::And;
  if (isa<arith::OrIOp>(op))
    return Combiner::Or;
  return Combiner::Other;
}

std::optional<Combining> mlir::attn::matchCombining(linalg::LinalgOp op,
                                                    unsigned result) {
  if (!op.hasPureTensorSemantics() || !isMemoryEffectFree(op))
    return std::nullopt;
  Block *block = op.getBlock();
  Value out = op.getRegionOutputArgs()[result];
  Operation *combine =
      block->getTerminator()->getOperand(result).getDefiningOp();
  if (!combine || combine->getBlock() != block ||
      combine->getNumOperands() != 2 || combine->getNumResults() != 1)
    return std::nullopt;
  Combiner combiner = classify(combine);
  if (combiner == Combiner::Other)
    return std::nullopt;
  Value element;
  if (combine->getOperand(0) == out)
    element = combine->getOperand(1);
  else if (combine->getOperand(1) == out)
    element = combine->getOperand(0);
  else
    return std::nullopt;
  // The element must not look at any running value.
  SmallVector<Value> work{element};
  DenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (llvm::is_contained(op.getRegionOutputArgs(), value))
      return std::nullopt;
    if (Operation *def = value.getDefiningOp())
      if (op->isProperAncestor(def))
        def->walk([&](Operation *inner) {
          llvm::append_range(work, inner->getOperands());
        });
  }
  return Combining{combiner, combine, element};
}

static bool isNeutral(Combiner combiner, const Node *init) {
  if (auto value = floatConstant(init)) {
    switch (combiner) {
    case Combiner::Add:
      return value->isZero();
    case Combiner::Mul:
      return value->isExactlyValue(1.0);
    case Combiner::Max:
      return value->isInfinity() && value->isNegative();
    case Combiner::Min:
      return value->isInfinity() && !value->isNegative();
    default:
      return false;
    }
  }
  if (auto value = intConstant(init)) {
    switch (combiner) {
    case Combiner::Add:
      return *value == 0;
    case Combiner::Mul:
      return *value == 1;
    case Combiner::And:
      return init->type.isInteger(1) && *value == 1;
    case Combiner::Or:
      return *value == 0;
    default:
      return false;
    }
  }
  return false;
}

/// c of 0 exp(c - most), where most = max(c, a reduction); `most` gets that
/// maximum.
static const Node *rescaledFrom(const Node *node, Node *&most) {
  if (!node->is("arith.mulf"))
    return nullptr;
  for (unsigned i : {0u, 1u}) {
    auto zero = floatConstant(node->operands[i]);
    const Node *e = node->operands[1 - i];
    if (!zero || !zero->isZero() || (!e->is("math.exp") && !e->is("math.exp2")))
      continue;
    const Node *difference = e->operands[0];
    if (!difference->is("arith.subf"))
      continue;
    most = difference->operands[1];
    if ((most->is("arith.maximumf") || most->is("arith.maxnumf")) &&
        llvm::is_contained(most->operands, difference->operands[0]))
      return difference->operands[0];
  }
  return nullptr;
}

/// True if `init` is a state without keys that a first block rescales,
/// 0 exp(c - max(c, m)), and `sum` is over exponentials of the very scores
/// whose maximum m is, shifted by the same max(c, m). Then it is zero, or NaN
/// where some score is, or all are -inf, and so is what is summed.
bool View::isRescaledZero(Node *init, Node *sum) {
  Node *most = nullptr;
  const Node *start = rescaledFrom(full(init), most);
  auto least = start ? floatConstant(start) : std::nullopt;
  if (!least || least->isNaN() || (least->isInfinity() && !least->isNegative()))
    return false;
  Node *maximum = most->operands[most->operands[0] == start ? 1 : 0];
  auto loops = reductionLoops(sum);
  if (maximum->kind != Node::Reduce || maximum->combiner != Combiner::Max)
    return false;
  SmallVector<Linear> at;
  for (auto [loop, extent] : loops) {
    // Without keys, -inf rescaled is NaN, and nothing is summed.
    if (least->isInfinity() &&
        (ShapedType::isDynamic(extent.size) || extent.size == 0))
      return false;
    at.push_back(space.loop(sum->op, loop, extent));
  }
  auto maximumLoops = reductionLoops(maximum);
  if (maximumLoops.size() != at.size())
    return false;
  for (auto [loop, index] : llvm::zip_equal(maximumLoops, at))
    if (!space.asMixedRadix(index, loop.second.size))
      return false;
  Node *score = body(maximum, at), *summand = body(sum, at);
  if (!score || !summand)
    return false;
  SmallVector<Node *> work{full(summand)};
  DenseSet<Node *> seen;
  while (!work.empty()) {
    Node *node = work.pop_back_val();
    if (!seen.insert(node).second)
      continue;
    if ((node->is("math.exp") || node->is("math.exp2")) &&
        node->operands[0]->is("arith.subf") &&
        node->operands[0]->operands[0] == full(score) &&
        node->operands[0]->operands[1] == most)
      return true;
    // A factor of the summand: NaN in it is NaN in the sum.
    if (node->is("arith.mulf") || node->is("arith.extf") ||
        node->is("arith.truncf"))
      llvm::append_range(work, node->operands);
  }
  return false;
}

Node *View::reduction(Value tensor, ArrayRef<Linear> indices) {
  auto op = tensor.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumReductionLoops() == 0)
    return nullptr;
  unsigned number = cast<OpResult>(tensor).getResultNumber();
  auto combining = matchCombining(op, number);
  auto loops = combining ? loopsOfResult(op, number, indices) : std::nullopt;
  if (!loops)
    return nullptr;
  bool allUnit = true;
  for (auto [i, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (type == utils::IteratorType::reduction && loopExtent(op, i).size != 1)
      allUnit = false;
  // A reduction over one step is its element. A product stays what it is: heads
  // may have a depth of one.
  bool product = combining->combiner == Combiner::Add &&
                 combining->element.getDefiningOp<arith::MulFOp>();
  Node *reduce = nullptr;
  if (allUnit && !product) {
    reduce = structuredElement(op, combining->element, *loops);
    if (!reduce)
      return nullptr;
  } else {
    Node node{};
    node.kind = Node::Reduce;
    node.type = cast<ShapedType>(tensor.getType()).getElementType();
    node.op = op;
    node.role = number;
    node.combiner = combining->combiner;
    node.indices.assign(indices.begin(), indices.end());
    reduce = unique(std::move(node));
  }
  Node *init = access(op.getDpsInits()[number], indices);
  if (isNeutral(combining->combiner, init) ||
      (combining->combiner == Combiner::Add && reduce->kind == Node::Reduce &&
       isRescaledZero(init, reduce)))
    return reduce;
  Operation *combine = combining->op;
  return apply(combine->getName().getIdentifier(), combine->getAttrDictionary(),
               {init, reduce}, reduce->type);
}

//===----------------------------------------------------------------------===//
// linalg.softmax = exp(x - max x) / sum exp(x - max x)
//===----------------------------------------------------------------------===//

namespace {
enum SoftmaxRole : unsigned { SoftmaxMax, SoftmaxSum };
} // namespace

Node *View::softmax(linalg::SoftmaxOp op, ArrayRef<Linear> indices) {
  auto reduce = [&](unsigned role, Combiner combiner) {
    Node node{};
    node.kind = Node::Reduce;
    node.type = op.getInputOperandType().getElementType();
    node.op = op;
    node.role = role;
    node.combiner = combiner;
    node.indices.assign(indices.begin(), indices.end());
    // The reduced dim is not part of where the reduction stands.
    node.indices[op.getDimension()] = Linear();
    return unique(std::move(node));
  };
  Type type = op.getInputOperandType().getElementType();
  Node *x = access(op.getInput(), indices);
  Node *shifted =
      apply("arith.subf", {x, reduce(SoftmaxMax, Combiner::Max)}, type);
  Node *e = apply("math.exp", {shifted}, type);
  return apply("arith.divf", {e, reduce(SoftmaxSum, Combiner::Add)}, type);
}

SmallVector<std::pair<unsigned, Extent>> View::reductionLoops(Node *reduce) {
  SmallVector<std::pair<unsigned, Extent>> result;
  if (auto op = dyn_cast<linalg::SoftmaxOp>(reduce->op)) {
    unsigned dim = op.getDimension();
    result.push_back(
        {dim, {op.getInputOperandType().getDimSize(dim), op.getInput(), dim}});
    return result;
  }
  auto op = cast<linalg::LinalgOp>(reduce->op);
  for (auto [i, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (type == utils::IteratorType::reduction)
      if (Extent extent = loopExtent(op, i); extent.size != 1)
        result.push_back({i, extent});
  return result;
}

Node *View::body(Node *reduce, ArrayRef<Linear> at) {
  if (auto op = dyn_cast<linalg::SoftmaxOp>(reduce->op)) {
    SmallVector<Linear> indices = reduce->indices;
    indices[op.getDimension()] = at.front();
    Node *x = access(op.getInput(), indices);
    if (reduce->role == SoftmaxMax)
      return x;
    indices[op.getDimension()] = Linear();
    Node max{};
    max.kind = Node::Reduce;
    max.type = reduce->type;
    max.op = op;
    max.role = SoftmaxMax;
    max.combiner = Combiner::Max;
    max.indices = indices;
    Node *shifted =
        apply("arith.subf", {x, unique(std::move(max))}, reduce->type);
    return apply("math.exp", {shifted}, reduce->type);
  }
  auto op = cast<linalg::LinalgOp>(reduce->op);
  auto loops = loopsOfResult(op, reduce->role, reduce->indices);
  if (!loops)
    return nullptr;
  for (auto [loop, index] : llvm::zip_equal(reductionLoops(reduce), at))
    (*loops)[loop.first] = index;
  auto combining = matchCombining(op, reduce->role);
  return combining ? structuredElement(op, combining->element, *loops)
                   : nullptr;
}
