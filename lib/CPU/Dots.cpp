//===- Dots.cpp - scores of few rows --------------------------------------===//
//
// With few rows (decoding) a product whose lanes are rows would compute mostly
// padding, one broadcast element of K at a time, and the speed that counts is
// that at which K arrives from memory. Here lanes run along the depth: a key
// costs a few vector loads, and one sum across a vector per row.
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
    // About eight sums at a time hide the latency of a multiply-add.
    int64_t height = std::max<int64_t>(1, 8 / spec.rowBound);
    Value whole = b.roundDown(spec.keyCount, height);
    maximum = b.loop(b.index(0), whole, height, maximum,
                     [&](Value key, ValueRange carried) {
                       return keys(key, height, carried[0]);
                     });
    maximum = b.loop(whole, spec.keyCount, 1, maximum,
                     [&](Value key, ValueRange carried) {
                       return keys(key, 1, carried[0]);
                     });
    b.store(maximum[0], spec.maxima, b.index(0));
  }

private:
  SmallVector<Value> keys(Value first, int64_t height, Value maximum) {
    SmallVector<Value> key;
    for (int64_t i = 0; i < height; ++i)
      key.push_back(b.add(first, i));
    SmallVector<Value> sums(height * spec.rowBound, b.constant(type, 0.0));
    sums = b.loop(
        b.index(0), spec.depth, spec.evenOdd ? 2 * lanes : lanes, sums,
        [&](Value k, ValueRange carried) { return step(key, k, carried); });
    for (int64_t i = 0; i < height; ++i) {
      auto sumsOfKey = ArrayRef(sums).slice(i * spec.rowBound, spec.rowBound);
      Value scores = across(sumsOfKey);
      b.store(scores, spec.scores, {key[i], b.index(0)});
      maximum = b.maximum(scores, maximum);
    }
    return {maximum};
  }

  SmallVector<Value> step(ArrayRef<Value> key, Value k, ValueRange carried) {
    SmallVector<Value> queries, odd, next;
    for (Value r : row) {
      queries.push_back(b.load(type, spec.queries, {r, k}));
      if (spec.evenOdd)
        odd.push_back(b.load(type, spec.queries, {r, b.add(k, lanes)}));
    }
    auto stored = cast<MemRefType>(spec.keys.getType()).getElementType();
    int64_t ahead = rowsAhead(spec.keys);
    for (Value i : key) {
      memref::PrefetchOp::create(b, spec.keys, ValueRange{b.add(i, ahead), k},
                                 /*isWrite=*/false, kAheadLocality,
                                 /*isDataCache=*/true);
      Value v, second;
      if (spec.evenOdd)
        std::tie(v, second) = loadEvenOdd(b, spec.keys, {i, k}, lanes);
      else
        v = convertFloat(
            b, b.getLoc(),
            b.load(VectorType::get(lanes, stored), spec.keys, {i, k}),
            spec.type);
      for (auto [r, query] : llvm::enumerate(queries)) {
        Value sum = carried[next.size()];
        if (second)
          sum = vector::FMAOp::create(b, odd[r], second, sum);
        next.push_back(vector::FMAOp::create(b, query, v, sum));
      }
    }
    return next;
  }

  /// The rows' scores in their lanes; lanes beyond the last row repeat it.
  Value across(ArrayRef<Value> sums) {
    SmallVector<Value> scalars;
    for (Value sum : sums)
      scalars.push_back(vector::ReductionOp::create(
          b, vector::CombiningKind::ADD, sum, arith::FastMathFlags::reassoc));
    Value scores = b.broadcast(type, scalars.back());
    for (auto [r, scalar] : llvm::enumerate(ArrayRef(scalars).drop_back()))
      scores = vector::InsertOp::create(b, scalar, scores, int64_t(r));
    return scores;
  }

  Emit &b;
  const Dots &spec;
  int64_t lanes;
  VectorType type;
  SmallVector<Value> row;
};

} // namespace

void mlir::attn::emitDots(Emit &b, KernelLibrary &library, const Dots &dots) {
  library.call(b, "attn_dots",
               Twine(dots.rowBound) + (dots.evenOdd ? " even odd" : ""),
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
