//===- DistributeMemory.cpp - tiles, copies and stores --------------------===//
#include "Distribute.h"

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {

struct SharedTilePattern : OpConversionPattern<SharedTileOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SharedTileOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Lane b(rewriter, op);
    rewriter.replaceOp(op, b.i32(op.getOffset()));
    return success();
  }
};

struct RowsPattern : OpConversionPattern<RowsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(RowsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Lane b(rewriter, op);
    Value first =
        arith::IndexCastOp::create(b, b.getI32Type(), adaptor.getFirst());
    Value bytes = b.mul(first, op.getType().getRowBytes());
    rewriter.replaceOp(op, b.add(bytes, adaptor.getSource()));
    return success();
  }
};

/// Who copies what. A row is cut into chunks of `vector` elements. `across`
/// threads stand side by side in a row and take every across-th chunk; the
/// others take further rows. Eight rows or more at a time, so that a thread's
/// rows agree on their swizzle.
class CopyPlan {
public:
  CopyPlan(Lane &b, CopyOp op) : type(op.getTile().getType()) {
    vector = op.getVector();
    chunks = type.getColumns() / vector;
    int64_t powerOfTwo = chunks & -chunks;
    across = std::min<int64_t>(powerOfTwo, b.threads() / 8);
    rowsAtOnce = b.threads() / across;
    row = b.divide(b.thread(), across);
    column = b.remainder(b.thread(), across);
    bytes = vector * type.getElementBytes();
  }

  SharedType type;
  int64_t vector, chunks, across, rowsAtOnce, bytes;
  Value row, column; ///< of the thread's first chunk
};

struct CopyPattern : OpConversionPattern<CopyOp> {
  using OpConversionPattern::OpConversionPattern;

  /// cp.async of `bytes`, or of none and zeros instead.
  static void copyAsync(Lane &b, Value to, Value from, int64_t bytes,
                        Value exists) {
    Value size;
    if (exists)
      size = arith::SelectOp::create(b, exists, b.i32(bytes), b.i32(0));
    auto cache = bytes == 16 ? NVVM::LoadCacheModifierKind::CG
                             : NVVM::LoadCacheModifierKind::CA;
    NVVM::CpAsyncOp::create(b, to, from, bytes, cache, size);
  }

  /// One element by way of a register.
  static void copyElement(Lane &b, Value to, Value from, Type element,
                          Value exists) {
    auto bits = b.getIntegerType(element.getIntOrFloatBitWidth());
    Value zero = arith::ConstantIntOp::create(b, bits, 0);
    auto branch = scf::IfOp::create(b, bits, exists, /*withElse=*/true);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToEnd(branch.thenBlock());
      Value v = LLVM::LoadOp::create(b, bits, from);
      scf::YieldOp::create(b, v);
      b.setInsertionPointToEnd(branch.elseBlock());
      scf::YieldOp::create(b, zero);
    }
    LLVM::StoreOp::create(b, branch.getResult(0), to);
  }

  /// Pieces of 16 bytes, unrolled: addresses are a base and constants.
  static void emitPieces(Lane &b, CopyOp op, const CopyPlan &plan, Value base,
                         Value tile, bool whole) {
    Value first = b.swizzled(plan.type, plan.row, plan.column);
    Value row = b.toIndex(plan.row), column = b.toIndex(plan.column);
    for (int64_t i = 0; i < plan.type.getRows(); i += plan.rowsAtOnce) {
      // The last time there may be more threads than rows.
      Value inside;
      if (i + plan.rowsAtOnce > plan.type.getRows())
        inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, plan.row,
                                       b.i32(plan.type.getRows() - i));
      scf::IfOp branch;
      OpBuilder::InsertionGuard guard(b);
      if (inside) {
        branch = scf::IfOp::create(b, inside, /*withElse=*/false);
        b.setInsertionPointToStart(branch.thenBlock());
      }
      for (int64_t j = 0; j < plan.chunks; j += plan.across) {
        SmallVector<Value> place =
            b.inlineBody(op.getBody().front(),
                         {b.add(row, i), b.mul(b.add(column, j), plan.vector)});
        int64_t constant = i * plan.type.getRowBytes();
        Value offset = b.furtherPiece(plan.type, first, j, constant);
        copyAsync(b, b.sharedPointer(offset, tile, constant),
                  b.globalPointer(base, place[0], plan.type.getElementType()),
                  plan.bytes, whole ? Value() : place[1]);
      }
    }
  }

  /// Anything narrower, in a loop.
  static void emitChunks(Lane &b, CopyOp op, const CopyPlan &plan, Value base,
                         Value tile) {
    int64_t chunks = plan.type.getRows() * plan.chunks;
    Value thread = b.toIndex(b.thread());
    auto loop =
        scf::ForOp::create(b, thread, b.index(chunks), b.index(b.threads()));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value chunk =
        arith::IndexCastOp::create(b, b.getI32Type(), loop.getInductionVar());
    Value row = b.divide(chunk, plan.chunks);
    Value column = b.mul(b.remainder(chunk, plan.chunks), plan.vector);
    SmallVector<Value> place =
        b.inlineBody(op.getBody().front(), {b.toIndex(row), b.toIndex(column)});
    int64_t piece = plan.type.getPiece();
    Value offset = b.swizzled(plan.type, row, b.divide(column, piece));
    offset = b.add(
        offset, b.mul(b.remainder(column, piece), plan.type.getElementBytes()));
    Type element = plan.type.getElementType();
    Value to = b.sharedPointer(offset, tile, 0);
    Value from = b.globalPointer(base, place[0], element);
    if (plan.bytes >= 4)
      copyAsync(b, to, from, plan.bytes, place[1]);
    else
      copyElement(b, to, from, element, place[1]);
  }

  LogicalResult
  matchAndRewrite(CopyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Lane b(rewriter, op);
    CopyPlan plan(b, op);
    Value base = adaptor.getBase(), tile = adaptor.getTile();
    if (plan.bytes < 16) {
      emitChunks(b, op, plan, base, tile);
    } else if (!adaptor.getWhole()) {
      emitPieces(b, op, plan, base, tile, /*whole=*/false);
    } else {
      auto branch = scf::IfOp::create(b, adaptor.getWhole(), /*withElse=*/true);
      b.setInsertionPointToStart(branch.thenBlock());
      emitPieces(b, op, plan, base, tile, /*whole=*/true);
      b.setInsertionPointToStart(branch.elseBlock());
      emitPieces(b, op, plan, base, tile, /*whole=*/false);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct PutPattern : OpConversionPattern<PutOp> {
  using OpConversionPattern::OpConversionPattern;

  /// A lane has two neighbours in a row: one word.
  static void putWords(Lane &b, SharedType type, Value tile, ValueRange values,
                       ArrayRef<RegisterPlace> places) {
    Value lane = b.swizzled(type, b.group(), b.i32(0));
    lane = b.add(lane, b.mul(b.inGroup(), 4));
    for (size_t i = 0; i < places.size(); i += 2) {
      int64_t constant = places[i].row * type.getRowBytes();
      Value offset = b.furtherPiece(type, lane, places[i].column / 8, constant);
      Value word = b.pack(values[i], values[i + 1], type.getElementType());
      LLVM::StoreOp::create(b, word, b.sharedPointer(offset, tile, constant));
    }
  }

  /// Element by element, transposed: rows 2 t and 2 t + 1, column g.
  static void putAcross(Lane &b, SharedType type, Value tile, Value first,
                        ValueRange values, ArrayRef<RegisterPlace> places) {
    SmallVector<Value, 2> lanes;
    Value odd = b.bitAnd(b.group(), 1), within = b.mul(b.shr(b.group(), 1), 4);
    for (int64_t e : {0, 1}) {
      Value row = b.add(b.mul(b.inGroup(), 2), e);
      Value piece = b.furtherColumns(type, odd, first);
      lanes.push_back(b.add(b.swizzled(type, row, piece), within));
    }
    for (auto [place, value] : llvm::zip_equal(places, values)) {
      int64_t e = place.column % 2;
      int64_t constant = (place.column - e) * type.getRowBytes();
      Value offset = b.furtherPiece(type, lanes[e], place.row / 4, constant);
      LLVM::StoreOp::create(b, value, b.sharedPointer(offset, tile, constant));
    }
  }

  LogicalResult
  matchAndRewrite(PutOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Lane b(rewriter, op);
    SharedType type = op.getTile().getType();
    SmallVector<RegisterPlace> places = accRegisters(op.getSource().getType());
    Value tile = adaptor.getTile().front();
    if (type.getElementBytes() == 2) {
      putWords(b, type, tile, adaptor.getSource(), places);
    } else {
      Value first;
      if (op.getFirst())
        first = arith::IndexCastOp::create(b, b.getI32Type(),
                                           adaptor.getFirst().front());
      putAcross(b, type, tile, first, adaptor.getSource(), places);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// The addresses of a fragment's sums, in the order of its registers.
SmallVector<Value> sumAddresses(Lane &b, FragmentType type, Value base,
                                Value first, int64_t blockColumns) {
  constexpr int64_t blockElements = 16 * 8;
  Value mine = b.add(first, b.toIndex(b.lane()));
  Value start = b.globalPointer(base, mine, b.getF32Type());
  SmallVector<Value> addresses;
  for (auto [i, place] : llvm::enumerate(accRegisters(type))) {
    int64_t block = place.row / 16 * blockColumns + place.column / 8;
    int64_t offset = block * blockElements + int64_t(i % 4) * kWarpSize;
    addresses.push_back(
        LLVM::GEPOp::create(b, start.getType(), b.getF32Type(), start,
                            ArrayRef<LLVM::GEPArg>{int32_t(offset)}));
  }
  return addresses;
}

struct AddSumsPattern : OpConversionPattern<AddSumsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AddSumsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Lane b(rewriter, op);
    SmallVector<Value> addresses =
        sumAddresses(b, op.getSource().getType(), adaptor.getBase().front(),
                     adaptor.getFirst().front(), op.getBlockColumns());
    for (auto [to, value] : llvm::zip_equal(addresses, adaptor.getSource()))
      LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::fadd, to, value,
                                LLVM::AtomicOrdering::monotonic);
    rewriter.eraseOp(op);
    return success();
  }
};

struct StoreSumsPattern : OpConversionPattern<StoreSumsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(StoreSumsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Lane b(rewriter, op);
    SmallVector<Value> addresses =
        sumAddresses(b, op.getSource().getType(), adaptor.getBase().front(),
                     adaptor.getFirst().front(), op.getBlockColumns());
    for (auto [to, value] : llvm::zip_equal(addresses, adaptor.getSource()))
      LLVM::StoreOp::create(b, value, to);
    rewriter.eraseOp(op);
    return success();
  }
};

struct LoadSumsPattern : OpConversionPattern<LoadSumsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LoadSumsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Lane b(rewriter, op);
    SmallVector<Value> values;
    for (Value from :
         sumAddresses(b, op.getType(), adaptor.getBase().front(),
                      adaptor.getFirst().front(), op.getBlockColumns()))
      values.push_back(LLVM::LoadOp::create(b, b.getF32Type(), from));
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

struct StorePattern : OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;

  static Value rounded(Lane &b, Value value, Type type) {
    if (value.getType() == type)
      return value;
    return arith::TruncFOp::create(b, type, value);
  }

  /// The first registers of what is stored at a time, in order.
  static SmallVector<size_t> inOrder(StoreOp op, ArrayRef<RegisterPlace> places,
                                     int64_t vector) {
    SmallVector<size_t> order;
    for (size_t i = 0; i < places.size(); i += vector)
      order.push_back(i);
    if (op.getByRows())
      llvm::sort(order, [&](size_t l, size_t r) {
        return std::pair(places[l].row, l) < std::pair(places[r].row, r);
      });
    return order;
  }

  LogicalResult
  matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Lane b(rewriter, op);
    FragmentType type = op.getSource().getType();
    Type element = op.getElementType();
    ValueRange values = adaptor.getSource();
    int64_t vector = type.isRow() ? 1 : op.getVector();
    Value base = adaptor.getBase().front();
    Value g = b.toIndex(b.group());
    Value t = type.isRow() ? b.index(0) : b.toIndex(b.mul(b.inGroup(), 2));
    Value first;
    if (type.isRow())
      first = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, b.inGroup(),
                                    b.i32(0));
    SmallVector<RegisterPlace> places = accRegisters(type);
    for (size_t i : inOrder(op, places, vector)) {
      SmallVector<Value> place =
          b.inlineBody(op.getBody().front(),
                       {b.add(g, places[i].row), b.add(t, places[i].column)});
      Value exists = place[1];
      if (first)
        exists = arith::AndIOp::create(b, exists, first);
      auto branch = scf::IfOp::create(b, exists, /*withElse=*/false);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      Value to = b.globalPointer(base, place[0], element);
      Value value = rounded(b, values[i], element);
      if (vector == 2 && element.getIntOrFloatBitWidth() == 16) {
        value = b.pack(values[i], values[i + 1], element);
      } else if (vector == 2) {
        auto pair = VectorType::get(2, element);
        Value v = LLVM::PoisonOp::create(b, pair);
        v = LLVM::InsertElementOp::create(b, v, value, b.i32(0));
        value = LLVM::InsertElementOp::create(
            b, v, rounded(b, values[i + 1], element), b.i32(1));
      }
      LLVM::StoreOp::create(b, value, to);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void attn_gpu::populateMemory(const TypeConverter &converter,
                              RewritePatternSet &patterns) {
  patterns.add<SharedTilePattern, RowsPattern, CopyPattern, PutPattern,
               AddSumsPattern, StoreSumsPattern, LoadSumsPattern, StorePattern>(
      converter, patterns.getContext());
}
