//===- SoftmaxMatcher.h - the stage that finds the softmax --------*- C++
//-*-===//
//
// From the tensor a match starts at: it must be a product with exactly one sum
// over keys as a factor (O1). Its summand is a product again, of an exponential
// E and of V (O2); somewhere, outside or inside the sum, there is one division
// by a sum L of exponentials (O4) over the same keys (O5) of the same score
// (O6). How the factors are spread over ops, and in which order, does not
// matter.
//
//   SoftmaxMatch.cpp   factors of the product and of its summand
//   Exponent.cpp       exponents: the score and its shift
//   Shift.cpp          shifts that are right wherever the maximum is (O3)
//   Normaliser.cpp     the sum of exponentials (O4 to O6)
//   Sinks.cpp          scores without a value beside the keys (O4)
//   Guards.cpp         selects around probabilities (O7)
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_RECOGNIZE_SOFTMAXMATCHER_H
#define ATTN_LIB_RECOGNIZE_SOFTMAXMATCHER_H

#include "Match.h"

namespace mlir::attn {

/// A select that replaces by zero where its condition is `hidesOn`.
struct Guard {
  Node *condition;
  bool hidesOn;
  bool operator==(const Guard &o) const {
    return condition == o.condition && hidesOn == o.hidesOn;
  }
};

/// exp(score - shift) or exp2(...), under guards.
struct Exponential {
  SmallVector<Guard> guards;
  bool base2 = false;
  Node *score = nullptr;
  SignedSum shift;        // what is added to the score, independent of the key
  bool joinedLog = false; // the logarithm was added to the maximum first
};

class SoftmaxMatcher {
public:
  explicit SoftmaxMatcher(Match &match) : match(match), view(match.view) {}
  bool run();

private:
  bool findProduct();
  bool findFactors(unsigned opaque);
  void flatten(Node *node, bool inverse, bool top, Node *opaque);
  bool splitExponential(Node *node, Exponential &result);
  bool isShift(Node *node);
  bool reducesScores(Node *reduce);
  bool sumsScores(Node *node);
  void peelShift(Node *node, Exponential &result);
  bool matchNormaliser(const Exponential &above);
  bool matchTotal(Node *normaliser, const Exponential &above,
                  const SignedSum &shift);
  bool coverKeys(Node *sum, SmallVector<Atom> remaining,
                 const Exponential &above, const SignedSum &shift);
  bool matchLongerTotal(Node *sum, const Exponential &above,
                        const SignedSum &shift, SmallVector<Node *> &extra);
  bool sameExponential(Node *element, const Exponential &above,
                       const SignedSum &shift);
  bool matchDenominators(const Exponential &above);
  Node *sinkBehind(Node *term, const SignedSum &shift, bool base2);
  bool matchSinks(ArrayRef<std::pair<Node *, int>> extra,
                  const SignedSum &shift, bool base2);
  bool matchGate(Node *gate, const Exponential &above, const SignedSum &shift);
  void joinSinks(bool base2);
  bool isBounded(Node *shift, Node *factor);
  Node *withoutSinks(Node *shift, Node *factor);
  bool isSink(Node *node, Node *factor = nullptr);
  bool readsOnlySinks(Node *shift);
  bool readsScores(Node *node);
  bool matchGuards(const Exponential &above);
  void noteRoundings();
  bool scalesFills();
  bool toNaturalUnits();
  Node *naturalUnits(Node *exponent);
  bool checkShift(const Exponential &above);
  bool isMaximumOf(Node *maximum, Node *score, Node *factor,
                   const SignedSum &shift, bool &takesSink);
  bool isNoKey(Node *condition, bool negated);
  std::optional<bool> comparesWithMinusInfinity(Node *node);
  bool onKeys(Node *node) { return view.dependsOn(node, match.keys); }

  Match &match;
  View &view;
  SmallVector<Node *> numerators, denominators;
  SmallVector<Guard> guards;
  SmallVector<Guard> usedGuards; // guards that the normaliser has, too
  SmallVector<Node *> sinks;     // as the exponent has them
  int64_t firstKey = 0;          // of a sum over keys and sinks
  DenseMap<Node *, bool> scoreReductions;
  SmallVector<std::pair<Type, bool>> narrowed; // to what; outside the sum?
};

/// The operands of a maximum, as an op or as a choice of the larger; or
/// nothing.
std::optional<std::pair<Node *, Node *>> maximumOperands(Node *node);
/// True if what is added to the score is of a size that ordinary scores can
/// outweigh, as far as constants tell.
bool isModerate(const SignedSum &shift);
/// True if the expression has a finite constant that hides keys.
bool hasFill(Node *node);
/// True if the expression has an infinity as a constant.
bool hasInfinity(Node *node);
/// True if the expression may be -inf: by a constant, or by data.
bool mayBeInfinite(Node *node);

} // namespace mlir::attn

#endif // ATTN_LIB_RECOGNIZE_SOFTMAXMATCHER_H
