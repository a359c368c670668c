//===- BFloat16Support.cpp - conversions that a CPU has no instruction for ===//
#include "BFloat16Support.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

static bool hasInstructions(const TargetMachine &machine) {
  const MCSubtargetInfo &info = *machine.getMCSubtargetInfo();
  const Triple &triple = machine.getTargetTriple();
  if (triple.isX86())
    return info.checkFeatures("+avx512bf16") ||
           info.checkFeatures("+avxneconvert");
  return triple.isAArch64() && info.checkFeatures("+bf16");
}

static bool usesBFloat16(const Module &module) {
  auto isBFloat16 = [](const Value *value) {
    return value->getType()->getScalarType()->isBFloatTy();
  };
  for (const Function &function : module)
    for (const Instruction &i : instructions(function))
      if (isBFloat16(&i) || any_of(i.operand_values(), isBFloat16))
        return true;
  return false;
}

/// Adds half of the last place that stays and the parity of that place: the
/// carry rounds to nearest, ties to even. A NaN keeps its upper bits and is
/// made quiet.
static Value *roundFloat(IRBuilder<> &b, Value *value) {
  Value *bits = b.CreateBitCast(value, b.getInt32Ty());
  Value *upper = b.CreateLShr(bits, 16);
  Value *bias = b.CreateAdd(b.CreateAnd(upper, 1), b.getInt32(0x7FFF));
  Value *rounded = b.CreateLShr(b.CreateAdd(bits, bias), 16);
  Value *quiet = b.CreateOr(upper, 0x40);
  Value *result = b.CreateSelect(b.CreateFCmpUNO(value, value), quiet, rounded);
  return b.CreateBitCast(b.CreateTrunc(result, b.getInt16Ty()),
                         b.getBFloatTy());
}

/// To f32 by rounding to odd: toward zero, the last place set if anything was
/// lost, so that rounding again rounds as once (Boldo and Melquiond, 2008).
static Value *roundDoubleToOdd(IRBuilder<> &b, Value *value) {
  Value *nearest = b.CreateFPTrunc(value, b.getFloatTy());
  Value *back = b.CreateFPExt(nearest, b.getDoubleTy());
  auto size = [&](Value *x) {
    return b.CreateUnaryIntrinsic(Intrinsic::fabs, x);
  };
  Value *bits = b.CreateBitCast(nearest, b.getInt32Ty());
  Value *away = b.CreateFCmpOGT(size(back), size(value));
  Value *inexact = b.CreateFCmpONE(back, value);
  bits = b.CreateSub(bits, b.CreateZExt(away, b.getInt32Ty()));
  bits = b.CreateOr(bits, b.CreateZExt(inexact, b.getInt32Ty()));
  return b.CreateBitCast(bits, b.getFloatTy());
}

static Function *define(Module &module, StringRef name, bool fromDouble) {
  if (module.getFunction(name))
    return nullptr;
  LLVMContext &context = module.getContext();
  Type *from =
      fromDouble ? Type::getDoubleTy(context) : Type::getFloatTy(context);
  auto *function = Function::Create(
      FunctionType::get(Type::getBFloatTy(context), from, false),
      GlobalValue::LinkOnceODRLinkage, name, module);
  function->setVisibility(GlobalValue::HiddenVisibility);
  function->setDoesNotThrow();
  IRBuilder<> b(BasicBlock::Create(context, "", function));
  Value *value = function->getArg(0);
  b.CreateRet(roundFloat(b, fromDouble ? roundDoubleToOdd(b, value) : value));
  return function;
}

void mlir::attn::addBFloat16Support(Module &module,
                                    const TargetMachine &machine) {
  if (hasInstructions(machine) || !usesBFloat16(module))
    return;
  SmallVector<GlobalValue *> added;
  for (bool fromDouble : {false, true})
    if (Function *function = define(
            module, fromDouble ? "__truncdfbf2" : "__truncsfbf2", fromDouble))
      added.push_back(function);
  // Calls appear when instructions are selected.
  appendToUsed(module, added);
}
