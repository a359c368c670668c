//===- AtomicOps.cpp - atom and red ---------------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// Lanes act one after the other in lane order, warps in schedule order, and
// CTAs (for global memory) in grid order, so that a floating point sum is the
// same in every run.
//
//===----------------------------------------------------------------------===//

#include "AtomicOps.h"
#include "Lanes/FloatMath.h"
#include "MemoryAccess.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace attn::emulator {
namespace {

template <typename T> uint64_t addInt(uint64_t a, uint64_t b, uint64_t) {
  return T(a + b);
}
template <typename T> uint64_t minInt(uint64_t a, uint64_t b, uint64_t) {
  return Storage<T>(T(a) < T(b) ? T(a) : T(b));
}
template <typename T> uint64_t maxInt(uint64_t a, uint64_t b, uint64_t) {
  return Storage<T>(T(a) < T(b) ? T(b) : T(a));
}
uint64_t andBits(uint64_t a, uint64_t b, uint64_t) { return a & b; }
uint64_t orBits(uint64_t a, uint64_t b, uint64_t) { return a | b; }
uint64_t xorBits(uint64_t a, uint64_t b, uint64_t) { return a ^ b; }
uint64_t exchange(uint64_t, uint64_t b, uint64_t) { return b; }
uint64_t compareSwap(uint64_t a, uint64_t b, uint64_t c) {
  return a == b ? c : a;
}
uint64_t increment(uint64_t a, uint64_t b, uint64_t) {
  return a >= b ? 0 : a + 1;
}
uint64_t decrement(uint64_t a, uint64_t b, uint64_t) {
  return a == 0 || a > b ? b : a - 1;
}
/// Global f32 atomics flush subnormals; shared ones do not. The difference is
/// below every tolerance, and flushing here would hide it from nobody.
uint64_t addF32(uint64_t a, uint64_t b, uint64_t) {
  return bitCast<uint32_t>(
      canonical(bitCast<float>(uint32_t(a)) + bitCast<float>(uint32_t(b))));
}
uint64_t addF64(uint64_t a, uint64_t b, uint64_t) {
  return bitCast<uint64_t>(canonical(bitCast<double>(a) + bitCast<double>(b)));
}
uint32_t addHalf(uint32_t a, uint32_t b) {
  return floatToHalf(halfToFloat(uint16_t(a)) + halfToFloat(uint16_t(b)));
}
uint32_t addBfloat(uint32_t a, uint32_t b) {
  double x = bfloatToFloat(uint16_t(a)), y = bfloatToFloat(uint16_t(b));
  return floatToBfloat(toFloatOdd(addToOdd(x, y)));
}
uint64_t addF16(uint64_t a, uint64_t b, uint64_t) {
  return addHalf(uint32_t(a), uint32_t(b));
}
uint64_t addBF16(uint64_t a, uint64_t b, uint64_t) {
  return addBfloat(uint32_t(a), uint32_t(b));
}
uint64_t addF16x2(uint64_t a, uint64_t b, uint64_t) {
  return addHalf(uint32_t(a), uint32_t(b)) |
         addHalf(uint32_t(a) >> 16, uint32_t(b) >> 16) << 16;
}
uint64_t addBF16x2(uint64_t a, uint64_t b, uint64_t) {
  return addBfloat(uint32_t(a), uint32_t(b)) |
         addBfloat(uint32_t(a) >> 16, uint32_t(b) >> 16) << 16;
}

struct Entry {
  StringLiteral operation;
  Type type;
  AtomicFunction function;
};
const Entry table[] = {
    {"add", Type::U32, &addInt<uint32_t>},
    {"add", Type::S32, &addInt<uint32_t>},
    {"add", Type::U64, &addInt<uint64_t>},
    {"add", Type::S64, &addInt<uint64_t>},
    {"add", Type::F32, &addF32},
    {"add", Type::F64, &addF64},
    {"add", Type::F16, &addF16},
    {"add", Type::BF16, &addBF16},
    {"add", Type::F16x2, &addF16x2},
    {"add", Type::BF16x2, &addBF16x2},
    {"min", Type::U32, &minInt<uint32_t>},
    {"min", Type::S32, &minInt<int32_t>},
    {"min", Type::U64, &minInt<uint64_t>},
    {"min", Type::S64, &minInt<int64_t>},
    {"max", Type::U32, &maxInt<uint32_t>},
    {"max", Type::S32, &maxInt<int32_t>},
    {"max", Type::U64, &maxInt<uint64_t>},
    {"max", Type::S64, &maxInt<int64_t>},
    {"and", Type::B32, &andBits},
    {"and", Type::B64, &andBits},
    {"or", Type::B32, &orBits},
    {"or", Type::B64, &orBits},
    {"xor", Type::B32, &xorBits},
    {"xor", Type::B64, &xorBits},
    {"exch", Type::B32, &exchange},
    {"exch", Type::B64, &exchange},
    {"cas", Type::B16, &compareSwap},
    {"cas", Type::B32, &compareSwap},
    {"cas", Type::B64, &compareSwap},
    {"inc", Type::U32, &increment},
    {"dec", Type::U32, &decrement},
};

uint64_t laneBits(const LaneFile &f, int32_t row, unsigned width,
                  unsigned lane) {
  if (row == -1)
    return 0;
  const void *r = f.row(row);
  if (width == 8)
    return static_cast<const uint64_t *>(r)[lane];
  uint32_t v = static_cast<const uint32_t *>(r)[lane];
  return width == 2 ? v & 0xffff : v;
}

/// Applies the operation at `where` and returns the old value.
uint64_t apply(const LaneFile &f, const Inst &i, unsigned lane,
               uint8_t *where) {
  if (atomicAt(unsigned(i.op[4])) == &addF32) { // most of them
    uint32_t old, value;
    std::memcpy(&old, where, 4);
    value = uint32_t(addF32(old, laneBits(f, i.op[2], 4, lane), 0));
    std::memcpy(where, &value, 4);
    return old;
  }
  uint64_t old = 0;
  std::memcpy(&old, where, i.width);
  uint64_t value =
      atomicAt(unsigned(i.op[4]))(old, laneBits(f, i.op[2], i.width, lane),
                                  laneBits(f, i.op[3], i.width, lane));
  std::memcpy(where, &value, i.width);
  return old;
}

bool atomicShared(Warp &w, const Inst &i, unsigned lane, uint64_t address,
                  uint64_t &old) {
  if (!checkShared(w, i, lane, address, i.width))
    return false;
  SharedMemory &shared = w.cta->shared;
  SharedMemory::Access a{w.index, lane, i.statement, true};
  if (!shared.read(a, uint32_t(address), i.width) ||
      !shared.write(a, uint32_t(address), i.width))
    reportConflict(w, i, lane, address, i.width, "atomic access");
  old = apply(w, i, lane, shared.data() + address);
  return true;
}

bool atomicGlobal(Warp &w, const Inst &i, unsigned lane, uint64_t address,
                  uint64_t &old) {
  w.cta->waitForTurn();
  Allocation *a = checkGlobal(w, i, lane, address, i.width);
  if (!a)
    return false;
  uint64_t offset = address - a->base;
  if (w.cta->launch->options.detectors)
    checkInitialised(w, i, lane, *a, offset, i.width);
  old = apply(w, i, lane, a->data.get() + offset);
  w.cta->counters->buffers[Memory::numberOf(address)].bytesAtomic += i.width;
  return true;
}

void deliverOld(LaneFile &f, const Inst &i, unsigned lane, uint64_t old) {
  if (i.op[1] == -1)
    return;
  char *to = f.registers + i.op[1];
  if (i.width == 8)
    reinterpret_cast<uint64_t *>(to)[lane] = old;
  else
    reinterpret_cast<uint32_t *>(to)[lane] = uint32_t(old);
}

/// Lanes in one buffer, which are looked at together. False: nothing is done.
bool atomicsTogether(Warp &w, const Inst &i,
                     const uint64_t (&address)[warpSize], uint32_t mask) {
  w.cta->waitForTurn();
  Allocation *a = commonBuffer(w, address, mask, i.width);
  if (!a)
    return false;
  if (w.cta->launch->options.detectors)
    for (uint32_t rest = mask; rest;) {
      unsigned l = unsigned(__builtin_ctz(rest));
      unsigned lanes = sideBySide(address, rest, i.width);
      checkInitialised(w, i, l, *a, address[l] - a->base, i.width, lanes);
      rest &= ~((allLanes >> (warpSize - lanes)) << l);
    }
  uint8_t *data = a->data.get();
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctz(rest));
    deliverOld(w, i, l, apply(w, i, l, data + (address[l] - a->base)));
  }
  w.cta->counters->buffers[Memory::numberOf(a->base)].bytesAtomic +=
      uint64_t(__builtin_popcount(mask)) * i.width;
  return true;
}

} // namespace

AtomicFunction selectAtomic(StringRef operation, Type type) {
  for (const Entry &e : table)
    if (e.operation == operation && e.type == type)
      return e.function;
  return nullptr;
}

unsigned atomicIndex(AtomicFunction function) {
  return unsigned(
      find_if(table, [&](const Entry &e) { return e.function == function; }) -
      std::begin(table));
}

AtomicFunction atomicAt(unsigned index) { return table[index].function; }

void atomicOp(LaneFile &f, const Inst &i, uint32_t mask) {
  Warp &w = static_cast<Warp &>(f);
  uint64_t address[warpSize];
  laneAddresses(f, i, i.op[0], i.flags & WideAddress, i.imm, address);
  uint32_t masks[4] = {};
  if (i.space == Space::Reg)
    splitGeneric(address, mask, masks);
  else
    masks[i.space == Space::Shared ? 1 : 0] = mask;
  if (masks[0] == mask && atomicsTogether(w, i, address, mask))
    return;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctz(rest));
    uint64_t old = 0;
    if (masks[1] >> l & 1)
      atomicShared(w, i, l, address[l], old);
    else if (masks[0] >> l & 1)
      atomicGlobal(w, i, l, address[l], old);
    else
      w.cta->report(w, i, Fault::OutOfBounds, l,
                    "expected an atomic on global or shared memory");
    deliverOld(f, i, l, old);
  }
  if (masks[1])
    countShared(w, i, address, masks[1], i.width, true);
}

} // namespace attn::emulator
