//===- ScoreRegion.cpp - the score function as a region -------------------===//
#include "ScoreRegion.h"
#include "Layout.h"
#include "Operand.h"
#include "Thresholds.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

bool ScoreRegion::holdsContraction(Node *node) {
  if (node == match.contraction)
    return true;
  if (auto it = holdsMemo.find(node); it != holdsMemo.end())
    return it->second;
  bool result = llvm::any_of(
      node->operands, [&](Node *operand) { return holdsContraction(operand); });
  return holdsMemo[node] = result;
}

/// c if the node is c times the contraction.
std::optional<double> ScoreRegion::factorOfContraction(Node *node) {
  if (node == match.contraction)
    return 1;
  if (node->is("arith.extf") || node->is("arith.truncf"))
    return factorOfContraction(node->operands[0]);
  if (node->is("arith.negf")) {
    auto inner = factorOfContraction(node->operands[0]);
    return inner ? std::optional<double>(-*inner) : std::nullopt;
  }
  if (!node->is("arith.mulf") && !node->is("arith.divf"))
    return std::nullopt;
  Node *a = node->operands[0], *b = node->operands[1];
  if (node->is("arith.mulf") && floatConstant(a))
    std::swap(a, b);
  auto constant = floatConstant(b);
  auto inner = constant ? factorOfContraction(a) : std::nullopt;
  if (!inner)
    return std::nullopt;
  double c = constant->convertToDouble();
  double result = node->is("arith.mulf") ? *inner * c : *inner / c;
  return std::isfinite(result) ? std::optional<double>(result) : std::nullopt;
}

void ScoreRegion::collectFactors(Node *node, DenseSet<Node *> &seen,
                                 SmallVector<double> &factors) {
  if (!seen.insert(node).second || !holdsContraction(node))
    return;
  if (auto factor = factorOfContraction(node)) {
    factors.push_back(*factor);
    return;
  }
  for (Node *operand : node->operands)
    collectFactors(operand, seen, factors);
}

const Reading *ScoreRegion::readingOverSet(Node *node) {
  for (const Reading &reading : llvm::reverse(node->readings)) {
    if (!dimsOfReading(view.getSpace(), reading))
      continue;
    bool inside = true;
    for (const Linear &index : reading.indices)
      for (auto [atom, coefficient] : index.terms)
        inside &= llvm::is_contained(match.setAtoms, atom);
    if (inside)
      return &reading;
  }
  return nullptr;
}

static bool isArith(Node *node) {
  return node->kind == Node::Apply && !node->value &&
         node->name.getValue().starts_with("arith.");
}
static bool isMath(Node *node) {
  return node->kind == Node::Apply && !node->value &&
         node->name.getValue().starts_with("math.");
}

/// True if every lowering has the op on these types: it has none on floats
/// narrower than 16 bits, nor integer powers.
static bool isLowered(Type type) {
  return isa<IntegerType, IndexType>(type) || type.isF16() || type.isBF16() ||
         type.isF32() || type.isF64();
}
static bool isLowered(Node *node) {
  return !node->is("math.fpowi") && isLowered(node->type) &&
         llvm::all_of(node->operands,
                      [](Node *operand) { return isLowered(operand->type); });
}

/// A sum of the score and something else in a narrower type. Its rounding is
/// kept, since it may be what the sum is for: f16 has no digit left of a score
/// from which the largest number was taken, so that a row without any key comes
/// out uniform.
bool ScoreRegion::keepsRounding(Node *node) {
  if (!node->is("arith.addf") && !node->is("arith.subf"))
    return false;
  return cast<FloatType>(node->type).getWidth() < accumulate.getWidth() &&
         llvm::any_of(
             node->operands,
             [&](Node *operand) { return !holdsContraction(operand); });
}

bool ScoreRegion::canInline(Node *node, unsigned &budget) {
  switch (node->kind) {
  case Node::Constant:
  case Node::Scalar:
    return true;
  case Node::Index:
    return llvm::all_of(node->index.terms, [&](const auto &term) {
      return llvm::is_contained(match.setAtoms, term.first);
    });
  case Node::Apply:
    if (!isArith(node) || !isLowered(node))
      break;
    if (budget == 0)
      return false;
    --budget;
    return llvm::all_of(node->operands, [&](Node *operand) {
      return canInline(operand, budget);
    });
  default:
    break;
  }
  return readingOverSet(node) != nullptr;
}

/// A function, no product or sum, of floats that are read, over fewer loops
/// than the scores.
bool ScoreRegion::isComputedBefore(Node *node) {
  if (!readsComputed || !isa<FloatType>(node->type) || node->is("arith.mulf") ||
      node->is("arith.addf") || node->is("arith.subf") ||
      node->is("arith.negf") || node->is("arith.extf") ||
      node->is("arith.truncf"))
    return false;
  SmallVector<Node *> work{node};
  DenseSet<Node *> seen;
  bool reads = false;
  while (!work.empty()) {
    Node *next = work.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    reads |= next->kind == Node::Access && isa<FloatType>(next->type);
    llvm::append_range(work, next->operands);
  }
  const Reading *reading = reads ? readingOverSet(node) : nullptr;
  auto atoms = reading ? atomsOfReading(view.getSpace(), *reading)
                       : std::optional<SmallVector<Atom>>();
  return atoms && llvm::any_of(match.setAtoms, [&](Atom atom) {
           return !isUnitLoop(atom) && !llvm::is_contained(*atoms, atom);
         });
}

bool ScoreRegion::planLeaf(Node *node) {
  const Reading *reading =
      node->kind == Node::Scalar ? nullptr : readingOverSet(node);
  if (!reading && node->kind != Node::Scalar)
    return match.fail(
        Obligation::ScoreFunction,
        "a part of the score is read neither along batch, row and "
        "key loops nor computed by arith and math ops");
  if (!isLowered(node->type))
    return match.fail(Obligation::ScoreFunction,
                      "a part of the score is no number of a type that is "
                      "lowered");
  extraOf[node] = extras.size();
  extras.push_back(
      {node, reading ? std::optional<Reading>(*reading) : std::nullopt});
  return true;
}

bool ScoreRegion::planNode(Node *node) {
  if (!planned.insert(node).second)
    return true;
  if (scaled.contains(node))
    return true;
  if (auto factor = factorOfContraction(node);
      factor && *factor == match.scale) {
    scaled.insert(node);
    for (Node *n = node; n != match.contraction;
         n = n->operands[holdsContraction(n->operands[0]) ? 0 : 1]) {
      if (n->is("arith.truncf") ||
          (isa<FloatType>(n->type) &&
           n->type.getIntOrFloatBitWidth() < accumulate.getWidth()))
        match.dropRounding(n->type, "score");
    }
    return true;
  }
  switch (node->kind) {
  case Node::Constant:
    return true;
  case Node::Index: {
    unsigned budget = kInlineOps;
    return canInline(node, budget) ||
           match.fail(
               Obligation::ScoreFunction,
               "the score depends on the index of a loop that is neither "
               "batch, row nor key");
  }
  case Node::Apply: {
    bool holds = holdsContraction(node);
    unsigned budget = kInlineOps;
    if (!holds && ((!canInline(node, budget) && readingOverSet(node)) ||
                   isComputedBefore(node)))
      return planLeaf(node);
    if ((!isArith(node) && !isMath(node)) || !isLowered(node))
      return holds ? match.fail(Obligation::ScoreFunction,
                                Twine("the score passes through ") +
                                    node->name.getValue())
                   : planLeaf(node);
    if (holds && isa<FloatType>(node->type)) {
      unsigned width = node->type.getIntOrFloatBitWidth();
      if (width > accumulate.getWidth())
        return match.fail(Obligation::Types,
                          "the score is computed in a wider type than the "
                          "attention would");
      if (width < accumulate.getWidth() && !keepsRounding(node))
        match.dropRounding(node->type, "score");
    }
    return llvm::all_of(node->operands,
                        [&](Node *operand) { return planNode(operand); });
  }
  default:
    return planLeaf(node);
  }
}

bool ScoreRegion::plan() {
  SmallVector<double> factors;
  DenseSet<Node *> seen;
  collectFactors(match.score, seen, factors);
  // One factor everywhere is the scale; else each is an op of the region.
  double factor = factors.empty() ? 1 : factors.front();
  if (!llvm::all_equal(factors) || factor == 0)
    factor = 1;
  double operands = match.scale;
  match.scale = factor;
  bool done =
      planNode(match.score) && (!match.weight || planNode(match.weight));
  match.scale = factor * operands;
  if (factor != 1 && operands != 1)
    match.assumed.insert(Assumption::MergedScales);
  return done;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// Constants are converted, not computed.
static Value toType(OpBuilder &b, Location loc, Value value, FloatType type) {
  auto from = dyn_cast<FloatType>(value.getType());
  if (!from || from == type)
    return value;
  FloatAttr constant;
  if (matchPattern(value, m_Constant(&constant))) {
    bool ignored;
    llvm::APFloat converted = constant.getValue();
    converted.convert(type.getFloatSemantics(),
                      llvm::APFloat::rmNearestTiesToEven, &ignored);
    return arith::ConstantOp::create(b, loc, FloatAttr::get(type, converted));
  }
  if (from.getWidth() < type.getWidth())
    return arith::ExtFOp::create(b, loc, type, value);
  return arith::TruncFOp::create(b, loc, type, value);
}

Value ScoreRegion::emit(OpBuilder &b, Location loc, Node *node) {
  if (scaled.contains(node))
    return arguments.front();
  if (auto it = emitted.find(node); it != emitted.end())
    return it->second;
  // What depends on the score is computed in the accumulate type, the rest as
  // it was.
  bool holds = holdsContraction(node);
  Value result;
  if (auto it = extraOf.find(node); it != extraOf.end()) {
    result = arguments[1 + it->second];
  } else if (node->kind == Node::Constant) {
    result = arith::ConstantOp::create(b, loc, node->attr);
  } else if (node->kind == Node::Index) {
    result = writeLinear(b, loc, node->index, node->type, [&](Atom atom) {
      int64_t dim = llvm::find(match.setAtoms, atom) - match.setAtoms.begin();
      return IndexOp::create(b, loc, b.getIndexType(), dim);
    });
  } else if (holds && (node->is("arith.extf") || node->is("arith.truncf"))) {
    result = emit(b, loc, node->operands[0]);
  } else {
    SmallVector<Value> operands;
    for (Node *operand : node->operands) {
      operands.push_back(emit(b, loc, operand));
      if (holds)
        operands.back() = toType(b, loc, operands.back(), accumulate);
    }
    Type type =
        holds && isa<FloatType>(node->type) ? Type(accumulate) : node->type;
    OperationState state(loc, node->name, operands, TypeRange{type},
                         node->attributes.getValue());
    result = b.create(state)->getResult(0);
    if (holds && keepsRounding(node)) {
      result = toType(b, loc, result, cast<FloatType>(node->type));
      result = toType(b, loc, result, accumulate);
    }
  }
  return emitted[node] = result;
}

std::pair<Value, Value> ScoreRegion::build(OpBuilder &b, Location loc,
                                           ValueRange blockArguments) {
  arguments = blockArguments;
  emitted.clear();
  Value score = toType(b, loc, emit(b, loc, match.score), accumulate);
  Value weight;
  if (match.weight)
    weight = toType(b, loc, emit(b, loc, match.weight), accumulate);
  return {score, weight};
}
