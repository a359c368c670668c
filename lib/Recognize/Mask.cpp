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
// Integers that differ by batch alone (lengths, prefixes) are symbols of the
// sets.
//
//===----------------------------------------------------------------------===//
#include "Mask.h"
#include "Layout.h"
#include "Operand.h"
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

void Affine::add(const Affine &other, int64_t factor) {
  linear.add(other.linear, factor);
  for (auto [symbol, coefficient] : other.symbols) {
    auto *it = llvm::find_if(symbols, [&, s = symbol](const auto &own) {
      return own.first->id >= s->id;
    });
    if (it == symbols.end() || it->first != symbol)
      it = symbols.insert(it, {symbol, 0});
    it->second += factor * coefficient;
    if (it->second == 0)
      symbols.erase(it);
  }
}

/// Multiples of data beyond this may well wrap around.
static constexpr int64_t kMostMultiple = 1024;

/// An integer made of indices, constants and data; nothing if it is no sum of
/// multiples. As for dims of unknown size, data is taken to be so small that
/// nothing wraps around (A7). Arithmetic on indices alone that the view
/// left as it was may wrap around: it is no such sum.
static std::optional<Affine> affineOf(Node *node) {
  if (node->kind == Node::Index)
    return Affine(node->index);
  bool wide =
      node->type.isIndex() || (isa<IntegerType>(node->type) &&
                               node->type.getIntOrFloatBitWidth() >= 32);
  if (!wide)
    return std::nullopt;
  if (node->kind == Node::Access || node->kind == Node::Scalar) {
    Affine result;
    result.symbols.push_back({node, 1});
    return result;
  }
  if (node->is("arith.extsi") || node->is("arith.index_cast"))
    return affineOf(node->operands[0]);
  bool sum = node->is("arith.addi"), difference = node->is("arith.subi");
  if (!sum && !difference && !node->is("arith.muli"))
    return std::nullopt;
  auto a = affineOf(node->operands[0]), b = affineOf(node->operands[1]);
  if (!a || !b)
    return std::nullopt;
  if (a->symbols.empty() && b->symbols.empty())
    return std::nullopt;
  if (sum || difference) {
    a->add(*b, sum ? 1 : -1);
    return a;
  }
  auto isConstant = [](const Affine &x) {
    return x.symbols.empty() && x.linear.isConstant() &&
           std::abs(x.linear.constant) <= kMostMultiple;
  };
  if (!isConstant(*b))
    std::swap(a, b);
  if (!isConstant(*b))
    return std::nullopt;
  Affine product;
  product.add(*a, b->linear.constant);
  return product;
}

/// left - right compared with zero, as constraints `value >= 0` or `== 0`.
static Form compareForm(arith::CmpIPredicate predicate,
                        const Affine &difference) {
  Affine opposite;
  opposite.add(difference, -1);
  auto one = [](Affine value, int64_t constant, bool equal = false) {
    value.linear.constant += constant;
    return Form(Disjunction{{Constraint{value, equal}}});
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
  if (node->is("arith.cmpi")) {
    auto difference = affineOf(node->operands[0]);
    auto right = affineOf(node->operands[1]);
    if (difference && right) {
      auto predicate =
          cast<arith::CmpIPredicateAttr>(node->attributes.get("predicate"))
              .getValue();
      difference->add(*right, -1);
      return compareForm(negate ? arith::invertPredicate(predicate) : predicate,
                         *difference);
    }
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
// The stage
//===----------------------------------------------------------------------===//

/// True for an integer that differs by batch alone, and can be read so.
static bool isSymbol(const Match &match, const Node *node) {
  if (!isa<IntegerType, IndexType>(node->type) || node->type.isInteger(1))
    return false;
  if (node->kind == Node::Scalar)
    return true;
  return node->kind == Node::Access &&
         llvm::all_of(atomsOf(node),
                      [&](Atom atom) {
                        return llvm::is_contained(match.batch, atom);
                      }) &&
         bestReading(match.view.getSpace(), node);
}

/// True if the node depends on nothing but indices, constant tables, symbols.
static bool isPure(const Match &match, const Node *node) {
  switch (node->kind) {
  case Node::Constant:
  case Node::Index:
  case Node::Table:
    return true;
  case Node::Apply:
    return !node->value && llvm::all_of(node->operands, [&](Node *n) {
      return isPure(match, n);
    });
  default:
    return isSymbol(match, node);
  }
}

/// The outermost conditions of this kind in a node.
static void collectConditions(const Match &match, Node *node,
                              DenseSet<Node *> &seen,
                              SmallVector<Node *> &found) {
  if (!seen.insert(node).second)
    return;
  if (node->type.isInteger(1) && !intConstant(node) && isPure(match, node)) {
    found.push_back(node);
    return;
  }
  for (Node *operand : node->operands)
    collectConditions(match, operand, seen, found);
}

static ArrayAttr toSets(Match &match, const Disjunction &sets) {
  MLIRContext *context = match.view.getContext();
  unsigned count = match.setAtoms.size();
  for (const Conjunction &conjunction : sets)
    for (const Constraint &c : conjunction)
      for (auto [symbol, coefficient] : c.value.symbols)
        match.symbols.insert(symbol);
  SmallVector<Attribute> result;
  for (const Conjunction &conjunction : sets) {
    SmallVector<AffineExpr> exprs;
    SmallVector<bool> equal;
    for (const Constraint &c : conjunction) {
      const Linear &linear = c.value.linear;
      AffineExpr expr = getAffineConstantExpr(linear.constant, context);
      for (auto [symbol, coefficient] : c.value.symbols) {
        auto number = llvm::find(match.symbols, symbol) - match.symbols.begin();
        expr =
            expr + getAffineSymbolExpr(count + number, context) * coefficient;
      }
      for (auto [atom, coefficient] : linear.terms) {
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
    result.push_back(IntegerSetAttr::get(
        IntegerSet::get(count, count + match.symbols.size(), exprs, equal)));
  }
  return ArrayAttr::get(context, result);
}

/// True if all constraints are over loops that a set may use.
static bool overSetAtoms(const Match &match, const Disjunction &sets) {
  for (const Conjunction &conjunction : sets)
    for (const Constraint &c : conjunction)
      for (auto [atom, coefficient] : c.value.linear.terms)
        if (!llvm::is_contained(match.setAtoms, atom))
          return false;
  return true;
}

void mlir::attn::extractMask(Match &match) {
  View &view = match.view;
  MLIRContext *context = view.getContext();
  DenseSet<Node *> seen;
  SmallVector<Node *> conditions;
  collectConditions(match, match.score, seen, conditions);

  Disjunction visible{{}};
  std::optional<double> fill;
  bool anySet = false;
  for (size_t next = 0; next < conditions.size(); ++next) {
    Node *condition = conditions[next];
    bool taken = false;
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
      taken = true;
      break;
    }
    // A part of it may hide keys by itself.
    if (!taken)
      for (Node *operand : condition->operands)
        collectConditions(match, operand, seen, conditions);
  }
  match.hidden = fill && std::isfinite(*fill)
                     ? HiddenAttr::getReplace(context, *fill)
                     : HiddenAttr::getSkip(context);
  if (anySet)
    match.visible = toSets(match, visible);
}
