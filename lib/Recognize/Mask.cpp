//===- Mask.cpp - the part of a score that only hides keys ----------------===//
//
// A condition of the score that depends on nothing but indices and constant
// tables is tried both ways. If the score becomes a constant fill c when it is
// true (or false), then that is where keys are hidden, whatever the spelling:
//
//   select(B, c, s)    s + select(B, 0, c)    s * b - 1e4 (1 - b)    ...
//
// The condition is taken to affine sets (in disjunctive form) and put to its
// other value in the score. What is not affine stays in the score function.
//
//===----------------------------------------------------------------------===//
#include "Mask.h"
#include "Thresholds.h"
#include "mlir/IR/IntegerSet.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Substitution
//===----------------------------------------------------------------------===//

static bool isFill(const llvm::APFloat &value) {
  return value.isNegative() &&
         (value.isInfinity() || value.convertToDouble() <= kAbsorbingFill);
}

bool mlir::attn::holdsConstant(
    Node *node, function_ref<bool(const llvm::APFloat &)> predicate) {
  SmallVector<Node *> work{node};
  DenseSet<Node *> seen;
  while (!work.empty()) {
    Node *next = work.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (auto value = floatConstant(next); value && predicate(*value))
      return true;
    if (next->kind == Node::Table && isa<FloatType>(next->type))
      if (llvm::any_of(
              cast<DenseElementsAttr>(next->attr).getValues<llvm::APFloat>(),
              predicate))
        return true;
    llvm::append_range(work, next->operands);
  }
  return false;
}

/// What a fill absorbs: see Match.h. Another fill beside it is not absorbed:
/// -inf wins over a finite one, and two of these may add up to -inf.
static Node *absorbed(Node *node) {
  bool sum = node->is("arith.addf") || node->is("arith.subf");
  if (!sum && !node->is("arith.mulf"))
    return nullptr;
  Node *a = node->operands[0], *b = node->operands[1];
  auto left = floatConstant(a), right = floatConstant(b);
  if (left.has_value() == right.has_value())
    return nullptr;
  Node *constant = left ? a : b, *other = left ? b : a;
  const llvm::APFloat &value = left ? *left : *right;
  auto notFinite = [](const llvm::APFloat &c) { return !c.isFinite(); };
  auto huge = [](const llvm::APFloat &c) {
    return !c.isFinite() || std::fabs(c.convertToDouble()) > kOrdinaryScore;
  };
  auto opposite = [&](const llvm::APFloat &c) {
    return c.isNaN() ||
           (c.isInfinity() && c.isNegative() == node->is("arith.subf"));
  };
  if (node->is("arith.mulf"))
    return value.isZero() && !holdsConstant(other, notFinite) ? constant
                                                              : nullptr;
  if (!isFill(value) || (right && node->is("arith.subf")))
    return nullptr;
  bool taken = value.isInfinity() ? holdsConstant(other, opposite)
                                  : holdsConstant(other, huge);
  return taken ? nullptr : constant;
}

Node *mlir::attn::substitute(View &view, Node *node, Node *what, Node *by,
                             bool absorb, bool *wasAbsorbed) {
  DenseMap<Node *, Node *> known{{what, by}};
  std::function<Node *(Node *)> visit = [&](Node *n) -> Node * {
    if (auto it = known.find(n); it != known.end())
      return it->second;
    Node *result = n;
    if (n->kind == Node::Apply && !n->value) {
      SmallVector<Node *> operands;
      for (Node *operand : n->operands)
        operands.push_back(visit(operand));
      if (operands != n->operands)
        result = view.apply(n->name, n->attributes, operands, n->type, n->op);
      if (absorb && result != n)
        if (Node *fill = absorbed(result)) {
          result = fill;
          if (wasAbsorbed)
            *wasAbsorbed = true;
        }
    }
    return known[n] = result;
  };
  return visit(node);
}

//===----------------------------------------------------------------------===//
// Conditions to constraints
//===----------------------------------------------------------------------===//

using Form = std::optional<Disjunction>;

static Form both(const Form &a, const Form &b) {
  if (!a || !b || a->size() * b->size() > kMaxSets)
    return std::nullopt;
  Disjunction result;
  for (const Conjunction &left : *a)
    for (const Conjunction &right : *b) {
      Conjunction joined = left;
      for (const Constraint &c : right)
        if (!llvm::is_contained(joined, c))
          joined.push_back(c);
      result.push_back(joined);
    }
  return result;
}

static Form either(const Form &a, const Form &b) {
  if (!a || !b || a->size() + b->size() > kMaxSets)
    return std::nullopt;
  Disjunction result = *a;
  llvm::append_range(result, *b);
  return result;
}

/// left - right compared with zero, as constraints `linear >= 0` or `== 0`.
static Form compareForm(arith::CmpIPredicate predicate, Linear difference) {
  Linear opposite;
  opposite.add(difference, -1);
  auto one = [](Linear linear, int64_t constant, bool equal = false) {
    linear.constant += constant;
    return Form(Disjunction{{Constraint{linear, equal}}});
  };
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return one(difference, 0, true);
  case P::ne:
    return either(one(difference, -1), one(opposite, -1));
  case P::sge:
    return one(difference, 0);
  case P::sgt:
    return one(difference, -1);
  case P::sle:
    return one(opposite, 0);
  case P::slt:
    return one(opposite, -1);
  default:
    return std::nullopt;
  }
}

/// The first boolean inside a node, itself excluded.
static Node *innerBoolean(Node *node) {
  for (Node *operand : node->operands) {
    if (operand->type.isInteger(1) && !intConstant(operand))
      return operand;
    if (Node *inner = innerBoolean(operand))
      return inner;
  }
  return nullptr;
}

Form mlir::attn::toDisjunction(View &view, Node *node, bool negate) {
  if (auto known = intConstant(node))
    return (*known != 0) != negate ? Disjunction{{}} : Disjunction{};
  if (node->kind == Node::Table)
    return fitTable(view, node, negate);
  if (node->kind != Node::Apply)
    return std::nullopt;
  auto inner = [&](unsigned i, bool negated) {
    return toDisjunction(view, node->operands[i], negated);
  };
  if (node->is("arith.andi") || node->is("arith.ori")) {
    bool conjunction = node->is("arith.andi") != negate;
    return conjunction ? both(inner(0, negate), inner(1, negate))
                       : either(inner(0, negate), inner(1, negate));
  }
  if (node->is("arith.xori"))
    return either(both(inner(0, false), inner(1, !negate)),
                  both(inner(0, true), inner(1, negate)));
  if (node->is("arith.cmpi") && node->operands[0]->kind == Node::Index &&
      node->operands[1]->kind == Node::Index) {
    auto predicate =
        cast<arith::CmpIPredicateAttr>(node->attributes.get("predicate"))
            .getValue();
    Linear difference = node->operands[0]->index;
    difference.add(node->operands[1]->index, -1);
    return compareForm(negate ? arith::invertPredicate(predicate) : predicate,
                       difference);
  }
  // A test of numbers that were chosen by a condition: decide it either way.
  if (Node *condition = innerBoolean(node)) {
    auto when = [&](bool value) {
      Node *known = view.constant(BoolAttr::get(view.getContext(), value));
      return toDisjunction(view, substitute(view, node, condition, known),
                           negate);
    };
    return either(both(toDisjunction(view, condition, false), when(true)),
                  both(toDisjunction(view, condition, true), when(false)));
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

namespace {
/// A boolean table over at most two atoms, as a matrix.
struct Matrix {
  SmallVector<Atom> atoms; // 1 or 2
  SmallVector<int64_t> sizes;
  std::vector<bool> values;
  bool at(int64_t i, int64_t j) const {
    return values[i * (sizes.size() > 1 ? sizes[1] : 1) + j];
  }
};
} // namespace

static std::optional<Matrix> readTable(View &view, Node *table) {
  auto elements = cast<DenseElementsAttr>(table->attr);
  Matrix matrix;
  for (const Linear &index : table->indices)
    for (auto [atom, coefficient] : index.terms)
      if (!llvm::is_contained(matrix.atoms, atom)) {
        matrix.atoms.push_back(atom);
        matrix.sizes.push_back(view.getSpace().size(atom));
      }
  if (matrix.atoms.empty() || matrix.atoms.size() > 2 ||
      llvm::is_contained(matrix.sizes, ShapedType::kDynamic))
    return std::nullopt;
  ArrayRef<int64_t> shape = elements.getType().getShape();
  int64_t total =
      matrix.sizes[0] * (matrix.sizes.size() > 1 ? matrix.sizes[1] : 1);
  if (total > kMaxTable)
    return std::nullopt;
  auto values = elements.getValues<bool>();
  matrix.values.resize(total);
  for (int64_t point = 0; point < total; ++point) {
    int64_t columns = matrix.sizes.size() > 1 ? matrix.sizes[1] : 1;
    int64_t coordinate[2] = {point / columns, point % columns};
    int64_t flat = 0;
    for (auto [index, size] : llvm::zip_equal(table->indices, shape)) {
      int64_t position = index.constant;
      for (auto [atom, coefficient] : index.terms)
        position += coefficient * coordinate[atom == matrix.atoms[0] ? 0 : 1];
      if (position < 0 || position >= size)
        return std::nullopt;
      flat = flat * size + position;
    }
    matrix.values[point] = values[flat];
  }
  return matrix;
}

/// The points with the given value as one conjunction of bounds on i, j and
/// j - i, with as few bounds as will do; nothing if they are no such set.
static std::optional<Conjunction> fitBand(const Matrix &matrix, bool wanted) {
  int64_t rows = matrix.sizes[0];
  int64_t columns = matrix.sizes.size() > 1 ? matrix.sizes[1] : 1;
  constexpr int64_t none = std::numeric_limits<int64_t>::max();
  // Bounds: value = sign * f(i, j) + slack >= 0 for f in {j - i, j, i}.
  struct Bound {
    int64_t ofI, ofJ, slack = none;
  } bounds[] = {{1, -1}, {-1, 1}, {0, -1}, {0, 1}, {-1, 0}, {1, 0}};
  bool any = false;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      if (matrix.at(i, j) == wanted) {
        any = true;
        for (Bound &b : bounds) {
          int64_t slack = -(b.ofI * i + b.ofJ * j);
          b.slack = b.slack == none ? slack : std::max(b.slack, slack);
        }
      }
  if (!any)
    return std::nullopt; // empty: no conjunction is needed, the caller knows
  unsigned used = 0x3f;
  auto exact = [&](unsigned mask) {
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        bool inside = true;
        for (auto [k, b] : llvm::enumerate(bounds))
          if (mask >> k & 1)
            inside &= b.ofI * i + b.ofJ * j + b.slack >= 0;
        if (inside != (matrix.at(i, j) == wanted))
          return false;
      }
    return true;
  };
  if (!exact(used))
    return std::nullopt;
  // Bounds on one index are dropped last: j - i says more.
  for (int k : {5, 4, 3, 2, 1, 0})
    if (exact(used & ~(1u << k)))
      used &= ~(1u << k);
  Conjunction result;
  for (auto [k, b] : llvm::enumerate(bounds)) {
    if (!(used >> k & 1))
      continue;
    Linear linear(b.slack);
    linear.addTerm(matrix.atoms[0], b.ofI);
    if (matrix.atoms.size() > 1)
      linear.addTerm(matrix.atoms[1], b.ofJ);
    result.push_back({linear, false});
  }
  return result;
}

Form mlir::attn::fitTable(View &view, Node *table, bool negate) {
  if (!table->type.isInteger(1))
    return std::nullopt;
  auto matrix = readTable(view, table);
  if (!matrix)
    return std::nullopt;
  bool wanted = !negate;
  if (!llvm::is_contained(matrix->values, wanted))
    return Disjunction{};
  if (auto band = fitBand(*matrix, wanted))
    return Disjunction{*band};
  auto outside = fitBand(*matrix, !wanted);
  if (!outside)
    return std::nullopt;
  Disjunction result;
  for (const Constraint &c : *outside) {
    Linear opposite(-1);
    opposite.add(c.linear, -1);
    result.push_back({{opposite, false}});
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The stage
//===----------------------------------------------------------------------===//

/// True if the node depends on nothing but indices and constant tables.
static bool isPure(Node *node) {
  switch (node->kind) {
  case Node::Constant:
  case Node::Index:
  case Node::Table:
    return true;
  case Node::Apply:
    return !node->value &&
           llvm::all_of(node->operands, [](Node *n) { return isPure(n); });
  default:
    return false;
  }
}

static void collectConditions(Node *node, DenseSet<Node *> &seen,
                              SmallVector<Node *> &found) {
  if (!seen.insert(node).second)
    return;
  if (node->type.isInteger(1) && !intConstant(node) && isPure(node)) {
    found.push_back(node);
    return;
  }
  for (Node *operand : node->operands)
    collectConditions(operand, seen, found);
}

static ArrayAttr toSets(Match &match, const Disjunction &sets) {
  MLIRContext *context = match.view.getContext();
  unsigned count = match.setAtoms.size();
  SmallVector<Attribute> result;
  for (const Conjunction &conjunction : sets) {
    SmallVector<AffineExpr> exprs;
    SmallVector<bool> equal;
    for (const Constraint &c : conjunction) {
      AffineExpr expr = getAffineConstantExpr(c.linear.constant, context);
      for (auto [atom, coefficient] : c.linear.terms) {
        unsigned dim =
            llvm::find(match.setAtoms, atom) - match.setAtoms.begin();
        expr = expr + getAffineDimExpr(dim, context) * coefficient;
      }
      exprs.push_back(expr);
      equal.push_back(c.equal);
    }
    if (exprs.empty()) { // everything
      exprs.push_back(getAffineConstantExpr(0, context));
      equal.push_back(false);
    }
    result.push_back(
        IntegerSetAttr::get(IntegerSet::get(count, count, exprs, equal)));
  }
  return ArrayAttr::get(context, result);
}

/// True if all constraints are over loops that a set may use.
static bool overSetAtoms(const Match &match, const Disjunction &sets) {
  for (const Conjunction &conjunction : sets)
    for (const Constraint &c : conjunction)
      for (auto [atom, coefficient] : c.linear.terms)
        if (!llvm::is_contained(match.setAtoms, atom))
          return false;
  return true;
}

void mlir::attn::extractMask(Match &match) {
  View &view = match.view;
  MLIRContext *context = view.getContext();
  DenseSet<Node *> seen;
  SmallVector<Node *> conditions;
  collectConditions(match.score, seen, conditions);

  Disjunction visible{{}};
  std::optional<double> fill;
  bool anySet = false;
  for (Node *condition : conditions) {
    for (bool hides : {true, false}) {
      Node *hiddenValue = view.constant(BoolAttr::get(context, hides));
      Node *shownValue = view.constant(BoolAttr::get(context, !hides));
      bool absorbs = false;
      Node *hidden = substitute(view, match.score, condition, hiddenValue,
                                /*absorb=*/true, &absorbs);
      auto value = floatConstant(hidden);
      if (!value)
        continue;
      double c = value->convertToDouble();
      // A fill that is not far below every score is better left to the score
      // function: it skips nothing.
      if (std::isnan(c) || c > kHidingFill || (fill && *fill != c))
        continue;
      Form shown = toDisjunction(view, condition, hides);
      Form joined = shown ? both(Form(visible), shown) : std::nullopt;
      if (!joined || !overSetAtoms(match, *joined))
        continue;
      visible = *joined;
      fill = c;
      anySet = true;
      match.score = substitute(view, match.score, condition, shownValue);
      match.maskConditions.push_back({condition, hides});
      match.assumed.insert(Assumption::HiddenFinite);
      if (absorbs)
        match.assumed.insert(Assumption::Absorbing);
      else
        match.maskBySelect = true;
      break;
    }
  }
  match.hidden = fill && std::isfinite(*fill)
                     ? HiddenAttr::getReplace(context, *fill)
                     : HiddenAttr::getSkip(context);
  if (anySet)
    match.visible = toSets(match, visible);
}
