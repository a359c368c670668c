//===- Visible.cpp - Which keys a query sees: sets --------------*- C++ -*-===//
//
// Membership, complement and printing. Boxes and counts are in
// VisibleBlocks.cpp.
//
//===----------------------------------------------------------------------===//
#include "attn/Support/Visible.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>
#include <numeric>

using namespace attn;

bool Constraint::holds(llvm::ArrayRef<int64_t> point,
                       llvm::ArrayRef<int64_t> symbols) const {
  int64_t value = expr.evaluate(point, symbols);
  return isEquality ? value == 0 : value >= 0;
}

bool AffineSet::contains(llvm::ArrayRef<int64_t> point,
                         llvm::ArrayRef<int64_t> symbols) const {
  return llvm::all_of(constraints, [&](const Constraint &c) {
    return c.holds(point, symbols);
  });
}

llvm::SmallVector<Expr, 4> AffineSet::inequalities() const {
  llvm::SmallVector<Expr, 4> list;
  for (const Constraint &c : constraints) {
    list.push_back(c.expr);
    if (c.isEquality)
      list.push_back(-c.expr);
  }
  return list;
}

llvm::StringRef attn::stringify(BlockKind kind) {
  switch (kind) {
  case BlockKind::Empty:
    return "empty";
  case BlockKind::Partial:
    return "partial";
  case BlockKind::Full:
    return "full";
  }
  llvm_unreachable("covered switch");
}

Visible Visible::all(unsigned numDims, unsigned numSymbols) {
  return Visible(numDims, numSymbols, AffineSet());
}

Visible Visible::none(unsigned numDims, unsigned numSymbols) {
  return Visible(numDims, numSymbols);
}

bool Visible::isAll() const {
  return llvm::any_of(
      setList, [](const AffineSet &set) { return set.constraints.empty(); });
}

static bool anyExpr(llvm::ArrayRef<AffineSet> sets,
                    llvm::function_ref<bool(const Expr &)> predicate) {
  return llvm::any_of(sets, [&](const AffineSet &set) {
    return llvm::any_of(set.constraints,
                        [&](const Constraint &c) { return predicate(c.expr); });
  });
}

bool Visible::mentionsDim(unsigned dim) const {
  return anyExpr(setList, [=](const Expr &e) { return e.mentionsDim(dim); });
}

bool Visible::mentionsSymbol(unsigned symbol) const {
  return anyExpr(setList,
                 [=](const Expr &e) { return e.mentionsSymbol(symbol); });
}

bool Visible::contains(llvm::ArrayRef<int64_t> point,
                       llvm::ArrayRef<int64_t> symbols) const {
  return llvm::any_of(setList, [&](const AffineSet &set) {
    return set.contains(point, symbols);
  });
}

//===----------------------------------------------------------------------===//
// Complement
//===----------------------------------------------------------------------===//

namespace {
/// A conjunction of inequalities e >= 0, no two with the same terms.
using Conjunction = llvm::SmallVector<Expr, 4>;
} // namespace

static bool sameTerms(const Expr &a, const Expr &b) {
  return (a - b).isConstant();
}

/// g a + c >= 0 is a + floor(c / g) >= 0.
static Expr tighten(const Expr &e) {
  uint64_t gcd = 0;
  for (const Expr::Term &term : e.terms())
    gcd = std::gcd(gcd, uint64_t(std::abs(term.coefficient)));
  return gcd > 1 ? e.floorDiv(int64_t(gcd)) : e;
}

/// Adds e >= 0. False if the conjunction is then plainly empty.
static bool addTo(Conjunction &conjunction, const Expr &e) {
  if (e.isConstant())
    return e.constant() >= 0;
  Expr tight = tighten(e);
  for (const Expr &other : conjunction) {
    Expr sum = other + tight;
    if (sum.isConstant() && sum.constant() < 0)
      return false;
  }
  for (Expr &other : conjunction) {
    if (!sameTerms(other, tight))
      continue;
    if (tight.constant() < other.constant())
      other = tight;
    return true;
  }
  conjunction.push_back(tight);
  return true;
}

/// Whether a is plainly contained in b.
static bool implies(const Conjunction &a, const Conjunction &b) {
  return llvm::all_of(b, [&](const Expr &e) {
    return llvm::any_of(a, [&](const Expr &f) {
      return sameTerms(e, f) && f.constant() <= e.constant();
    });
  });
}

static void addUnlessImplied(std::vector<Conjunction> &list, Conjunction c) {
  for (const Conjunction &other : list)
    if (implies(c, other))
      return;
  llvm::erase_if(list,
                 [&](const Conjunction &other) { return implies(other, c); });
  list.push_back(std::move(c));
}

Visible Visible::complement() const {
  // Not (S1 or S2 ..) = (not S1) and (not S2) .., each of them an or of negated
  // inequalities: not (e >= 0) is -e - 1 >= 0. Multiplied out set by set.
  std::vector<Conjunction> result{{}};
  for (const AffineSet &set : setList) {
    std::vector<Conjunction> next;
    for (const Conjunction &prefix : result) {
      for (const Expr &e : set.inequalities()) {
        Conjunction extended = prefix;
        if (addTo(extended, -e - 1))
          addUnlessImplied(next, std::move(extended));
      }
    }
    result = std::move(next);
  }
  Visible hidden(dimCount, symbolCount);
  for (const Conjunction &conjunction : result) {
    AffineSet set;
    for (const Expr &e : conjunction)
      set.constraints.push_back({e, false});
    hidden.setList.push_back(std::move(set));
  }
  return hidden;
}

uint64_t Visible::complementBound() const {
  uint64_t bound = 1;
  for (const AffineSet &set : setList)
    if (__builtin_mul_overflow(bound, uint64_t(set.inequalities().size()),
                               &bound))
      return std::numeric_limits<uint64_t>::max();
  return bound;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void Visible::print(llvm::raw_ostream &os) const {
  if (isAll()) {
    os << "all";
    return;
  }
  os << '[';
  llvm::interleaveComma(setList, os, [&](const AffineSet &set) {
    os << '{';
    llvm::interleaveComma(set.constraints, os, [&](const Constraint &c) {
      os << c.expr << (c.isEquality ? " == 0" : " >= 0");
    });
    os << '}';
  });
  os << ']';
}

std::string Visible::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}
