//===- Kernels.cpp - the functions that attentions share ------------------===//
#include "Kernels.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::attn;

void KernelLibrary::call(Emit &b, StringRef stem, const Twine &key,
                         ValueRange arguments, Body body) {
  FunctionType type = b.getFunctionType(arguments.getTypes(), {});
  std::string id;
  llvm::raw_string_ostream(id) << stem << ' ' << key << ' ' << type;
  func::FuncOp &function = functions[id];
  if (!function) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(module.getBody());
    std::string name;
    unsigned number = functions.size();
    do
      name = (stem + "_" + Twine(number++)).str();
    while (SymbolTable::lookupSymbolIn(module, name));
    function = func::FuncOp::create(b, name, type);
    function.setPrivate();
    // Internal linkage by the LLVM attribute: `private` alone would leave an
    // external function, with a wrapper into which it is inlined again.
    function->setAttr(
        "llvm.linkage",
        LLVM::LinkageAttr::get(b.getContext(), LLVM::Linkage::Internal));
    std::string bits = std::to_string(target.vectorBits);
    function->setAttr(
        "passthrough",
        b.getArrayAttr({b.getStringAttr("noinline"),
                        b.getStrArrayAttr({"prefer-vector-width", bits})}));
    Block *entry = function.addEntryBlock();
    b.setInsertionPointToStart(entry);
    body(b, entry->getArguments());
    func::ReturnOp::create(b);
  }
  func::CallOp::create(b, function, arguments);
}

std::pair<Value, Value> mlir::attn::loadEvenOdd(Emit &b, Value matrix,
                                                ValueRange at, int64_t lanes) {
  auto bits = VectorType::get(lanes, b.getI32Type());
  auto type = VectorType::get(lanes, b.getF32Type());
  Value pairs = vector::BitCastOp::create(
      b, bits,
      b.load(VectorType::get(2 * lanes, b.getBF16Type()), matrix,
             SmallVector<Value>(at)));
  Value even = arith::ShLIOp::create(b, pairs, b.integer(bits, 16));
  Value odd =
      arith::AndIOp::create(b, pairs, b.integer(bits, int64_t(0xffff0000)));
  return {arith::BitcastOp::create(b, type, even),
          arith::BitcastOp::create(b, type, odd)};
}

int64_t mlir::attn::pitchBytes(Value matrix) {
  auto type = cast<MemRefType>(matrix.getType());
  int64_t pitch = type.getStridesAndOffset().first.front();
  return ShapedType::isDynamic(pitch)
             ? pitch
             : pitch * type.getElementTypeBitWidth() / 8;
}

int64_t mlir::attn::stretchOf(const CPUTarget &target, int64_t bytes) {
  return int64_t(kStretchShare * double(target.l1Bytes)) / bytes / 16 * 16;
}

int64_t mlir::attn::rowsAhead(Value matrix) {
  int64_t bytes = pitchBytes(matrix);
  if (bytes <= 0) // kDynamic too
    return 16;
  return std::max<int64_t>(1, kAheadBytes / bytes);
}
