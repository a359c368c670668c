//===- Launch.cpp - Running a kernel on the PTX emulator ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "attn/Emulator/Launch.h"
#include "Warp.h"

#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

using namespace llvm;

namespace attn::emulator {

/// Hands out CTAs in order and knows which have finished.
class Schedule {
public:
  explicit Schedule(uint64_t ctas) : ctas(ctas) {}

  bool take(uint64_t &cta) {
    cta = next++;
    // CTAs beyond a faulty one do not matter: the first faulty one is reported.
    return cta < ctas && cta < faulty;
  }
  void finish(uint64_t cta, std::vector<Diagnostic> &found) {
    std::lock_guard<std::mutex> lock(mutex);
    if (!found.empty() && cta < faulty) {
      faulty = cta;
      diagnostics = std::move(found);
    }
    ahead.insert(cta);
    while (!ahead.empty() && *ahead.begin() == finished) {
      ahead.erase(ahead.begin());
      ++finished;
    }
    changed.notify_all();
  }
  void waitForAllBefore(uint64_t cta) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return finished >= cta; });
  }
  std::vector<Diagnostic> diagnostics;

private:
  const uint64_t ctas;
  std::atomic<uint64_t> next{0};
  std::atomic<uint64_t> faulty{UINT64_MAX};
  std::mutex mutex;
  std::condition_variable changed;
  uint64_t finished = 0;
  std::set<uint64_t> ahead;
};

void Cta::waitForTurn() {
  if (ordered)
    return;
  launch->schedule->waitForAllBefore(number);
  ordered = true;
}

void Counters::add(const Counters &o) {
  auto sum = [](std::vector<uint64_t> &a, const std::vector<uint64_t> &b) {
    for (size_t k = 0; k != a.size(); ++k)
      a[k] += b[k];
  };
  sum(executed, o.executed);
  sum(lanes, o.lanes);
  sum(wavefronts, o.wavefronts);
  sum(conflicts, o.conflicts);
  sum(sharedRead, o.sharedRead);
  sum(sharedWritten, o.sharedWritten);
  for (size_t k = 0; k != buffers.size(); ++k) {
    buffers[k].bytesRead += o.buffers[k].bytesRead;
    buffers[k].bytesWritten += o.buffers[k].bytesWritten;
    buffers[k].bytesAtomic += o.buffers[k].bytesAtomic;
    buffers[k].sectorsRead += o.buffers[k].sectorsRead;
    buffers[k].sectorsWritten += o.buffers[k].sectorsWritten;
  }
}

namespace {

Error checkLaunch(const Program &p, Dim3 grid, Dim3 block, uint32_t dynamic,
                  ArrayRef<Argument> arguments, const LaunchOptions &options) {
  std::string name = "kernel '" + p.name + "': ";
  auto dims = [](Dim3 d) {
    return (Twine(d.x) + "x" + Twine(d.y) + "x" + Twine(d.z)).str();
  };
  if (!grid.count() || !block.count() || block.count() > 1024)
    return createStringError(
        Twine(name) +
        "expected a grid of at least one CTA and a block of 1 to 1024 "
        "threads, got grid " +
        dims(grid) + ", block " + dims(block));
  if (p.requiredBlock[0] &&
      (block.x != p.requiredBlock[0] || block.y != p.requiredBlock[1] ||
       block.z != p.requiredBlock[2]))
    return createStringError(
        Twine(name) + "expected the block " +
        dims({p.requiredBlock[0], p.requiredBlock[1], p.requiredBlock[2]}) +
        " that .reqntid names, got " + dims(block));
  if (p.maxThreads && block.count() > p.maxThreads)
    return createStringError(Twine(name) + "expected at most " +
                             Twine(p.maxThreads) + " threads (.maxntid), got " +
                             Twine(block.count()));
  uint64_t shared = uint64_t(p.staticShared) + dynamic;
  if (shared > options.sharedLimit)
    return createStringError(
        Twine(name) + "expected at most " + Twine(options.sharedLimit) +
        " bytes of shared memory per CTA, got " + Twine(shared));
  if (arguments.size() != p.parameters.size())
    return createStringError(Twine(name) + "expected " +
                             Twine(p.parameters.size()) + " arguments, got " +
                             Twine(arguments.size()));
  for (size_t k = 0; k != arguments.size(); ++k)
    if (arguments[k].bytes.size() != p.parameters[k].bytes)
      return createStringError(Twine(name) + "argument " + Twine(k) + " ('" +
                               p.parameters[k].name + "'): expected " +
                               Twine(p.parameters[k].bytes) + " bytes, got " +
                               Twine(arguments[k].bytes.size()));
  return Error::success();
}

/// Address of a module variable in `memory`, created and initialised at its
/// first use.
Expected<uint64_t> instantiate(const Module &module, StringRef name,
                               Memory &memory) {
  const Variable *v = nullptr;
  for (const Variable &candidate : module.parsed().variables)
    if (candidate.name == name && (!v || !candidate.isExtern))
      v = &candidate;
  if (!v || v->isExtern)
    return createStringError("module variable '" + name +
                             "' is declared but not defined");
  if (uint64_t known = memory.moduleVariable(module.number(), name))
    return known;
  uint64_t address = memory.allocate(v->bytes, name);
  if (!address)
    return createStringError("no memory for module variable '" + name + "'");
  memory.moduleVariable(module.number(), name) = address;
  std::vector<uint8_t> bytes(v->init);
  bytes.resize(v->bytes);
  for (const Variable::Reloc &r : v->relocations) {
    Expected<uint64_t> target = instantiate(module, r.symbol, memory);
    if (!target)
      return target.takeError();
    uint64_t value = *target + uint64_t(r.addend);
    std::memcpy(bytes.data() + r.offset, &value, r.bytes);
  }
  if (Error e = memory.write(address, bytes.data(), bytes.size()))
    return e;
  return address;
}

Error relocate(const Module &module, const Program &p, Memory &memory,
               std::vector<uint64_t> &constants) {
  constants = p.constants;
  for (const Program::Reloc &r : p.relocations) {
    Expected<uint64_t> address = instantiate(module, r.symbol, memory);
    if (!address)
      return address.takeError();
    if (!r.wide)
      return createStringError("expected a 64-bit register for the address of "
                               "module variable '" +
                               r.symbol + "'");
    std::fill_n(constants.begin() + r.offset / 8, warpSize,
                *address + uint64_t(r.addend));
  }
  return Error::success();
}

SharedCounts &accumulate(SharedCounts &s, const Counters &c, size_t k) {
  return s +=
         {c.sharedRead[k], c.sharedWritten[k], c.wavefronts[k], c.conflicts[k]};
}

void summarise(const Program &p, const Counters &c, LaunchResult &result) {
  for (const Loop &loop : p.loops) {
    LoopCounts counts;
    counts.line = p.source(p.code[size_t(loop.header)]).line;
    counts.depth = loop.depth;
    counts.iterations = c.executed[size_t(loop.header)];
    result.loops.push_back(counts);
  }
  for (size_t k = 0; k != p.code.size(); ++k) {
    const Inst &i = p.code[k];
    result.warpInstructions += c.executed[k];
    result.threadInstructions += c.lanes[k];
    result.instructions[unsigned(i.cls)] += c.executed[k];
    accumulate(result.shared, c, k);
    ClassCounts &own = i.loop < 0 ? result.outsideLoops
                                  : result.loops[size_t(i.loop)].instructions;
    own[unsigned(i.cls)] += c.executed[k];
    if (i.loop >= 0)
      accumulate(result.loops[size_t(i.loop)].shared, c, k);
  }
}

/// The first parameter that holds an address inside each buffer; a struct
/// passed by value is searched word by word.
void nameBuffers(const Program &p, ArrayRef<Argument> arguments,
                 const Memory &memory, const Counters &c,
                 LaunchResult &result) {
  std::vector<int> parameter(memory.size(), -1);
  for (size_t k = arguments.size(); k-- > 0;)
    for (size_t at = 0; at + 8 <= arguments[k].bytes.size(); at += 8) {
      uint64_t word;
      std::memcpy(&word, arguments[k].bytes.data() + at, 8);
      const Allocation *a = memory.find(word);
      if (a && word - a->base <= a->bytes)
        parameter[Memory::numberOf(word)] = int(k);
    }
  for (size_t n = 0; n != memory.size(); ++n) {
    const Counters::Buffer &b = c.buffers[n];
    if (!b.bytesRead && !b.bytesWritten && !b.bytesAtomic)
      continue;
    BufferCounts counts;
    counts.name = memory.allocation(n).name;
    counts.parameter = parameter[n];
    counts.bytesRead = b.bytesRead;
    counts.bytesWritten = b.bytesWritten;
    counts.bytesAtomic = b.bytesAtomic;
    counts.sectorsRead = b.sectorsRead;
    counts.sectorsWritten = b.sectorsWritten;
    result.buffers.push_back(std::move(counts));
  }
}

} // namespace

Expected<LaunchResult> launch(Module &module, StringRef kernel, Dim3 grid,
                              Dim3 block, uint32_t dynamicSharedBytes,
                              ArrayRef<Argument> arguments, Memory &memory,
                              const LaunchOptions &options) {
  Expected<const Program *> program = module.program(kernel);
  if (!program)
    return program.takeError();
  const Program &p = **program;
  if (Error e =
          checkLaunch(p, grid, block, dynamicSharedBytes, arguments, options))
    return e;
  LaunchState state(p, memory);
  state.options = options;
  state.grid = grid;
  state.block = block;
  state.dynamicShared = dynamicSharedBytes;
  state.parameters.resize(p.parameterBytes);
  for (size_t k = 0; k != arguments.size(); ++k)
    std::copy(arguments[k].bytes.begin(), arguments[k].bytes.end(),
              state.parameters.begin() + long(p.parameters[k].offset));
  if (Error e = relocate(module, p, memory, state.constants))
    return e;
  if (options.detectors && !memory.resetShadows())
    return createStringError("the emulator cannot allocate the records that "
                             "find conflicts in memory of this size");

  Schedule schedule(grid.count());
  state.schedule = &schedule;
  unsigned n = options.threads
                   ? options.threads
                   : std::max(1u, std::thread::hardware_concurrency());
  n = unsigned(std::min<uint64_t>(n, grid.count()));
  std::vector<Counters> counters(n);
  auto work = [&](unsigned k) {
    counters[k].resize(p.code.size(), memory.size());
    Cta cta;
    cta.prepare(state, counters[k]);
    for (uint64_t number; schedule.take(number);) {
      cta.run(number);
      schedule.finish(number, cta.diagnostics);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned k = 1; k < n; ++k)
    threads.emplace_back(work, k);
  work(0);
  for (std::thread &t : threads)
    t.join();
  if (!schedule.diagnostics.empty())
    return make_error<LaunchError>(p.name, std::move(schedule.diagnostics));

  for (unsigned k = 1; k != n; ++k)
    counters[0].add(counters[k]);
  LaunchResult result;
  result.sharedBytes = p.staticShared + dynamicSharedBytes;
  summarise(p, counters[0], result);
  nameBuffers(p, arguments, memory, counters[0], result);
  return result;
}

} // namespace attn::emulator
