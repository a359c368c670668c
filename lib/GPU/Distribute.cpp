//===- Distribute.cpp - attn-distribute-to-nvvm ---------------------------===//
#include "Distribute.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNDISTRIBUTETONVVM
#include "attn/GPU/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn_gpu;

//===----------------------------------------------------------------------===//
// Lane
//===----------------------------------------------------------------------===//

static Operation *kernelOf(Operation *op) {
  return op->getParentOfType<gpu::GPUFuncOp>();
}

Lane::Lane(OpBuilder &builder, Operation *op)
    : ImplicitLocOpBuilder(op->getLoc(), builder) {
  if (auto kernel = dyn_cast_or_null<gpu::GPUFuncOp>(kernelOf(op)))
    if (DenseI32ArrayAttr size = kernel.getKnownBlockSizeAttr())
      numThreads = size[0];
}

Value Lane::thread() {
  auto range = LLVM::ConstantRangeAttr::get(getContext(), llvm::APInt(32, 0),
                                            llvm::APInt(32, numThreads));
  return NVVM::ThreadIdXOp::create(*this, getI32Type(), range);
}

Value Lane::lane() { return bitAnd(thread(), kWarpSize - 1); }

Value Lane::sharedPointer(Value offset, Value tile, int64_t constant) {
  auto type = LLVM::LLVMPointerType::get(getContext(), 3);
  // Lane, tile, constant: what lanes and what loops decide is hoisted apart,
  // and the rest is an immediate.
  Value base = LLVM::AddressOfOp::create(*this, type, kSharedSymbol);
  Value p = LLVM::GEPOp::create(*this, type, getI8Type(), base,
                                ArrayRef<LLVM::GEPArg>{offset});
  p = LLVM::GEPOp::create(*this, type, getI8Type(), p,
                          ArrayRef<LLVM::GEPArg>{tile});
  if (!constant)
    return p;
  return LLVM::GEPOp::create(*this, type, getI8Type(), p,
                             ArrayRef<LLVM::GEPArg>{int32_t(constant)});
}

Value Lane::swizzled(SharedType type, Value row, Value piece) {
  unsigned bits = type.getSwizzleBits();
  Value key = bitAnd(shr(row, 3 - bits), (1 << bits) - 1);
  if (bits == 2) {
    Value swap = bitAnd(shr(row, 2), 1);
    key = bitXor(bitAnd(row, 2), swap);
    row = bitXor(row, swap);
  }
  return add(mul(row, type.getRowBytes()), mul(bitXor(piece, key), 16));
}

Value Lane::furtherPiece(SharedType type, Value offset, int64_t further,
                         int64_t &constant) {
  int64_t low = further & ((1 << type.getSwizzleBits()) - 1);
  constant += 16 * (further - low);
  return bitXor(offset, 16 * low);
}

Value Lane::globalPointer(Value base, Value offset, Type element) {
  auto global = LLVM::LLVMPointerType::get(getContext(), 1);
  Value p = LLVM::AddrSpaceCastOp::create(*this, global, base);
  Value wide = arith::IndexCastOp::create(*this, getI64Type(), offset);
  return LLVM::GEPOp::create(*this, global, element, p,
                             ArrayRef<LLVM::GEPArg>{wide});
}

Value Lane::extract(Value aggregate, int64_t position) {
  return LLVM::ExtractValueOp::create(*this, aggregate, position);
}

Value Lane::pack(Value low, Value high, Type type) {
  auto wide = VectorType::get(2, low.getType());
  Value v = LLVM::PoisonOp::create(*this, wide);
  v = LLVM::InsertElementOp::create(*this, v, low, i32(0));
  v = LLVM::InsertElementOp::create(*this, v, high, i32(1));
  if (low.getType() != type)
    v = LLVM::FPTruncOp::create(*this, VectorType::get(2, type), v);
  return LLVM::BitcastOp::create(*this, getI32Type(), v);
}

SmallVector<Value> Lane::inlineBody(Block &block, ValueRange arguments) {
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator())
    clone(op, mapping);
  return llvm::map_to_vector(
      block.getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

SmallVector<RegisterPlace> attn_gpu::accRegisters(FragmentType type) {
  SmallVector<RegisterPlace> places;
  if (type.isRow()) {
    for (int64_t row = 0; row < type.getRows(); row += 8)
      places.push_back({row, 0});
    return places;
  }
  if (type.isCol()) {
    for (int64_t column = 0; column < type.getColumns(); column += 8)
      for (int64_t e : {0, 1})
        places.push_back({0, column + e});
    return places;
  }
  for (int64_t m = 0; m < type.getRows(); m += 16)
    for (int64_t n = 0; n < type.getColumns(); n += 8)
      for (int64_t half : {0, 8})
        for (int64_t e : {0, 1})
          places.push_back({m + half, n + e});
  return places;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Dynamic shared memory as a symbol: the launch decides its size.
static void declareShared(gpu::GPUModuleOp module) {
  if (module.lookupSymbol(kSharedSymbol))
    return;
  auto b =
      ImplicitLocOpBuilder::atBlockBegin(module.getLoc(), module.getBody());
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), 0);
  LLVM::GlobalOp::create(b, type, /*isConstant=*/false, LLVM::Linkage::External,
                         kSharedSymbol, Attribute(),
                         /*alignment=*/1024, /*addrSpace=*/3);
}

/// Where every copy goes through registers (rows that begin at odd addresses)
/// there is nothing to wait for: the schedule's groups and waits go.
static void eraseIdleWaits(gpu::GPUFuncOp kernel) {
  auto copies =
      kernel.walk([](NVVM::CpAsyncOp) { return WalkResult::interrupt(); });
  if (copies.wasInterrupted())
    return;
  SmallVector<Operation *> idle;
  kernel.walk([&](Operation *op) {
    if (isa<NVVM::CpAsyncCommitGroupOp, NVVM::CpAsyncWaitGroupOp>(op))
      idle.push_back(op);
  });
  for (Operation *op : idle)
    op->erase();
}

namespace {
struct DistributePass
    : mlir::attn::impl::AttnDistributeToNVVMBase<DistributePass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    bool usesDialect = false;
    WalkResult sized = getOperation().walk([&](Operation *op) {
      if (!isa_and_nonnull<AttnGPUDialect>(op->getDialect()))
        return WalkResult::advance();
      usesDialect = true;
      auto kernel = dyn_cast_or_null<gpu::GPUFuncOp>(kernelOf(op));
      if (kernel && kernel.getKnownBlockSizeAttr())
        return WalkResult::advance();
      op->emitOpError("expected to be in a gpu.func with known_block_size");
      return WalkResult::interrupt();
    });
    if (sized.wasInterrupted())
      return signalPassFailure();
    if (!usesDialect)
      return;
    declareShared(getOperation());

    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion(
        [](FragmentType type,
           SmallVectorImpl<Type> &out) -> std::optional<LogicalResult> {
          out.append(type.getLaneValues(), type.getLaneType());
          return success();
        });
    converter.addConversion([](SharedType type) -> Type {
      return IntegerType::get(type.getContext(), 32);
    });
    RewritePatternSet patterns(context);
    populateElementwise(converter, patterns);
    populateMemory(converter, patterns);
    populateMma(converter, patterns);
    ConversionTarget target(*context);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    target.addDynamicallyLegalOp<arith::SelectOp>([&](arith::SelectOp op) {
      return !isa<FragmentType, SharedType>(op.getType());
    });
    target.addIllegalDialect<AttnGPUDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))) ||
        failed(expandMathFunctions(getOperation())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>())
      eraseIdleWaits(kernel);
  }
};
} // namespace
