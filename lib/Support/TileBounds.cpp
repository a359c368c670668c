//===- TileBounds.cpp - What a tile sees, as expressions --------*- C++ -*-===//
#include "attn/Support/TileBounds.h"
#include "Isolate.h"

using namespace attn;
using namespace attn::tile;

//===----------------------------------------------------------------------===//
// Interval arithmetic
//===----------------------------------------------------------------------===//

static bool mentionsAnyDim(const Expr &e) {
  return llvm::any_of(e.terms(), [](const Expr::Term &term) {
    return term.operand ? mentionsAnyDim(*term.operand)
                        : term.kind == Expr::Kind::Dim;
  });
}

static Expr boundOf(const Expr &e, bool isUpper) {
  Expr sum(e.constant());
  for (const Expr::Term &term : e.terms()) {
    bool atomUpper = (term.coefficient > 0) == isUpper;
    Expr atom;
    switch (term.kind) {
    case Expr::Kind::Dim:
      atom = atomUpper ? last(term.index) : first(term.index);
      break;
    case Expr::Kind::Symbol:
      atom = Expr::symbol(term.index);
      break;
    case Expr::Kind::FloorDiv:
      atom = boundOf(*term.operand, atomUpper).floorDiv(term.divisor);
      break;
    case Expr::Kind::Mod:
      if (mentionsAnyDim(*term.operand))
        atom = atomUpper ? term.divisor - 1 : 0;
      else
        atom = term.operand->mod(term.divisor);
      break;
    }
    sum = sum + atom * term.coefficient;
  }
  return sum;
}

Expr tile::lower(const Expr &e) { return boundOf(e, false); }
Expr tile::upper(const Expr &e) { return boundOf(e, true); }

//===----------------------------------------------------------------------===//
// Bounds on a key
//===----------------------------------------------------------------------===//

static Expr termAsExpr(const Expr::Term &term) {
  Expr atom = term.kind == Expr::Kind::Dim      ? Expr::dim(term.index)
              : term.kind == Expr::Kind::Symbol ? Expr::symbol(term.index)
              : term.kind == Expr::Kind::FloorDiv
                  ? term.operand->floorDiv(term.divisor)
                  : term.operand->mod(term.divisor);
  return atom * term.coefficient;
}

static bool termMentions(const Expr::Term &term, unsigned dim) {
  return term.operand ? term.operand->mentionsDim(dim)
                      : term.kind == Expr::Kind::Dim && term.index == dim;
}

Expr attn::unwrapDim(Expr e, unsigned dim) {
  while (true) {
    const Expr::Term *only = nullptr;
    for (const Expr::Term &term : e.terms()) {
      if (!termMentions(term, dim))
        continue;
      if (only)
        return e;
      only = &term;
    }
    if (!only || only->kind != Expr::Kind::FloorDiv)
      return e;
    Expr rest = e - termAsExpr(*only);
    int64_t c = only->coefficient, q = only->divisor;
    const Expr &x = *only->operand;
    e = c > 0 ? x - q * (-rest).ceilDiv(c)
              : q * rest.floorDiv(-c) + (q - 1) - x;
  }
}

/// Replaces what holds the dim under floordiv or mod by linear bounds, up (e
/// may only grow: what remains is necessary) or down (sufficient). The result
/// is linear in the dim; it may be scaled by a positive factor.
static Expr relaxDim(Expr e, unsigned dim, bool up) {
  while (true) {
    auto terms = e.terms();
    const auto *under = llvm::find_if(terms, [&](const Expr::Term &term) {
      return term.operand && termMentions(term, dim);
    });
    if (under == terms.end())
      return e;
    Expr rest = e - termAsExpr(*under);
    int64_t c = under->coefficient, q = under->divisor;
    bool atomUp = (c > 0) == up;
    if (under->kind == Expr::Kind::Mod)
      e = rest + c * (atomUp ? q - 1 : 0);
    else
      e = q * rest + c * (*under->operand - (atomUp ? 0 : q - 1));
  }
}

static void addUnique(KeyBounds::List &list, Expr e) {
  if (!llvm::is_contained(list, e))
    list.push_back(std::move(e));
}

/// Adds the bound on the key that e >= 0 implies for some (up) or for all
/// points of the tile.
static void addBound(const Expr &e, unsigned key, bool up, KeyBounds::List &los,
                     KeyBounds::List &his, KeyBounds::List &conditions) {
  Expr linear = relaxDim(e, key, up);
  int64_t a = linear.coefficientOfDim(key);
  Expr rest = boundOf(linear - a * Expr::dim(key), up);
  if (a > 0)
    addUnique(los, (-rest).ceilDiv(a));
  else if (a < 0)
    addUnique(his, rest.floorDiv(-a) + 1);
  else if (!rest.isConstant() || rest.constant() < 0)
    addUnique(conditions, rest);
}

KeyBounds tile::keyBounds(const AffineSet &set, unsigned keyDim) {
  KeyBounds bounds;
  for (const Expr &e : set.inequalities()) {
    Expr unwrapped = unwrapDim(e, keyDim);
    addBound(unwrapped, keyDim, /*up=*/true, bounds.anyLo, bounds.anyHi,
             bounds.anyIf);
    addBound(unwrapped, keyDim, /*up=*/false, bounds.fullLo, bounds.fullHi,
             bounds.fullIf);
  }
  return bounds;
}

//===----------------------------------------------------------------------===//
// Tests of a block
//===----------------------------------------------------------------------===//

static llvm::SmallVector<Expr, 4> conditions(const AffineSet &set, bool up) {
  llvm::SmallVector<Expr, 4> result;
  for (const Expr &e : set.inequalities()) {
    Expr bound = boundOf(e, up);
    if (bound.isConstant() && bound.constant() >= 0)
      continue;
    if (!llvm::is_contained(result, bound))
      result.push_back(std::move(bound));
  }
  return result;
}

llvm::SmallVector<Expr, 4> tile::anyConditions(const AffineSet &set) {
  return conditions(set, /*up=*/true);
}

llvm::SmallVector<Expr, 4> tile::fullConditions(const AffineSet &set) {
  return conditions(set, /*up=*/false);
}
