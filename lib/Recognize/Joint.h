//===- Joint.h - forward and backward in one function -------------*- C++
//-*-===//
//
// A joint graph computes an attention's gradients from its own scores: what a
// framework's automatic differentiation writes. It is found from the score
// contraction Q K^T outwards:
//
//   members   the sums of products that are fed by an exponential of it: O = P
//   V,
//             dV = P^T dO, dQ = dS K, dK = dS^T Q
//   P         the exponential and its sum, whose loops are the keys
//   dP        the other contraction that dQ and dK depend on: its factors are
//   dO
//             and V
//   forward   the stages of Match.h, on P V, which need not be in the graph
//   gradients each member's summand, as a polynomial (Polynomial.h), must be
//   the
//             formula's, for this forward's own score function:
//               dX = P (Z dP - sum P Z dP),  dS = dX d score / d (Q K^T)
//
// Members are laid over one set of loops, those of Q K^T itself: where a member
// reads the contraction at [i, j], its own loops become the contraction's.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_RECOGNIZE_JOINT_H
#define ATTN_LIB_RECOGNIZE_JOINT_H

#include "Candidates.h"
#include "Match.h"
#include "Polynomial.h"
#include "ScoreRegion.h"

namespace mlir::attn {

/// A sum of products fed by an exponential of the scores.
struct JointMember {
  Operation *op;
  SmallVector<Value> roots; // what it may end in, nearest first
  bool hasGradient = false; // a second contraction outside the exponential
};

/// The members around one score contraction.
struct JointGroup {
  linalg::LinalgOp scores;
  SmallVector<JointMember> members;
};

/// The groups among sums of products that hold gradients.
SmallVector<JointGroup> findJointGroups(ArrayRef<SumOfProducts> sums);

/// A tensor of rows x keys that a backward is given.
struct SavedProbabilities {
  Value tensor;
  bool areScores; // or the probabilities
};
/// What the gradient of Q is computed from, if that is no score contraction.
std::optional<SavedProbabilities> findSavedProbabilities(linalg::LinalgOp op);

/// A member as const * factors * sum over loops of a summand.
struct MemberSum {
  Value root;
  SmallVector<Linear> rootIndices;
  SmallVector<Linear> loops;
  Node *summand = nullptr;
  SmallVector<std::pair<Node *, bool>> factors; // and whether it divides
  SmallVector<Type> narrowed; // to which it is rounded between its sums
};

/// What a member turned out to be.
enum class MemberKind {
  Output,
  QueryGrad,
  KeyGrad,
  ValueGrad,
  SinkGrad,
  ExtraGrad,
  LogSumExp
};

struct JointResult {
  MemberKind kind;
  Value root;
  SmallVector<Linear> rootIndices; // over the loops of the match
  unsigned extra = 0;              // ExtraGrad: of which one
  // Divided by a sum after its own: 0 / 0, not 0, where there is no key.
  bool dividedAfter = false;
};

/// Indices of one op in terms of others.
using Substitution = DenseMap<Atom, Linear>;
Linear substituted(const Linear &linear, const Substitution &replace);

/// Adds the atoms of indices to `atoms`.
void insertAtoms(ArrayRef<Linear> indices, DenseSet<Atom> &atoms);

/// A joint graph being matched. Failures name an obligation: one of the
/// forward's, or G1, G2, ...
class JointMatch {
public:
  JointMatch(View &view, const JointGroup &group)
      : forward(view, Value()), view(view), group(group) {}
  bool run();
  /// Looks for the gradients of what the region reads, and of the sink.
  void matchExtras(const ScoreRegion &region);
  /// The extras that have a gradient, in order.
  SmallVector<int64_t> differentiatedExtras() const;
  /// The gradient of the log-sum-exp as an expression; null if there is none.
  Node *lseGradient();
  /// G2: that expression can be computed by rows.
  bool checkLseGradient();
  /// The op that computes dP.
  Operation *getProducts() const { return products->op; }

  Match forward;
  Node *outputGrad = nullptr; // dO
  // What the backward is given, and does not compute from the scores.
  Node *savedLse = nullptr, *savedOutput = nullptr;
  SmallVector<JointResult> results;
  // A tensor holds the log-sum-exp, but would not in a row without keys.
  bool lseWithoutKeys = false;
  bool soughtFurther = false; // gradients beside those of Q, K and V
  SmallVector<Type> narrowed; // types that gradients are rounded to on the way

private:
  struct Found {
    const JointMember *member;
    MemberKind kind;
    Polynomial value;
  };

  // JointAlign.cpp
  std::optional<MemberSum> read(const JointMember &member, Value root,
                                const Substitution &replace);
  std::optional<MemberSum> readGradient(Value root, const Substitution &replace,
                                        unsigned limit);
  bool overLoops(const MemberSum &sum);
  /// The member over the match's loops; nothing if some are left over.
  std::optional<MemberSum> aligned(const JointMember &member, Value root,
                                   MemberKind kind);
  /// The same of any other value, which is taken apart into at most `limit`
  /// sums; where `like` is given, its loops are found in what it reads as that
  /// does, else in the scores.
  std::optional<MemberSum> alignedGradient(Value root, Node *like,
                                           unsigned limit);
  bool unify(ArrayRef<Linear> own, ArrayRef<Linear> canonical,
             Substitution &replace);
  bool align(Node *summand, Substitution &replace);
  bool alignLeaves(Node *summand, Node *operand, Substitution &replace);
  bool alignUnread(const MemberSum &sum, Substitution &replace);
  Node *scoresIn(Node *expression);

  // JointProbabilities.cpp
  bool findScores();
  bool findProbabilities();
  void findGuard();
  bool isTotal(Node *sum);
  bool isLongerTotal(Node *sum);
  bool exponentiatesScores(Node *body);
  bool findTotal(Node *expression);
  Node *findNormaliser(Node *expression);

  // JointMatch.cpp
  bool findOutputGrad();
  bool readsByRows(Node *saved);
  bool matchForward();

  // JointMembers.cpp
  void findWeight();
  Polynomial valueOf(const MemberSum &sum);
  Node *operandOf(MemberKind kind);
  bool coversLoops(MemberKind kind, const MemberSum &sum);
  bool matchMembers();
  bool matchMember(const JointMember &member);
  bool probabilitiesHaveGradient(const JointMember &member);
  Polynomial expected(MemberKind kind);
  /// The same value, as exactly as the scores' type holds constants.
  bool sameValue(const Polynomial &a, const Polynomial &b) const {
    return attn::sameValue(a, b, ring->tolerance());
  }
  bool fail(Obligation obligation, const Twine &why) {
    return forward.fail(obligation, why);
  }

  // JointExtras.cpp
  struct Wanted {
    MemberKind kind;
    unsigned number; // of the extra
    Node *node;
    Polynomial value;
    Node *like = nullptr; // what its gradient reads as, if not as the scores
  };
  SmallVector<Wanted> wantedGradients(const ScoreRegion &region);
  void findExtras(const ScoreRegion &region);
  std::optional<Polynomial> expectedExtra(Node *extra);
  std::optional<Wanted> expectedSink();
  bool isGradientOf(const MemberSum &sum, const Wanted &wanted);

  // JointRows.cpp
  void findRows();
  void findLseGradient(const Polynomial &derivative);
  std::optional<Polynomial> overRows(const Polynomial &difference,
                                     const Polynomial &by);
  std::optional<MemberSum> logSumExpIn(Value value);
  bool isExactWithoutKeys(Node *logSumExp);

  // JointSaved.cpp
  bool findSavedShift(Node *e);
  bool findSavedProbabilities();
  void findSavedOutput();

  // JointMask.cpp
  void extractConditions();
  bool sameWhereShown(const Polynomial &a, const Polynomial &b);
  bool chooseMask();
  void keepMaskInScore();
  bool vanishesWithProbability(const Polynomial &value);
  bool everyRowHasKey();
  bool guardHolds();

  View &view;
  const JointGroup &group;
  DenseSet<Atom> fixed; // loops of the match
  Node *scores = nullptr;
  Node *summand = nullptr;    // of a gradient
  Node *total = nullptr;      // the sum of exponentials
  Node *element = nullptr;    // what it sums, at the keys
  Node *normaliser = nullptr; // the sum and what stands beside it
  SmallVector<Node *> besideKeys;
  // The sum is over so many elements, and the keys begin there.
  std::optional<std::pair<int64_t, int64_t>> longer;
  Node *probability = nullptr;   // P
  Node *unguarded = nullptr;     // and without a select for rows without keys
  std::optional<unsigned> guard; // that select's condition
  Node *exponential = nullptr;   // and what is exponentiated in it
  Node *products = nullptr;      // dP
  double productsFactor = 1;     // dP over dO V^T
  SmallVector<Linear> valueLoops;
  std::optional<Ring> ring;
  Polynomial weight{1}, exponentGradient, scoreGradient;
  Polynomial rowSum;           // of P dP
  Polynomial lseGrad;          // dLSE
  Polynomial savedSum;         // the same, of dO and the saved O
  Polynomial shown{1};         // where the mask shows the key
  Node *maskedScore = nullptr; // the score with its mask
  SmallVector<Found> gradients;
};

/// O14 for all members, and G5: where the gradients can be written.
bool checkJointUses(JointMatch &match, const ScoreRegion &region);

/// Writes the attention and its backward and erases what they replace.
void rewriteJoint(JointMatch &match, ScoreRegion &region,
                  DenseSet<Operation *> &erased);

} // namespace mlir::attn

#endif // ATTN_LIB_RECOGNIZE_JOINT_H
