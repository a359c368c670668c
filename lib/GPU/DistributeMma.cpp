//===- DistributeMma.cpp - products of fragments and shared tiles ---------===//
//
// One ldmatrix loads a block of 16 rows by two 16-byte pieces as four 8 x 8
// matrices (of 16-bit elements; 8 x 4 of 32-bit ones), in the order in which
// mma.sync wants them in neighbouring registers, or they would have to be
// moved:
//
//     left operand, and right operand stored K x N (transposed on the way):
//       rows 0-7, piece 0;  rows 8-15, piece 0;  rows 0-7, piece 1;  ...
//     right operand stored N x K, where columns are rows:
//       rows 0-7, piece 0;  rows 0-7, piece 1;  rows 8-15, piece 0;  ...
//
// Each lane points at one row of one matrix. Other blocks of the tile are an
// xor (of four different ones) and an immediate away.
//
// f32 goes through tf32, m16n8k8, in three products: with x = hi + lo, hi
// having the upper 11 bits of the significand, x y = hi hi' + hi lo' + lo hi'
// up to 2^-21. The sum over k has no order, so a left operand that was an
// accumulator keeps its columns 2 t and 2 t + 1 where a0 and a2 want t and t +
// 4, and the rows of the right one are taken in the same order; ldmatrix cannot
// transpose 32-bit elements, so these are plain loads.
//
//===----------------------------------------------------------------------===//
#include "Distribute.h"

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {

/// Loads blocks of 16 rows by 2 pieces from a tile.
class BlockLoader {
public:
  enum class Order { RowsFirst, PiecesFirst };
  /// Columns count from `first` on, if it is given.
  BlockLoader(Lane &b, SharedType type, Value tile, Order order, bool transpose,
              Value first = {})
      : b(b), type(type), tile(tile), transpose(transpose) {
    Value low = b.bitAnd(b.lane(), 7), bit3 = b.bitAnd(b.shr(b.lane(), 3), 1);
    Value bit4 = b.shr(b.lane(), 4);
    bool rowsFirst = order == Order::RowsFirst;
    Value row = b.add(b.mul(rowsFirst ? bit3 : bit4, 8), low);
    lane = b.swizzled(type, row,
                      b.furtherColumns(type, rowsFirst ? bit4 : bit3, first));
  }

  /// The block with its first row and piece given: four words.
  SmallVector<Value, 4> load(int64_t row, int64_t piece) {
    int64_t constant = row * type.getRowBytes();
    Value offset = b.furtherPiece(type, lane, piece, constant);
    Type word = b.getI32Type();
    auto four = LLVM::LLVMStructType::getLiteral(b.getContext(),
                                                 {word, word, word, word});
    Value loaded = NVVM::LdMatrixOp::create(
        b, four, b.sharedPointer(offset, tile, constant), 4,
        transpose ? NVVM::MMALayout::col : NVVM::MMALayout::row,
        NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
        NVVM::LdStMatrixEltType::B16);
    SmallVector<Value, 4> words;
    for (int64_t i = 0; i < 4; ++i)
      words.push_back(b.extract(loaded, i));
    return words;
  }

private:
  Lane &b;
  SharedType type;
  Value tile;
  bool transpose;
  Value lane;
};

/// Loads 32-bit right operands stored K x N: rows 2 t and 2 t + 1 of 8, column
/// g of 8.
class PairLoader {
public:
  /// Columns count from `first` on, if it is given.
  PairLoader(Lane &b, SharedType type, Value tile, Value first)
      : b(b), type(type), tile(tile) {
    Value within = b.mul(b.bitAnd(b.group(), 3), 4);
    for (int64_t e : {0, 1}) {
      Value row = b.add(b.mul(b.inGroup(), 2), e);
      Value piece = b.furtherColumns(type, b.shr(b.group(), 2), first);
      Value offset = b.swizzled(type, row, piece);
      lanes.push_back(b.add(offset, within));
    }
  }
  SmallVector<Value, 4> load(int64_t row, int64_t column) {
    SmallVector<Value, 4> words;
    for (Value lane : lanes) {
      int64_t constant = row * type.getRowBytes();
      Value offset = b.furtherPiece(type, lane, column / 4, constant);
      words.push_back(LLVM::LoadOp::create(
          b, b.getI32Type(), b.sharedPointer(offset, tile, constant)));
    }
    return words;
  }

private:
  Lane &b;
  SharedType type;
  Value tile;
  SmallVector<Value, 2> lanes;
};

/// The left operand, in registers or loaded when needed.
class LeftOperand {
public:
  LeftOperand(Lane &b, Value op, ValueRange values, bool stored, Value first)
      : transposed(stored) {
    if (auto type = dyn_cast<SharedType>(op.getType())) {
      loader.emplace(b, type, values.front(),
                     transposed ? BlockLoader::Order::PiecesFirst
                                : BlockLoader::Order::RowsFirst,
                     transposed, first);
      return;
    }
    auto type = cast<FragmentType>(op.getType());
    registers = values;
    steps = registers.size() / 4 / (type.getRows() / 16);
  }
  /// a0..a3 of rows 16 m.. and depth step k.
  SmallVector<Value, 4> get(int64_t m, int64_t k) {
    if (loader)
      return transposed ? loader->load(16 * k, 2 * m)
                        : loader->load(16 * m, 2 * k);
    return SmallVector<Value, 4>(registers.slice((m * steps + k) * 4, 4));
  }

private:
  std::optional<BlockLoader> loader;
  ValueRange registers;
  int64_t steps = 0;
  bool transposed; ///< in shared memory, K x M
};

/// The right operand, two blocks of 8 columns at a time.
class RightOperand {
public:
  using Columns = std::array<SmallVector<Value, 4>, 2>;

  RightOperand(Lane &b, SharedType type, Value tile, bool stored, Value first)
      : step(32 / type.getElementBytes()), stored(stored) {
    if (stored || type.getElementBytes() == 2)
      loader.emplace(b, type, tile,
                     stored ? BlockLoader::Order::PiecesFirst
                            : BlockLoader::Order::RowsFirst,
                     /*transpose=*/!stored, first);
    else
      pairs.emplace(b, type, tile, first);
  }
  int64_t depthStep() const { return step; }
  /// Depth step k, columns from 8 n on.
  Columns get(int64_t k, int64_t n) {
    if (pairs)
      return {pairs->load(step * k, 8 * n), pairs->load(step * k, 8 * n + 8)};
    SmallVector<Value, 4> w =
        stored ? loader->load(8 * n, 2 * k) : loader->load(step * k, n);
    return {SmallVector<Value, 4>{w[0], w[1]},
            SmallVector<Value, 4>{w[2], w[3]}};
  }

private:
  std::optional<BlockLoader> loader;
  std::optional<PairLoader> pairs;
  int64_t step;
  bool stored;
};

NVVM::MMATypes operandType(Type element) {
  return element.isBF16() ? NVVM::MMATypes::bf16 : NVVM::MMATypes::f16;
}

/// An operand word as mma.sync's verifier wants it: f16 as vectors.
SmallVector<Value, 4> typed(Lane &b, ArrayRef<Value> words, Type element) {
  if (!element.isF16())
    return SmallVector<Value, 4>(words);
  return llvm::map_to_vector<4>(words, [&](Value word) -> Value {
    return LLVM::BitcastOp::create(b, VectorType::get(2, element), word);
  });
}

/// One mma.sync; `acc` are its four registers.
void multiply(Lane &b, ArrayRef<Value> left, ArrayRef<Value> right,
              ArrayRef<int64_t> shape, NVVM::MMATypes type,
              MutableArrayRef<Value> acc) {
  Type f32 = b.getF32Type();
  auto four =
      LLVM::LLVMStructType::getLiteral(b.getContext(), {f32, f32, f32, f32});
  Value d = NVVM::MmaOp::create(
      b, four, left, right, acc, shape, std::nullopt, std::nullopt,
      std::array<NVVM::MMATypes, 2>{type, type},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
  for (int64_t i = 0; i < 4; ++i)
    acc[i] = b.extract(d, i);
}

/// The upper and lower part of 32-bit floats, as words.
struct Split {
  SmallVector<Value, 4> high, low;

  Split(Lane &b, ArrayRef<Value> words) {
    for (Value word : words) {
      Value upper = b.bitAnd(word, -8192);
      Value x = LLVM::BitcastOp::create(b, b.getF32Type(), word);
      Value h = LLVM::BitcastOp::create(b, b.getF32Type(), upper);
      Value rest = arith::SubFOp::create(b, x, h);
      high.push_back(upper);
      low.push_back(LLVM::BitcastOp::create(b, b.getI32Type(), rest));
    }
  }
};

/// acc += left right for one block of 16 x 8 and one depth step.
void multiplyBlock(Lane &b, ArrayRef<Value> left, ArrayRef<Value> right,
                   Type element, MutableArrayRef<Value> acc) {
  if (!element.isF32()) {
    multiply(b, typed(b, left, element), typed(b, right, element), {16, 8, 16},
             operandType(element), acc);
    return;
  }
  Split l(b, left), r(b, right);
  constexpr auto tf32 = NVVM::MMATypes::tf32;
  multiply(b, l.low, r.high, {16, 8, 8}, tf32, acc);
  multiply(b, l.high, r.low, {16, 8, 8}, tf32, acc);
  multiply(b, l.high, r.high, {16, 8, 8}, tf32, acc);
}

struct MmaPattern : OpConversionPattern<MmaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MmaOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Lane b(rewriter, op);
    SharedType rhs = op.getRhs().getType();
    FragmentType type = op.getType();
    Type element = rhs.getElementType();
    bool stored = op.getTransposed(); // as N x K
    auto word = [&](ValueRange index) -> Value {
      if (index.empty())
        return {};
      return arith::IndexCastOp::create(b, b.getI32Type(), index.front());
    };
    LeftOperand left(b, op.getLhs(), adaptor.getLhs(), op.getLhsTransposed(),
                     word(adaptor.getFirstRow()));
    RightOperand right(b, rhs, adaptor.getRhs().front(), stored,
                       word(adaptor.getFirstColumn()));
    SmallVector<Value> acc(adaptor.getAcc());
    int64_t depth = stored ? rhs.getColumns() : rhs.getRows();
    int64_t mBlocks = type.getRows() / 16, nBlocks = type.getColumns() / 8;

    for (int64_t k = 0; k < depth / right.depthStep(); ++k) {
      SmallVector<SmallVector<Value, 4>> a;
      for (int64_t m = 0; m < mBlocks; ++m)
        a.push_back(left.get(m, k));
      for (int64_t n = 0; n < nBlocks; n += 2) {
        RightOperand::Columns columns = right.get(k, n);
        // Serpentine: neighbours share an operand.
        for (int64_t c : {0, 1})
          for (int64_t i = 0; i < mBlocks; ++i) {
            int64_t m = c ? mBlocks - 1 - i : i;
            int64_t at = (m * nBlocks + n + c) * 4;
            multiplyBlock(b, a[m], columns[c], element,
                          MutableArrayRef(acc).slice(at, 4));
          }
      }
    }
    rewriter.replaceOpWithMultiple(op, {acc});
    return success();
  }
};

struct LoadPattern : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Lane b(rewriter, op);
    SharedType type = op.getTile().getType();
    BlockLoader loader(b, type, adaptor.getTile(),
                       BlockLoader::Order::RowsFirst, /*transpose=*/false);
    SmallVector<Value> words;
    for (int64_t m = 0; m < type.getRows() / 16; ++m)
      for (int64_t k = 0; k < type.getColumns() / 16; ++k)
        llvm::append_range(words, loader.load(16 * m, 2 * k));
    rewriter.replaceOpWithMultiple(op, {words});
    return success();
  }
};

} // namespace

void attn_gpu::populateMma(const TypeConverter &converter,
                           RewritePatternSet &patterns) {
  patterns.add<MmaPattern, LoadPattern>(converter, patterns.getContext());
}
