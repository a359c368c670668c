//===- DecodeMemory.cpp - Loads, stores, atomics, copies ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// Operand rows of memory instructions:
//   ld        address, results            st        address, sources
//   atom, red address, result or -1, b, c or -1
//   ldmatrix  address, results            stmatrix  address, sources
//   cp.async  shared address, global address, source size or -1,
//             ignore predicate or -1, offset of the global address
//
//===----------------------------------------------------------------------===//

#include "AtomicOps.h"
#include "Decoder.h"
#include "Warp.h"

using namespace llvm;

namespace attn::emulator {

bool Decoder::takeSpace(Mnemonic &m, Space &space) {
  if (m.take("global"))
    space = Space::Global;
  else if (m.take("shared") || m.take("shared::cta"))
    space = Space::Shared;
  else if (m.take("local"))
    space = Space::Local;
  else if (m.take("const"))
    space = Space::Global;
  else if (m.take("param") || m.take("param::entry") || m.take("param::func"))
    space = Space::Param;
  else
    space = Space::Reg;
  return space != Space::Reg;
}

bool Decoder::decodeMemory(const Statement &s, Mnemonic &m, bool &handled) {
  handled = true;
  StringRef base = m.base;
  if (base == "ld" || base == "ldu")
    return decodeLoadStore(s, m, true);
  if (base == "st")
    return decodeLoadStore(s, m, false);
  if (base == "atom" || base == "red")
    return decodeAtomic(s, m, base == "atom");
  if (base == "ldmatrix" || base == "stmatrix")
    return decodeMatrix(s, m);
  if (base == "cp")
    return decodeAsyncCopy(s, m);
  if (base == "createpolicy") {
    // A cache policy is a number that only hints use.
    int32_t row;
    if (s.operands.empty() ||
        !resultRow(s, s.operands[0], result(Type::B64), row))
      return fail(s, "expected a 64-bit register for the policy");
    Inst inst;
    inst.handler = &nothingOp;
    emit(s, inst, {row}, 1);
    return true;
  }
  handled = false;
  return true;
}

/// The order and scope of an access, and whether it is a strong one.
static bool takeSemantics(Mnemonic &m) {
  m.take("weak");
  bool strong = m.take("volatile") || m.take("relaxed") || m.take("acquire") ||
                m.take("release") || m.take("acq_rel") || m.take("mmio");
  m.takeAny({"cta", "gpu", "sys", "cluster"});
  return strong;
}

static InstructionClass accessClass(Space space, bool isLoad) {
  switch (space) {
  case Space::Shared:
    return isLoad ? InstructionClass::SharedLoad
                  : InstructionClass::SharedStore;
  case Space::Local:
    return InstructionClass::LocalAccess;
  case Space::Param:
    return InstructionClass::ParamLoad;
  default:
    return isLoad ? InstructionClass::GlobalLoad
                  : InstructionClass::GlobalStore;
  }
}

bool Decoder::decodeLoadStore(const Statement &s, Mnemonic &m, bool isLoad) {
  Inst inst;
  inst.handler = isLoad ? &loadOp : &storeOp;
  if (takeSemantics(m))
    inst.flags |= Strong;
  bool hasPolicy = m.take("L2::cache_hint");
  m.takeCacheHints();
  Space space;
  takeSpace(m, space);
  m.takeAny({"nc", "wb", "wt"});
  m.takeAny({"ca", "cg", "cs", "lu", "cv"});
  m.take("unified");
  unsigned vector = m.take("v2") ? 2 : m.take("v4") ? 4 : m.take("v8") ? 8 : 1;
  Type t = m.takeType();
  if (!finish(s, m))
    return false;
  inst.width = uint8_t(sizeOf(t));
  if (t == Type::None || t == Type::Pred || inst.width > 8)
    return fail(s, "expected a type of 8 to 64 bits");
  if (isSigned(t))
    inst.flags |= SignExtend;
  inst.elements = uint8_t(vector);
  size_t nOperands = hasPolicy ? 3 : 2;
  if (s.operands.size() != nOperands)
    return fail(s, "expected " + Twine(nOperands) + " operands, got " +
                       Twine(s.operands.size()));
  const Operand &where = s.operands[isLoad ? 1 : 0];
  const Operand &what = s.operands[isLoad ? 0 : 1];
  AddressOperand a;
  if (!addressOf(s, where, space, a))
    return false;
  SmallVector<int32_t, 9> rows{a.row};
  ArrayRef<Operand> parts(what);
  if (vector > 1) {
    if (what.kind != Operand::Vector || what.elements.size() != vector)
      return fail(s, "expected a vector of " + Twine(vector) + " registers");
    parts = what.elements;
  }
  for (const Operand &o : parts) {
    int32_t row = -1;
    Slot slot = result(t);
    slot.optional = true; // _ drops an element
    if (isLoad ? !resultRow(s, o, slot, row) : !sourceRow(s, o, t, row))
      return false;
    rows.push_back(row);
  }
  inst.space = a.space;
  inst.imm = a.offset;
  inst.cls = accessClass(a.space, isLoad);
  if (a.wide)
    inst.flags |= WideAddress;
  if (!isLoad && a.space == Space::Param)
    return fail(s, "expected a store to a space other than .param");
  if (!setGuard(s, inst))
    return false;
  emit(s, inst, rows, isLoad ? ~1u : 0);
  return true;
}

bool Decoder::decodeAtomic(const Statement &s, Mnemonic &m, bool returns) {
  Inst inst;
  inst.handler = &atomicOp;
  inst.flags = Strong;
  inst.cls = InstructionClass::Atomic;
  takeSemantics(m);
  bool hasPolicy = m.take("L2::cache_hint");
  m.takeCacheHints();
  Space space;
  takeSpace(m, space);
  m.take("noftz");
  StringRef name = m.takeAny(
      {"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"});
  Type t = m.takeType();
  if (!finish(s, m))
    return false;
  AtomicFunction function = selectAtomic(name, t);
  if (!function)
    return fail(s, "unknown opcode '" + s.opcode + "'");
  inst.width = uint8_t(sizeOf(t));
  bool isCas = name == "cas";
  size_t nOperands = 2 + returns + isCas + hasPolicy;
  if (s.operands.size() != nOperands)
    return fail(s, "expected " + Twine(nOperands) + " operands, got " +
                       Twine(s.operands.size()));
  AddressOperand a;
  int32_t to = -1, b = -1, c = -1;
  Slot slot = result(t);
  slot.optional = true;
  if (returns && !resultRow(s, s.operands[0], slot, to))
    return false;
  const Operand *next = &s.operands[returns];
  if (!addressOf(s, *next++, space, a) || !sourceRow(s, *next++, t, b) ||
      (isCas && !sourceRow(s, *next++, t, c)))
    return false;
  inst.space = a.space;
  inst.imm = a.offset;
  if (a.wide)
    inst.flags |= WideAddress;
  if (!setGuard(s, inst))
    return false;
  // The function travels in the operand list, as a plain number.
  emit(s, inst, {a.row, to, b, c, int32_t(atomicIndex(function))}, 1u << 1,
       1u << 4);
  return true;
}

bool Decoder::decodeMatrix(const Statement &s, Mnemonic &m) {
  bool isLoad = m.base == "ldmatrix";
  Inst inst;
  inst.handler = isLoad ? &ldmatrixOp : &stmatrixOp;
  inst.cls =
      isLoad ? InstructionClass::LdMatrix : InstructionClass::SharedStore;
  bool known = m.take("sync") && m.take("aligned") && m.take("m8n8");
  StringRef count = m.takeAny({"x1", "x2", "x4"});
  if (m.take("trans"))
    inst.flags |= Transposed;
  Space space;
  takeSpace(m, space);
  known &= m.take("b16") && !count.empty() && space == Space::Shared;
  if (!known)
    return fail(s, "unknown opcode '" + s.opcode + "'");
  if (!finish(s, m))
    return false;
  inst.elements = uint8_t(count[1] - '0');
  inst.allLanes = true;
  inst.space = Space::Shared;
  AddressOperand a;
  if (s.operands.size() != 2 ||
      !addressOf(s, s.operands[isLoad ? 1 : 0], space, a))
    return fail(s, "expected a vector of registers and an address");
  const Operand &vector = s.operands[isLoad ? 0 : 1];
  SmallVector<int32_t, 5> rows{a.row};
  ArrayRef<Operand> parts(vector);
  if (vector.kind == Operand::Vector)
    parts = vector.elements;
  if (parts.size() != inst.elements)
    return fail(s, "expected " + Twine(unsigned(inst.elements)) + " registers");
  for (const Operand &o : parts) {
    int32_t row;
    if (isLoad ? !resultRow(s, o, result(Type::B32), row)
               : !sourceRow(s, o, Type::B32, row))
      return false;
    rows.push_back(row);
  }
  inst.imm = a.offset;
  if (a.wide)
    inst.flags |= WideAddress;
  if (!setGuard(s, inst))
    return false;
  emit(s, inst, rows, isLoad ? ~1u : 0);
  return true;
}

bool Decoder::decodeAsyncCopy(const Statement &s, Mnemonic &m) {
  Inst inst;
  if (!m.take("async"))
    return fail(s, "unknown opcode '" + s.opcode + "'");
  inst.cls = InstructionClass::Barrier;
  if (!setGuard(s, inst))
    return false;
  if (m.take("commit_group")) {
    inst.handler = &asyncCommitOp;
    if (!finish(s, m))
      return false;
    emit(s, inst, {});
    return true;
  }
  bool all = m.take("wait_all");
  if (all || m.take("wait_group")) {
    inst.handler = &asyncWaitOp;
    if (!finish(s, m))
      return false;
    // wait_all also covers what has not been committed: -1.
    inst.imm = -1;
    if (!all) {
      if (s.operands.size() != 1 || s.operands[0].kind != Operand::Integer ||
          s.operands[0].integer < 0)
        return fail(s, "expected a constant number of groups");
      inst.imm = s.operands[0].integer;
    }
    emit(s, inst, {});
    return true;
  }
  bool hasPolicy = m.take("L2::cache_hint");
  m.takeCacheHints();
  bool known = m.take("ca") || m.take("cg");
  known &= (m.take("shared") || m.take("shared::cta")) && m.take("global");
  if (!known || !m.done())
    return fail(s, "unknown opcode '" + s.opcode + "'");
  inst.handler = &asyncCopyOp;
  inst.cls = InstructionClass::AsyncCopy;
  size_t n = s.operands.size() - hasPolicy;
  AddressOperand to, from;
  if (n < 3 || n > 4 || s.operands[2].kind != Operand::Integer ||
      !addressOf(s, s.operands[0], Space::Shared, to) ||
      !addressOf(s, s.operands[1], Space::Global, from))
    return fail(s, "expected [shared], [global], size{, source size}");
  int64_t bytes = s.operands[2].integer;
  if (bytes != 4 && bytes != 8 && bytes != 16)
    return fail(s, "expected a size of 4, 8 or 16 bytes, got " + Twine(bytes));
  int32_t sourceSize = -1, ignore = -1;
  if (n == 4) {
    const Operand &o = s.operands[3];
    Binding b = o.kind == Operand::Name ? find(o.name) : Binding();
    bool isPredicate = b.kind == Binding::Row && b.type == Type::Pred;
    if (!sourceRow(s, o, isPredicate ? Type::Pred : Type::U32,
                   isPredicate ? ignore : sourceSize))
      return false;
  }
  inst.width = uint8_t(bytes);
  inst.imm = to.offset;
  inst.space = Space::Shared;
  if (to.wide)
    inst.flags |= WideAddress;
  if (!from.wide)
    return fail(s, "expected a 64-bit global address");
  emit(s, inst, {to.row, from.row, sourceSize, ignore, int32_t(from.offset)}, 0,
       1u << 4);
  return true;
}

} // namespace attn::emulator
