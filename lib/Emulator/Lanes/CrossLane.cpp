//===- CrossLane.cpp - Shuffles, votes, reductions over a warp ------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// Every executing lane names the lanes that take part. A named lane that is
// alive but not here would deadlock or read garbage on a device: a divergence.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

namespace attn::emulator {
ATTN_LANES_BEGIN
namespace {

/// False after a report.
bool checkMembers(LaneFile &f, const Inst &i, uint32_t mask,
                  const uint32_t *members) {
  for (unsigned l = 0; l != warpSize; ++l) {
    if (!(mask >> l & 1))
      continue;
    if (!(members[l] >> l & 1)) {
      f.report(f, i, Fault::Divergence, l,
               "expected the executing lane in its own member mask");
      return false;
    }
    if (members[l] & f.live & ~mask) {
      f.report(
          f, i, Fault::Divergence, l,
          "expected all lanes of the member mask to execute this together");
      return false;
    }
  }
  return true;
}

enum ShuffleMode { Up, Down, Bfly, Idx };

/// Operands: d, p (-1 if absent), a, b, c, members.
template <ShuffleMode Mode>
void shuffle(LaneFile &f, const Inst &i, uint32_t mask) {
  const uint32_t *a = read<uint32_t>(f, i.op[2]);
  const uint32_t *b = read<uint32_t>(f, i.op[3]);
  const uint32_t *c = read<uint32_t>(f, i.op[4]);
  if (!checkMembers(f, i, mask, read<uint32_t>(f, i.op[5])))
    return;
  alignas(64) uint32_t r[warpSize];
  uint32_t inRange = 0, absent = 0;
  for (uint32_t l = 0; l != warpSize; ++l) {
    uint32_t segment = c[l] >> 8 & 31, clamp = c[l] & 31, step = b[l] & 31;
    uint32_t maxLane = (l & segment) | (clamp & ~segment);
    uint32_t j = Mode == Up     ? l - step
                 : Mode == Down ? l + step
                 : Mode == Bfly ? l ^ step
                                : (l & segment) | (step & ~segment);
    bool in = Mode == Up ? int32_t(j) >= int32_t(maxLane) : j <= maxLane;
    j = in ? j & 31 : l;
    inRange |= uint32_t(in) << l;
    absent |= uint32_t(!(mask >> j & 1)) << l;
    r[l] = a[j];
  }
  if (absent & mask) {
    f.report(f, i, Fault::Divergence, unsigned(__builtin_ctz(absent & mask)),
             "expected the lane that is read to execute the shuffle");
    return;
  }
  write(f, i.op[0], r, mask);
  if (i.op[1] != -1)
    writePredicate(f, i.op[1], inRange, mask);
}

enum Vote { All, Any, Uni, Ballot };

/// Operands: d, p, members; d is a predicate, or a row for Ballot.
template <Vote Op> void vote(LaneFile &f, const Inst &i, uint32_t mask) {
  uint32_t p = f.readPredicate(i.op[1]) & mask;
  const uint32_t *members = read<uint32_t>(f, i.op[2]);
  if (!checkMembers(f, i, mask, members))
    return;
  alignas(64) uint32_t r[warpSize];
  uint32_t bits = 0;
  for (unsigned l = 0; l != warpSize; ++l) {
    uint32_t group = members[l] & mask, yes = group & p;
    r[l] = yes;
    bool v = Op == All   ? yes == group
             : Op == Any ? yes != 0
                         : yes == group || !yes;
    bits |= uint32_t(v) << l;
  }
  if (Op == Ballot)
    write(f, i.op[0], r, mask);
  else
    writePredicate(f, i.op[0], bits, mask);
}

/// match.any: the lanes of the group with the same value; match.all: the group
/// if all agree, else 0. Operands: d, p (-1 if absent), a, members.
template <typename S, bool Everyone>
void match(LaneFile &f, const Inst &i, uint32_t mask) {
  const S *a = read<S>(f, i.op[2]);
  const uint32_t *members = read<uint32_t>(f, i.op[3]);
  if (!checkMembers(f, i, mask, members))
    return;
  alignas(64) uint32_t r[warpSize];
  uint32_t agreed = 0;
  for (unsigned l = 0; l != warpSize; ++l) {
    uint32_t group = members[l] & mask, same = 0;
    for (unsigned k = 0; k != warpSize; ++k)
      same |= uint32_t(a[k] == a[l]) << k;
    same &= group;
    agreed |= uint32_t(same == group) << l;
    r[l] = Everyone && same != group ? 0 : same;
  }
  write(f, i.op[0], r, mask);
  if (i.op[1] != -1)
    writePredicate(f, i.op[1], agreed, mask);
}

template <typename T> T reduceAdd(T a, T b) {
  return T(uint32_t(a) + uint32_t(b));
}
template <typename T> T reduceMin(T a, T b) { return a < b ? a : b; }
template <typename T> T reduceMax(T a, T b) { return a < b ? b : a; }
template <typename T> T reduceAnd(T a, T b) { return a & b; }
template <typename T> T reduceOr(T a, T b) { return a | b; }
template <typename T> T reduceXor(T a, T b) { return a ^ b; }

/// Operands: d, a, members.
template <typename T, T (*Fn)(T, T)>
void redux(LaneFile &f, const Inst &i, uint32_t mask) {
  const uint32_t *a = read<uint32_t>(f, i.op[1]);
  const uint32_t *members = read<uint32_t>(f, i.op[2]);
  if (!checkMembers(f, i, mask, members))
    return;
  alignas(64) uint32_t r[warpSize];
  for (unsigned l = 0; l != warpSize; ++l) {
    uint32_t group = members[l] & mask;
    bool first = true;
    T v = 0;
    for (unsigned k = 0; k != warpSize; ++k)
      if (group >> k & 1) {
        v = first ? T(a[k]) : Fn(v, T(a[k]));
        first = false;
      }
    r[l] = uint32_t(v);
  }
  write(f, i.op[0], r, mask);
}

void activemask(LaneFile &f, const Inst &i, uint32_t mask) {
  alignas(64) uint32_t r[warpSize];
  for (uint32_t &v : r)
    v = mask;
  write(f, i.op[0], r, mask);
}

constexpr InstructionClass cls = InstructionClass::Shuffle;

bool selectShuffle(Mnemonic &m, Selection &s) {
  if (!m.take("sync"))
    return false;
  llvm::StringRef mode = m.takeAny({"up", "down", "bfly", "idx"});
  Type t = m.takeType();
  Handler h = mode == "up"     ? &shuffle<Up>
              : mode == "down" ? &shuffle<Down>
              : mode == "bfly" ? &shuffle<Bfly>
              : mode == "idx"  ? &shuffle<Idx>
                               : nullptr;
  Slot second = result(Type::Pred);
  second.optional = true;
  return t == Type::B32 && s.set(h, cls,
                                 {result(t), second, source(t), source(t),
                                  source(t), source(Type::B32)});
}

bool selectVote(Mnemonic &m, Selection &s) {
  if (!m.take("sync"))
    return false;
  llvm::StringRef mode = m.takeAny({"all", "any", "uni", "ballot"});
  Type t = m.takeType();
  Handler h = mode == "all"      ? &vote<All>
              : mode == "any"    ? &vote<Any>
              : mode == "uni"    ? &vote<Uni>
              : mode == "ballot" ? &vote<Ballot>
                                 : nullptr;
  Type expected = mode == "ballot" ? Type::B32 : Type::Pred;
  return t == expected &&
         s.set(h, cls, {result(t), source(Type::Pred), source(Type::B32)});
}

bool selectMatch(Mnemonic &m, Selection &s) {
  bool all = m.take("all");
  if ((!all && !m.take("any")) || !m.take("sync"))
    return false;
  Type t = m.takeType();
  Handler h = t == Type::B32
                  ? (all ? &match<uint32_t, true> : &match<uint32_t, false>)
              : t == Type::B64
                  ? (all ? &match<uint64_t, true> : &match<uint64_t, false>)
                  : nullptr;
  Slot second = result(Type::Pred);
  second.optional = true;
  return s.set(h, cls,
               {result(Type::B32), second, source(t), source(Type::B32)});
}

bool selectRedux(Mnemonic &m, Selection &s) {
  if (!m.take("sync"))
    return false;
  llvm::StringRef op = m.takeAny({"add", "min", "max", "and", "or", "xor"});
  Type t = m.takeType();
  bool sign = t == Type::S32;
  Handler h = nullptr;
  if (t == Type::S32 || t == Type::U32)
    h = op == "add"   ? &redux<uint32_t, &reduceAdd<uint32_t>>
        : op == "min" ? (sign ? &redux<int32_t, &reduceMin<int32_t>>
                              : &redux<uint32_t, &reduceMin<uint32_t>>)
        : op == "max" ? (sign ? &redux<int32_t, &reduceMax<int32_t>>
                              : &redux<uint32_t, &reduceMax<uint32_t>>)
                      : nullptr;
  else if (t == Type::B32)
    h = op == "and"   ? &redux<uint32_t, &reduceAnd<uint32_t>>
        : op == "or"  ? &redux<uint32_t, &reduceOr<uint32_t>>
        : op == "xor" ? &redux<uint32_t, &reduceXor<uint32_t>>
                      : nullptr;
  return s.set(h, cls, {result(t), source(t), source(Type::B32)});
}

} // namespace

bool selectWarp(Mnemonic &m, Selection &s) {
  if (m.base == "shfl")
    return selectShuffle(m, s);
  if (m.base == "vote")
    return selectVote(m, s);
  if (m.base == "match")
    return selectMatch(m, s);
  if (m.base == "redux")
    return selectRedux(m, s);
  if (m.base == "activemask")
    return m.takeType() == Type::B32 &&
           s.set(&activemask, cls, {result(Type::B32)});
  return false;
}

ATTN_LANES_END
} // namespace attn::emulator
