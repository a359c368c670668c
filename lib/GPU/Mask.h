//===- Mask.h - which keys a thread array visits ------------------*- C++
//-*-===//
//
// `visible` on the GPU: the range of key blocks that some row of the thread
// array sees, the keys that every row of a warp sees, and the test of one
// element. All from attn/Support/TileBounds.h, at run time.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_GPU_MASK_H
#define ATTN_LIB_GPU_MASK_H

#include "Geometry.h"
#include "attn/IR/ScoreRegion.h"
#include "attn/Support/Visible.h"

namespace mlir::attn {

/// Keys [begin, end), begin on a block boundary.
struct KeyPart {
  Value begin, end;
};

class Mask {
public:
  /// What is seen: what `visible` says, or (`hidden`) all the rest.
  enum class Side { Visible, Hidden };
  /// `symbols` are the op's, as index, for this batch element. If `skips`, keys
  /// that are not seen are left out, else something else is done with them.
  Mask(KernelEmit &b, const Geometry &geometry, ScoreOpInterface op, Side side,
       SmallVector<Value> symbols, bool skips);
  /// Leaves out keys outside of `part`.
  void restrictTo(KeyPart part);
  /// Leaves out what `blocks` (block-sparse) says is hidden.
  void restrictTo(const DeviceBuffer &blocks);

  /// Visits every block if `all` holds.
  void widen(Value all);

  /// Blocks [begin, end) by key number, begin on a block boundary.
  Value begin, end;
  /// Whether a block in it has something to see; null: always.
  Value visits(Value key);
  /// Whether all of a warp's rows see all keys of the block, which exist.
  Value sees(Value key);
  /// Whether a point is seen, `emit` being at it; null: yes.
  Value visibleAt(ScoreEmitter &emit, const Point &point, Value key);

private:
  struct Range {
    Value lo, hi;
  };
  void findRanges();
  using KeyRange = function_ref<std::pair<Value, Value>(unsigned dim)>;
  void setTile(KeyRange keys, bool ofWarp);
  Value evaluate(const ::attn::Expr &expr);
  Value extremum(ArrayRef<::attn::Expr> exprs, bool max, Value otherwise);
  Value allNonNegative(ArrayRef<::attn::Expr> exprs);
  Range anyRange();
  Range fullRange();
  Value visitsByMask(Value key);
  Value visitsByRule(Value key);
  bool leadingRows() const;
  Value anyBlock(Value key);
  /// The entry of `blocks` at a point; rows and keys must exist.
  Value blockAt(const Point &point);
  Value
  anySet(function_ref<SmallVector<::attn::Expr, 4>(const ::attn::AffineSet &)>
             conditions);
  /// The one key dim's place among the dims of the set.
  unsigned keySetDim() const;
  bool boundable() const;

  KernelEmit &b;
  const Geometry &geometry;
  mutable ScoreOpInterface op;
  ::attn::Visible visible;
  SmallVector<Value> symbols;
  SmallVector<Value> tileDims, tileSymbols;
  std::optional<Range> full; ///< of this warp, if bounds can tell
  std::optional<DeviceBuffer> blocks;
  Value visitsAll; ///< null: never
  Side side;
  bool skips;
};

} // namespace mlir::attn

#endif // ATTN_LIB_GPU_MASK_H
