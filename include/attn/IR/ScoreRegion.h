//===- ScoreRegion.h - emitting scores, masks and dropout ---------*- C++
//-*-===//
//
// Every lowering has to compute x = region(s, extras, indices), whether a point
// is visible, and attn.keep. This is the one place that does, for one point at
// a time or for a vector of points along one dim:
//
//   ScoreEmitter emit(builder, loc, op, /*lanes=*/16);
//   emit.indexOf = ...   whole-problem index of a dim, scalar or
//   vector<16xindex> emit.extentOf = ...  whole-problem size of a dim auto [x,
//   z] = emit.score(s, extras); Value seen = emit.visible(symbols);      //
//   vector<16xi1>, or null: all
//
// Values that do not vary along the lanes stay scalars until they meet one that
// does.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_IR_SCOREREGION_H
#define ATTN_IR_SCOREREGION_H

#include "attn/IR/Roles.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::attn {

class ScoreEmitter {
public:
  /// `lanes` = 0: scalars; else vectors of that many lanes.
  ScoreEmitter(OpBuilder &builder, Location loc, ScoreOpInterface op,
               int64_t lanes = 0)
      : b(builder), loc(loc), op(op), roles(inferRoles(op)), lanes(lanes) {}

  /// Whole-problem index (origin + local) and size of an iteration dim: index,
  /// or a vector of lanes of it. Called for batch, row and key dims only.
  std::function<Value(unsigned dim)> indexOf, extentOf;

  struct Scores {
    Value score;  ///< x
    Value weight; ///< z; null if the region yields none
  };
  /// The score region applied to s and the extras' elements. The results are
  /// vectors if any input or index that they depend on is.
  Scores score(Value s, ValueRange extras) {
    IRMapping values;
    return score(s, extras, values);
  }
  /// The same; `values` maps the region's values to the emitted ones.
  Scores score(Value s, ValueRange extras, IRMapping &values);

  /// Whether the point is in one of the visible sets: i1, or a vector of it.
  /// `symbols` are the values of the op's symbol operands at this point, as
  /// index. Null if everything is visible.
  Value visible(ValueRange symbols);

  /// The factor of attn.keep at this point.
  Value keep(Value seed, Value offset, double p, Type resultType);

  /// An affine expression over the set's dims and symbols, as index.
  Value affine(AffineExpr expr, ArrayRef<Value> dims, ArrayRef<Value> symbols);

  /// `value` as a vector of lanes (itself when it is one, or lanes = 0).
  Value toVector(Value value);

private:
  template <typename OpTy> Value binary(Value lhs, Value rhs);
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs);
  Value select(Value condition, Value ifTrue, Value ifFalse);
  Value constant(Attribute scalar);
  Value indexConstant(int64_t value);
  Value wordConstant(uint32_t value);
  /// Brings both to vectors if one is.
  void unify(Value &lhs, Value &rhs);
  Value linearIndex(ArrayRef<unsigned> dims);
  Value castTo(Value value, unsigned width);

  OpBuilder &b;
  Location loc;
  ScoreOpInterface op;
  Roles roles;
  int64_t lanes;
};

/// A float, or a vector of floats, with elements of type `type`. Rounds to
/// nearest even where `type` is narrower.
Value convertFloat(OpBuilder &b, Location loc, Value value, Type type);

} // namespace mlir::attn

#endif // ATTN_IR_SCOREREGION_H
