//===- MemoryOps.cpp - Loads and stores -----------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "MemoryAccess.h"

#include "llvm/ADT/Twine.h"

#include <algorithm>

using namespace llvm;

namespace attn::emulator {

namespace {

template <unsigned Width>
using Bits = std::conditional_t<
    Width == 8, uint64_t,
    std::conditional_t<Width == 4, uint32_t,
                       std::conditional_t<Width == 2, uint16_t, uint8_t>>>;

/// Writes one lane of the result rows.
template <unsigned Width>
inline void deliver(LaneFile &f, const Inst &i, unsigned lane,
                    const uint8_t *from) {
  for (unsigned e = 0; e != i.elements; ++e) {
    int32_t row = i.op[1 + e];
    if (row == -1)
      continue;
    Bits<Width> v;
    std::memcpy(&v, from + e * Width, Width);
    Storage<Bits<Width>> extended = v;
    if (Width < 4 && (i.flags & SignExtend))
      extended = Storage<Bits<Width>>(std::make_signed_t<Bits<Width>>(v));
    reinterpret_cast<Storage<Bits<Width>> *>(f.registers + row)[lane] =
        extended;
  }
}

template <unsigned Width>
inline void collect(const LaneFile &f, const Inst &i, unsigned lane,
                    uint8_t *to) {
  for (unsigned e = 0; e != i.elements; ++e) {
    using S = Storage<Bits<Width>>;
    Bits<Width> v =
        Bits<Width>(static_cast<const S *>(f.row(i.op[1 + e]))[lane]);
    std::memcpy(to + e * Width, &v, Width);
  }
}

const uint8_t zeros[64] = {};

template <unsigned Width>
void loadShared(Warp &w, const Inst &i, const uint64_t (&address)[warpSize],
                uint32_t mask) {
  unsigned n = Width * i.elements;
  Cta &cta = *w.cta;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctz(rest));
    if (!checkShared(w, i, l, address[l], n)) {
      deliver<Width>(w, i, l, zeros);
      continue;
    }
    SharedMemory::Access a{w.index, l, i.statement, (i.flags & Strong) != 0};
    for (unsigned k = 0; k < n; k += 16)
      if (!cta.shared.read(a, uint32_t(address[l]) + k, std::min(n, 16u)))
        reportConflict(w, i, l, address[l], n, "read");
    deliver<Width>(w, i, l, cta.shared.data() + address[l]);
  }
  countShared(w, i, address, mask, n, false);
}

template <unsigned Width>
void storeShared(Warp &w, const Inst &i, const uint64_t (&address)[warpSize],
                 uint32_t mask) {
  unsigned n = Width * i.elements;
  Cta &cta = *w.cta;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctz(rest));
    if (!checkShared(w, i, l, address[l], n))
      continue;
    uint8_t value[64];
    collect<Width>(w, i, l, value);
    uint8_t *to = cta.shared.data() + address[l];
    SharedMemory::Access a{w.index, l, i.statement, (i.flags & Strong) != 0};
    for (unsigned k = 0; k < n; k += 16) {
      unsigned part = std::min(n, 16u);
      if (!cta.shared.write(a, uint32_t(address[l]) + k, part))
        reportWrite(w, i, l, address[l] + k, part, value + k);
    }
    std::memcpy(to, value, n);
  }
  countShared(w, i, address, mask, n, true);
}

/// Calls fn(allocation, offset, first lane, lanes) for lanes side by side, with
/// a null allocation for a lane whose access is at fault. Counts the rest.
template <typename F>
inline void forEachPiece(Warp &w, const Inst &i,
                         const uint64_t (&address)[warpSize], uint32_t mask,
                         unsigned bytes, bool isWrite, F fn) {
  Allocation *common = commonBuffer(w, address, mask, bytes);
  uint32_t good = 0;
  for (uint32_t rest = mask; rest;) {
    unsigned l = unsigned(__builtin_ctz(rest));
    unsigned lanes = common ? sideBySide(address, rest, bytes) : 1;
    uint32_t piece = (allLanes >> (warpSize - lanes)) << l;
    Allocation *a = common ? common : checkGlobal(w, i, l, address[l], bytes);
    if (a)
      good |= piece;
    fn(a, a ? address[l] - a->base : 0, l, lanes);
    rest &= ~piece;
  }
  countGlobal(w, address, good, bytes, isWrite);
}

/// Lanes that read from one short stretch of memory, in whatever order and as
/// often as they like: each of its bytes is looked at once. False, and nothing
/// is delivered, where they do not or where something is wrong.
template <unsigned Width>
bool loadStretch(Warp &w, const Inst &i, const uint64_t (&address)[warpSize],
                 uint32_t mask) {
  unsigned n = Width * i.elements;
  Allocation *a = commonBuffer(w, address, mask, n);
  if (!a || n < 2 || (i.flags & Strong) ||
      sideBySide(address, mask, n) == unsigned(__builtin_popcount(mask)))
    return false; // one piece
  uint64_t low = ~uint64_t(0), high = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint64_t at = address[unsigned(__builtin_ctz(rest))];
    low = std::min(low, at);
    high = std::max(high, at);
  }
  // A bit for two bytes.
  if (high + n - low > 128)
    return false;
  uint64_t touched = 0, each = (uint64_t(1) << (n / 2)) - 1;
  for (uint32_t rest = mask; rest; rest &= rest - 1)
    touched |= each << ((address[unsigned(__builtin_ctz(rest))] - low) / 2);
  for (uint64_t rest = touched; rest;) {
    unsigned first = unsigned(__builtin_ctzll(rest));
    uint64_t behind = ~(rest >> first);
    unsigned count = behind ? unsigned(__builtin_ctzll(behind)) : 64;
    uint64_t offset = low - a->base + 2 * first;
    if (!isInitialised(*a, offset, 2 * count) ||
        recordGlobal(*w.cta, *a, offset, 2 * count, false) != nowhere)
      return false;
    rest = first + count == 64 ? 0 : rest >> (first + count) << (first + count);
  }
  const uint8_t *data = a->data.get();
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctz(rest));
    deliver<Width>(w, i, l, data + (address[l] - a->base));
  }
  countGlobal(w, address, mask, n, false);
  return true;
}

template <unsigned Width>
void loadGlobal(Warp &w, const Inst &i, const uint64_t (&address)[warpSize],
                uint32_t mask) {
  unsigned n = Width * i.elements;
  bool detect = w.cta->launch->options.detectors;
  if (detect && loadStretch<Width>(w, i, address, mask))
    return;
  // Lanes that share a row, or groups that share columns, read the same again.
  uint64_t checked = ~uint64_t(0);
  unsigned checkedLanes = 0;
  forEachPiece(w, i, address, mask, n, false,
               [&](Allocation *a, uint64_t offset, unsigned l, unsigned lanes) {
                 if (!a)
                   return deliver<Width>(w, i, l, zeros);
                 uint64_t place = a->base + offset;
                 bool again = place == checked && lanes <= checkedLanes;
                 if (detect && !again) {
                   checked = place;
                   checkedLanes = lanes;
                   checkInitialised(w, i, l, *a, offset, n, lanes);
                   if (!(i.flags & Strong))
                     shadowGlobal(w, i, l, *a, offset, n, false, lanes);
                 }
                 const uint8_t *from = a->data.get() + offset;
                 if (Width >= 4 && i.elements == 1 && i.op[1] != -1) {
                   std::memcpy(w.registers + i.op[1] + l * Width, from,
                               lanes * Width);
                   return;
                 }
                 for (unsigned k = 0; k != lanes; ++k)
                   deliver<Width>(w, i, l + k, from + k * n);
               });
}

template <unsigned Width>
void storeGlobal(Warp &w, const Inst &i, const uint64_t (&address)[warpSize],
                 uint32_t mask) {
  unsigned n = Width * i.elements;
  bool detect = w.cta->launch->options.detectors;
  forEachPiece(w, i, address, mask, n, true,
               [&](Allocation *a, uint64_t offset, unsigned l, unsigned lanes) {
                 if (!a)
                   return;
                 if (detect && !(i.flags & Strong))
                   shadowGlobal(w, i, l, *a, offset, n, true, lanes);
                 uint8_t *to = a->data.get() + offset;
                 for (unsigned k = 0; k != lanes; ++k)
                   collect<Width>(w, i, l + k, to + k * n);
                 std::memset(a->initialised.get() + offset, 1, lanes * n);
               });
}

template <unsigned Width>
void accessLocal(Warp &w, const Inst &i, const uint64_t (&address)[warpSize],
                 uint32_t mask, bool isLoad) {
  unsigned n = Width * i.elements;
  Cta &cta = *w.cta;
  uint32_t frame = cta.program->localBytes;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctz(rest));
    if (address[l] > frame || n > frame - address[l]) {
      cta.report(w, i, Fault::OutOfBounds, l,
                 (Twine(n) + " bytes at local address " +
                  Twine(int64_t(address[l])) + ", the frame has " +
                  Twine(frame) + " bytes")
                     .str());
      if (isLoad)
        deliver<Width>(w, i, l, zeros);
      continue;
    }
    if (!checkAligned(w, i, l, address[l], n)) {
      if (isLoad)
        deliver<Width>(w, i, l, zeros);
      continue;
    }
    size_t at = size_t(w.index * warpSize + l) * frame + address[l];
    if (!isLoad) {
      collect<Width>(w, i, l, &cta.local[at]);
      std::memset(&cta.localInitialised[at], 1, n);
      continue;
    }
    if (cta.launch->options.detectors &&
        std::memchr(&cta.localInitialised[at], 0, n))
      cta.report(w, i, Fault::Uninitialised, l,
                 ("read of local address " + Twine(address[l]) +
                  " that nothing has written")
                     .str());
    deliver<Width>(w, i, l, &cta.local[at]);
  }
}

template <unsigned Width>
void loadParam(Warp &w, const Inst &i, const uint64_t (&address)[warpSize],
               uint32_t mask) {
  unsigned n = Width * i.elements;
  const std::vector<uint8_t> &block = w.cta->launch->parameters;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctz(rest));
    if (address[l] > block.size() || n > block.size() - address[l]) {
      w.cta->report(w, i, Fault::OutOfBounds, l,
                    (Twine(n) + " bytes at offset " + Twine(address[l]) +
                     " of the parameters, which have " + Twine(block.size()) +
                     " bytes")
                        .str());
      deliver<Width>(w, i, l, zeros);
      continue;
    }
    deliver<Width>(w, i, l, block.data() + address[l]);
  }
}

} // namespace

template <unsigned Width>
static void access(LaneFile &f, const Inst &i, uint32_t mask, bool isLoad) {
  Warp &w = static_cast<Warp &>(f);
  uint64_t address[warpSize];
  laneAddresses(f, i, i.op[0], i.flags & WideAddress, i.imm, address);
  uint32_t masks[4] = {};
  switch (i.space) {
  case Space::Reg:
    splitGeneric(address, mask, masks);
    break;
  case Space::Shared:
    masks[1] = mask;
    break;
  case Space::Local:
    masks[2] = mask;
    break;
  case Space::Param:
    masks[3] = mask;
    break;
  default:
    masks[0] = mask;
    break;
  }
  if (masks[0])
    isLoad ? loadGlobal<Width>(w, i, address, masks[0])
           : storeGlobal<Width>(w, i, address, masks[0]);
  if (masks[1])
    isLoad ? loadShared<Width>(w, i, address, masks[1])
           : storeShared<Width>(w, i, address, masks[1]);
  if (masks[2])
    accessLocal<Width>(w, i, address, masks[2], isLoad);
  if (masks[3] && isLoad)
    loadParam<Width>(w, i, address, masks[3]);
  if (masks[3] && !isLoad)
    w.cta->report(w, i, Fault::OutOfBounds, unsigned(__builtin_ctz(masks[3])),
                  "write to the kernel's parameters, which are constant");
}

static void accessAnyWidth(LaneFile &f, const Inst &i, uint32_t mask,
                           bool isLoad) {
  switch (i.width) {
  case 8:
    return access<8>(f, i, mask, isLoad);
  case 4:
    return access<4>(f, i, mask, isLoad);
  case 2:
    return access<2>(f, i, mask, isLoad);
  default:
    return access<1>(f, i, mask, isLoad);
  }
}

void loadOp(LaneFile &f, const Inst &i, uint32_t mask) {
  accessAnyWidth(f, i, mask, true);
}
void storeOp(LaneFile &f, const Inst &i, uint32_t mask) {
  accessAnyWidth(f, i, mask, false);
}
void nothingOp(LaneFile &, const Inst &, uint32_t) {}

void clockOp(LaneFile &f, const Inst &i, uint32_t mask) {
  Warp &w = static_cast<Warp &>(f);
  char *to = f.registers + i.op[0];
  for (unsigned l = 0; l != warpSize; ++l) {
    if (!(mask >> l & 1))
      continue;
    if (i.width == 8)
      reinterpret_cast<uint64_t *>(to)[l] = w.cta->executed;
    else
      reinterpret_cast<uint32_t *>(to)[l] = uint32_t(w.cta->executed);
  }
}

} // namespace attn::emulator
