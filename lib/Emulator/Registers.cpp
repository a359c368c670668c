//===- Registers.cpp - Sharing rows between registers ---------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// PTX uses each virtual register once or twice, thousands of them; a row for
// each would push the register files of a CTA out of the host's caches. Rows
// are given out by a linear scan over live intervals. Liveness is that of a
// single thread: writes touch the executing lanes only, so lanes on another
// path keep what they hold whatever the running path does with the row.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace llvm;

namespace attn::emulator {
namespace {

struct Block {
  size_t begin, end;
  SmallVector<size_t, 2> successors;
  BitVector use, kill, liveIn, liveOut;
};

/// Positions: 2 k where instruction k reads, 2 k + 1 where it writes.
struct Interval {
  int64_t first = INT64_MAX, last = -1;
  void include(int64_t p) {
    first = std::min(first, p);
    last = std::max(last, p);
  }
};

class Compaction {
public:
  explicit Compaction(Program &p) : program(p) {
    for (size_t k = 0; k != p.rows.size(); ++k)
      number[p.rows[k].first] = unsigned(k);
  }
  void run() {
    buildBlocks();
    solve();
    findIntervals();
    assign();
    rename();
  }

private:
  /// fn(register, isResult) for every register of an instruction.
  template <typename F> void forEach(const Inst &i, F fn) const {
    if (i.guard != -1)
      fn(number.lookup(i.guard), false);
    for (unsigned k = 0; k != i.operandCount; ++k) {
      OperandRole role = program.roles[i.firstOperand + k];
      if (role != OperandRole::Plain && i.op[k] >= 0)
        fn(number.lookup(i.op[k]), role == OperandRole::Result);
    }
  }

  void buildBlocks();
  void solve();
  void findIntervals();
  void assign();
  void rename();

  Program &program;
  DenseMap<int32_t, unsigned> number; ///< of a row, by its offset
  std::vector<Block> blocks;
  std::vector<Interval> intervals;
  std::vector<int32_t> newOffset;
};

void Compaction::buildBlocks() {
  auto &code = program.code;
  BitVector leader(unsigned(code.size()) + 1);
  leader.set(0);
  for (size_t k = 0; k != code.size(); ++k) {
    if (code[k].kind == Inst::Branch)
      leader.set(unsigned(code[k].target));
    if (code[k].kind == Inst::Branch || code[k].kind == Inst::Exit)
      leader.set(unsigned(k) + 1);
  }
  std::vector<size_t> blockOf(code.size());
  unsigned n = unsigned(program.rows.size());
  for (size_t k = 0; k != code.size(); ++k) {
    if (leader.test(unsigned(k))) {
      blocks.push_back({k, k, {}, {}, {}, {}, {}});
      for (BitVector Block::*set :
           {&Block::use, &Block::kill, &Block::liveIn, &Block::liveOut})
        (blocks.back().*set).resize(n);
    }
    Block &b = blocks.back();
    b.end = k + 1;
    blockOf[k] = blocks.size() - 1;
    forEach(code[k], [&](unsigned r, bool isResult) {
      if (!isResult && !b.kill.test(r))
        b.use.set(r);
    });
    // A guarded write may leave the old value.
    forEach(code[k], [&](unsigned r, bool isResult) {
      if (isResult && code[k].guard == -1)
        b.kill.set(r);
      else if (isResult && !b.kill.test(r))
        b.use.set(r);
    });
  }
  for (Block &b : blocks) {
    const Inst &last = code[b.end - 1];
    if (last.kind == Inst::Branch)
      b.successors.push_back(blockOf[size_t(last.target)]);
    bool leaves = last.kind == Inst::Branch || last.kind == Inst::Exit;
    if ((last.guard != -1 || !leaves) && b.end != code.size())
      b.successors.push_back(blockOf[b.end]);
  }
}

void Compaction::solve() {
  for (bool changed = true; changed;) {
    changed = false;
    for (Block &b : reverse(blocks)) {
      for (size_t s : b.successors)
        b.liveOut |= blocks[s].liveIn;
      BitVector in = b.liveOut;
      in.reset(b.kill);
      in |= b.use;
      changed |= in != b.liveIn;
      b.liveIn = std::move(in);
    }
  }
}

void Compaction::findIntervals() {
  intervals.resize(program.rows.size());
  for (const Block &b : blocks) {
    for (unsigned r : b.liveIn.set_bits())
      intervals[r].include(2 * int64_t(b.begin));
    for (unsigned r : b.liveOut.set_bits())
      intervals[r].include(2 * int64_t(b.end) - 1);
    for (size_t k = b.begin; k != b.end; ++k)
      forEach(program.code[k], [&](unsigned r, bool isResult) {
        intervals[r].include(2 * int64_t(k) + isResult);
      });
  }
  // Special registers are written before the first instruction.
  for (const Program::SpecialRow &s : program.specials)
    intervals[number.lookup(s.offset)].include(-1);
}

void Compaction::assign() {
  std::vector<unsigned> order;
  for (unsigned r = 0; r != intervals.size(); ++r)
    if (intervals[r].first != INT64_MAX)
      order.push_back(r);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::make_pair(intervals[a].first, a) <
           std::make_pair(intervals[b].first, b);
  });
  newOffset.assign(intervals.size(), 0);
  uint32_t base = 0;
  for (uint32_t bytes : {256u, 128u, 4u}) {
    std::vector<int32_t> free;
    std::vector<std::pair<int64_t, int32_t>> active; // min heap on the end
    uint32_t used = 0;
    for (unsigned r : order) {
      if (program.rows[r].second != bytes)
        continue;
      while (!active.empty() && active.front().first < intervals[r].first) {
        std::pop_heap(active.begin(), active.end(), std::greater<>());
        free.push_back(active.back().second);
        active.pop_back();
      }
      int32_t slot = free.empty() ? int32_t(used++) : free.back();
      if (!free.empty())
        free.pop_back();
      newOffset[r] = int32_t(base) + slot * int32_t(bytes);
      active.push_back({intervals[r].last, slot});
      std::push_heap(active.begin(), active.end(), std::greater<>());
    }
    base += (used * bytes + 63) / 64 * 64;
  }
  program.registerBytes = base;
}

void Compaction::rename() {
  auto renamed = [&](int32_t row) { return newOffset[number.lookup(row)]; };
  for (Inst &i : program.code)
    if (i.guard != -1)
      i.guard = renamed(i.guard);
  for (size_t k = 0; k != program.operands.size(); ++k)
    if (program.roles[k] != OperandRole::Plain && program.operands[k] >= 0)
      program.operands[k] = renamed(program.operands[k]);
  for (Program::SpecialRow &s : program.specials)
    s.offset = renamed(s.offset);
}

} // namespace

void compactRegisters(Program &program) { Compaction(program).run(); }

} // namespace attn::emulator
