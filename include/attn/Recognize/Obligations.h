//===- Obligations.h - what must hold, what is assumed ------------*- C++
//-*-===//
//
// The one table of conditions under which a piece of IR is an attention, and
// the one table of assumptions that fusing it makes. Remarks, tests and
// docs/Recognition.md cite them by number. Obligations are numbered in the
// order in which they are checked, so that of two failures the larger one came
// closer.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RECOGNIZE_OBLIGATIONS_H
#define ATTN_RECOGNIZE_OBLIGATIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::attn {

enum class Obligation : unsigned {
  Product = 1,
  Exponential,
  ConstantShift,
  Normalised,
  SameAxes,
  SameExponent,
  Guards,
  OneContraction,
  PlainContraction,
  Types,
  Roles,
  ScoreFunction,
  Layout,
  NoOtherUse,
  Roundings,
  // of joint graphs
  JointProbabilities,
  JointOutputGrad,
  JointGradient,
  JointRows,
  JointPlace,
};

enum class Assumption : unsigned {
  HiddenFinite = 1,
  Absorbing,
  ShiftSafe,
  Roundings,
  MergedScales,
  NoBroadcast,
  SmallIntegers,
  SavedRows,
  FiniteSinks,
};

struct Statement {
  llvm::StringRef number, name, statement, why;
};

/// All obligations (O1, O2, ..., and of joint graphs G1, G2, ...) and all
/// assumptions (A1, ...), in order.
llvm::ArrayRef<Statement> obligations();
llvm::ArrayRef<Statement> assumptions();

/// "O4" and "A2".
std::string cite(Obligation obligation);
std::string cite(Assumption assumption);

/// Why a candidate is not fused.
struct Failure {
  Obligation obligation;
  std::string why;
};

} // namespace mlir::attn

#endif // ATTN_RECOGNIZE_OBLIGATIONS_H
