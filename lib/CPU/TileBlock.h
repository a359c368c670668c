//===- TileBlock.h - what a product by a matrix unit holds in tiles -*- C++
//-*-===//
#ifndef ATTN_LIB_CPU_TILEBLOCK_H
#define ATTN_LIB_CPU_TILEBLOCK_H

#include "TileProduct.h"
#include "mlir/Dialect/AMX/AMXDialect.h"

namespace mlir::attn {

/// Up to 2 x 2 tiles of C.
class TileBlock {
public:
  /// Starts at 0, or from `carried`.
  TileBlock(Emit &b, int64_t rows, int64_t vectors, ValueRange carried = {})
      : sums(carried), b(b), rows(rows), vectors(vectors),
        sumType(amx::TileType::get({kTileRows, kTileRows}, b.getF32Type())),
        factorType(
            amx::TileType::get({kTileRows, kTileDepth}, b.getBF16Type())) {
    while (int64_t(sums.size()) < rows * vectors)
      sums.push_back(amx::TileZeroOp::create(b, sumType));
  }

  using At = llvm::function_ref<SmallVector<Value>(int64_t part, int64_t tile)>;
  /// Adds a step along k. `left` and `right`: where the tiles of a row and of a
  /// column of C begin in A and B.
  void step(Value a, At left, Value other, At right,
            const ::attn::TileTerms &parts) {
    SmallVector<Value> lines, columns;
    ::attn::TileTerm last{-1, -1};
    for (::attn::TileTerm term : parts.terms) {
      // What it shares with the last one is there.
      if (term.right != last.right) {
        columns.clear();
        for (int64_t v = 0; v < vectors; ++v)
          columns.push_back(load(other, right(term.right, v)));
      }
      if (term.left != last.left)
        lines.clear();
      for (int64_t r = 0; r < rows; ++r) {
        if (r == int64_t(lines.size()))
          lines.push_back(load(a, left(term.left, r)));
        for (auto [v, column] : llvm::enumerate(columns)) {
          Value &sum = sums[r * vectors + v];
          sum = amx::TileMulFOp::create(b, sumType, lines[r], column, sum);
        }
      }
      last = term;
    }
  }

  /// What is in C from (i, j) on.
  static SmallVector<Value> load(Emit &b, int64_t rows, int64_t vectors,
                                 Value c, Value i, Value j) {
    auto type = amx::TileType::get({kTileRows, kTileRows}, b.getF32Type());
    SmallVector<Value> sums;
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t v = 0; v < vectors; ++v)
        sums.push_back(amx::TileLoadOp::create(
            b, type, c,
            ValueRange{b.add(i, r * kTileRows), b.add(j, v * kTileRows)}));
    return sums;
  }

  void store(Value c, Value i, Value j) {
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t v = 0; v < vectors; ++v)
        amx::TileStoreOp::create(
            b, c, ValueRange{b.add(i, r * kTileRows), b.add(j, v * kTileRows)},
            sums[r * vectors + v]);
  }

  SmallVector<Value> sums;

private:
  Value load(Value matrix, ValueRange at) {
    return amx::TileLoadOp::create(b, factorType, matrix, at);
  }

  Emit &b;
  int64_t rows, vectors;
  amx::TileType sumType, factorType;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CPU_TILEBLOCK_H
