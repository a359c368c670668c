//===- Softmax.cpp - the softmax of a block -------------------------------===//
//
// Lanes are rows, so there is no reduction across a vector: the maximum and the
// sum of a row live in one lane. The reference is subtracted before anything is
// multiplied with log2(e): the largest score then gives exactly 1, however
// large it is (a row whose scores are all -3.4e38 is their average, not 0).
//
//===----------------------------------------------------------------------===//
#include "Functions.h"
#include "Kernels.h"
#include "attn/IR/ScoreRegion.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

namespace {

/// True if multiplying with `scale` is exact.
bool isPowerOfTwo(double scale) {
  int exponent;
  return std::frexp(scale, &exponent) == 0.5;
}

class SoftmaxBody {
public:
  SoftmaxBody(Emit &b, const Softmax &spec, const CPUTarget &target)
      : b(b), spec(spec), target(target), lanes(target.lanes(spec.type)),
        type(VectorType::get(lanes, spec.type)) {}

  void emit() {
    // Few vectors at a time: their references, sums and the polynomial's
    // constants stay in registers.
    int64_t group = 1;
    for (int64_t g : {2, 3, 4})
      if (spec.vectors % g == 0)
        group = g;
    b.loop(b.index(0), spec.rows, group * lanes, [&](Value j) {
      column.clear();
      for (int64_t v = 0; v < group; ++v)
        column.push_back(b.add(j, v * lanes));
      rows();
    });
  }

private:
  void rows() {
    SmallVector<Value> corrections;
    reference.clear();
    for (Value j : column)
      corrections.push_back(moveReference(j));
    Value zero = b.constant(type, 0.0);
    SmallVector<Value> sums(column.size(), zero);
    if (spec.bf16Pairs) {
      Value pairs = b.roundDown(spec.keys, 2);
      sums = b.loop(b.index(0), pairs, 2, sums, [&](Value key, ValueRange s) {
        return keyPair(key, b.add(key, 1), s);
      });
      sums = b.loop(pairs, spec.keys, 1, sums, [&](Value key, ValueRange s) {
        return keyPair(key, Value(), s);
      });
    } else {
      sums = b.loop(b.index(0), spec.keys, 1, sums,
                    [&](Value key, ValueRange s) { return oneKey(key, s); });
    }
    for (auto [j, sum, correction] : llvm::zip_equal(column, sums, corrections))
      b.store(
          vector::FMAOp::create(b, b.load(type, spec.sum, j), correction, sum),
          spec.sum, j);
  }

  /// max' and the correction of the rows from j on; returns the correction.
  Value moveReference(Value j) {
    Value old = b.load(type, spec.max, j);
    Value raw = b.load(type, spec.raw, j);
    if (spec.scale != 1.0)
      raw = arith::MulFOp::create(b, raw, b.constant(type, spec.scale));
    Value max = b.maximum(raw, old);
    Value empty = arith::CmpFOp::create(
        b, arith::CmpFPredicate::OEQ, max,
        b.constant(type, -std::numeric_limits<double>::infinity()));
    Value finite =
        arith::SelectOp::create(b, empty, b.constant(type, 0.0), max);
    Value correction =
        emitExpNegative(b, arith::SubFOp::create(b, old, finite), target);
    b.store(max, spec.max, j);
    b.store(correction, spec.correction, j);
    reference.push_back(finite);
    return correction;
  }

  /// P before weight and rounding; adds it to the sum.
  Value probability(Value key, unsigned v, Value &sum) {
    Value x = b.load(type, spec.scores, {key, column[v]});
    Value scale = b.constant(type, spec.scale);
    if (spec.scale == 1.0) {
      x = arith::SubFOp::create(b, x, reference[v]);
    } else if (isPowerOfTwo(spec.scale)) {
      Value minus = arith::NegFOp::create(b, reference[v]);
      x = vector::FMAOp::create(b, x, scale, minus);
    } else {
      x = arith::MulFOp::create(b, x, scale);
      x = arith::SubFOp::create(b, x, reference[v]);
    }
    Value p = emitExpNegative(b, x, target);
    sum = arith::AddFOp::create(b, sum, p);
    if (spec.weight)
      p = arith::MulFOp::create(b, p,
                                b.load(type, spec.weight, {key, column[v]}));
    return p;
  }

  SmallVector<Value> oneKey(Value key, ValueRange carried) {
    SmallVector<Value> sums(carried);
    for (unsigned v = 0; v < column.size(); ++v) {
      Value p = probability(key, v, sums[v]);
      p = convertFloat(b, b.getLoc(), p, spec.valueType);
      p = convertFloat(b, b.getLoc(), p, spec.type);
      b.store(p, spec.probabilities, {key, column[v]});
    }
    return sums;
  }

  /// Rounds to bf16, in the low half of 32 bits.
  Value roundedBits(Value p) {
    p = convertFloat(b, b.getLoc(), p, b.getBF16Type());
    p = arith::BitcastOp::create(b, type.clone(b.getI16Type()), p);
    return arith::ExtUIOp::create(b, type.clone(b.getI32Type()), p);
  }

  /// What is stored of P: bf16 in the low half of 32 bits, or its parts, in the
  /// high half.
  SmallVector<Value, 3> stored(Value p) {
    if (!spec.parts)
      return {roundedBits(p)};
    p = convertFloat(b, b.getLoc(), p, spec.valueType);
    return emitParts(b, convertFloat(b, b.getLoc(), p, spec.type), *spec.parts);
  }

  Value paired(Value low, Value high) {
    if (spec.parts)
      return emitUpperHalves(b, low, high ? high : b.constant(type, 0.0));
    if (!high)
      return low;
    high = arith::ShLIOp::create(b, high, b.integer(high.getType(), 16));
    return arith::OrIOp::create(b, low, high);
  }

  SmallVector<Value> keyPair(Value first, Value second, ValueRange carried) {
    SmallVector<Value> sums(carried);
    Value pair = b.div(first, b.index(2));
    for (unsigned v = 0; v < column.size(); ++v) {
      SmallVector<Value, 3> low = stored(probability(first, v, sums[v]));
      SmallVector<Value, 3> high(low.size());
      if (second)
        high = stored(probability(second, v, sums[v]));
      for (size_t part = 0; part < low.size(); ++part)
        b.store(paired(low[part], high[part]), spec.probabilities,
                {b.add(pair, int64_t(part) * spec.partRows), column[v]});
    }
    return sums;
  }

  Emit &b;
  const Softmax &spec;
  const CPUTarget &target;
  int64_t lanes;
  VectorType type;
  SmallVector<Value> column;    ///< where the group's vectors start
  SmallVector<Value> reference; ///< max', or 0 where it is -inf
};

} // namespace

void mlir::attn::emitSoftmax(Emit &b, KernelLibrary &library,
                             const Softmax &softmax) {
  std::string key = llvm::formatv(
      "{0} {1} {2} {3} {4}", softmax.vectors,
      llvm::bit_cast<uint64_t>(softmax.scale), softmax.bf16Pairs,
      softmax.valueType.getIntOrFloatBitWidth(), softmax.valueType.isBF16());
  if (softmax.parts)
    key += llvm::formatv(" {0} {1} {2}", int(softmax.parts->type),
                         softmax.parts->bounded, softmax.partRows);
  SmallVector<Value> arguments{
      softmax.scores, softmax.probabilities, softmax.raw,  softmax.max,
      softmax.sum,    softmax.correction,    softmax.keys, softmax.rows};
  if (softmax.weight)
    arguments.push_back(softmax.weight);
  library.call(b, "attn_softmax", key, arguments,
               [&](Emit &inner, ValueRange formal) {
                 Softmax body = softmax;
                 body.scores = formal[0];
                 body.probabilities = formal[1];
                 body.raw = formal[2];
                 body.max = formal[3];
                 body.sum = formal[4];
                 body.correction = formal[5];
                 body.keys = formal[6];
                 body.rows = formal[7];
                 if (softmax.weight)
                   body.weight = formal[8];
                 SoftmaxBody(inner, body, library.target).emit();
               });
}
