//===- Launch.h - Running a kernel on the PTX emulator ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// `launch` runs a grid and either returns counts or an error that lists what
// the kernel did wrong, each with PTX line, CTA and thread.
//
// How it runs. A warp's 32 lanes execute together on vectors of lanes; where
// they diverge they meet again at the branch's immediate post-dominator. A warp
// runs until it blocks at a barrier or its time slice ends, then the next warp
// of the CTA runs. CTAs are spread over host threads. The result does not
// depend on the number of threads: a CTA waits with its first global atomic
// until all CTAs before it have finished, and two CTAs that touch the same
// bytes otherwise, at least one of them writing, are reported.
//
// Arithmetic. f16, bf16, f32 and f64 operations round as PTX says. Approximate
// operations (ex2, lg2, rcp, rsqrt, sqrt, tanh, sin, cos .approx, div.full) are
// correctly rounded. mma takes exact products and adds them in f32 with k
// ascending. NaN results are the canonical NaN. Expect differences from
// hardware in the last bits of approximate operations and of mma.
//
// What is checked
//   outOfBounds     an access outside the true extent of its buffer, of shared
//                   memory, of a local frame or of the parameter block
//   misaligned      an address that is not a multiple of the access size
//   uninitialised   a read of global, shared or local bytes never written
//   race            two accesses to the same shared bytes by different threads,
//                   one of them a write, with no barrier between (bar.warp.sync
//                   orders the threads of one warp; vector clocks decide)
//   asyncConflict   an access to the destination of a cp.async that is not
//                   ordered before its issue or after the issuing thread's wait
//                   (and, for another thread, a barrier after that wait)
//   ctaConflict     two CTAs touch the same global bytes, one writing
//   divergence      an operation that needs all lanes, without them
//   barrier         divergent barriers, and deadlock: the warps that wait, and
//                   where
//   runaway         more warp instructions in a CTA than the budget
//   trap            trap executed or an assertion failed
//
// Counts. Bytes are those requested by active lanes; sectors are distinct
// 32-byte segments per warp request. A wavefront is one pass over the 32 banks
// of shared memory; conflicts are passes beyond one for each group of lanes
// that moves 128 bytes.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_EMULATOR_LAUNCH_H
#define ATTN_EMULATOR_LAUNCH_H

#include "attn/Emulator/Memory.h"
#include "attn/Emulator/Module.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace attn::emulator {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
};

/// One kernel argument: the bytes of a scalar, a struct passed by value, or a
/// device address from `Memory::allocate`.
struct Argument {
  llvm::SmallVector<uint8_t, 8> bytes;

  template <typename T> static Argument scalar(T value) {
    Argument a;
    a.bytes.resize(sizeof(T));
    std::memcpy(a.bytes.data(), &value, sizeof(T));
    return a;
  }
  static Argument pointer(uint64_t address) { return scalar(address); }
};

struct LaunchOptions {
  /// Host threads; 0 means as many as the machine has.
  unsigned threads = 0;
  /// Warp instructions that one CTA may execute; one that touches memory counts
  /// as 8, a barrier as 64.
  uint64_t instructionBudget = 200'000'000;
  /// Diagnostics (of distinct kind and line) after which a CTA is stopped.
  unsigned maxDiagnostics = 8;
  /// Off: no race, async, uninitialised and cross-CTA checks.
  bool detectors = true;
  /// Shared memory per CTA that the device offers, static and dynamic.
  uint32_t sharedLimit = 227 * 1024;
};

enum class Fault {
  OutOfBounds,
  Misaligned,
  Uninitialised,
  Race,
  AsyncConflict,
  CtaConflict,
  Divergence,
  Barrier,
  Runaway,
  Trap,
};
llvm::StringRef faultName(Fault fault);

struct Diagnostic {
  Fault fault;
  unsigned line = 0; ///< in the PTX text
  std::string text;  ///< the statement
  Dim3 cta, thread;  ///< indices
  std::string message;

  std::string str() const;
};

/// What `launch` fails with when the kernel itself is at fault. The faults of
/// the first faulty CTA, in the order they happened.
class LaunchError : public llvm::ErrorInfo<LaunchError> {
public:
  static char ID;
  LaunchError(std::string kernel, std::vector<Diagnostic> diagnostics)
      : kernel(std::move(kernel)), diagnostics(std::move(diagnostics)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  std::string kernel;
  std::vector<Diagnostic> diagnostics;
};

/// Warp instructions are counted by what they occupy.
enum class InstructionClass : uint8_t {
  Mma,
  LdMatrix,
  SharedLoad,
  SharedStore,
  GlobalLoad,
  GlobalStore,
  AsyncCopy, ///< cp.async itself
  LocalAccess,
  ParamLoad,
  Atomic,
  Special, ///< ex2, lg2, rcp, rsqrt, sqrt, sin, cos, tanh
  Float,   ///< add, mul, fma, min, max, setp on floating point
  Convert,
  Integer,
  Move, ///< mov, selp, prmt
  Shuffle,
  Barrier, ///< bar, cp.async commit and wait, fences
  Control,
};
constexpr unsigned numInstructionClasses =
    unsigned(InstructionClass::Control) + 1;
llvm::StringRef className(InstructionClass c);
using ClassCounts = std::array<uint64_t, numInstructionClasses>;
/// The counts that are not zero, by class.
llvm::json::Object toJSON(const ClassCounts &counts);

/// Traffic of one buffer. Buffers are the allocations that were touched.
struct BufferCounts {
  std::string name;
  /// Position of the first kernel parameter that points into the buffer, or -1.
  int parameter = -1;
  uint64_t bytesRead = 0, bytesWritten = 0, bytesAtomic = 0;
  uint64_t sectorsRead = 0, sectorsWritten = 0;
};

struct SharedCounts {
  uint64_t bytesRead = 0, bytesWritten = 0;
  uint64_t wavefronts = 0, conflicts = 0;

  SharedCounts &operator+=(const SharedCounts &o) {
    bytesRead += o.bytesRead, bytesWritten += o.bytesWritten;
    wavefronts += o.wavefronts, conflicts += o.conflicts;
    return *this;
  }
};

/// A natural loop of the kernel. Counts belong to the innermost loop only, so
/// those of all loops plus `outsideLoops` sum to the totals.
struct LoopCounts {
  unsigned line = 0; ///< of the loop header's first instruction
  unsigned depth = 1;
  uint64_t iterations = 0; ///< executions of the header, summed over warps
  ClassCounts instructions{};
  SharedCounts shared;
};

struct LaunchResult {
  ClassCounts instructions{};
  uint64_t warpInstructions = 0;   ///< sum of the above
  uint64_t threadInstructions = 0; ///< weighted with active lanes
  SharedCounts shared;
  std::vector<BufferCounts> buffers; ///< in order of allocation
  std::vector<LoopCounts> loops;     ///< in order of lines
  ClassCounts outsideLoops{};
  uint32_t sharedBytes = 0; ///< per CTA, static and dynamic

  /// The buffer behind kernel parameter `parameter`, or null if it was not
  /// touched.
  const BufferCounts *parameter(int parameter) const;
  llvm::json::Value toJSON() const;
};

/// Runs `kernel`. Errors: no such kernel, undecodable PTX, argument count or
/// size, block shape, shared memory (StringError); faults of the kernel
/// (LaunchError).
llvm::Expected<LaunchResult>
launch(Module &module, llvm::StringRef kernel, Dim3 grid, Dim3 block,
       uint32_t dynamicSharedBytes, llvm::ArrayRef<Argument> arguments,
       Memory &memory, const LaunchOptions &options = {});

} // namespace attn::emulator

#endif // ATTN_EMULATOR_LAUNCH_H
