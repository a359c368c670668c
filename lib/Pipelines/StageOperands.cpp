//===- StageOperands.cpp - kernels' buffers go to the device and back -----===//
#include "attn/GPU/AttnGPU.h"
#include "attn/Pipelines/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNSTAGEOPERANDS
#include "attn/Pipelines/Passes.h.inc"

using attn_gpu::Access;
using attn_gpu::AddressOp;

namespace {
using ViewChain = SmallVector<Operation *>; ///< from the root outwards

bool isView(Operation *op) {
  return isa<ViewLikeOpInterface>(op) && op->getNumResults() == 1;
}

/// The buffer that `value` is a view of; `chain` receives the views.
Value getRoot(Value value, ViewChain &chain) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isView(op))
      break;
    chain.insert(chain.begin(), op);
    value = cast<ViewLikeOpInterface>(op).getViewSource();
  }
  return value;
}

/// Does `predicate` hold for all uses of a buffer, through its views, that are
/// no views themselves?
bool allUses(Value buffer, function_ref<bool(Operation *)> predicate) {
  return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
    return isView(user) ? allUses(user->getResult(0), predicate)
                        : predicate(user);
  });
}

/// The op of `block` that `op` is in, under conditions alone; null otherwise.
Operation *getConditionalAncestor(Operation *op, Block *block) {
  while (op && op->getBlock() != block) {
    op = op->getParentOp();
    if (!isa_and_nonnull<scf::IfOp>(op))
      return nullptr;
  }
  return op;
}

/// Does the buffer hold nothing yet where `launch` uses it, being allocated for
/// it?
bool isUntouched(Value buffer, Operation *launch) {
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  if (!alloc)
    return false;
  Block *block = alloc->getBlock();
  Operation *at = getConditionalAncestor(launch, block);
  return at && allUses(buffer, [&](Operation *user) {
           Operation *ancestor = block->findAncestorOpInBlock(*user);
           return isa<AddressOp>(user) ||
                  (ancestor && !ancestor->isBeforeInBlock(at));
         });
}

Type getTokenType(MLIRContext *context) {
  return gpu::AsyncTokenType::get(context);
}

/// Runs `build`, which takes and yields a token, between two waits.
void buildAsync(OpBuilder &builder, Location loc,
                function_ref<Value(Value)> build) {
  Type tokenType = getTokenType(builder.getContext());
  auto begin = gpu::WaitOp::create(builder, loc, tokenType, ValueRange());
  Value end = build(begin.getAsyncToken());
  gpu::WaitOp::create(builder, loc, Type(), end);
}

/// The address of the element at index 0.
Value buildAddress(OpBuilder &builder, Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  Value base =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
  Value bytes = arith::ConstantIndexOp::create(
      builder, loc, llvm::divideCeil(type.getElementTypeBitWidth(), 8));
  Value offset =
      arith::MulIOp::create(builder, loc, metadata.getOffset(), bytes);
  Value address = arith::AddIOp::create(builder, loc, base, offset);
  Value word =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  return LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), word);
}

//===----------------------------------------------------------------------===//
// Scratch
//===----------------------------------------------------------------------===//

/// A buffer that nothing but kernels touch stays on the device.
bool isScratch(memref::AllocOp alloc) {
  return !alloc->use_empty() && allUses(alloc, [](Operation *user) {
    return isa<AddressOp, memref::DeallocOp>(user);
  });
}

void moveToDevice(memref::AllocOp alloc) {
  OpBuilder builder(alloc);
  Type tokenType = getTokenType(alloc.getContext());
  buildAsync(builder, alloc.getLoc(), [&](Value token) -> Value {
    auto device = gpu::AllocOp::create(
        builder, alloc.getLoc(), alloc.getType(), tokenType, token,
        alloc.getDynamicSizes(), alloc.getSymbolOperands());
    alloc.replaceAllUsesWith(device.getMemref());
    for (Operation *user :
         llvm::make_early_inc_range(device.getMemref().getUsers())) {
      auto dealloc = dyn_cast<memref::DeallocOp>(user);
      if (!dealloc)
        continue;
      OpBuilder atEnd(dealloc);
      buildAsync(atEnd, dealloc.getLoc(), [&](Value token) -> Value {
        return gpu::DeallocOp::create(atEnd, dealloc.getLoc(), tokenType, token,
                                      device.getMemref())
            .getAsyncToken();
      });
      dealloc.erase();
    }
    return device.getAsyncToken();
  });
  alloc.erase();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// A buffer of the host that a launch uses.
struct Staged {
  Value device;
  bool copyIn = false, copyOut = false;
};

/// Gives one launch its copies.
class LaunchStager {
public:
  explicit LaunchStager(gpu::LaunchFuncOp launch)
      : launch(launch), loc(launch.getLoc()), builder(launch),
        tokenType(getTokenType(launch.getContext())) {}

  LogicalResult stage();

private:
  LogicalResult collect();
  Value enter(Value host, Staged &buffer, Value token);
  SmallVector<Value> buildOperands();
  Value relaunch(Value token);
  Value leave(Value host, Staged &buffer, Value token);

  gpu::LaunchFuncOp launch;
  Location loc;
  OpBuilder builder;
  Type tokenType;
  /// By the host's buffer, in order of first use.
  llvm::MapVector<Value, Staged> buffers;
};
} // namespace

LogicalResult LaunchStager::collect() {
  for (Value operand : launch.getKernelOperands()) {
    auto address = operand.getDefiningOp<AddressOp>();
    if (!address)
      continue;
    ViewChain chain;
    Value root = getRoot(address.getBuffer(), chain);
    if (root.getDefiningOp<gpu::AllocOp>())
      continue;
    auto type = dyn_cast<MemRefType>(root.getType());
    if (!type || !type.getLayout().isIdentity())
      return address.emitError("expected a view of a dense buffer, got one of ")
             << root.getType();
    Staged &buffer = buffers[root];
    bool writes = address.getAccess() == Access::Write;
    buffer.copyOut |= writes;
    // A kernel that overwrites all of a buffer does not need what it held.
    buffer.copyIn |= !(writes && chain.empty()) && !isUntouched(root, launch);
  }
  return success();
}

Value LaunchStager::enter(Value host, Staged &buffer, Value token) {
  auto type = cast<MemRefType>(host.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(builder, loc, host, dim));
  auto alloc = gpu::AllocOp::create(builder, loc, type, tokenType, token, sizes,
                                    /*symbolOperands=*/ValueRange());
  buffer.device = alloc.getMemref();
  if (!buffer.copyIn)
    return alloc.getAsyncToken();
  return gpu::MemcpyOp::create(builder, loc, tokenType, alloc.getAsyncToken(),
                               buffer.device, host)
      .getAsyncToken();
}

SmallVector<Value> LaunchStager::buildOperands() {
  SmallVector<Value> operands;
  for (Value operand : launch.getKernelOperands()) {
    auto address = operand.getDefiningOp<AddressOp>();
    if (!address) {
      operands.push_back(operand);
      continue;
    }
    ViewChain chain;
    Value root = getRoot(address.getBuffer(), chain);
    IRMapping mapping;
    if (auto *staged = buffers.find(root); staged != buffers.end())
      mapping.map(root, staged->second.device);
    for (Operation *view : chain)
      builder.clone(*view, mapping);
    operands.push_back(buildAddress(
        builder, loc, mapping.lookupOrDefault(address.getBuffer())));
  }
  return operands;
}

Value LaunchStager::relaunch(Value token) {
  auto copy = gpu::LaunchFuncOp::create(
      builder, loc, launch.getKernelAttr(), launch.getGridSizeOperandValues(),
      launch.getBlockSizeOperandValues(), launch.getDynamicSharedMemorySize(),
      buildOperands(), tokenType, token);
  copy->setDiscardableAttrs(launch->getDiscardableAttrDictionary());
  return copy.getAsyncToken();
}

Value LaunchStager::leave(Value host, Staged &buffer, Value token) {
  if (buffer.copyOut)
    token = gpu::MemcpyOp::create(builder, loc, tokenType, token, host,
                                  buffer.device)
                .getAsyncToken();
  return gpu::DeallocOp::create(builder, loc, tokenType, token, buffer.device)
      .getAsyncToken();
}

LogicalResult LaunchStager::stage() {
  if (failed(collect()))
    return failure();
  buildAsync(builder, loc, [&](Value token) {
    for (auto &[host, buffer] : buffers)
      token = enter(host, buffer, token);
    token = relaunch(token);
    for (auto &[host, buffer] : buffers)
      token = leave(host, buffer, token);
    return token;
  });
  SetVector<Operation *> addresses;
  for (Value operand : launch.getKernelOperands())
    if (Operation *address = operand.getDefiningOp<AddressOp>())
      addresses.insert(address);
  launch.erase();
  for (Operation *address : addresses)
    if (address->use_empty())
      address->erase();
  return success();
}

namespace {
struct StageOperands : impl::AttnStageOperandsBase<StageOperands> {
  void runOnOperation() override {
    getOperation()->walk([&](memref::AllocOp alloc) {
      if (!isScratch(alloc))
        return;
      moveToDevice(alloc);
      ++numOnDevice;
    });
    SmallVector<gpu::LaunchFuncOp> launches;
    getOperation()->walk([&](gpu::LaunchFuncOp launch) {
      // An asynchronous launch is somebody else's to order.
      if (!launch.getAsyncToken() && launch.getAsyncDependencies().empty())
        launches.push_back(launch);
    });
    for (gpu::LaunchFuncOp launch : launches) {
      if (failed(LaunchStager(launch).stage()))
        return signalPassFailure();
      ++numStaged;
    }
  }
};
} // namespace
} // namespace mlir::attn
