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
enum class MemberKind { Output, QueryGrad, KeyGrad, ValueGrad, ExtraGrad };

struct JointResult {
  MemberKind kind;
  Value root;
  SmallVector<Linear> rootIndices; // over the loops of the match
  unsigned extra = 0;              // ExtraGrad: of which one
};

/// Indices of one op in terms of others.
using Substitution = DenseMap<Atom, Linear>;
Linear substituted(const Linear &linear, const Substitution &replace);

/// A joint graph being matched. Failures name an obligation: one of the
/// forward's, or G1, G2, ...
class JointMatch {
public:
  JointMatch(View &view, const JointGroup &group)
      : forward(view, Value()), view(view), group(group) {}
  bool run();
  /// Looks for the gradients of what the region reads.
  void matchExtras(const ScoreRegion &region);
  /// The extras that have a gradient, in order.
  SmallVector<int64_t> differentiatedExtras() const;

  Match forward;
  Node *outputGrad = nullptr; // dO
  SmallVector<JointResult> results;
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
  bool unify(ArrayRef<Linear> own, ArrayRef<Linear> canonical,
             Substitution &replace);
  bool align(Node *summand, Substitution &replace);
  bool alignLeaves(Node *summand, Node *operand, Substitution &replace);
  Node *scoresIn(Node *expression);

  // JointMatch.cpp
  bool findScores();
  bool findProbabilities();
  void findGuard();
  bool findTotal(Node *expression);
  bool findOutputGrad();
  bool matchForward();
  void findWeight();
  std::optional<MemberSum> aligned(const JointMember &member, Value root,
                                   MemberKind kind);
  Polynomial valueOf(const MemberSum &sum);
  Node *operandOf(MemberKind kind);
  bool coversLoops(MemberKind kind, const MemberSum &sum);
  bool matchMembers();
  bool matchMember(const JointMember &member);
  Polynomial expected(MemberKind kind);
  bool fail(Obligation obligation, const Twine &why) {
    return forward.fail(obligation, why);
  }

  // JointExtras.cpp
  std::optional<MemberSum> readGradient(Value root,
                                        const Substitution &replace);
  std::optional<MemberSum> alignedGradient(Value root);
  void findExtras(const ScoreRegion &region);
  std::optional<Polynomial> expectedExtra(Node *extra);
  bool isGradientOf(const MemberSum &sum, Node *extra,
                    const Polynomial &wanted);

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
  Node *summand = nullptr;       // of a gradient
  Node *total = nullptr;         // the sum of exponentials
  Node *probability = nullptr;   // P
  Node *unguarded = nullptr;     // and without a select for rows without keys
  std::optional<unsigned> guard; // that select's condition
  Node *exponential = nullptr;   // and what is exponentiated in it
  Node *products = nullptr;      // dP
  double productsFactor = 1;     // dP over dO V^T
  SmallVector<Linear> valueLoops;
  std::optional<Ring> ring;
  Polynomial weight{1}, exponentGradient, scoreGradient;
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
