//===- TileMultiply.cpp - C = A B and C += A B by a matrix unit -----------===//
#include "TileMultiply.h"
#include "TileBlock.h"

using namespace mlir;
using namespace mlir::attn;

/// Of so many steps no loop is made.
static constexpr int64_t kUnrolledSteps = 4;

namespace {

class MultiplyBody {
public:
  MultiplyBody(Emit &b, const TileMultiply &spec)
      : b(b), spec(spec),
        width(64 * 8 /
              cast<MemRefType>(spec.a.getType()).getElementTypeBitWidth()) {}

  void emit() {
    Value zero = b.index(0);
    Value whole = b.roundDown(spec.columns, kTileBlock);
    auto overRows = [&](Value j, int64_t vectors) {
      b.loop(zero, spec.rows, kTileBlock,
             [&](Value i) { block(i, j, vectors); });
    };
    if (spec.columnsOutside) {
      b.loop(zero, whole, kTileBlock, [&](Value j) { overRows(j, 2); });
      if (spec.oddColumns)
        overRows(whole, 1);
      return;
    }
    b.loop(zero, spec.rows, kTileBlock, [&](Value i) {
      b.loop(zero, whole, kTileBlock, [&](Value j) { block(i, j, 2); });
      if (spec.oddColumns)
        block(i, whole, 1);
    });
  }

private:
  /// Two tiles of rows by one or two of columns.
  void block(Value i, Value j, int64_t vectors) {
    SmallVector<Value> old;
    if (spec.adds)
      old = TileBlock::load(b, 2, vectors, spec.c, i, j);
    TileBlock tiles(b, 2, vectors, old);
    if (spec.staticSteps >= 0 && spec.staticSteps <= kUnrolledSteps)
      for (int64_t k = 0; k < spec.staticSteps; ++k)
        step(tiles, b.index(k), i, j);
    else
      tiles.sums = b.loop(b.index(0), spec.steps, 1, tiles.sums,
                          [&](Value k, ValueRange carried) {
                            TileBlock inner(b, 2, vectors, carried);
                            step(inner, k, i, j);
                            return inner.sums;
                          });
    tiles.store(spec.c, i, j);
  }

  void step(TileBlock &tiles, Value k, Value i, Value j) {
    Value column = b.mul(k, width), pair = b.mul(k, kTileDepth / 2);
    tiles.step(
        spec.a,
        [&](int64_t part, int64_t r) {
          return SmallVector<Value>{
              b.add(i, part * spec.leftRows + r * kTileRows),
              b.add(column, part * spec.leftColumns)};
        },
        spec.b,
        [&](int64_t part, int64_t v) {
          return SmallVector<Value>{b.add(pair, part * spec.rightRows),
                                    b.add(j, v * kTileRows)};
        },
        spec.parts);
  }

  Emit &b;
  const TileMultiply &spec;
  int64_t width; ///< columns of A in a tile
};

} // namespace

void mlir::attn::emitTileMultiply(Emit &b, KernelLibrary &library,
                                  const TileMultiply &multiply) {
  std::string key = llvm::formatv(
      "{0} {1} {2} {3} {4} {5} {6} {7}", multiply.adds, multiply.columnsOutside,
      multiply.oddColumns, multiply.staticSteps, multiply.parts.terms.size(),
      multiply.leftRows, multiply.leftColumns, multiply.rightRows);
  library.call(b, "attn_tile_multiply", key,
               {multiply.a, multiply.b, multiply.c, multiply.rows,
                multiply.columns, multiply.steps},
               [&](Emit &inner, ValueRange formal) {
                 TileMultiply body = multiply;
                 body.a = formal[0];
                 body.b = formal[1];
                 body.c = formal[2];
                 body.rows = formal[3];
                 body.columns = formal[4];
                 body.steps = formal[5];
                 MultiplyBody(inner, body).emit();
               });
}
