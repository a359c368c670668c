//===- Runner.cpp - measure cases against the machine's peak --------------===//
#include "Runner.h"
#include "attn/IR/AttnDialect.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Pipelines/Registration.h"
#include "attn/Runtime/EntryPoint.h"
#include "attn/Runtime/Inputs.h"
#include "mlir/Parser/Parser.h"
#include <chrono>
#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::bench;

namespace {
using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

/// A compiled case, ready to be called.
struct Compiled {
  EntryPoint entry;
  std::unique_ptr<CompiledModule> module;
  CompiledModule::PackedFunction function = nullptr;
  double milliseconds = 0;
  std::string tiling;
};

/// A peak measured for this long has left the loop's start behind.
constexpr double kPeakMilliseconds = 3;
/// A case is called at least this often.
constexpr unsigned kLeastRuns = 3;
} // namespace

static std::string tilingOf(ModuleOp module) {
  std::string text;
  module.walk([&](Operation *op) {
    if (auto tiling = op->getAttrOfType<TilingAttr>("tiling"))
      llvm::raw_string_ostream(text) << tiling;
  });
  return text;
}

static llvm::Expected<Compiled> compile(const Case &item, StringRef tiling) {
  auto failed = [&] {
    return llvm::createStringError("cannot compile " + item.name());
  };
  MLIRContext context(MLIRContext::Threading::DISABLED);
  DialectRegistry registry;
  registerEveryDialect(registry);
  context.appendDialectRegistry(registry);
  Compiled result;
  std::string text = item.moduleText();
  auto start = Clock::now();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return failed();
  FailureOr<func::FuncOp> function = findEntry(*module, "main");
  if (mlir::failed(function))
    return failed();
  FailureOr<EntryPoint> entry = getEntryPoint(*function);
  if (mlir::failed(entry))
    return failed();
  result.entry = std::move(*entry);
  PipelineOptions options;
  options.target = item.target;
  options.tiling = tiling;
  options.cores = item.threads; // as attn-run does
  if (mlir::failed(
          runCompilerPipeline(*module, std::nullopt, Phase::Attn, options)))
    return failed();
  result.tiling = tilingOf(*module);
  if (mlir::failed(
          runCompilerPipeline(*module, Phase::Attn, Phase::LLVM, options)))
    return failed();
  auto jit = CompiledModule::create(*module);
  if (!jit)
    return jit.takeError();
  result.module = std::move(*jit);
  auto found = result.module->lookup("main");
  if (!found)
    return found.takeError();
  result.function = *found;
  result.milliseconds = millisecondsSince(start);
  return result;
}

llvm::Expected<Runner::Machine *> Runner::machineFor(const Case &item) {
  auto [found, isNew] = machines.try_emplace(item.target);
  Machine &machine = found->second;
  if (!isNew)
    return &machine;
  std::string name = item.target.empty() ? "host" : item.target;
  auto target = ::attn::findTarget(name);
  if (!target)
    return target.takeError();
  auto cpu = getCpuSpec(name);
  if (!cpu)
    return cpu.takeError();
  machine.target = *target;
  machine.cpu = *cpu;
  return &machine;
}

llvm::Expected<Peak *> Runner::peakFor(Machine &machine, const Case &item) {
  Unit unit = Unit::F32;
  if (item.dtype == "f64")
    unit = Unit::F64;
  if (item.dtype == "bf16" &&
      hasUnit(Unit::BF16Dot, machine.target, machine.cpu))
    unit = Unit::BF16Dot;
  bool tiles = !item.backward ||
               machine.target.usesBackwardTiles(::attn::ElementType::BF16,
                                                item.queries, item.keyCount());
  if (item.dtype == "bf16" && tiles &&
      hasUnit(Unit::BF16Tiles, machine.target, machine.cpu))
    unit = Unit::BF16Tiles;
  std::unique_ptr<Peak> &peak = machine.peaks[unit];
  if (!peak) {
    auto created = Peak::create(unit, machine.target);
    if (!created)
      return created.takeError();
    peak = std::move(*created);
  }
  return peak.get();
}

llvm::Expected<Result> Runner::measure(const Case &item) {
  auto machine = machineFor(item);
  if (!machine)
    return machine.takeError();
  auto peak = peakFor(**machine, item);
  if (!peak)
    return peak.takeError();
  auto compiled = compile(item, tiling);
  if (!compiled)
    return compiled.takeError();
  auto inputs = makeInputs("", compiled->entry);
  if (!inputs)
    return inputs.takeError();

  Result result;
  result.item = item;
  result.compileMilliseconds = compiled->milliseconds;
  result.tiling = compiled->tiling;
  result.peakName = (*peak)->name().str();
  // As much as the case reads: of a smaller footprint more is in caches.
  std::unique_ptr<ReadBandwidth> reading;
  if (result.isDecode()) {
    auto created =
        ReadBandwidth::create((*machine)->target, item.keyValueBytes());
    if (!created)
      return created.takeError();
    reading = std::move(*created);
  }
  setNumThreads(item.threads);
  PreparedCall call(compiled->entry, inputs->arguments);
  PreparedCall::Measurement measured;
  auto first = call.run(compiled->function, &measured, /*measureMemory=*/true);
  if (!first)
    return first.takeError();
  result.extraBytes =
      measured.peakHeapBytes + double(measured.stackBytes) * item.threads;
  auto yardstick = [&] {
    return (*peak)->measure(item.threads,
                            std::min(kPeakMilliseconds, budget / 3));
  };
  auto start = Clock::now();
  auto before = yardstick();
  if (!before)
    return before.takeError();
  SmallVector<double> shares;
  while (result.runs < kLeastRuns || millisecondsSince(start) < budget) {
    if (result.isDecode()) {
      auto read = reading->measure(item.threads);
      if (!read)
        return read.takeError();
      result.readPeak = std::max(result.readPeak, *read);
    }
    auto again = call.run(compiled->function, &measured);
    if (!again)
      return again.takeError();
    if (result.runs++ == 0 || measured.milliseconds < result.milliseconds)
      result.milliseconds = measured.milliseconds;
    auto after = yardstick();
    if (!after)
      return after.takeError();
    result.peak = std::max({result.peak, *before, *after});
    shares.push_back(item.flops() / (measured.milliseconds * 1e-3) /
                     ((*before + *after) / 2));
    *before = *after;
  }
  llvm::sort(shares);
  result.pairedShare = shares[shares.size() / 2];
  result.rate = item.flops() / (result.milliseconds * 1e-3);
  if (result.isDecode())
    result.read = item.keyValueBytes() / (result.milliseconds * 1e-3);
  return result;
}

/// A time or rate with as many digits as mean something.
static double rounded(double value) {
  return std::strtod(llvm::formatv("{0:f4}", value).str().c_str(), nullptr);
}

llvm::json::Object Result::toJson() const {
  llvm::json::Object object{
      {"case", item.name()},
      {"batch", item.batch},
      {"heads", item.heads},
      {"kv_heads", item.keyHeads()},
      {"queries", item.queries},
      {"keys", item.keyCount()},
      {"depth", item.depth},
      {"dtype", item.dtype},
      {"target", item.target.empty() ? "host" : item.target},
      {"threads", int64_t(item.threads)},
      {"tiling", tiling},
      {"runs", int64_t(runs)},
      {"time_ms", rounded(milliseconds)},
      {"compile_ms", rounded(compileMilliseconds)},
      {"gflops", rounded(rate * 1e-9)},
      {"peak", peakName},
      {"peak_gflops", rounded(peak * 1e-9)},
      {"share", rounded(share())},
      {"share_paired", rounded(pairedShare)},
      {"peak_extra_bytes", int64_t(extraBytes)},
  };
  if (isDecode()) {
    object["read_gbs"] = rounded(read * 1e-9);
    object["peak_read_gbs"] = rounded(readPeak * 1e-9);
  }
  return object;
}
