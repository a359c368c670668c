//===- BackwardTilePoints.cpp - P and dS for a matrix unit ----------------===//
//
// Between the products of BackwardTiles.cpp: from a part's S and dP, keys x
// rows, to P z and dS as bf16, or as their bf16 parts.
//
//===----------------------------------------------------------------------===//
#include "BackwardLowering.h"

using namespace mlir;
using namespace mlir::attn;

/// Vectors of a part that are computed side by side: its width is a multiple.
static constexpr int64_t kVectorsTogether = kTileDepth / kTileRows;

/// Stores vectors, one or two that are neighbours, as bf16, or their parts
/// below each other; `bounded`: they are at most about 1.
void BackwardLowering::storeParts(Emit &b, ArrayRef<Value> vectors,
                                  Value matrix, ArrayRef<Value> at,
                                  bool bounded) {
  if (!operandParts) {
    for (auto [i, v] : llvm::enumerate(vectors))
      b.store(convertFloat(b, b.getLoc(), v, b.getBF16Type()), matrix,
              {at[0], b.add(at[1], int64_t(i) * lanes)});
    return;
  }
  Parts kind = *operandParts;
  kind.bounded = bounded;
  SmallVector<SmallVector<Value, 3>, 2> parts;
  for (Value v : vectors)
    parts.push_back(emitParts(b, v, kind));
  for (int64_t i = 0; i < terms.rightParts; ++i) {
    Value narrow = parts.size() == 1
                       ? emitUpperHalf(b, parts[0][i])
                       : emitUpperHalfOfBoth(b, parts[0][i], parts[1][i]);
    b.store(narrow, matrix, {b.add(at[0], i * tileKeyBound), at[1]});
  }
}

/// P z = P and dS where x = scale s and nothing is hidden.
void BackwardLowering::tilePlainPoints(const TilePart &part) {
  double scale = op.getScaleValue();
  std::string key;
  llvm::raw_string_ostream(key)
      << llvm::bit_cast<uint64_t>(scale) << ' ' << int(op.getEmptyRows()) << ' '
      << terms.rightParts << ' ' << tileKeyBound;
  auto from = [&](Value vector) -> Value {
    return memref::SubViewOp::create(b, vector,
                                     ArrayRef<OpFoldResult>{part.row},
                                     ArrayRef<OpFoldResult>{part.width},
                                     ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
  };
  auto body = [&](Emit &b, ValueRange arguments) {
    auto vector = VectorType::get(lanes, type);
    Value factor = b.constant(vector, scale);
    b.loop(
        b.index(0), arguments[7], kVectorsTogether * lanes, [&](Value first) {
          SmallVector<Value> lane, minusLse, minusDelta;
          for (int64_t v = 0; v < kVectorsTogether; ++v) {
            lane.push_back(b.add(first, v * lanes));
            Value lse = b.load(vector, arguments[4], lane.back());
            Value delta = b.load(vector, arguments[5], lane.back());
            delta = arith::MulFOp::create(b, delta, factor);
            minusLse.push_back(arith::NegFOp::create(b, rowReference(b, lse)));
            minusDelta.push_back(arith::NegFOp::create(b, delta));
          }
          b.loop(b.index(0), arguments[6], 1, [&](Value i) {
            SmallVector<Value> weighted, gradients;
            for (int64_t v = 0; v < kVectorsTogether; ++v) {
              SmallVector<Value> at{i, lane[v]};
              Value s = b.load(vector, arguments[0], at);
              Value p = emitExpNegative(
                  b, vector::FMAOp::create(b, s, factor, minusLse[v]), target);
              Value dP = b.load(vector, arguments[1], at);
              // scale (dP - D)
              Value dS = arith::MulFOp::create(
                  b, p, vector::FMAOp::create(b, dP, factor, minusDelta[v]));
              weighted.push_back(p);
              gradients.push_back(dS);
            }
            SmallVector<Value> at{i, lane[0]};
            storeParts(b, weighted, arguments[2], at, /*bounded=*/true);
            storeParts(b, gradients, arguments[3], at, /*bounded=*/false);
          });
        });
  };
  lowering.library.call(b, "attn_tile_points", key,
                        {scratchMatrix(scores), scratchMatrix(grads),
                         tile.scratchView(probabilities, part.key, part.row),
                         tile.scratchView(scoreGrads, part.key, part.row),
                         from(lseOfRows), from(deltaOfRows), part.keys,
                         part.width},
                        body);
}

/// The same of any score function; `masked`: something may be hidden.
void BackwardLowering::tilePoints(const TilePart &part, ScoreBlock &block,
                                  bool masked) {
  auto vector = VectorType::get(lanes, type);
  // Lanes beyond the last row repeat it, up to the part's width.
  b.loop(b.index(0), part.rows, kVectorsTogether * lanes, [&](Value first) {
    SmallVector<Value> lane, row, lse, delta;
    for (int64_t v = 0; v < kVectorsTogether; ++v) {
      lane.push_back(b.add(first, v * lanes));
      row.push_back(b.add(part.row, lane[v]));
      lse.push_back(rowReference(b, b.load(vector, lseOfRows, row[v])));
      delta.push_back(b.load(vector, deltaOfRows, row[v]));
    }
    auto point = [&](Value i) {
      Value key = b.add(part.key, i);
      SmallVector<Value> weighted, scoreGradients;
      bool bounded = true;
      for (int64_t v = 0; v < kVectorsTogether; ++v) {
        ScoreBlock::Point seen =
            block.at(key, row[v], b.load(vector, scores, {i, lane[v]}), masked);
        PointGradients gradients = pointGradients(
            seen, b.load(vector, grads, {i, lane[v]}), lse[v], delta[v]);
        weighted.push_back(gradients.weighted);
        scoreGradients.push_back(gradients.score);
        bounded &= !seen.weight;
        for (auto [gradient, points] :
             llvm::zip_equal(gradients.extras, extraPoints))
          b.store(gradient, points, {key, row[v]});
      }
      SmallVector<Value> at{key, row[0]};
      storeParts(b, weighted, probabilities, at, bounded);
      storeParts(b, scoreGradients, scoreGrads, at, /*bounded=*/false);
    };
    Value zero = b.index(0);
    if (!block.hasParts())
      return b.loop(zero, part.keys, 1, point);
    b.loop(zero, part.keys, ScoreBlock::kPartSteps, [&](Value i) {
      Value end = b.min(b.add(i, ScoreBlock::kPartSteps), part.keys);
      block.fillPart(b.add(part.key, i), b.sub(end, i), row[0]);
      b.loop(i, end, 1, point);
    });
  });
}
