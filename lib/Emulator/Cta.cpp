//===- Cta.cpp - Executing the warps of a CTA -----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "Warp.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace attn::emulator {

/// A warp that does not block gives way after this many instructions, so that
/// warps can wait for each other through memory.
static constexpr uint64_t timeSlice = 20'000;

/// What an instruction takes of the budget: a kernel that never ends is told
/// within seconds, whatever it does meanwhile.
static uint64_t stepsOf(const Inst &i) {
  if (i.kind == Inst::Barrier)
    return 64;
  return i.width ? 8 : 1; // touches memory
}

static void reportFromLanes(LaneFile &f, const Inst &i, Fault fault,
                            unsigned lane, const char *message) {
  Warp &w = static_cast<Warp &>(f);
  w.cta->report(w, i, fault, lane, message);
}

void Cta::prepare(LaunchState &state, Counters &c) {
  launch = &state;
  program = &state.program;
  counters = &c;
  block = state.block;
  threads = unsigned(block.count());
  unsigned n = (threads + warpSize - 1) / warpSize;
  warps.resize(n);
  // 64-byte rows for the vector units.
  size_t perWarp = (size_t(program->registerBytes) + 63) / 64 * 64;
  registerFile.resize(n * perWarp + 64);
  char *base = registerFile.data();
  base += 63 - (reinterpret_cast<uintptr_t>(base) + 63) % 64;
  for (unsigned k = 0; k != n; ++k) {
    Warp &w = warps[k];
    w.cta = this;
    w.index = k;
    w.registers = base + k * perWarp;
    w.constants = reinterpret_cast<const char *>(state.constants.data());
    w.report = &reportFromLanes;
  }
  local.resize(size_t(n) * warpSize * program->localBytes);
  localInitialised.resize(local.size());
}

Dim3 Cta::threadIndex(unsigned warp, unsigned lane) const {
  unsigned t = warp * warpSize + lane;
  return {t % block.x, t / block.x % block.y, t / block.x / block.y};
}

void Cta::report(const Warp &w, const Inst &i, Fault fault, unsigned lane,
                 std::string message) {
  const SourceStatement &s = program->source(i);
  for (const Diagnostic &d : diagnostics)
    if (d.fault == fault && d.line == s.line)
      return;
  Diagnostic d;
  d.fault = fault;
  d.line = s.line;
  d.text = s.text.str();
  d.cta = index;
  d.thread = threadIndex(w.index, lane);
  d.message = std::move(message);
  diagnostics.push_back(std::move(d));
  stopped |= fault == Fault::Barrier || fault == Fault::Runaway ||
             fault == Fault::Trap || fault == Fault::Divergence ||
             diagnostics.size() >= launch->options.maxDiagnostics;
}

void Cta::fillSpecials(Warp &w) {
  const Dim3 &grid = launch->grid;
  for (const Program::SpecialRow &s : program->specials) {
    uint32_t *row = reinterpret_cast<uint32_t *>(w.registers + s.offset);
    StringRef name = s.name;
    for (uint32_t l = 0; l != warpSize; ++l) {
      Dim3 t = threadIndex(w.index, l);
      row[l] = StringSwitch<uint32_t>(name)
                   .Case("%tid.x", t.x)
                   .Case("%tid.y", t.y)
                   .Case("%tid.z", t.z)
                   .Case("%ntid.x", block.x)
                   .Case("%ntid.y", block.y)
                   .Case("%ntid.z", block.z)
                   .Cases({"%ctaid.x", "%clusterid.x"}, index.x)
                   .Cases({"%ctaid.y", "%clusterid.y"}, index.y)
                   .Cases({"%ctaid.z", "%clusterid.z"}, index.z)
                   .Cases({"%nctaid.x", "%nclusterid.x"}, grid.x)
                   .Cases({"%nctaid.y", "%nclusterid.y"}, grid.y)
                   .Cases({"%nctaid.z", "%nclusterid.z"}, grid.z)
                   .Case("%laneid", l)
                   .Case("%warpid", w.index)
                   .Case("%nwarpid", uint32_t(warps.size()))
                   .Case("%lanemask_eq", 1u << l)
                   .Case("%lanemask_lt", (1u << l) - 1)
                   .Case("%lanemask_le", (2u << l) - 1)
                   .Case("%lanemask_gt", ~((2u << l) - 1))
                   .Case("%lanemask_ge", ~((1u << l) - 1))
                   .Case("%dynamic_smem_size", launch->dynamicShared)
                   .Case("%total_smem_size", shared.size())
                   // One processor, clusters of one CTA.
                   .Cases({"%nsmid", "%cluster_nctarank", "%cluster_nctaid.x",
                           "%cluster_nctaid.y", "%cluster_nctaid.z"},
                          1)
                   .Default(0);
    }
  }
}

void Cta::start(Warp &w) {
  // A pattern that is no address and reads as NaN.
  uint32_t *registers = reinterpret_cast<uint32_t *>(w.registers);
  std::fill_n(registers, program->registerBytes / 4, 0x7fbadbadu);
  unsigned inWarp = std::min(threads - w.index * warpSize, warpSize);
  w.live = inWarp == warpSize ? allLanes : (1u << inWarp) - 1;
  w.state = Warp::Ready;
  w.paths.assign(1, {0, -1, w.live});
  w.copies.clear();
  std::fill(std::begin(w.commits), std::end(w.commits), 0);
  fillSpecials(w);
}

void Cta::run(uint64_t n) {
  number = n;
  const Dim3 &grid = launch->grid;
  index = {uint32_t(n % grid.x), uint32_t(n / grid.x % grid.y),
           uint32_t(n / grid.x / grid.y)};
  executed = 0;
  ordered = n == 0;
  stopped = false;
  diagnostics.clear();
  shared.reset(program->dynamicSharedOffset + launch->dynamicShared,
               unsigned(warps.size()), launch->options.detectors);
  std::fill(localInitialised.begin(), localInitialised.end(), 0);
  for (BarrierState &b : barriers)
    b = BarrierState();
  for (Warp &w : warps)
    start(w);
  while (!stopped) {
    bool any = false, done = true;
    for (Warp &w : warps) {
      if (w.state == Warp::Ready && !stopped) {
        runWarp(w, timeSlice);
        any = true;
      }
      done &= w.state == Warp::Done;
    }
    if (done)
      return;
    if (!any) {
      reportDeadlock();
      return;
    }
  }
}

void Cta::runWarp(Warp &w, uint64_t slice) {
  const Inst *code = program->code.data();
  uint64_t budget = launch->options.instructionBudget;
  while (slice-- && w.state == Warp::Ready && !stopped) {
    while (w.paths.back().pc == w.paths.back().reconverge)
      w.paths.pop_back();
    Path &top = w.paths.back();
    const Inst &i = code[top.pc];
    uint32_t mask = top.mask;
    if (i.guard != -1) {
      uint32_t p = w.readPredicate(i.guard);
      mask &= i.guardNegated ? ~p : p;
    }
    if (i.counted) {
      ++counters->executed[size_t(top.pc)];
      counters->lanes[size_t(top.pc)] +=
          mask == allLanes ? warpSize : unsigned(__builtin_popcount(mask));
    }
    executed += stepsOf(i);
    if (executed > budget) {
      report(w, i, Fault::Runaway, unsigned(__builtin_ctz(w.live)),
             ("expected the CTA to end within " + Twine(budget) +
              " warp instructions")
                 .str());
      return;
    }
    if (i.kind == Inst::Branch) {
      branch(w, i, mask);
      continue;
    }
    ++top.pc;
    if (!mask)
      continue;
    switch (i.kind) {
    case Inst::Lanes:
      if (i.allLanes && mask != allLanes)
        report(w, i, Fault::Divergence, unsigned(__builtin_ctz(mask)),
               "expected all 32 lanes to execute this together");
      else
        i.handler(w, i, mask);
      break;
    case Inst::Exit:
      exitLanes(w, mask);
      break;
    case Inst::Barrier:
      arrive(w, i, mask);
      break;
    case Inst::WarpBarrier:
      warpBarrier(w, i, mask);
      break;
    case Inst::Trap:
      report(w, i, Fault::Trap, unsigned(__builtin_ctz(mask)),
             "the kernel stopped itself");
      break;
    case Inst::Branch:
      break;
    }
  }
}

void Cta::branch(Warp &w, const Inst &i, uint32_t taken) {
  Path &top = w.paths.back();
  uint32_t others = top.mask & ~taken;
  int32_t next = top.pc + 1;
  if (!others || !taken) {
    top.pc = taken ? i.target : next;
    return;
  }
  int32_t meet = i.reconverge == -1 ? top.reconverge : i.reconverge;
  // Lanes wait for each other in the path below, which goes on where they meet.
  // If the running path ends there itself, that path exists already.
  if (meet == top.reconverge)
    w.paths.pop_back();
  else
    top.pc = meet;
  if (next != meet)
    w.paths.push_back({next, meet, others});
  if (i.target != meet)
    w.paths.push_back({i.target, meet, taken});
}

void Cta::exitLanes(Warp &w, uint32_t mask) {
  w.live &= ~mask;
  for (Path &p : w.paths)
    p.mask &= ~mask;
  while (!w.paths.empty() && !w.paths.back().mask)
    w.paths.pop_back();
  if (w.live)
    return;
  w.state = Warp::Done;
  for (int id = 0; id != 16; ++id)
    tryRelease(id);
}

void Cta::warpBarrier(Warp &w, const Inst &i, uint32_t mask) {
  const uint32_t *members = static_cast<const uint32_t *>(w.row(i.op[0]));
  for (unsigned l = 0; l != warpSize; ++l) {
    if (!(mask >> l & 1))
      continue;
    if ((members[l] >> l & 1) && !(members[l] & w.live & ~mask))
      continue;
    report(w, i, Fault::Barrier, l,
           "expected all lanes of the member mask at bar.warp.sync together");
    return;
  }
  shared.warpSync(w.index);
}

bool Cta::arrive(Warp &w, const Inst &i, uint32_t mask) {
  unsigned first = unsigned(__builtin_ctz(mask));
  if (mask != w.live) {
    unsigned missing = unsigned(__builtin_ctz(w.live & ~mask));
    report(w, i, Fault::Barrier, missing,
           "divergent barrier: expected all threads of the warp, this one is "
           "elsewhere");
    return false;
  }
  auto value = [&](int32_t row) {
    return static_cast<const uint32_t *>(w.row(row))[first];
  };
  uint32_t id = value(i.op[0]);
  uint32_t count = i.op[1] == -1 ? 0 : value(i.op[1]);
  if (id >= 16 || (i.op[1] != -1 && (count == 0 || count % warpSize))) {
    report(w, i, Fault::Barrier, first,
           ("expected a barrier 0..15 and a multiple of 32 threads, got " +
            Twine(id) + ", " + Twine(count))
               .str());
    return false;
  }
  BarrierState &b = barriers[id];
  bool whole = i.op[1] == -1;
  unsigned expected = whole ? unsigned(warps.size()) * warpSize : count;
  if (b.expected && (b.expected != expected || b.wholeCta != whole)) {
    report(w, i, Fault::Barrier, first,
           ("barrier " + Twine(id) + ": expected " + Twine(b.expected) +
            " threads like those that wait, got " + Twine(expected))
               .str());
    return false;
  }
  b.expected = expected;
  b.wholeCta = whole;
  b.arrived += warpSize;
  b.clocks.join(shared.arrive(w.index));
  if (i.op[3] != -1) {
    uint32_t p = w.readPredicate(i.op[3]) & mask;
    b.votes += unsigned(__builtin_popcount(p));
    b.all &= p == mask;
  }
  if (i.flags != BarrierArrive) {
    w.state = Warp::Waiting;
    w.barrier = int(id);
    w.waitingAt = &i;
    b.waiting.push_back(&w);
  }
  tryRelease(int(id));
  return true;
}

void Cta::tryRelease(int id) {
  BarrierState &b = barriers[id];
  if (!b.arrived)
    return;
  unsigned gone = 0;
  if (b.wholeCta)
    for (const Warp &w : warps)
      gone += w.state == Warp::Done;
  if (b.arrived + gone * warpSize < b.expected)
    return;
  if (b.waiting.empty()) // arrivals only
    return release(id);
  // Threads that ended without the barrier that the others wait at: devices
  // let the others go on, PTX does not promise it.
  const Warp &w = *b.waiting.front();
  if (gone) {
    unsigned k = 0;
    while (warps[k].state != Warp::Done)
      ++k;
    Dim3 t = threadIndex(k, 0);
    report(w, *w.waitingAt, Fault::Barrier, unsigned(__builtin_ctz(w.live)),
           ("missing barrier: the warp of thread (" + Twine(t.x) + "," +
            Twine(t.y) + "," + Twine(t.z) + ") ended without arriving")
               .str());
    return;
  }
  release(id);
}

void Cta::release(int id) {
  BarrierState &b = barriers[id];
  for (Warp *w : b.waiting) {
    shared.leave(w->index, b.clocks);
    w->state = Warp::Ready;
    const Inst &i = *w->waitingAt;
    if (i.op[2] == -1)
      continue;
    if (i.flags == BarrierPopc) {
      uint32_t values[warpSize];
      std::fill(std::begin(values), std::end(values), b.votes);
      write(*w, i.op[2], values, w->live);
    } else {
      bool v = i.flags == BarrierAnd ? b.all : b.votes != 0;
      writePredicate(*w, i.op[2], v ? allLanes : 0, w->live);
    }
  }
  b = BarrierState();
}

void Cta::reportDeadlock() {
  // The first waiting warp tells; the message lists the others.
  const Warp *first = nullptr;
  std::string others;
  for (const Warp &w : warps) {
    if (w.state != Warp::Waiting)
      continue;
    if (!first)
      first = &w;
    others += (" warp " + Twine(w.index) + " at barrier " + Twine(w.barrier) +
               ", line " + Twine(program->source(*w.waitingAt).line) + " (" +
               Twine(barriers[w.barrier].arrived) + " of " +
               Twine(barriers[w.barrier].expected) + " threads);")
                  .str();
  }
  report(*first, *first->waitingAt, Fault::Barrier,
         unsigned(__builtin_ctz(first->live)),
         "deadlock: no warp can go on;" + others);
}

} // namespace attn::emulator
