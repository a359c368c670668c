//===- DecomposeImpl.h - linalg over an op's iteration dims -------*- C++
//-*-===//
#ifndef ATTN_LIB_IR_DECOMPOSEIMPL_H
#define ATTN_LIB_IR_DECOMPOSEIMPL_H

#include "attn/IR/Roles.h"
#include "attn/IR/ScoreRegion.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::attn {

/// The patterns of attn-decompose for attention_backward and online_backward.
void populateDecomposeBackwardPatterns(RewritePatternSet &patterns);

namespace decompose {

Value floatConstant(OpBuilder &b, Location loc, Type type, double value);
Value minusInfinity(OpBuilder &b, Location loc, Type type);

/// exp(x - (r == -inf ? 0 : r)): the r' rule of attn/Support/Algebra.h.
Value expShifted(OpBuilder &b, Location loc, Value x, Value r);

/// The dims that index `map`, ascending.
SmallVector<unsigned> dimsOf(AffineMap map);

/// linalg.generics over a part of an op's iteration dims.
class GenericBuilder {
public:
  GenericBuilder(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes)
      : b(b), loc(loc), sizes(sizes) {}

  using Body = function_ref<SmallVector<Value>(OpBuilder &, Location,
                                               ValueRange, ArrayRef<unsigned>)>;

  /// An uninitialised tensor of this element type, indexed by `map`.
  Value empty(AffineMap map, Type type);
  /// The same, filled.
  Value filled(AffineMap map, Type type, double value);

  /// A generic over `dims` (ascending). A dim that does not index the first
  /// output by itself is summed over. The body gets the elements and `dims`,
  /// for linalg.index.
  SmallVector<Value> generic(ArrayRef<unsigned> dims, ValueRange ins,
                             ArrayRef<AffineMap> inMaps, ValueRange outs,
                             ArrayRef<AffineMap> outMaps, Body body);

private:
  OpBuilder &b;
  Location loc;
  ArrayRef<OpFoldResult> sizes;
};

/// start + the sum of `value`, indexed by `from` over `dims`, over the dims
/// that `to` lacks.
Value emitSum(GenericBuilder &build, ArrayRef<unsigned> dims, Value value,
              AffineMap from, AffineMap to, Value start);

/// The points (batch, row and key dims) of a score op, and what is computed at
/// them.
struct ScorePoints {
  ScorePoints(OpBuilder &b, ScoreOpInterface op, ArrayRef<OpFoldResult> sizes);

  ScoreOpInterface op;
  IndexedOpInterface indexed;
  Roles roles;
  Type type; ///< accumulate type
  GenericBuilder build;
  SmallVector<unsigned> dims;
  AffineMap map;

  /// sum over `summed` dims of a * b, in the accumulate type, at every point.
  Value products(OpBuilder &b, Value lhs, AffineMap lhsMap, Value rhs,
                 AffineMap rhsMap, ArrayRef<unsigned> summed);
  /// s = scale * sum_k q k.
  Value scores(OpBuilder &b);

  /// What the body of a generic over the points sees of one point.
  struct Point {
    Value score, weight; ///< x without the mask, z (null: 1)
    Value seen;          ///< i1, null: everything is visible
    Value fill;          ///< what x is where the point is not seen
    IRMapping values;    ///< region values to emitted values
    ValueRange more;     ///< elements of `ins` and of the outputs
  };
  using PointBody =
      function_ref<SmallVector<Value>(OpBuilder &, Location, Point &)>;

  /// A generic over the points with the score region applied to `raw`; `ins`
  /// are further inputs. `numOuts` outputs of the accumulate type.
  SmallVector<Value> atPoints(OpBuilder &b, Value raw, ValueRange ins,
                              ArrayRef<AffineMap> inMaps, unsigned numOuts,
                              PointBody body);
};

} // namespace decompose
} // namespace mlir::attn

#endif // ATTN_LIB_IR_DECOMPOSEIMPL_H
