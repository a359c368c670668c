//===- Dots.cpp - scores of few rows --------------------------------------===//
//
// With few rows (decoding) a product whose lanes are rows would compute mostly
// padding, one broadcast element of K at a time, and the speed that counts is
// that at which K arrives from memory. Here lanes run along the depth. K is
// read from front to back, one key after the other: what fetches ahead follows
// one stream, and was seen to deliver half as much where eight keys take turns.
// As many sums as fill a vector are then summed across together, by a tree in
// which each vector holds twice as many of them as the level before.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"
#include "attn/IR/ScoreRegion.h"

using namespace mlir;
using namespace mlir::attn;

namespace {

class DotsBody {
public:
  DotsBody(Emit &b, const Dots &spec, int64_t lanes)
      : b(b), spec(spec), lanes(lanes),
        type(VectorType::get(lanes, spec.type)) {}

  void emit() {
    for (int64_t r = 0; r < spec.rowBound; ++r)
      row.push_back(b.min(b.index(r), b.sub(spec.rows, b.index(1))));
    SmallVector<Value> maximum{
        b.constant(type, -std::numeric_limits<double>::infinity())};
    int64_t count = lanes / spec.rowBound;
    Value whole = b.roundDown(spec.keyCount, count);
    maximum = b.loop(b.index(0), whole, count, maximum,
                     [&](Value key, ValueRange carried) {
                       return keys(key, count, carried[0]);
                     });
    maximum = b.loop(whole, spec.keyCount, 1, maximum,
                     [&](Value key, ValueRange carried) {
                       return keys(key, 1, carried[0]);
                     });
    b.store(maximum[0], spec.maxima, b.index(0));
  }

private:
  SmallVector<Value> keys(Value first, int64_t count, Value maximum) {
    SmallVector<Value> key, sums;
    for (int64_t i = 0; i < count; ++i) {
      key.push_back(b.add(first, i));
      llvm::append_range(sums, sumsOf(key.back()));
    }
    SmallVector<int64_t> lane;
    Value total = sumAcross(sums, lane);
    for (int64_t i = 0; i < count; ++i) {
      Value scores =
          rowsIn(total, ArrayRef(lane).slice(i * spec.rowBound, spec.rowBound));
      b.store(scores, spec.scores, {key[i], b.index(0)});
      maximum = b.maximum(scores, maximum);
    }
    return {maximum};
  }

  /// A key times each row, not yet summed across.
  SmallVector<Value> sumsOf(Value key) {
    SmallVector<Value> sums(spec.rowBound, b.constant(type, 0.0));
    return b.loop(
        b.index(0), spec.depth, spec.evenOdd ? 2 * lanes : lanes, sums,
        [&](Value k, ValueRange carried) { return step(key, k, carried); });
  }

  SmallVector<Value> step(Value key, Value k, ValueRange carried) {
    memref::PrefetchOp::create(
        b, spec.keys, ValueRange{b.add(key, spec.ahead), k},
        /*isWrite=*/false, kAheadLocality, /*isDataCache=*/true);
    auto stored = cast<MemRefType>(spec.keys.getType()).getElementType();
    Value v, second;
    if (spec.evenOdd)
      std::tie(v, second) = loadEvenOdd(b, spec.keys, {key, k}, lanes);
    else
      v = convertFloat(
          b, b.getLoc(),
          b.load(VectorType::get(lanes, stored), spec.keys, {key, k}),
          spec.type);
    SmallVector<Value> next;
    for (auto [r, sum] : llvm::zip_equal(row, carried)) {
      next.push_back(
          vector::FMAOp::create(b, b.load(type, spec.queries, {r, k}), v, sum));
      if (second)
        next.back() = vector::FMAOp::create(
            b, b.load(type, spec.queries, {r, b.add(k, lanes)}), second,
            next.back());
    }
    return next;
  }

  /// A vector on its way through the tree, and whose sums its lanes belong to.
  struct Partial {
    Value value;
    SmallVector<int64_t> owner;
  };

  /// The sums across at most `lanes` vectors, in one; `lane` says where each
  /// is. What a sum is added up of does not depend on its neighbours.
  Value sumAcross(ArrayRef<Value> sums, SmallVector<int64_t> &lane) {
    SmallVector<Partial> level;
    for (int64_t i = 0; i < lanes; ++i) {
      int64_t owner = std::min<int64_t>(i, sums.size() - 1);
      level.push_back({sums[owner], SmallVector<int64_t>(lanes, owner)});
    }
    // Within 16 bytes and then beyond: one instruction each way on x86.
    int64_t part = 128 / type.getElementTypeBitWidth();
    for (int64_t span = part; span > 1; span /= 2)
      level = joinPairs(level, 1, part);
    for (int64_t span = lanes / part; span > 1; span /= 2)
      level = joinPairs(level, part, lanes);
    for (int64_t i = 0; i < int64_t(sums.size()); ++i)
      lane.push_back(llvm::find(level[0].owner, i) - level[0].owner.begin());
    return level[0].value;
  }

  /// Every two neighbours x and y as one vector: within each `range`, the even
  /// pieces of `size` elements of x and then of y, plus the odd ones.
  SmallVector<Partial> joinPairs(ArrayRef<Partial> level, int64_t size,
                                 int64_t range) {
    SmallVector<int64_t> even, odd;
    for (int64_t i = 0; i < lanes; ++i) {
      int64_t piece = i % range / size, half = range / size / 2;
      int64_t from = (piece < half ? 0 : lanes) + i / range * range +
                     2 * (piece % half) * size + i % size;
      even.push_back(from);
      odd.push_back(from + size);
    }
    SmallVector<Partial> result;
    for (size_t i = 0; i < level.size(); i += 2) {
      const Partial &x = level[i], &y = level[i + 1];
      // Those that fill up are all the same.
      if (i > 0 && x.value == level[i - 1].value && x.value == y.value) {
        result.push_back(result.back());
        continue;
      }
      Partial joined;
      joined.value = arith::AddFOp::create(
          b, vector::ShuffleOp::create(b, x.value, y.value, even),
          vector::ShuffleOp::create(b, x.value, y.value, odd));
      for (int64_t from : even)
        joined.owner.push_back(from < lanes ? x.owner[from]
                                            : y.owner[from - lanes]);
      result.push_back(std::move(joined));
    }
    return result;
  }

  /// The rows' scores in their lanes; lanes beyond the last row repeat it.
  Value rowsIn(Value total, ArrayRef<int64_t> lane) {
    SmallVector<int64_t> from(lane);
    from.resize(lanes, lane.back());
    return vector::ShuffleOp::create(b, total, total, from);
  }

  Emit &b;
  const Dots &spec;
  int64_t lanes;
  VectorType type;
  SmallVector<Value> row;
};

} // namespace

void mlir::attn::emitDots(Emit &b, KernelLibrary &library, const Dots &dots) {
  std::string key = llvm::formatv("{0} ahead {1}{2}", dots.rowBound, dots.ahead,
                                  dots.evenOdd ? " even odd" : "");
  library.call(b, "attn_dots", key,
               {dots.keys, dots.queries, dots.scores, dots.maxima,
                dots.keyCount, dots.rows, dots.depth},
               [&](Emit &inner, ValueRange formal) {
                 Dots body = dots;
                 body.keys = formal[0];
                 body.queries = formal[1];
                 body.scores = formal[2];
                 body.maxima = formal[3];
                 body.keyCount = formal[4];
                 body.rows = formal[5];
                 body.depth = formal[6];
                 DotsBody(inner, body, library.target.lanes(dots.type)).emit();
               });
}
