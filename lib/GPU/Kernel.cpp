//===- Kernel.cpp - one kernel under construction and its launch ----------===//
#include "Kernel.h"
#include "attn/GPU/KernelABI.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// KernelEmit
//===----------------------------------------------------------------------===//

bool mlir::attn::isTrue(Value value) {
  return value && matchPattern(value, m_One());
}

Value mlir::attn::onHost(KernelEmit &host, OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return host.index(cast<IntegerAttr>(attribute).getInt());
  return cast<Value>(value);
}

void mlir::attn::emitPlace(KernelEmit &b, Region &region, Place place) {
  Block &block = region.emplaceBlock();
  Value row = block.addArgument(b.getIndexType(), b.getLoc());
  Value column = block.addArgument(b.getIndexType(), b.getLoc());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&block);
  auto [offset, exists] = place(row, column);
  attn_gpu::YieldOp::create(b, ValueRange{offset, exists});
}

std::string mlir::attn::kernelStem(Operation *op) {
  if (auto function = op->getParentOfType<FunctionOpInterface>())
    return (function.getName() + "_attention").str();
  return "attention";
}

Value KernelEmit::f32(double value) {
  return arith::ConstantOp::create(*this, getF32FloatAttr(float(value)));
}

Value KernelEmit::boolean(bool value) {
  return arith::ConstantOp::create(*this, getBoolAttr(value));
}

Value KernelEmit::both(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return createOrFold<arith::AndIOp>(a, b);
}

Value KernelEmit::either(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return createOrFold<arith::OrIOp>(a, b);
}

Value KernelEmit::select(Value condition, Value a, Value b) {
  return createOrFold<arith::SelectOp>(condition, a, b);
}

SmallVector<Value>
KernelEmit::branch(Value condition, TypeRange types,
                   function_ref<SmallVector<Value>()> then,
                   function_ref<SmallVector<Value>()> otherwise) {
  if (isTrue(condition))
    return then();
  if (matchPattern(condition, m_Zero()))
    return otherwise();
  auto op = scf::IfOp::create(*this, types, condition, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(op.thenBlock());
  scf::YieldOp::create(*this, then());
  setInsertionPointToStart(op.elseBlock());
  scf::YieldOp::create(*this, otherwise());
  return SmallVector<Value>(op.getResults());
}

void KernelEmit::when(Value condition, function_ref<void()> then) {
  if (!condition || isTrue(condition))
    return then();
  if (matchPattern(condition, m_Zero()))
    return;
  auto op = scf::IfOp::create(*this, condition, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(op.thenBlock());
  then();
}

Value KernelEmit::addAcrossWarp(Value value) {
  auto word = [&](int64_t constant) -> Value {
    return arith::ConstantIntOp::create(*this, getI32Type(), constant);
  };
  for (int64_t distance = 1; distance < attn_gpu::kWarpSize; distance *= 2) {
    Value other = NVVM::ShflOp::create(
        *this, value.getType(), word(-1), value, word(distance),
        word(attn_gpu::kWarpSize - 1), NVVM::ShflKind::bfly, UnitAttr());
    value = arith::AddFOp::create(*this, value, other);
  }
  return value;
}

Value KernelEmit::anyThread(Value condition) {
  Value word = arith::ExtUIOp::create(*this, getI32Type(), condition);
  auto kind =
      NVVM::BarrierReductionAttr::get(getContext(), NVVM::BarrierReduction::OR);
  Value any =
      NVVM::BarrierOp::create(*this, getI32Type(), Value(), Value(), kind, word)
          ->getResult(0);
  Value none = arith::ConstantIntOp::create(*this, getI32Type(), 0);
  return compare(arith::CmpIPredicate::ne, any, none);
}

SmallVector<Value> KernelEmit::digits(Value flat, ValueRange sizes) {
  SmallVector<Value> result(sizes.size());
  for (size_t i = sizes.size(); i-- > 0;) {
    result[i] = i == 0 ? flat : rem(flat, sizes[i]);
    if (i != 0)
      flat = div(flat, sizes[i]);
  }
  return result;
}

SmallVector<Value> KernelEmit::map(ValueRange inputs, TypeRange types,
                                   Body body) {
  auto op = attn_gpu::MapOp::create(*this, types, inputs);
  Block &block = op.getBody().emplaceBlock();
  SmallVector<Value> elements;
  for (Value input : inputs)
    elements.push_back(block.addArgument(
        cast<attn_gpu::FragmentType>(input.getType()).getElementType(),
        getLoc()));
  Value row = block.addArgument(getIndexType(), getLoc());
  Value column = block.addArgument(getIndexType(), getLoc());
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(&block);
  attn_gpu::YieldOp::create(*this, body(elements, row, column));
  return SmallVector<Value>(op.getResults());
}

Value KernelEmit::address(Value base, Value offset, Type stored) {
  auto global = LLVM::LLVMPointerType::get(getContext(), 1);
  Value p = LLVM::AddrSpaceCastOp::create(*this, global, base);
  Value wide = arith::IndexCastOp::create(*this, getI64Type(), offset);
  return LLVM::GEPOp::create(*this, global, stored, p,
                             ArrayRef<LLVM::GEPArg>{wide});
}

void KernelEmit::store(Value value, Value base, Value offset) {
  LLVM::StoreOp::create(*this, value, address(base, offset, value.getType()));
}

Value KernelEmit::load(Value base, Value offset, Type element) {
  Type stored = element;
  if (element.isInteger(1))
    stored = getI8Type();
  else if (element.isIndex())
    stored = getI64Type();
  Value v = LLVM::LoadOp::create(*this, stored, address(base, offset, stored));
  if (element.isInteger(1))
    return arith::TruncIOp::create(*this, element, v);
  if (element.isIndex())
    return arith::IndexCastOp::create(*this, element, v);
  return v;
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

/// The gpu.module of all kernels, made when the first one is.
static gpu::GPUModuleOp kernelModule(Operation *op,
                                     const ::attn::Target &target) {
  auto module = op->getParentOfType<ModuleOp>();
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  UnitAttr::get(op->getContext()));
  if (auto found =
          module.lookupSymbol<gpu::GPUModuleOp>(attn_gpu::kKernelModuleName))
    return found;
  auto b =
      ImplicitLocOpBuilder::atBlockBegin(module.getLoc(), module.getBody());
  auto made = gpu::GPUModuleOp::create(b, attn_gpu::kKernelModuleName);
  auto chip = NVVM::NVVMTargetAttr::get(op->getContext(), /*optLevel=*/3,
                                        "nvptx64-nvidia-cuda", target.chip);
  made.setTargetsAttr(b.getArrayAttr({chip}));
  return made;
}

Kernel::Kernel(Operation *op, StringRef name, const ::attn::Target &target)
    : host(op->getLoc(), op), device(op->getLoc(), op->getContext()),
      module(kernelModule(op, target)) {
  device.setInsertionPointToEnd(module.getBody());
  func = gpu::GPUFuncOp::create(device, name, device.getFunctionType({}, {}));
  func->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), device.getUnitAttr());
  func->remove();
  SymbolTable(module).insert(func);
  device.setInsertionPointToStart(&func.getBody().front());
}

Value Kernel::addParameter(Value argument) {
  unsigned position = func.getNumArguments();
  (void)func.insertArgument(position, argument.getType(), {}, func.getLoc());
  arguments.push_back(argument);
  return func.getArgument(position);
}

Value Kernel::pointer(attn_gpu::Access access, Value buffer) {
  return addParameter(attn_gpu::AddressOp::create(host, access, buffer));
}

void Kernel::nameLast(StringRef name) {
  arguments.back().getDefiningOp()->setAttr(attn_gpu::kOperandAttrName,
                                            host.getStringAttr(name));
}

void Kernel::useAllRegisters() {
  func->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                device.getI32IntegerAttr(1));
}

void Kernel::limitRegisters(int64_t registers) {
  func->setAttr(NVVM::NVVMDialect::getMaxnregAttrName(),
                device.getI32IntegerAttr(registers));
}

Value Kernel::import(Value value) {
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return arith::ConstantOp::create(device, value.getType(),
                                     cast<TypedAttr>(constant));
  if (Value known = imported.lookup(value))
    return known;
  if (!value.getType().isIndex())
    return imported[value] = addParameter(value);
  Value wide = arith::IndexCastOp::create(host, host.getI64Type(), value);
  OpBuilder::InsertionGuard guard(device);
  Value parameter = addParameter(wide);
  // At the front, where everything sees it.
  device.setInsertionPointToStart(&func.getBody().front());
  return imported[value] = arith::IndexCastOp::create(
             device, device.getIndexType(), parameter);
}

Value Kernel::import(OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return device.index(cast<IntegerAttr>(attribute).getInt());
  return import(cast<Value>(value));
}

void Kernel::launch(Value grid, int64_t threads, int64_t sharedBytes) {
  gpu::ReturnOp::create(device);
  func.setKnownBlockSizeAttr(
      device.getDenseI32ArrayAttr({int32_t(threads), 1, 1}));
  Value one = host.index(1);
  Value shared =
      arith::ConstantIntOp::create(host, host.getI32Type(), sharedBytes);
  Value some = host.compare(arith::CmpIPredicate::ne, grid, host.index(0));
  host.when(some, [&] {
    gpu::LaunchFuncOp::create(host, func, gpu::KernelDim3{grid, one, one},
                              gpu::KernelDim3{host.index(threads), one, one},
                              shared, arguments);
  });
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

DeviceBuffer mlir::attn::addBuffer(Kernel &kernel, attn_gpu::Access access,
                                   Value memref, AffineMap map) {
  DeviceBuffer buffer;
  buffer.type = cast<MemRefType>(memref.getType());
  buffer.element = buffer.type.getElementType();
  buffer.map = map;
  buffer.pointer = kernel.pointer(access, memref);
  return buffer;
}

void mlir::attn::importStrides(Kernel &kernel, DeviceBuffer &buffer,
                               Value memref) {
  auto [known, offset] = buffer.type.getStridesAndOffset();
  memref::ExtractStridedMetadataOp metadata;
  for (auto [i, stride] : llvm::enumerate(known)) {
    if (!ShapedType::isDynamic(stride)) {
      buffer.strides.push_back(kernel.device.index(stride));
      continue;
    }
    if (!metadata)
      metadata = memref::ExtractStridedMetadataOp::create(kernel.host, memref);
    buffer.strides.push_back(kernel.import(metadata.getStrides()[i]));
  }
}

Value mlir::attn::evaluate(KernelEmit &b, AffineExpr expr,
                           ArrayRef<Value> dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return b.index(constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = evaluate(b, binary.getLHS(), dims);
  Value rhs = evaluate(b, binary.getRHS(), dims);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return b.add(lhs, rhs);
  case AffineExprKind::Mul:
    return b.mul(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return b.div(lhs, rhs); // local indices are not negative
  case AffineExprKind::Mod:
    return b.rem(lhs, rhs);
  default:
    llvm_unreachable("not in an indexing map");
  }
}

Value DeviceBuffer::offset(KernelEmit &b, ArrayRef<Value> dims) const {
  Value sum;
  for (auto [expr, stride] : llvm::zip_equal(map.getResults(), strides)) {
    Value term = b.mul(evaluate(b, expr, dims), stride);
    sum = sum ? b.add(sum, term) : term;
  }
  return sum ? sum : b.index(0);
}

/// The largest power of two, at most `limit`, that is known to divide the
/// stride of each dim; and the offset (last entry).
static SmallVector<int64_t> knownDivisors(MemRefType type, int64_t limit) {
  auto [strides, offset] = type.getStridesAndOffset();
  auto powerOf = [&](int64_t value) {
    return value == 0 ? limit : std::min(limit, value & -value);
  };
  SmallVector<int64_t> divisors(strides.size() + 1, 1);
  bool identity = type.getLayout().isIdentity();
  int64_t inner = 1; // of a row-major layout: the static sizes further in
  for (size_t i = strides.size(); i-- > 0;) {
    if (!ShapedType::isDynamic(strides[i]))
      divisors[i] = powerOf(strides[i]);
    else if (identity)
      divisors[i] = powerOf(inner);
    if (!type.isDynamicDim(i))
      inner = std::min(limit, inner * powerOf(type.getDimSize(i)));
  }
  if (!ShapedType::isDynamic(offset))
    divisors.back() = powerOf(offset);
  return divisors;
}

int64_t mlir::attn::vectorWidth(const DeviceBuffer &buffer,
                                ArrayRef<unsigned> columns, int64_t limit) {
  if (columns.size() != 1)
    return 1;
  auto [strides, offset] = buffer.type.getStridesAndOffset();
  SmallVector<int64_t> divisors = knownDivisors(buffer.type, limit);
  int64_t width = divisors.back();
  for (auto [i, expr] : llvm::enumerate(buffer.map.getResults())) {
    if (!expr.isFunctionOfDim(columns[0])) {
      width = std::min(width, divisors[i]);
      continue;
    }
    if (strides[i] != 1 || buffer.type.isDynamicDim(i))
      return 1;
    int64_t size = buffer.type.getDimSize(i);
    width = std::min(width, size & -size);
  }
  return std::max<int64_t>(width, 1);
}
