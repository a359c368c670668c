//===- Polynomial.h - expressions up to the laws of a ring --------*- C++
//-*-===//
//
// The backward of a softmax has as many spellings as there are ways to expand
// p (dp - sum p dp): torch subtracts two products, JAX differentiates the
// division and gets 1 / (l l), by hand one writes the formula. They are one
// polynomial over the same generators:
//
//   a value      exp(x - m), tanh(s), an element of dO: whatever is no sum or
//                product of others
//   a condition  1 where it shows, 0 where it hides: select(c, 0, a) is [not c]
//   a row sum    sum over the keys of a product; what the keys do not change
//                is taken out of it: sum dp (1 / (l l)) e is l^-2 sum dp e
//
// Exponentials of the scores that are shifted by other numbers of a row are one
// of them times such numbers (setRows), and a divisor d = c + a g makes a g / d
// what it is, 1 - c / d: a logistic function's derivative has two spellings.
//
// Exponents may be negative; a division by a sum of several terms is a value of
// its own. Casts between floats are looked through. Two expressions with the
// same normal form are equal in real arithmetic wherever all divisors differ
// from 0; what is equal for another reason is not seen to be.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_RECOGNIZE_POLYNOMIAL_H
#define ATTN_LIB_RECOGNIZE_POLYNOMIAL_H

#include "attn/Recognize/View.h"
#include <map>

namespace mlir::attn {

/// A product of generators to powers, by generator, no zero powers.
using Monomial = SmallVector<std::pair<unsigned, int>, 6>;

struct Generator {
  enum Kind { Value, Shown, Sum, Shift } kind;
  Node *node =
      nullptr;         // Value; Shown: the condition; Shift: as the log-sum-exp
  bool shownIf = true; // Shown: the condition's value
  Monomial summand = {}; // Sum, over the keys
};

class Polynomial {
public:
  Polynomial() = default;
  explicit Polynomial(double constant) { add(Monomial(), constant); }

  void add(const Monomial &monomial, double coefficient);
  void add(const Polynomial &other, double factor = 1);
  bool isZero() const { return terms.empty(); }
  /// The only term, if there is just one.
  const std::pair<const Monomial, double> *single() const {
    return terms.size() == 1 ? &*terms.begin() : nullptr;
  }

  std::map<Monomial, double> terms;
};

/// True if they agree, coefficients up to a relative difference.
bool sameValue(const Polynomial &a, const Polynomial &b, double tolerance);

/// Makes polynomials of a view's nodes.
class Ring {
public:
  /// Sums over the keys are seen once these are known.
  Ring(View &view, ArrayRef<Linear> keyLoops = {}, ArrayRef<Atom> keys = {})
      : view(view), keyLoops(keyLoops), keys(keys) {}

  /// How far apart equal constants may be: a few roundings of the type that the
  /// scores have.
  void setType(Type type);
  double tolerance() const { return roundings; }

  /// dP = factor sum dO V over these loops: from then on a sum of dO O over
  /// them, O a sum of P V over the keys, is seen to be the sum of P dP.
  void setProducts(Node *products, double factor, Node *outputGrad, Node *value,
                   ArrayRef<Linear> loops);

  /// The normaliser, sum over the keys of `element` and `rest`, is a value of
  /// its own from now on, and that sum is the difference. (Without a rest it is
  /// a sum over the keys like others.)
  void setNormaliser(Node *normaliser, Node *element, ArrayRef<Node *> rest);
  /// exp(x - r) is the total's exponential from now on, T its normaliser: that
  /// of another shift s is exp(x - r) exp(r - s), and r + log T is a value of
  /// its own, the log-sum-exp, whatever maximum it was computed from. False if
  /// that cannot be said.
  bool setRows(Node *exponential, Node *score, Node *normaliser);
  /// The generator of the log-sum-exp, once there is one.
  std::optional<unsigned> logSumExp() const { return rows.lse; }
  /// True if the expression is that value, up to what rounding ln 2 does to its
  /// parts.
  bool isLogSumExp(Node *node);

  /// Sums over the keys and a few elements more: those of `size` steps, of
  /// which the keys begin at `offset`.
  void setLongerSums(int64_t size, int64_t offset);

  Polynomial of(Node *node);
  Polynomial multiply(const Polynomial &a, const Polynomial &b);
  /// Nothing if the polynomial has several terms, or a condition among its
  /// factors.
  std::optional<Polynomial> inverse(const Polynomial &a);
  /// The derivative of an expression by one of its nodes; nothing if an op on
  /// the way has none here.
  std::optional<Polynomial> derivative(Node *node, Node *by);
  /// The sum over the keys.
  Polynomial sum(const Polynomial &a);

  unsigned value(Node *node);
  unsigned shown(Node *condition, bool shownIf);
  Polynomial power(unsigned generator, int exponent = 1);
  const Generator &operator[](unsigned generator) const {
    return generators[generator];
  }
  /// True for a sum over loops of just these sizes.
  bool isSumOver(Node *node, ArrayRef<Linear> sumLoops);

  /// True if the generator's value may change with one of the atoms.
  bool dependsOn(unsigned generator, ArrayRef<Atom> atoms);

  /// Types narrower than 32 bits that casts were looked through to.
  ArrayRef<Type> roundedTo() const { return narrowed; }

  /// True if the condition was seen to choose between two constants: then it is
  /// a factor of 0, which leaves a NaN, where another select leaves nothing.
  bool selectsConstants(Node *condition) const {
    return constantSelects.contains(condition);
  }

private:
  Polynomial compute(Node *node);
  std::optional<Polynomial> shiftedExponential(Node *node);
  std::optional<Polynomial> logarithm(Node *node);
  std::optional<Polynomial> ofPositive(Node *node);
  bool isPositive(Node *node);
  Polynomial shiftFactor(Polynomial exponent);
  void addReduced(Polynomial &result, const Monomial &product,
                  double coefficient);
  Polynomial quotient(const Polynomial &a, Node *divisor);
  bool onKeys(const Polynomial &a);
  unsigned sumOf(const Monomial &summand);
  bool isKeySum(Node *node);
  std::optional<Polynomial> longerSum(Node *node);
  std::optional<Polynomial> sumOfOutputs(Node *node);
  std::optional<Polynomial> exchangeSums(const Monomial &term);

  View &view;
  SmallVector<Linear> keyLoops;
  SmallVector<Atom> keys;
  struct {
    unsigned products, value;
    Monomial outputGrad;
    double factor;
    SmallVector<Linear> loops;
    SmallVector<Atom> atoms;
  } rowSum;
  struct {
    Node *node = nullptr;
    Monomial element;
    double coefficient = 1;
    Polynomial sum; // of the element
  } normaliser;
  struct {
    std::optional<unsigned> lse;
    Node *exponential = nullptr;
    unsigned total;
    Polynomial exponent, reference; // x - r and r
    // exp of numbers of a row, none of them 0
    SmallVector<std::pair<Polynomial, unsigned>> shifts;
  } rows;
  // divisor = constant + factor * value
  struct Divisor {
    unsigned divisor, value;
    double constant, factor;
  };
  SmallVector<Divisor> divisors;
  int64_t longerSize = 0, longerOffset = 0;
  double roundings = 1e-6;
  SmallVector<Generator> generators;
  DenseMap<Node *, Polynomial> known;
  DenseMap<Node *, unsigned> values;
  SmallVector<Type> narrowed;
  DenseSet<Node *> constantSelects;
};

} // namespace mlir::attn

#endif // ATTN_LIB_RECOGNIZE_POLYNOMIAL_H
