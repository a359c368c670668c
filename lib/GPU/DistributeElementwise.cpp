//===- DistributeElementwise.cpp - what stays in a lane's registers -------===//
#include "Distribute.h"

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {

struct FillPattern : OpConversionPattern<FillOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(FillOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values(op.getType().getLaneValues(), adaptor.getValue());
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

struct MapPattern : OpConversionPattern<MapOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MapOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Lane b(rewriter, op);
    SmallVector<SmallVector<Value>> results(op.getNumResults());
    if (op.getNumResults() == 0) {
      rewriter.eraseOp(op);
      return success();
    }
    auto shape = cast<FragmentType>(op.getResult(0).getType());
    for (Value input : op.getInputs())
      if (auto type = cast<FragmentType>(input.getType()); type.isMatrix())
        shape = type;
    Value g = b.toIndex(b.group());
    Value t = b.toIndex(b.mul(b.inGroup(), 2));
    for (auto [i, place] : llvm::enumerate(accRegisters(shape))) {
      SmallVector<Value> arguments;
      for (auto [input, values] :
           llvm::zip_equal(op.getInputs(), adaptor.getInputs())) {
        auto type = cast<FragmentType>(input.getType());
        arguments.push_back(
            values[type.isRow()   ? place.row / 8
                   : type.isCol() ? place.column / 8 * 2 + place.column % 2
                                  : i]);
      }
      arguments.push_back(shape.isCol() ? b.index(0) : b.add(g, place.row));
      arguments.push_back(shape.isRow() ? b.index(0) : b.add(t, place.column));
      for (auto [result, value] : llvm::zip_equal(
               results, b.inlineBody(op.getBody().front(), arguments)))
        result.push_back(value);
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

Value combine(Lane &b, Reduction kind, Value x, Value y) {
  if (kind == Reduction::Max)
    return LLVM::MaxNumOp::create(b, x, y);
  return arith::AddFOp::create(b, x, y);
}

struct ReducePattern : OpConversionPattern<ReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReduceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Lane b(rewriter, op);
    SmallVector<Value> rows(adaptor.getInit());
    ValueRange source = adaptor.getSource();
    for (auto [i, place] :
         llvm::enumerate(accRegisters(op.getSource().getType()))) {
      Value &row = rows[place.row / 8];
      row = combine(b, op.getKind(), row, source[i]);
    }
    rewriter.replaceOpWithMultiple(op, {rows});
    return success();
  }
};

struct AcrossPattern : OpConversionPattern<AcrossOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AcrossOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Lane b(rewriter, op);
    SmallVector<Value> rows(adaptor.getSource());
    for (int64_t distance = 1; distance < kLanesPerRow; distance *= 2)
      for (Value &row : rows) {
        Value other = NVVM::ShflOp::create(
            b, row.getType(), b.i32(-1), row, b.i32(distance),
            b.i32(kWarpSize - 1), NVVM::ShflKind::bfly, UnitAttr());
        row = combine(b, op.getKind(), row, other);
      }
    rewriter.replaceOpWithMultiple(op, {rows});
    return success();
  }
};

struct AnyPattern : OpConversionPattern<AnyOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AnyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Lane b(rewriter, op);
    Value any;
    for (Value row : adaptor.getSource())
      any = any ? arith::OrIOp::create(b, any, row).getResult() : row;
    rewriter.replaceOpWithNewOp<NVVM::VoteSyncOp>(op, b.getI1Type(), b.i32(-1),
                                                  any, NVVM::VoteSyncKind::any);
    return success();
  }
};

/// Fragments that both exist already, one of them chosen.
struct SelectPattern : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values;
    for (auto [a, b] :
         llvm::zip_equal(adaptor.getTrueValue(), adaptor.getFalseValue()))
      values.push_back(arith::SelectOp::create(
          rewriter, op.getLoc(), adaptor.getCondition().front(), a, b));
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

struct ToLhsPattern : OpConversionPattern<ToLhsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ToLhsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Lane b(rewriter, op);
    FragmentType type = op.getType();
    ValueRange source = adaptor.getSource();
    SmallVector<Value> words;
    // Registers of the accumulator, fastest first: n % 2, half, n / 8, m / 16.
    int64_t columnBlocks = type.getColumns() / 8;
    bool packs = type.getElementType().getIntOrFloatBitWidth() == 16;
    for (int64_t m = 0; m < type.getRows() / 16; ++m)
      for (int64_t n = 0; n < columnBlocks; ++n) {
        ValueRange four = source.slice((m * columnBlocks + n) * 4, 4);
        if (packs) {
          for (int64_t half : {0, 2})
            words.push_back(
                b.pack(four[half], four[half + 1], type.getElementType()));
          continue;
        }
        for (int64_t i : {0, 2, 1, 3}) // columns 2 t, then 2 t + 1
          words.push_back(LLVM::BitcastOp::create(b, b.getI32Type(), four[i]));
      }
    rewriter.replaceOpWithMultiple(op, {words});
    return success();
  }
};

} // namespace

void attn_gpu::populateElementwise(const TypeConverter &converter,
                                   RewritePatternSet &patterns) {
  patterns.add<FillPattern, MapPattern, ReducePattern, AcrossPattern,
               AnyPattern, SelectPattern, ToLhsPattern>(converter,
                                                        patterns.getContext());
}
