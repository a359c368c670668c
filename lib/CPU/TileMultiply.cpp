//===- TileMultiply.cpp - C = A B and C += A B by a matrix unit -----------===//
#include "TileMultiply.h"
#include "mlir/Dialect/AMX/AMXDialect.h"

using namespace mlir;
using namespace mlir::attn;

/// Of so many steps no loop is made.
static constexpr int64_t kUnrolledSteps = 4;

namespace {

class MultiplyBody {
public:
  MultiplyBody(Emit &b, const TileMultiply &spec)
      : b(b), spec(spec),
        sumType(amx::TileType::get({kTileRows, kTileRows}, b.getF32Type())),
        factorType(
            amx::TileType::get({kTileRows, kTileDepth}, b.getBF16Type())),
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
    SmallVector<Value> rows{i, b.add(i, kTileRows)}, columns;
    for (int64_t v = 0; v < vectors; ++v)
      columns.push_back(b.add(j, v * kTileRows));
    SmallVector<Value> sums;
    for (Value row : rows)
      for (Value column : columns)
        sums.push_back(spec.adds
                           ? amx::TileLoadOp::create(b, sumType, spec.c,
                                                     ValueRange{row, column})
                                 .getResult()
                           : amx::TileZeroOp::create(b, sumType).getResult());
    if (spec.staticSteps >= 0 && spec.staticSteps <= kUnrolledSteps)
      for (int64_t k = 0; k < spec.staticSteps; ++k)
        sums = step(b.index(k), rows, columns, sums);
    else
      sums = b.loop(b.index(0), spec.steps, 1, sums,
                    [&](Value k, ValueRange carried) {
                      return step(k, rows, columns, carried);
                    });
    auto sum = sums.begin();
    for (Value row : rows)
      for (Value column : columns)
        amx::TileStoreOp::create(b, spec.c, ValueRange{row, column}, *sum++);
  }

  SmallVector<Value> step(Value k, ArrayRef<Value> rows,
                          ArrayRef<Value> columns, ValueRange sums) {
    auto load = [&](Value matrix, Value i, Value j) -> Value {
      return amx::TileLoadOp::create(b, factorType, matrix, ValueRange{i, j});
    };
    SmallVector<Value> right, result;
    for (Value column : columns)
      right.push_back(load(spec.b, b.mul(k, kTileDepth / 2), column));
    for (Value row : rows) {
      Value left = load(spec.a, row, b.mul(k, width));
      for (Value other : right)
        result.push_back(amx::TileMulFOp::create(b, sumType, left, other,
                                                 sums[result.size()]));
    }
    return result;
  }

  Emit &b;
  const TileMultiply &spec;
  amx::TileType sumType, factorType;
  int64_t width; ///< columns of A in a tile
};

} // namespace

void mlir::attn::emitTileMultiply(Emit &b, KernelLibrary &library,
                                  const TileMultiply &multiply) {
  std::string key =
      llvm::formatv("{0} {1} {2} {3}", multiply.adds, multiply.columnsOutside,
                    multiply.oddColumns, multiply.staticSteps);
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
