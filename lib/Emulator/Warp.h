//===- Warp.h - Running state of warps and CTAs -----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_EMULATOR_WARP_H
#define ATTN_LIB_EMULATOR_WARP_H

#include "Lanes/Lanes.h"
#include "Program.h"
#include "SharedMemory.h"
#include "attn/Emulator/Launch.h"

#include <memory>
#include <vector>

namespace attn::emulator {

struct Cta;
class LaunchState;
class Schedule;

/// Lanes that go on at `pc` until they reach `reconverge` (-1: until they
/// exit).
struct Path {
  int32_t pc;
  int32_t reconverge;
  uint32_t mask;
};

/// A cp.async that has been issued and not waited for.
struct PendingCopy {
  uint32_t destination;
  uint32_t group; ///< the issuing lane's commit count at issue
  uint8_t lane;
  uint8_t bytes;
  uint8_t data[16];
};

/// 32 threads.
struct Warp : LaneFile {
  enum State : uint8_t { Ready, Waiting, Done };

  Cta *cta = nullptr;
  unsigned index = 0; ///< in the CTA
  State state = Ready;
  /// Divergent paths, the running one last.
  std::vector<Path> paths;

  // At a barrier (state Waiting).
  int barrier = -1;
  const Inst *waitingAt = nullptr;
  uint32_t barrierPredicate = 0;

  std::vector<PendingCopy> copies;
  uint32_t commits[warpSize] = {};
};

/// Per-instruction counts, summed over the CTAs that a host thread runs.
struct Counters {
  std::vector<uint64_t> executed, lanes, wavefronts, conflicts, sharedRead,
      sharedWritten;
  struct Buffer {
    uint64_t bytesRead = 0, bytesWritten = 0, bytesAtomic = 0;
    uint64_t sectorsRead = 0, sectorsWritten = 0;
  };
  std::vector<Buffer> buffers; ///< by allocation number

  void resize(size_t instructions, size_t allocations) {
    for (auto *v : {&executed, &lanes, &wavefronts, &conflicts, &sharedRead,
                    &sharedWritten})
      v->assign(instructions, 0);
    buffers.assign(allocations, {});
  }
  void add(const Counters &o);
};

/// A named barrier of a CTA.
struct BarrierState {
  unsigned arrived = 0;  ///< threads
  unsigned expected = 0; ///< 0 while nobody has arrived
  bool wholeCta = false; ///< expects every thread that has not exited
  std::vector<Warp *> waiting;
  OrderClocks clocks; ///< of those that arrived
  uint32_t votes = 0; ///< bar.red: lanes with a true predicate
  bool all = true;
};

/// One CTA at a time; reused by the host thread that owns it.
struct Cta {
  LaunchState *launch = nullptr;
  const Program *program = nullptr;
  Counters *counters = nullptr;
  uint64_t number = 0; ///< linear index in the grid
  Dim3 index, block;
  unsigned threads = 0;
  std::vector<Warp> warps;
  std::vector<char> registerFile;
  std::vector<uint8_t> local, localInitialised;
  SharedMemory shared;
  BarrierState barriers[16];
  uint64_t executed = 0;
  bool ordered = false; ///< all CTAs before this one have finished
  bool stopped = false;
  std::vector<Diagnostic> diagnostics;

  void prepare(LaunchState &launch, Counters &counters);
  /// Runs CTA `number` to its end or to a fatal fault.
  void run(uint64_t number);

  Dim3 threadIndex(unsigned warp, unsigned lane) const;
  void report(const Warp &w, const Inst &i, Fault fault, unsigned lane,
              std::string message);
  /// Waits until all earlier CTAs have finished; atomics and their readers see
  /// memory in CTA order from then on.
  void waitForTurn();

private:
  void start(Warp &w);
  void runWarp(Warp &w, uint64_t slice);
  void branch(Warp &w, const Inst &i, uint32_t taken);
  void exitLanes(Warp &w, uint32_t mask);
  bool arrive(Warp &w, const Inst &i, uint32_t mask);
  void tryRelease(int id);
  void release(int id);
  void warpBarrier(Warp &w, const Inst &i, uint32_t mask);
  void reportDeadlock();
  void fillSpecials(Warp &w);
};

/// What all host threads of a launch share.
class LaunchState {
public:
  const Program &program;
  Memory &memory;
  LaunchOptions options;
  Dim3 grid, block;
  uint32_t dynamicShared = 0;
  std::vector<uint8_t> parameters;
  std::vector<uint64_t> constants; ///< relocated
  Schedule *schedule = nullptr;

  LaunchState(const Program &p, Memory &m) : program(p), memory(m) {}
};

// Handlers of memory operations (MemoryOps.cpp, AsyncOps.cpp, AtomicOps.cpp).
void loadOp(LaneFile &, const Inst &, uint32_t);
void storeOp(LaneFile &, const Inst &, uint32_t);
void atomicOp(LaneFile &, const Inst &, uint32_t);
void ldmatrixOp(LaneFile &, const Inst &, uint32_t);
void stmatrixOp(LaneFile &, const Inst &, uint32_t);
void asyncCopyOp(LaneFile &, const Inst &, uint32_t);
void asyncCommitOp(LaneFile &, const Inst &, uint32_t);
void asyncWaitOp(LaneFile &, const Inst &, uint32_t);
void clockOp(LaneFile &, const Inst &, uint32_t);
void nothingOp(LaneFile &, const Inst &, uint32_t);

} // namespace attn::emulator

#endif // ATTN_LIB_EMULATOR_WARP_H
