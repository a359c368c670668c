//===- Move.cpp - mov, packing, address spaces ----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

namespace attn::emulator {
ATTN_LANES_BEGIN
namespace {

template <typename T> T copy(T a) { return a; }
void copyPredicate(LaneFile &f, const Inst &i, uint32_t mask) {
  writePredicate(f, i.op[0], f.readPredicate(i.op[1]), mask);
}

/// d = {s0, s1, ...}: parts of Bits each, the first one lowest.
template <typename D, typename P, unsigned Bits, unsigned N>
void pack(LaneFile &f, const Inst &i, uint32_t mask) {
  alignas(64) D r[warpSize] = {};
  constexpr P low =
      Bits == 8 * sizeof(P) ? P(~P(0)) : P((uint64_t(1) << Bits) - 1);
  for (unsigned k = 0; k != N; ++k) {
    const P *s = static_cast<const P *>(f.row(i.op[1 + k]));
    for (unsigned l = 0; l != warpSize; ++l)
      r[l] |= D(s[l] & low) << (Bits * k);
  }
  write(f, i.op[0], r, mask);
}

/// {d0, d1, ...} = s; an absent destination (-1) is a sink.
template <typename S, typename P, unsigned Bits, unsigned N>
void unpack(LaneFile &f, const Inst &i, uint32_t mask) {
  // The source may be one of the destinations: copy it first.
  alignas(64) S s[warpSize];
  std::memcpy(s, f.row(i.op[N]), sizeof s);
  constexpr P low =
      Bits == 8 * sizeof(P) ? P(~P(0)) : P((uint64_t(1) << Bits) - 1);
  for (unsigned k = 0; k != N; ++k) {
    if (i.op[k] == -1)
      continue;
    alignas(64) P r[warpSize];
    for (unsigned l = 0; l != warpSize; ++l)
      r[l] = P(s[l] >> (Bits * k)) & low;
    write(f, i.op[k], r, mask);
  }
}

bool selectVector(Selection &s, Type t) {
  const auto &operands = s.statement->operands;
  bool unpacks = operands[0].kind == Operand::Vector;
  unsigned n = unsigned(operands[unpacks ? 0 : 1].elements.size());
  unsigned bits = n ? 8 * sizeOf(t) / n : 0;
  Handler h = nullptr;
  Type part = Type::B16;
  if (sizeOf(t) == 2 && n == 2) {
    h = unpacks ? &unpack<uint32_t, uint32_t, 8, 2>
                : &pack<uint32_t, uint32_t, 8, 2>;
  } else if (sizeOf(t) == 4 && n == 2) {
    h = unpacks ? &unpack<uint32_t, uint32_t, 16, 2>
                : &pack<uint32_t, uint32_t, 16, 2>;
  } else if (sizeOf(t) == 4 && n == 4) {
    h = unpacks ? &unpack<uint32_t, uint32_t, 8, 4>
                : &pack<uint32_t, uint32_t, 8, 4>;
  } else if (sizeOf(t) == 8 && (n == 2 || n == 4)) {
    part = bits == 32 ? Type::B32 : Type::B16;
    h = n == 2 ? (unpacks ? &unpack<uint64_t, uint32_t, 32, 2>
                          : &pack<uint64_t, uint32_t, 32, 2>)
               : (unpacks ? &unpack<uint64_t, uint32_t, 16, 4>
                          : &pack<uint64_t, uint32_t, 16, 4>);
  }
  if (unpacks)
    s.set(h, InstructionClass::Move, {result(part, n), source(t)});
  else
    s.set(h, InstructionClass::Move, {result(t), source(part, n)});
  s.slots[0].optional = unpacks;
  return h;
}

template <int64_t Base> uint64_t addBase(uint64_t a) { return a + Base; }
template <int64_t Base> uint64_t dropBase(uint64_t a) { return a - Base; }

bool selectCvta(Mnemonic &m, Selection &s) {
  bool to = m.take("to");
  llvm::StringRef space = m.takeAny({"global", "shared", "shared::cta", "local",
                                     "const", "param", "param::entry"});
  Type t = m.takeType();
  if (space.empty() || t != Type::U64)
    return false;
  constexpr int64_t sharedBase = windowBase(sharedWindow),
                    localBase = windowBase(localWindow),
                    paramBase = windowBase(paramWindow);
  Handler h =
      space.starts_with("shared")  ? (to ? &Map<&dropBase<sharedBase>>::run
                                         : &Map<&addBase<sharedBase>>::run)
      : space == "local"           ? (to ? &Map<&dropBase<localBase>>::run
                                         : &Map<&addBase<localBase>>::run)
      : space.starts_with("param") ? (to ? &Map<&dropBase<paramBase>>::run
                                         : &Map<&addBase<paramBase>>::run)
                                   : &Map<&copy<uint64_t>>::run;
  return s.set(h, InstructionClass::Integer, {result(t), source(t)});
}

/// i.imm: the window asked for; 0 for global and const.
void isSpace(LaneFile &f, const Inst &i, uint32_t mask) {
  const uint64_t *a = read<uint64_t>(f, i.op[1]);
  uint32_t m = 0;
  for (unsigned l = 0; l != warpSize; ++l) {
    uint64_t window = a[l] >> Memory::windowBits;
    bool in = i.imm ? window == uint64_t(i.imm) : window >= Memory::firstWindow;
    m |= uint32_t(in) << l;
  }
  writePredicate(f, i.op[0], m, mask);
}

} // namespace

bool selectMove(Mnemonic &m, Selection &s) {
  constexpr InstructionClass cls = InstructionClass::Move;
  if (m.base == "cvta")
    return selectCvta(m, s);
  if (m.base == "isspacep") {
    llvm::StringRef space = m.takeAny(
        {"global", "const", "shared", "shared::cta", "local", "param"});
    s.imm = space.starts_with("shared") ? sharedWindow
            : space == "local"          ? localWindow
            : space == "param"          ? paramWindow
                                        : 0;
    return !space.empty() &&
           s.set(&isSpace, cls, {result(Type::Pred), source(Type::U64)});
  }
  if (m.base != "mov")
    return false;
  Type t = m.takeType();
  if (t == Type::None || t == Type::B128)
    return false;
  if (t == Type::Pred)
    return s.set(&copyPredicate, cls, {result(t), source(t)});
  for (const Operand &o : s.statement->operands)
    if (o.kind == Operand::Vector)
      return s.statement->operands.size() == 2 && selectVector(s, t);
  return s.set(sizeOf(t) == 8 ? &Map<&copy<uint64_t>>::run
                              : &Map<&copy<uint32_t>>::run,
               cls, {result(t), source(t)});
}

ATTN_LANES_END
} // namespace attn::emulator
