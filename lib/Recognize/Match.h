//===- Match.h - the stages of a match and what they hand on -----*- C++
//-*-===//
//
// A match is made in stages, each a chain of predicates that either returns
// success or records the obligation that failed:
//
//   softmax   product = (sum of E V) / (sum of E),  E = exp(x - shift)
//   score     x = f(sum of Q K, constants, indices, other tensors)
//   mask      the part of f that only hides keys, as affine sets
//   layout    roles of the loops; how each operand is read
//
// Only when all have succeeded is anything rewritten (Rewrite.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_RECOGNIZE_MATCH_H
#define ATTN_LIB_RECOGNIZE_MATCH_H

#include "attn/IR/AttnDialect.h"
#include "attn/Recognize/Obligations.h"
#include "attn/Recognize/View.h"
#include <set>

namespace mlir::attn {

/// What a match has found so far, and why it failed if it did.
struct Match {
  Match(View &view, Value root) : view(view), root(root) {}

  View &view;
  Value root; // the tensor that the attention replaces; null in a joint graph
  SmallVector<Linear> rootIndices; // or, without a root, the loops of O
  std::optional<Failure> failure;
  std::set<Assumption> assumed;
  SmallVector<std::string> droppedRoundings;
  bool quantised = false; // one of them is to fewer than 16 bits

  // softmax; a joint graph gives the summand and the key loops itself
  Node *summand = nullptr; // E V, over the sum of E
  Type sumType;            // in which it is summed
  SmallVector<Linear> keyLoops;
  SmallVector<Atom> keys;
  Node *value = nullptr;  // V, as the product reads it
  Node *score = nullptr;  // x, in natural units
  Node *weight = nullptr; // what P is multiplied with before V
  Node *sink = nullptr;   // a further score without a value
  // The maximum, or the sum, does not take the sink in: a row whose keys are
  // all hidden is NaN, which the fused form would not be.
  bool sinkNeedsKeys = false;
  bool emptyRowsZero = false;
  // The division is done before the sum over keys: without any key that sum is
  // zero, where the quotient of two sums would be NaN.
  bool zeroWithoutKeys = false;
  bool sinkWithoutKeys = false; // and only a sink can say so

  // score
  Node *contraction = nullptr; // the sum of Q K
  SmallVector<Atom> depths;
  Node *query = nullptr, *key = nullptr;
  double scale = 1;

  // mask
  ArrayAttr visible;         // null if all keys are visible
  SetVector<Node *> symbols; // integers of the batch that its sets use
  HiddenAttr hidden;
  bool maskBySelect = false;
  SmallVector<std::pair<Node *, bool>>
      maskConditions; // and the value that hides

  // layout: atoms by role, in the order of the iteration space
  SmallVector<Atom> batch, row, value_, setAtoms;

  /// Records why the match failed; false, so that predicates can return it.
  bool fail(Obligation obligation, const Twine &why) {
    if (!failure)
      failure = Failure{obligation, why.str()};
    return false;
  }
  void dropRounding(Type to, StringRef what);
};

/// Roles that no loop of more than one step has get a loop of one step, which
/// is no atom of the index space.
constexpr Atom unitRow = ~0u - 2, unitDepth = ~0u - 1, unitValue = ~0u;
inline bool isUnitLoop(Atom atom) { return atom >= unitRow; }

/// The element type of the result: the root's, else the sum's.
Type resultType(const Match &match);

/// The type in which the attention accumulates.
FloatType accumulateType(const Match &match);

/// The node below float casts; `narrowed` gets the types it was rounded to.
Node *stripCasts(Node *node, SmallVectorImpl<Type> *narrowed = nullptr);
/// A sum as terms with signs, rows' shifts for instance: key-independent nodes,
/// fully expanded, sorted, opposites cancelled.
struct SignedSum {
  SmallVector<std::pair<Node *, int>> terms;
  void add(Node *term, int sign);
  bool operator==(const SignedSum &other) const { return terms == other.terms; }
};
/// Adds the terms of an expression of additions and subtractions; `narrowed`
/// gets the types that it was rounded to on the way.
void addTerms(View &view, Node *node, int sign, SignedSum &sum,
              SmallVectorImpl<Type> *narrowed = nullptr);

/// True if the node is a sum of products.
bool isContraction(const Node *node);

bool matchSoftmax(Match &match);
bool matchScore(Match &match);
void extractMask(Match &match);
bool matchLayout(Match &match);

/// A sum over the keys and a few elements beside them, attention sinks.
struct LongerSum {
  int64_t size, keys, firstKey;
  Node *ofKeys;                   ///< the summand, over the loop of the keys
  SmallVector<Node *> besideKeys; ///< the other elements
};

/// The sum as one over the loop of keys, if `isOfKeys` accepts its summand at
/// their first or last elements, and few others are left.
std::optional<LongerSum>
readLongerSum(View &view, Node *sum, ArrayRef<Linear> keyLoops,
              llvm::function_ref<bool(Node *)> isOfKeys);

/// True if in every row some score is above -inf, and no fill. A number of keys
/// that is not known may be 0, unless `ofAnyLength`.
bool everyRowHasKey(const Match &match, bool ofAnyLength = false);
/// What `sinkNeedsKeys` asks for, once the mask is known (O4).
bool checkSinkRows(Match &match);

/// True if a constant in the expression, a table's element for one, satisfies
/// the predicate.
bool holdsConstant(Node *node,
                   function_ref<bool(const llvm::APFloat &)> predicate);

/// Replaces parts of an expression. With `absorb`, hides what a fill absorbs:
/// s + -inf is -inf, s + c is c for a fill c, 0 s is 0; `absorbed` tells if
/// that was used.
Node *substitute(View &view, Node *node, Node *what, Node *by,
                 bool absorb = false, bool *absorbed = nullptr);

} // namespace mlir::attn

#endif // ATTN_LIB_RECOGNIZE_MATCH_H
