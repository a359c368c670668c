//===- Canonicalize.cpp - simplifications of attention --------------------===//
#include "attn/IR/AttnDialect.h"
#include "attn/IR/Roles.h"
#include "mlir/Dialect/Affine/Analysis/AffineStructures.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::attn;

/// The op without the extras in `dead`: operands, maps, region arguments.
static void eraseExtras(PatternRewriter &rewriter, ScoreOpInterface op,
                        const llvm::BitVector &dead) {
  rewriter.modifyOpInPlace(op, [&] {
    SmallVector<Attribute> maps;
    for (auto [i, map] : llvm::enumerate(op.getMapArray()))
      if (i < 3 || i - 3 >= dead.size() || !dead[i - 3])
        maps.push_back(AffineMapAttr::get(map));
    SmallVector<Value> kept;
    for (auto [i, extra] : llvm::enumerate(op.getExtras()))
      if (!dead[i])
        kept.push_back(extra);
    Block &block = op.getScoreRegion().front();
    for (int i = dead.size() - 1; i >= 0; --i)
      if (dead[i])
        block.eraseArgument(i + 1);
    if (auto attention = dyn_cast<AttentionOp>(op.getOperation()))
      attention.getExtrasMutable().assign(kept);
    else
      cast<OnlineAttentionOp>(op.getOperation())
          .getExtrasMutable()
          .assign(kept);
    op->setAttr("maps", rewriter.getArrayAttr(maps));
  });
}

namespace {

/// An extra that the region does not read is dropped.
template <typename OpTy> struct DropUnusedExtras : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    llvm::BitVector dead(op.getExtras().size());
    for (unsigned i = 0; i < dead.size(); ++i)
      dead[i] = op.getScore().getArgument(i + 1).use_empty();
    if (dead.none())
      return failure();
    eraseExtras(rewriter, op, dead);
    return success();
  }
};

/// An extra that holds one constant everywhere becomes a constant of the
/// region.
template <typename OpTy> struct InlineSplatExtras : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    bool changed = false;
    for (auto [i, extra] : llvm::enumerate(op.getExtras())) {
      Value argument = op.getScore().getArgument(i + 1);
      if (argument.use_empty())
        continue;
      Attribute value;
      if (!matchPattern(extra, m_Constant(&value)))
        continue;
      if (auto elements = dyn_cast<DenseElementsAttr>(value))
        value = elements.isSplat() ? elements.getSplatValue<Attribute>()
                                   : Attribute();
      auto typed = dyn_cast_if_present<TypedAttr>(value);
      // attn.keep wants its seed and offset as arguments.
      bool feedsKeep = llvm::any_of(argument.getUsers(), [](Operation *user) {
        return isa<KeepOp>(user);
      });
      if (!typed || feedsKeep || typed.getType() != argument.getType())
        continue;
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&op.getScore().front());
      Value constant = arith::ConstantOp::create(rewriter, op.getLoc(), typed);
      rewriter.replaceAllUsesWith(argument, constant);
      changed = true;
    }
    return success(changed);
  }
};

/// A constant added to every score of a row shifts its maximum and nothing
/// else: without a log-sum-exp, a sink or hidden keys that are replaced it is
/// dropped, unless it is so large that adding it rounds the scores away (an
/// absorbing mask value is not a shift). Adding 0 is always dropped.
template <typename OpTy> struct DropConstantShift : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto yield = cast<YieldOp>(op.getScore().front().getTerminator());
    auto add = yield.getScore().template getDefiningOp<arith::AddFOp>();
    if (!add)
      return failure();
    APFloat shift(0.0f);
    Value rest = add.getLhs();
    if (!matchPattern(add.getRhs(), m_ConstantFloat(&shift))) {
      rest = add.getRhs();
      if (!matchPattern(add.getLhs(), m_ConstantFloat(&shift)))
        return failure();
    }
    if (!shift.isZero() && !mayDrop(op, shift))
      return failure();
    rewriter.modifyOpInPlace(yield,
                             [&] { yield.getScoreMutable().assign(rest); });
    return success();
  }

private:
  /// Up to here a sum in f32 keeps 13 bits behind the point.
  static constexpr double largestShift = 1024.0;

  static bool mayDrop(OpTy op, const APFloat &shift) {
    // An online attention hands its maximum on.
    auto attention = dyn_cast<AttentionOp>(op.getOperation());
    return attention && !attention.getLse() && !attention.getSink() &&
           attention.getHidden().isSkip() &&
           std::abs(shift.convertToDouble()) <= largestShift;
  }
};

/// A visible set that holds every index of the problem makes the mask void; a
/// set without any point is dropped.
template <typename OpTy> struct FoldVisible : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (!op.getVisibleAttr())
      return failure();
    SmallVector<Attribute> kept;
    for (Attribute attr : op.getVisibleAttr()) {
      IntegerSet set = cast<IntegerSetAttr>(attr).getValue();
      if (containsProblem(op, set)) {
        rewriter.modifyOpInPlace(op, [&] { op.removeVisibleAttr(); });
        return success();
      }
      if (!isEmptyInProblem(op, set))
        kept.push_back(attr);
    }
    if (kept.size() == op.getVisibleAttr().size())
      return failure();
    rewriter.modifyOpInPlace(
        op, [&] { op.setVisibleAttr(rewriter.getArrayAttr(kept)); });
    return success();
  }

private:
  /// The set, or the negation of one of its constraints, within the bounds of
  /// the problem: 0 <= dim < extent, extents as far as they are known.
  static affine::FlatAffineValueConstraints bounded(OpTy op, IntegerSet set) {
    affine::FlatAffineValueConstraints constraints(set);
    SmallVector<unsigned> dims = inferRoles(op).setDims();
    SmallVector<int64_t> sizes = staticSizes(op);
    SmallVector<OpFoldResult> extents = op.getMixedExtents();
    SmallVector<OpFoldResult> origin = op.getMixedOrigin();
    unsigned numDims = set.getNumDims();
    for (auto [i, dim] : llvm::enumerate(dims)) {
      SmallVector<int64_t> upper(constraints.getNumCols(), 0);
      upper[i] = -1;
      upper[numDims + i] = 1;
      upper.back() = -1;
      constraints.addInequality(upper); // extent - 1 - dim >= 0
      constraints.addBound(presburger::BoundType::LB, i, 0);
      std::optional<int64_t> extent;
      if (!extents.empty())
        extent = getConstantIntValue(extents[dim]);
      else if (!ShapedType::isDynamic(sizes[dim]))
        extent = sizes[dim];
      if (extent)
        constraints.addBound(presburger::BoundType::EQ, numDims + i, *extent);
      // A tile sees only its own part.
      std::optional<int64_t> start;
      if (!origin.empty())
        start = getConstantIntValue(origin[dim]);
      if (start && !ShapedType::isDynamic(sizes[dim])) {
        constraints.addBound(presburger::BoundType::LB, i, *start);
        constraints.addBound(presburger::BoundType::UB, i,
                             *start + sizes[dim] - 1);
      }
    }
    return constraints;
  }

  static bool isEmptyInProblem(OpTy op, IntegerSet set) {
    return bounded(op, set).isIntegerEmpty();
  }

  static bool containsProblem(OpTy op, IntegerSet set) {
    // Every constraint holds if its negation is empty.
    for (unsigned i = 0; i < set.getNumConstraints(); ++i) {
      AffineExpr expr = set.getConstraint(i);
      SmallVector<AffineExpr> negations = {-expr - 1};
      if (set.isEq(i))
        negations.push_back(expr - 1);
      for (AffineExpr negation : negations) {
        IntegerSet outside = IntegerSet::get(
            set.getNumDims(), set.getNumSymbols(), {negation}, {false});
        if (!bounded(op, outside).isIntegerEmpty())
          return false;
      }
    }
    return true;
  }
};

/// Without `visible` no symbol is read, and without a mask no key is hidden.
template <typename OpTy> struct DropMaskLeftovers : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    bool symbols = !op.getVisibleAttr() && !op.getSymbols().empty();
    bool hidden =
        !op.getVisibleAttr() && !op.getBlocks() && !op.getHidden().isSkip();
    if (!symbols && !hidden)
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      if (hidden)
        op.setHiddenAttr(HiddenAttr::getSkip(op.getContext()));
      if (!symbols)
        return;
      SmallVector<Attribute> maps;
      for (OpOperand &operand : op->getOpOperands()) {
        unsigned index = operand.getOperandNumber();
        unsigned begin = op.getSymbols().getBeginOperandIndex();
        bool isSymbol =
            index >= begin && index < begin + op.getSymbols().size();
        bool sharesMap = isa<OnlineAttentionOp>(op.getOperation()) &&
                         index + 1 == op->getNumOperands();
        AffineMap map = op.getMapOf(operand);
        if (map && !isSymbol && !sharesMap)
          maps.push_back(AffineMapAttr::get(map));
      }
      op.getSymbolsMutable().clear();
      op.setMapsAttr(rewriter.getArrayAttr(maps));
    });
    return success();
  }
};

/// Constant operands of origin and extents become static; a position that is
/// the default, or that nothing looks at, is dropped.
template <typename OpTy> struct FoldPosition : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    SmallVector<OpFoldResult> origin = op.getMixedOrigin();
    SmallVector<OpFoldResult> extents = op.getMixedExtents();
    if (origin.empty() && extents.empty())
      return failure();
    bool changed = succeeded(foldDynamicIndexList(origin));
    changed |= succeeded(foldDynamicIndexList(extents));
    if (!dependsOnPosition(op)) {
      origin.clear();
      extents.clear();
      changed = true;
    }
    if (!origin.empty() && llvm::all_of(origin, isZeroInteger)) {
      origin.clear();
      changed = true;
    }
    bool whole = !extents.empty();
    for (auto [extent, size] : llvm::zip(extents, staticSizes(op))) {
      std::optional<int64_t> known = getConstantIntValue(extent);
      whole &= known && *known == size;
    }
    if (whole) {
      extents.clear();
      changed = true;
    }
    if (!changed)
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.setPosition(origin, extents); });
    return success();
  }
};

} // namespace

void AttentionOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<DropUnusedExtras<AttentionOp>, InlineSplatExtras<AttentionOp>,
               DropConstantShift<AttentionOp>, DropMaskLeftovers<AttentionOp>,
               FoldVisible<AttentionOp>, FoldPosition<AttentionOp>>(context);
}

void OnlineAttentionOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                    MLIRContext *context) {
  patterns.add<DropUnusedExtras<OnlineAttentionOp>,
               InlineSplatExtras<OnlineAttentionOp>,
               DropConstantShift<OnlineAttentionOp>,
               DropMaskLeftovers<OnlineAttentionOp>,
               FoldVisible<OnlineAttentionOp>, FoldPosition<OnlineAttentionOp>>(
      context);
}

void OnlineBackwardOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                   MLIRContext *context) {
  patterns.add<FoldVisible<OnlineBackwardOp>, FoldPosition<OnlineBackwardOp>>(
      context);
}
