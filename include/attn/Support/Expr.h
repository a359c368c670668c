//===- Expr.h - Integer affine expressions ----------------------*- C++ -*-===//
//
// The expressions that visibility constraints and loop bounds are made of: what
// MLIR's AffineExpr can say, as a plain value, so that the cost model and the
// emulator can compute with it without MLIR.
//
// An Expr is kept as a sum
//
//     constant + sum_i coefficient_i * atom_i
//
// of distinct atoms in a fixed order with non-zero coefficients, where an atom
// is a dim, a symbol, `(e floordiv q)` or `(e mod q)` with a constant q > 0.
// Building an expression brings it to this form, so there is no separate
// simplifier, and a code generator needs to know four atoms, one product by a
// constant, and one sum:
//
//     d0 + d1 - d0                   is   d1
//     (6*d0 + d1 + 8) floordiv 2     is   3*d0 + 4 + (d1 floordiv 2)
//     (6*d0 + 4) mod 8               is   2 * ((3*d0 + 2) mod 4)
//     (d0 floordiv 4) floordiv 8     is   d0 floordiv 32
//     d0 ceildiv 8                   is   (d0 + 7) floordiv 8
//
// floordiv rounds to minus infinity and mod is in [0, q), as in MLIR.
// Arithmetic is in 64 bits and saturates, so that no input is undefined
// behaviour.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_SUPPORT_EXPR_H
#define ATTN_SUPPORT_EXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace attn {

/// a + b and a * b, clamped to +-(2^63 - 1).
int64_t addSaturating(int64_t a, int64_t b);
int64_t mulSaturating(int64_t a, int64_t b);

/// Division rounded to minus or plus infinity, and the remainder in [0, q).
/// Require q > 0.
int64_t floorDiv(int64_t a, int64_t q);
int64_t ceilDiv(int64_t a, int64_t q);
int64_t floorMod(int64_t a, int64_t q);

/// An immutable integer expression over dims d0.. and symbols s0...
class Expr {
public:
  enum class Kind : uint8_t { Dim, Symbol, FloorDiv, Mod };
  struct Term;

  /// A constant; the default is 0. Implicit, so that `m - n + 1` reads well.
  Expr(int64_t constant = 0) : constantPart(addSaturating(constant, 0)) {}
  static Expr dim(unsigned index);
  static Expr symbol(unsigned index);

  /// Require divisor > 0.
  Expr floorDiv(int64_t divisor) const;
  Expr ceilDiv(int64_t divisor) const;
  Expr mod(int64_t divisor) const;

  friend Expr operator+(const Expr &a, const Expr &b);
  friend Expr operator*(const Expr &a, int64_t factor);
  friend Expr operator*(int64_t factor, const Expr &a) { return a * factor; }
  friend Expr operator-(const Expr &a) { return a * -1; }
  friend Expr operator-(const Expr &a, const Expr &b) { return a + b * -1; }

  /// Structural, which is up to the normal form above.
  friend bool operator==(const Expr &a, const Expr &b) {
    return compare(a, b) == 0;
  }
  friend bool operator!=(const Expr &a, const Expr &b) { return !(a == b); }
  friend bool operator<(const Expr &a, const Expr &b) {
    return compare(a, b) < 0;
  }

  int64_t constant() const { return constantPart; }
  llvm::ArrayRef<Term> terms() const;
  bool isConstant() const { return termList.empty(); }

  /// The factor of dim `index` outside of floordiv and mod.
  int64_t coefficientOfDim(unsigned index) const;
  /// Whether the dim or symbol occurs anywhere, inside floordiv and mod too.
  bool mentionsDim(unsigned index) const;
  bool mentionsSymbol(unsigned index) const;
  /// Whether dim `index` occurs inside floordiv or mod.
  bool isDimUnderDivision(unsigned index) const;

  int64_t evaluate(llvm::ArrayRef<int64_t> dims,
                   llvm::ArrayRef<int64_t> symbols) const;

  /// This expression with every dim and symbol replaced, in normal form.
  Expr substitute(llvm::function_ref<Expr(unsigned)> dim,
                  llvm::function_ref<Expr(unsigned)> symbol) const;
  /// With the symbols' values put in.
  Expr bindSymbols(llvm::ArrayRef<int64_t> symbols) const;

  /// In MLIR's affine syntax; names default to d0.. and s0...
  void print(llvm::raw_ostream &os,
             llvm::ArrayRef<llvm::StringRef> dimNames = {},
             llvm::ArrayRef<llvm::StringRef> symbolNames = {}) const;
  std::string str() const;

private:
  static int compare(const Expr &a, const Expr &b);
  static int compareAtoms(const Term &a, const Term &b);
  static Expr fromTerm(Term term);

  int64_t constantPart;
  std::vector<Term> termList; // by compareAtoms, coefficients not 0
};

/// coefficient * atom. `index` belongs to Dim and Symbol, `operand` and
/// `divisor` to FloorDiv and Mod.
struct Expr::Term {
  int64_t coefficient;
  Kind kind;
  unsigned index = 0;
  int64_t divisor = 0;
  std::shared_ptr<const Expr> operand = nullptr;
};

inline llvm::ArrayRef<Expr::Term> Expr::terms() const { return termList; }

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Expr &e);

} // namespace attn

#endif // ATTN_SUPPORT_EXPR_H
