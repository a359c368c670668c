//===- Expr.cpp - Integer affine expressions --------------------*- C++ -*-===//
#include "attn/Support/Expr.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <limits>
#include <numeric>

using namespace attn;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

// The most negative number is left out, so that everything can be negated.
static constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

int64_t attn::addSaturating(int64_t a, int64_t b) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum))
    return a < 0 ? -kMax : kMax;
  return std::max(sum, -kMax);
}

int64_t attn::mulSaturating(int64_t a, int64_t b) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product))
    return (a < 0) != (b < 0) ? -kMax : kMax;
  return std::max(product, -kMax);
}

int64_t attn::floorDiv(int64_t a, int64_t q) {
  return a / q - (a % q < 0 ? 1 : 0);
}

int64_t attn::ceilDiv(int64_t a, int64_t q) {
  return a / q + (a % q > 0 ? 1 : 0);
}

int64_t attn::floorMod(int64_t a, int64_t q) {
  int64_t r = a % q;
  return r < 0 ? r + q : r;
}

//===----------------------------------------------------------------------===//
// Construction in normal form
//===----------------------------------------------------------------------===//

Expr Expr::fromTerm(Term term) {
  Expr e;
  if (term.coefficient != 0)
    e.termList.push_back(std::move(term));
  return e;
}

Expr Expr::dim(unsigned index) { return fromTerm({1, Kind::Dim, index}); }
Expr Expr::symbol(unsigned index) { return fromTerm({1, Kind::Symbol, index}); }

int Expr::compareAtoms(const Term &a, const Term &b) {
  if (a.kind != b.kind)
    return a.kind < b.kind ? -1 : 1;
  if (a.kind == Kind::Dim || a.kind == Kind::Symbol)
    return a.index == b.index ? 0 : a.index < b.index ? -1 : 1;
  if (a.divisor != b.divisor)
    return a.divisor < b.divisor ? -1 : 1;
  return compare(*a.operand, *b.operand);
}

int Expr::compare(const Expr &a, const Expr &b) {
  if (a.termList.size() != b.termList.size())
    return a.termList.size() < b.termList.size() ? -1 : 1;
  for (size_t i = 0; i < a.termList.size(); ++i) {
    const Term &ta = a.termList[i], &tb = b.termList[i];
    if (int order = compareAtoms(ta, tb))
      return order;
    if (ta.coefficient != tb.coefficient)
      return ta.coefficient < tb.coefficient ? -1 : 1;
  }
  if (a.constantPart != b.constantPart)
    return a.constantPart < b.constantPart ? -1 : 1;
  return 0;
}

namespace attn {
Expr operator+(const Expr &a, const Expr &b) {
  Expr sum(addSaturating(a.constantPart, b.constantPart));
  sum.termList.reserve(a.termList.size() + b.termList.size());
  auto i = a.termList.begin(), j = b.termList.begin();
  while (i != a.termList.end() || j != b.termList.end()) {
    int order = i == a.termList.end()   ? 1
                : j == b.termList.end() ? -1
                                        : Expr::compareAtoms(*i, *j);
    if (order < 0) {
      sum.termList.push_back(*i++);
    } else if (order > 0) {
      sum.termList.push_back(*j++);
    } else {
      Expr::Term term = *i++;
      term.coefficient = addSaturating(term.coefficient, (j++)->coefficient);
      if (term.coefficient != 0)
        sum.termList.push_back(std::move(term));
    }
  }
  return sum;
}

Expr operator*(const Expr &a, int64_t factor) {
  if (factor == 0)
    return 0;
  Expr product = a;
  product.constantPart = mulSaturating(a.constantPart, factor);
  for (Expr::Term &term : product.termList)
    term.coefficient = mulSaturating(term.coefficient, factor);
  return product;
}
} // namespace attn

Expr Expr::floorDiv(int64_t q) const {
  assert(q > 0 && "floordiv by a positive constant");
  // Multiples of q come out whole: (q a + b) floordiv q = a + b floordiv q.
  Expr whole(attn::floorDiv(constantPart, q));
  Expr rest(floorMod(constantPart, q));
  int64_t divisor = q; // of the coefficients of rest, and of q
  for (const Term &term : termList) {
    bool divides = term.coefficient % q == 0;
    Term copy = term;
    if (divides)
      copy.coefficient /= q;
    else
      divisor = std::gcd(divisor, term.coefficient);
    (divides ? whole : rest).termList.push_back(std::move(copy));
  }
  if (rest.termList.empty())
    return whole;
  // (g a + c) floordiv (g q) = (a + c floordiv g) floordiv q.
  for (Term &term : rest.termList)
    term.coefficient /= divisor;
  rest.constantPart = attn::floorDiv(rest.constantPart, divisor);
  q /= divisor;
  if (q == 1)
    return whole + rest;
  // (a floordiv p + k) floordiv q = (a + k p) floordiv (p q).
  const Term &first = rest.termList.front();
  int64_t product;
  if (rest.termList.size() == 1 && first.kind == Kind::FloorDiv &&
      first.coefficient == 1 &&
      !__builtin_mul_overflow(first.divisor, q, &product))
    return whole +
           (*first.operand + mulSaturating(rest.constantPart, first.divisor))
               .floorDiv(product);
  return whole + fromTerm({1, Kind::FloorDiv, 0, q,
                           std::make_shared<const Expr>(std::move(rest))});
}

Expr Expr::ceilDiv(int64_t q) const { return (*this + (q - 1)).floorDiv(q); }

Expr Expr::mod(int64_t q) const {
  assert(q > 0 && "mod by a positive constant");
  // Multiples of q vanish, and (g a + c) mod (g q) = g (a mod q) + c for
  // 0 <= c < g.
  Expr rest(floorMod(constantPart, q));
  int64_t divisor = q;
  for (const Term &term : termList) {
    int64_t coefficient = floorMod(term.coefficient, q);
    if (coefficient == 0)
      continue;
    Term copy = term;
    copy.coefficient = coefficient;
    divisor = std::gcd(divisor, coefficient);
    rest.termList.push_back(std::move(copy));
  }
  if (rest.termList.empty())
    return rest;
  int64_t low = rest.constantPart % divisor;
  for (Term &term : rest.termList)
    term.coefficient /= divisor;
  rest.constantPart /= divisor;
  q /= divisor;
  const Term &first = rest.termList.front();
  bool isReduced = rest.termList.size() == 1 && first.kind == Kind::Mod &&
                   first.coefficient == 1 && rest.constantPart == 0 &&
                   first.divisor <= q;
  if (q == 1)
    return low;
  if (isReduced)
    return rest * divisor + low;
  return fromTerm({divisor, Kind::Mod, 0, q,
                   std::make_shared<const Expr>(std::move(rest))}) +
         low;
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

int64_t Expr::coefficientOfDim(unsigned index) const {
  for (const Term &term : termList)
    if (term.kind == Kind::Dim && term.index == index)
      return term.coefficient;
  return 0;
}

static bool mentions(const Expr &e, Expr::Kind kind, unsigned index) {
  return llvm::any_of(e.terms(), [&](const Expr::Term &term) {
    return term.operand ? mentions(*term.operand, kind, index)
                        : term.kind == kind && term.index == index;
  });
}

bool Expr::mentionsDim(unsigned index) const {
  return mentions(*this, Kind::Dim, index);
}
bool Expr::mentionsSymbol(unsigned index) const {
  return mentions(*this, Kind::Symbol, index);
}
bool Expr::isDimUnderDivision(unsigned index) const {
  return llvm::any_of(termList, [&](const Term &term) {
    return term.operand && term.operand->mentionsDim(index);
  });
}

int64_t Expr::evaluate(llvm::ArrayRef<int64_t> dims,
                       llvm::ArrayRef<int64_t> symbols) const {
  auto atom = [&](const Term &term) {
    switch (term.kind) {
    case Kind::Dim:
      return dims[term.index];
    case Kind::Symbol:
      return symbols[term.index];
    case Kind::FloorDiv:
      return attn::floorDiv(term.operand->evaluate(dims, symbols),
                            term.divisor);
    case Kind::Mod:
      return floorMod(term.operand->evaluate(dims, symbols), term.divisor);
    }
    llvm_unreachable("covered switch");
  };
  int64_t sum = constantPart;
  for (const Term &term : termList)
    sum = addSaturating(sum, mulSaturating(term.coefficient, atom(term)));
  return sum;
}

Expr Expr::substitute(llvm::function_ref<Expr(unsigned)> dim,
                      llvm::function_ref<Expr(unsigned)> symbol) const {
  Expr sum(constantPart);
  for (const Term &term : termList) {
    Expr atom;
    switch (term.kind) {
    case Kind::Dim:
      atom = dim(term.index);
      break;
    case Kind::Symbol:
      atom = symbol(term.index);
      break;
    case Kind::FloorDiv:
      atom = term.operand->substitute(dim, symbol).floorDiv(term.divisor);
      break;
    case Kind::Mod:
      atom = term.operand->substitute(dim, symbol).mod(term.divisor);
      break;
    }
    sum = sum + atom * term.coefficient;
  }
  return sum;
}

Expr Expr::bindSymbols(llvm::ArrayRef<int64_t> symbols) const {
  return substitute([](unsigned i) { return dim(i); },
                    [&](unsigned i) { return Expr(symbols[i]); });
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printAtom(llvm::raw_ostream &os, const Expr::Term &term,
                      llvm::ArrayRef<llvm::StringRef> dimNames,
                      llvm::ArrayRef<llvm::StringRef> symbolNames,
                      bool isFactor) {
  if (!term.operand) {
    bool isDim = term.kind == Expr::Kind::Dim;
    llvm::ArrayRef<llvm::StringRef> names = isDim ? dimNames : symbolNames;
    if (term.index < names.size())
      os << names[term.index];
    else
      os << (isDim ? 'd' : 's') << term.index;
    return;
  }
  const Expr &x = *term.operand;
  bool isName = x.constant() == 0 && x.terms().size() == 1 &&
                x.terms()[0].coefficient == 1 && !x.terms()[0].operand;
  os << (isFactor ? "(" : "") << (isName ? "" : "(");
  x.print(os, dimNames, symbolNames);
  os << (isName ? "" : ")")
     << (term.kind == Expr::Kind::FloorDiv ? " floordiv " : " mod ")
     << term.divisor << (isFactor ? ")" : "");
}

void Expr::print(llvm::raw_ostream &os,
                 llvm::ArrayRef<llvm::StringRef> dimNames,
                 llvm::ArrayRef<llvm::StringRef> symbolNames) const {
  bool isFirst = true;
  for (const Term &term : termList) {
    bool negative = term.coefficient < 0;
    os << (isFirst ? (negative ? "-" : "") : (negative ? " - " : " + "));
    int64_t factor = std::abs(term.coefficient);
    if (factor != 1)
      os << factor << " * ";
    printAtom(os, term, dimNames, symbolNames,
              factor != 1 || termList.size() > 1 || constantPart != 0 ||
                  negative);
    isFirst = false;
  }
  if (isFirst)
    os << constantPart;
  else if (constantPart != 0)
    os << (constantPart < 0 ? " - " : " + ") << std::abs(constantPart);
}

std::string Expr::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

llvm::raw_ostream &attn::operator<<(llvm::raw_ostream &os, const Expr &e) {
  e.print(os);
  return os;
}
