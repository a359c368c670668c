//===- LaunchSites.cpp - the kernel launches of a module ------------------===//
#include "attn/Runtime/LaunchSites.h"
#include "attn/GPU/AttnGPU.h"
#include "attn/GPU/KernelABI.h"
#include "attn/Runtime/RemarkLog.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::attn;
using ::attn::DType;
using ::attn::KernelLaunch;
using ::attn::KernelParam;
using ::attn::LaunchManifest;
using ::attn::ParamSource;

static llvm::Error errorAt(Operation *op, const Twine &message) {
  return llvm::createStringError(formatLocation(op->getLoc()) + ": " + message);
}

static std::string toString(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// What the buffers of a launch are called: by their attribute, else by the
/// order in which the forward kernel takes them (attn/GPU/KernelABI.h).
static std::vector<std::string> nameOperands(gpu::LaunchFuncOp launch) {
  SmallVector<attn_gpu::AddressOp> addresses;
  for (Value operand : launch.getKernelOperands())
    addresses.push_back(operand.getDefiningOp<attn_gpu::AddressOp>());
  auto has = [&](size_t index, attn_gpu::Access access) {
    return index < addresses.size() && addresses[index] &&
           addresses[index].getAccess() == access;
  };
  bool isForward = has(0, attn_gpu::Access::Read) &&
                   has(1, attn_gpu::Access::Read) &&
                   has(2, attn_gpu::Access::Read);
  static constexpr StringRef inputs[] = {"Q", "K", "V"};
  static constexpr StringRef outputs[] = {"O", "LSE"};
  std::vector<std::string> names;
  size_t written = 0;
  for (auto [index, address] : llvm::enumerate(addresses)) {
    std::string name = "operand" + std::to_string(index);
    auto attribute =
        address ? address->getAttrOfType<StringAttr>(attn_gpu::kOperandAttrName)
                : nullptr;
    if (attribute)
      name = attribute.str();
    else if (!address)
      name.clear();
    else if (isForward && index < std::size(inputs))
      name = inputs[index].str();
    else if (has(index, attn_gpu::Access::Write) &&
             written < std::size(outputs))
      name = outputs[written++].str();
    names.push_back(name);
  }
  return names;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

KernelOperands mlir::attn::findKernelOperands(ModuleOp module) {
  KernelOperands kernels;
  module.walk([&](gpu::LaunchFuncOp launch) {
    std::vector<KernelOperand> &operands =
        kernels[launch.getKernelName().getValue()];
    operands.clear();
    for (auto [value, name] :
         llvm::zip(launch.getKernelOperands(), nameOperands(launch))) {
      KernelOperand operand;
      operand.name = name;
      if (auto address = value.getDefiningOp<attn_gpu::AddressOp>()) {
        auto type = cast<MemRefType>(address.getBuffer().getType());
        operand.elementBytes = static_cast<unsigned>(
            llvm::divideCeil(type.getElementTypeBitWidth(), 8));
      }
      operands.push_back(operand);
    }
  });
  return kernels;
}

std::vector<IoRecord> mlir::attn::countIo(ArrayRef<LaunchRecord> launches,
                                          const KernelOperands &kernels) {
  std::vector<IoRecord> records;
  auto recordOf = [&](StringRef name) -> IoRecord & {
    auto found = llvm::find_if(
        records, [&](const IoRecord &r) { return r.operand == name; });
    if (found == records.end())
      found = records.insert(found, IoRecord{name.str()});
    return *found;
  };
  for (const LaunchRecord &launch : launches) {
    auto operands = kernels.find(launch.kernel);
    if (!launch.counts || operands == kernels.end())
      continue;
    for (const auto &buffer : launch.counts->buffers) {
      if (buffer.parameter < 0 ||
          static_cast<size_t>(buffer.parameter) >= operands->second.size())
        continue;
      const KernelOperand &operand =
          operands->second[static_cast<size_t>(buffer.parameter)];
      if (operand.name.empty())
        continue;
      IoRecord &record = recordOf(operand.name);
      // An atomic update is both.
      record.read += static_cast<int64_t>(
          (buffer.bytesRead + buffer.bytesAtomic) / operand.elementBytes);
      record.written += static_cast<int64_t>(
          (buffer.bytesWritten + buffer.bytesAtomic) / operand.elementBytes);
    }
  }
  return records;
}

void mlir::attn::nameBuffers(std::vector<LaunchRecord> &launches,
                             const KernelOperands &kernels) {
  for (LaunchRecord &launch : launches) {
    auto operands = kernels.find(launch.kernel);
    if (!launch.counts || operands == kernels.end())
      continue;
    for (auto &buffer : launch.counts->buffers)
      if (buffer.parameter >= 0)
        buffer.name =
            operands->second[static_cast<size_t>(buffer.parameter)].name;
  }
}

//===----------------------------------------------------------------------===//
// The manifest
//===----------------------------------------------------------------------===//

namespace {
class ManifestBuilder {
public:
  ManifestBuilder(func::FuncOp function) : function(function) {}

  llvm::Expected<LaunchManifest> build();

private:
  llvm::Expected<KernelLaunch> describe(gpu::LaunchFuncOp launch);
  llvm::Expected<KernelParam> describePointer(attn_gpu::AddressOp address,
                                              const std::string &name);
  llvm::Expected<KernelParam> describeScalar(gpu::LaunchFuncOp launch,
                                             Value value);
  llvm::Expected<ParamSource> findSource(attn_gpu::AddressOp address,
                                         Value root);
  llvm::Error toConstant(gpu::LaunchFuncOp launch, Value value, StringRef what,
                         uint32_t &constant);

  func::FuncOp function;
  llvm::MapVector<Value, unsigned> scratch;
};
} // namespace

llvm::Error ManifestBuilder::toConstant(gpu::LaunchFuncOp launch, Value value,
                                        StringRef what, uint32_t &constant) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return errorAt(launch, "expected a constant " + what +
                               ", got one that depends on shapes or values at "
                               "run time");
  constant = static_cast<uint32_t>(number.getZExtValue());
  return llvm::Error::success();
}

/// The buffer behind views.
static Value getRoot(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

/// An argument, a result, or memory that nothing but kernels touch.
llvm::Expected<ParamSource>
ManifestBuilder::findSource(attn_gpu::AddressOp address, Value root) {
  if (auto argument = dyn_cast<BlockArgument>(root))
    if (argument.getOwner() == &function.getBody().front())
      return ParamSource{ParamSource::Kind::Arg, argument.getArgNumber()};
  Operation *end = function.getBody().back().getTerminator();
  for (OpOperand &result : end->getOpOperands())
    if (getRoot(result.get()) == root)
      return ParamSource{ParamSource::Kind::Out, result.getOperandNumber()};
  bool onlyKernels = root.getDefiningOp<memref::AllocOp>() &&
                     llvm::all_of(root.getUsers(), [](Operation *user) {
                       return isa<attn_gpu::AddressOp, memref::DeallocOp>(user);
                     });
  if (onlyKernels) {
    auto number = static_cast<unsigned>(scratch.size());
    return ParamSource{ParamSource::Kind::Scratch,
                       scratch.insert({root, number}).first->second};
  }
  return errorAt(address, "expected an argument, a result or scratch memory, "
                          "got a buffer that host code works on");
}

llvm::Expected<KernelParam>
ManifestBuilder::describePointer(attn_gpu::AddressOp address,
                                 const std::string &name) {
  KernelParam param;
  param.operand = name;
  auto type = cast<MemRefType>(address.getBuffer().getType());
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (!type.hasStaticShape() ||
      failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return errorAt(address, "expected a static shape, got " + toString(type));
  std::optional<DType> element =
      ::attn::parseDType(toString(type.getElementType()));
  if (!element)
    return errorAt(address, "expected an element type that arrays have, got " +
                                toString(type));
  param.type = *element;
  param.extents.assign(type.getShape().begin(), type.getShape().end());
  param.strides.assign(strides.begin(), strides.end());
  param.offset = offset;
  llvm::Expected<ParamSource> source =
      findSource(address, getRoot(address.getBuffer()));
  if (!source)
    return source.takeError();
  param.source = *source;
  return param;
}

/// A constant, or a scalar argument.
llvm::Expected<KernelParam>
ManifestBuilder::describeScalar(gpu::LaunchFuncOp launch, Value value) {
  KernelParam param;
  param.kind = KernelParam::Kind::Scalar;
  std::optional<DType> type = ::attn::parseDType(toString(value.getType()));
  if (!type)
    return errorAt(launch, "expected a number as an argument of the kernel, "
                           "got " +
                               toString(value.getType()));
  param.type = *type;
  APInt integer;
  APFloat real(0.0);
  if (matchPattern(value, m_ConstantInt(&integer)))
    param.value = integer.getSExtValue();
  else if (matchPattern(value, m_ConstantFloat(&real)))
    param.value = real.convertToDouble();
  else if (auto argument = dyn_cast<BlockArgument>(value))
    param.source = ParamSource{ParamSource::Kind::Arg, argument.getArgNumber()};
  else
    return errorAt(launch, "expected constants and arguments of the function, "
                           "got a number that host code computes");
  return param;
}

llvm::Expected<KernelLaunch>
ManifestBuilder::describe(gpu::LaunchFuncOp launch) {
  KernelLaunch kernel;
  kernel.name = launch.getKernelName().str();
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  std::tuple<Value, StringRef, uint32_t *> sizes[] = {
      {grid.x, "grid size", &kernel.grid[0]},
      {grid.y, "grid size", &kernel.grid[1]},
      {grid.z, "grid size", &kernel.grid[2]},
      {block.x, "block size", &kernel.block[0]},
      {block.y, "block size", &kernel.block[1]},
      {block.z, "block size", &kernel.block[2]},
      {launch.getDynamicSharedMemorySize(), "shared memory size",
       &kernel.sharedBytes}};
  for (auto [value, what, size] : sizes)
    if (value)
      if (llvm::Error error = toConstant(launch, value, what, *size))
        return std::move(error);
  for (auto [operand, name] :
       llvm::zip(launch.getKernelOperands(), nameOperands(launch))) {
    auto address = operand.getDefiningOp<attn_gpu::AddressOp>();
    llvm::Expected<KernelParam> param = address
                                            ? describePointer(address, name)
                                            : describeScalar(launch, operand);
    if (!param)
      return param.takeError();
    kernel.params.push_back(std::move(*param));
  }
  return kernel;
}

/// Does the op only prepare launches, or nothing that anybody sees?
static bool isPreparation(Operation &op) {
  return isa<memref::AllocOp, memref::DeallocOp, gpu::LaunchFuncOp>(op) ||
         op.hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(&op);
}

llvm::Expected<LaunchManifest> ManifestBuilder::build() {
  LaunchManifest manifest;
  if (!function.getBody().hasOneBlock())
    return errorAt(function, "expected straight-line host code");
  for (Operation &op : function.getBody().front()) {
    if (!isPreparation(op))
      return errorAt(&op, "expected launches alone, got host code that works "
                          "on buffers");
    auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
    if (!launch)
      continue;
    llvm::Expected<KernelLaunch> kernel = describe(launch);
    if (!kernel)
      return kernel.takeError();
    manifest.kernels.push_back(std::move(*kernel));
  }
  return manifest;
}

llvm::Expected<LaunchManifest> mlir::attn::buildManifest(ModuleOp module,
                                                         StringRef entry) {
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function || function.isExternal())
    return llvm::createStringError("expected a function '" + entry +
                                   "' that launches kernels, found none");
  return ManifestBuilder(function).build();
}
