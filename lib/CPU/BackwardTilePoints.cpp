//===- BackwardTilePoints.cpp - P and dS for a matrix unit ----------------===//
//
// Between the products of BackwardTiles.cpp: from a part's S and dP, keys x
// rows, to P z and dS as bf16, or as their bf16 parts.
//
//===----------------------------------------------------------------------===//
#include "BackwardLowering.h"

using namespace mlir;
using namespace mlir::attn;

/// Stores a vector as bf16, or its parts below each other; `bounded`: it is at
/// most about 1.
void BackwardLowering::storeParts(Emit &b, Value v, Value matrix,
                                  ArrayRef<Value> at, bool bounded) {
  if (!operandParts) {
    b.store(convertFloat(b, b.getLoc(), v, b.getBF16Type()), matrix, at);
    return;
  }
  Parts kind = *operandParts;
  kind.bounded = bounded;
  for (auto [i, part] : llvm::enumerate(emitParts(b, v, kind)))
    b.store(emitUpperHalf(b, part), matrix,
            {b.add(at[0], int64_t(i) * tileKeyBound), at[1]});
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
    constexpr int64_t together = kTileDepth / kTileRows;
    b.loop(b.index(0), arguments[7], together * lanes, [&](Value first) {
      SmallVector<Value> lane, minusLse, minusDelta;
      for (int64_t v = 0; v < together; ++v) {
        lane.push_back(b.add(first, v * lanes));
        Value lse = b.load(vector, arguments[4], lane.back());
        Value delta = b.load(vector, arguments[5], lane.back());
        delta = arith::MulFOp::create(b, delta, factor);
        minusLse.push_back(arith::NegFOp::create(b, rowReference(b, lse)));
        minusDelta.push_back(arith::NegFOp::create(b, delta));
      }
      b.loop(b.index(0), arguments[6], 1, [&](Value i) {
        for (int64_t v = 0; v < together; ++v) {
          SmallVector<Value> at{i, lane[v]};
          Value s = b.load(vector, arguments[0], at);
          Value p = emitExpNegative(
              b, vector::FMAOp::create(b, s, factor, minusLse[v]), target);
          Value dP = b.load(vector, arguments[1], at);
          // scale (dP - D)
          Value dS = arith::MulFOp::create(
              b, p, vector::FMAOp::create(b, dP, factor, minusDelta[v]));
          storeParts(b, p, arguments[2], at, /*bounded=*/true);
          storeParts(b, dS, arguments[3], at, /*bounded=*/false);
        }
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
  b.loop(b.index(0), part.rows, lanes, [&](Value lane) {
    Value row = b.add(part.row, lane);
    Value lse = rowReference(b, b.load(vector, lseOfRows, row));
    Value delta = b.load(vector, deltaOfRows, row);
    if (block.hasParts())
      block.fillPart(part.key, part.keys, row);
    b.loop(b.index(0), part.keys, 1, [&](Value i) {
      Value key = b.add(part.key, i);
      SmallVector<Value> at{key, row};
      ScoreBlock::Point point =
          block.at(key, row, b.load(vector, scores, {i, lane}), masked);
      PointGradients gradients =
          pointGradients(point, b.load(vector, grads, {i, lane}), lse, delta);
      storeParts(b, gradients.weighted, probabilities, at,
                 /*bounded=*/!point.weight);
      storeParts(b, gradients.score, scoreGrads, at, /*bounded=*/false);
      for (auto [gradient, points] :
           llvm::zip_equal(gradients.extras, extraPoints))
        b.store(gradient, points, at);
    });
  });
}
