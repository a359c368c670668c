//===- CostQuery.cpp - the cost model's view of an attention op -----------===//
#include "attn/Tile/CostQuery.h"
#include "QueryLoop.h"
#include "attn/IR/Roles.h"
#include "attn/IR/VisibleAttr.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn;

static ::attn::ElementType elementTypeOf(Value value) {
  Type type = getElementTypeOrSelf(value);
  if (type.isF64())
    return ::attn::ElementType::F64;
  if (type.isF32())
    return ::attn::ElementType::F32;
  return type.isBF16() ? ::attn::ElementType::BF16 : ::attn::ElementType::F16;
}

static int64_t bytesOf(Type type) {
  return type.isIntOrFloat() ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 8)
                             : 8;
}

static std::string nameOfExtra(int64_t number) {
  return "extra" + std::to_string(number);
}

/// The extra that an operand of the score region is, by its map.
static ::attn::Extra extraOf(OpOperand &operand, AffineMap map,
                             const Roles &roles) {
  ::attn::Extra extra;
  extra.name = nameOfExtra(operand.getOperandNumber() - 3);
  Type type = getElementTypeOrSelf(operand.get());
  extra.elementBytes = bytesOf(type);
  auto varies = [&](unsigned dim) { return map && map.isFunctionOfDim(dim); };
  for (unsigned dim : roles.row)
    extra.rows.push_back(varies(dim));
  for (unsigned dim : roles.key)
    extra.keys.push_back(varies(dim));
  for (unsigned dim : roles.batch)
    extra.batch.push_back(varies(dim));
  return extra;
}

namespace {
/// Where the dims of an op are among those of its Problem: batch, rows (one at
/// least), keys.
struct PlaceOf {
  explicit PlaceOf(const Roles &roles) : setDims(roles.setDims()) {
    for (unsigned dim : roles.batch)
      place[dim] = count++;
    for (unsigned dim : roles.row)
      place[dim] = count++;
    count += roles.row.empty();
    for (unsigned dim : roles.key)
      place[dim] = count++;
  }

  /// A mask over the dims in iteration order as one over the Problem's.
  ::attn::Visible reorder(const ::attn::Visible &mask) const {
    using ::attn::Expr;
    unsigned extents = setDims.size();
    auto dimOf = [&](unsigned i) {
      return Expr::dim(place.lookup(setDims[i]));
    };
    auto symbolOf = [&](unsigned i) {
      return Expr::symbol(i < extents ? place.lookup(setDims[i])
                                      : count + i - extents);
    };
    SmallVector<::attn::AffineSet> sets;
    for (const ::attn::AffineSet &set : mask.sets()) {
      sets.emplace_back();
      for (const ::attn::Constraint &constraint : set.constraints)
        sets.back().constraints.push_back(
            {constraint.expr.substitute(dimOf, symbolOf),
             constraint.isEquality});
    }
    return ::attn::Visible(count, count + mask.numSymbols() - extents, sets);
  }

  SmallVector<unsigned> setDims;
  llvm::SmallDenseMap<unsigned, unsigned> place;
  unsigned count = 0;
};
} // namespace

/// The block-sparse mask of an op, with its elements if they are a constant.
static ::attn::BlockPattern patternOf(ScoreOpInterface op,
                                      const PlaceOf &place) {
  ::attn::BlockPattern pattern;
  for (AffineExpr expr : blocksMap(op).getResults()) {
    int64_t divisor = 1;
    if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr)) {
      divisor = cast<AffineConstantExpr>(binary.getRHS()).getValue();
      expr = binary.getLHS();
    }
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    pattern.terms.push_back({place.place.lookup(dim), divisor});
  }
  DenseElementsAttr elements;
  if (matchPattern(op.getBlocks(), m_Constant(&elements)))
    llvm::append_range(pattern.seen, elements.getValues<bool>());
  return pattern;
}

bool mlir::attn::usesAtomics(TilingAttr tiling) {
  auto kernel = dyn_cast_or_null<GPUKernelAttr>(tiling.getKernel());
  return kernel && kernel.getAtomics();
}

bool mlir::attn::choosesTiling(ScoreOpInterface op) {
  return isa<AttentionOp, AttentionBackwardOp>(op.getOperation());
}

::attn::Problem mlir::attn::getProblem(ScoreOpInterface op,
                                       AssumedExtents assumed) {
  Roles roles = inferRoles(op);
  SmallVector<int64_t> sizes = staticSizes(op);
  auto sizeOf = [&](unsigned dim, int64_t otherwise) {
    return ShapedType::isDynamic(sizes[dim]) ? otherwise : sizes[dim];
  };
  auto product = [&](ArrayRef<unsigned> dims) {
    int64_t size = 1;
    for (unsigned dim : dims)
      size = ::attn::mulSaturating(size, sizeOf(dim, assumed.headDim));
    return size;
  };

  ::attn::Problem problem;
  for (unsigned dim : roles.batch)
    problem.batch.push_back(sizeOf(dim, assumed.batch));
  for (unsigned dim : roles.row)
    problem.rows.push_back(sizeOf(dim, assumed.sequence));
  for (unsigned dim : roles.key)
    problem.keys.push_back(sizeOf(dim, assumed.sequence));
  problem.depth = product(roles.depth);
  problem.value = product(roles.value);
  // Wide operands make everything wide: registers hold the accumulate type.
  problem.type = accumulateType(op).isF64() ? ::attn::ElementType::F64
                                            : elementTypeOf(op.getQuery());
  if (auto forward = dyn_cast<AttentionOp>(op.getOperation()))
    problem.lse = static_cast<bool>(forward.getLse());
  else {
    problem.direction = ::attn::Direction::Backward;
    problem.lseGradient =
        static_cast<bool>(cast<AttentionBackwardOp>(op).getLseGrad());
    if (TilingAttr tiling = op.getTilingAttr())
      problem.atomics = usesAtomics(tiling);
  }
  problem.replacesHidden = !op.getHiddenAttr().isSkip();
  // Symbols are known up to the first that is not a constant.
  for (Value symbol : op.getSymbols()) {
    IntegerAttr value;
    if (!matchPattern(symbol, m_Constant(&value)))
      break;
    problem.maskValues.push_back(value.getInt());
  }
  // Scalars stay in registers.
  for (OpOperand &operand : op->getOpOperands())
    if (llvm::is_contained(op.getExtras(), operand.get()) &&
        isa<ShapedType>(operand.get().getType()) &&
        operand.getOperandNumber() >= 3 &&
        operand.getOperandNumber() < 3 + op.getExtras().size())
      problem.extras.push_back(extraOf(operand, op.getMapOf(operand), roles));
  if (auto backward = dyn_cast<AttentionBackwardOp>(op.getOperation()))
    for (auto [number, grad] :
         llvm::zip_equal(backward.getDifferentiate(), backward.getExtraGrads()))
      for (::attn::Extra &extra : problem.extras)
        if (extra.name == nameOfExtra(number))
          extra.gradientBytes = bytesOf(getElementTypeOrSelf(grad));
  // A problem without row dims has one row.
  if (problem.rows.empty()) {
    problem.rows.push_back(1);
    for (::attn::Extra &extra : problem.extras)
      extra.rows.push_back(false);
  }
  PlaceOf place(roles);
  if (op.getVisibleAttr())
    problem.visible = place.reorder(getVisible(op));
  if (op.getBlocks())
    problem.blocks = patternOf(op, place);
  return problem;
}

/// One property of `attn.target` over the target's own.
static LogicalResult overrideField(Operation *op, ::attn::Target &target,
                                   NamedAttribute property) {
  double value = 0;
  if (auto integer = dyn_cast<IntegerAttr>(property.getValue()))
    value = static_cast<double>(integer.getInt());
  else if (auto real = dyn_cast<FloatAttr>(property.getValue()))
    value = real.getValueAsDouble();
  else
    return op->emitError("attn.target: expected property '")
           << property.getName().getValue() << "' to be a number, got "
           << property.getValue();
  if (llvm::Error error =
          ::attn::setTargetField(target, property.getName().getValue(), value))
    return op->emitError("attn.target: ") << llvm::toString(std::move(error));
  return success();
}

FailureOr<::attn::Target> mlir::attn::getTarget(Operation *op) {
  for (Operation *at = op; at; at = at->getParentOp()) {
    Attribute found = at->getAttr("attn.target");
    if (!found)
      continue;
    auto attr = dyn_cast<TargetAttr>(found);
    if (!attr)
      return at->emitError("expected attn.target to be an #attn.target, got ")
             << found;
    llvm::Expected<::attn::Target> target = ::attn::findTarget(attr.getName());
    if (!target)
      return at->emitError("attn.target: ")
             << llvm::toString(target.takeError());
    if (DictionaryAttr properties = attr.getProperties())
      for (NamedAttribute property : properties)
        if (failed(overrideField(at, *target, property)))
          return failure();
    target->settleSplitTiles(attr.getProperties() &&
                             attr.getProperties().get("split_tiles"));
    if (llvm::Error error = target->check())
      return at->emitError("attn.target: ") << llvm::toString(std::move(error));
    return *target;
  }
  return ::attn::hostTarget();
}

bool mlir::attn::usesMatrixTiles(AttentionOp op, const ::attn::Target &target) {
  ::attn::ElementType type = elementTypeOf(op.getQuery());
  for (Value operand : {op.getKey(), op.getValue()})
    if (elementTypeOf(operand) != type)
      return false;
  TilingAttr tiling = op.getTilingAttr();
  int64_t rows = tiling ? fromAttribute(tiling).queryBlockSize()
                        : getProblem(op).rowCount();
  return target.usesMatrixTiles(type, rows);
}

::attn::Tiling mlir::attn::fromAttribute(TilingAttr attr) {
  ::attn::Tiling tiling;
  tiling.queryBlock.assign(attr.getQueryBlock().begin(),
                           attr.getQueryBlock().end());
  tiling.keyBlock.assign(attr.getKeyBlock().begin(), attr.getKeyBlock().end());
  tiling.order = attr.getOrder() == Order::QOuter ? ::attn::Order::QueryOuter
                                                  : ::attn::Order::KeyOuter;
  tiling.keySplits = attr.getKeySplits();
  if (auto cpu = dyn_cast_or_null<CPUKernelAttr>(attr.getKernel()))
    tiling.cpu = ::attn::CpuKernel{cpu.getMr(), cpu.getNr()};
  if (auto gpu = dyn_cast_or_null<GPUKernelAttr>(attr.getKernel()))
    tiling.gpu =
        ::attn::GpuKernel{gpu.getWarps(), gpu.getRowsPerWarp(), gpu.getStages(),
                          gpu.getAtomics(), gpu.getApart()};
  return tiling;
}

TilingAttr mlir::attn::toAttribute(MLIRContext *context,
                                   const ::attn::Tiling &tiling) {
  Attribute kernel;
  if (tiling.cpu)
    kernel = CPUKernelAttr::get(context, tiling.cpu->mr, tiling.cpu->nr);
  if (tiling.gpu)
    kernel = GPUKernelAttr::get(context, tiling.gpu->warps,
                                tiling.gpu->rowsPerWarp, tiling.gpu->stages,
                                tiling.gpu->atomics, tiling.gpu->apart);
  Order order = tiling.order == ::attn::Order::QueryOuter ? Order::QOuter
                                                          : Order::KVOuter;
  return TilingAttr::get(context, tiling.queryBlock, tiling.keyBlock, order,
                         tiling.keySplits, kernel);
}
