//===- Peak.cpp - what the machine could do at most -----------------------===//
#include "Peak.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Pipelines/Registration.h"
#include "attn/Support/TilePermission.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::bench;

namespace {
/// As many accumulators as hide the latency of a multiply-add on two units (4
/// or 5 cycles each), and fit 16 registers with the two factors.
constexpr int64_t kAccumulators = 12;
/// The same of a matrix unit: a product's latency is 52 cycles, four take 64.
constexpr int64_t kTileSums = 4;
/// Loads of a step of the reading loop.
constexpr int64_t kStreams = 8;

double secondsOf(llvm::function_ref<void()> body) {
  auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

/// "%a0, %a1, ..." from a pattern with one hole.
std::string series(const char *pattern, int64_t count, StringRef between) {
  std::string text;
  for (int64_t i = 0; i < count; ++i)
    text += (i ? between.str() : "") + llvm::formatv(pattern, i).str();
  return text;
}
} // namespace

llvm::Expected<std::unique_ptr<CompiledModule>>
mlir::attn::bench::compileLoops(StringRef text, StringRef target) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  DialectRegistry registry;
  registerEveryDialect(registry);
  context.appendDialectRegistry(registry);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  PipelineOptions options;
  options.target = target;
  if (!module ||
      failed(runCompilerPipeline(*module, Phase::Vector, Phase::LLVM, options)))
    return llvm::createStringError("cannot compile a loop that measures");
  return CompiledModule::create(*module);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

bool mlir::attn::bench::hasUnit(Unit unit, const ::attn::Target &target,
                                const CpuSpec &cpu) {
  if (unit == Unit::BF16Tiles)
    return target.usesMatrixTiles(::attn::ElementType::BF16) &&
           ::attn::requestTilePermission();
  return unit != Unit::BF16Dot ||
         (target.vectorBits == 512 &&
          StringRef(cpu.features).contains("+avx512bf16"));
}

StringRef Peak::name() const {
  switch (unit) {
  case Unit::F32:
    return "f32 multiply-add";
  case Unit::F64:
    return "f64 multiply-add";
  case Unit::BF16Dot:
    return "bf16 dot product";
  case Unit::BF16Tiles:
    return "bf16 matrix tiles";
  }
  llvm_unreachable("no such unit");
}

/// The same loop on each thread; accumulators start from different values, or
/// they would be one.
static std::string peakText(Unit unit, int64_t vectorBits) {
  StringRef element = unit == Unit::F64 ? "f64" : "f32";
  std::string vector = llvm::formatv(
      "vector<{0}x{1}>", vectorBits / (unit == Unit::F64 ? 64 : 32), element);
  std::string factor = unit == Unit::BF16Dot
                           ? llvm::formatv("vector<{0}xbf16>", vectorBits / 16)
                           : vector;
  std::string step =
      unit == Unit::BF16Dot
          ? "%n{0} = x86vector.avx512.dot %a{0}, %x, %x : " + factor + " -> " +
                vector
          : "%n{0} = vector.fma %a{0}, %x, %x : " + vector;
  std::string start = "%c{0} = arith.constant dense<{0}.0> : " + vector +
                      "\n %i{0} = arith.addf %c{0}, %s : " + vector;
  std::string sum = "%z{1} = arith.addf %z{0}, %r#{0} : " + vector;
  std::string sums = "%z0 = arith.constant dense<0.0> : " + vector + "\n";
  for (int64_t i = 0; i < kAccumulators; ++i)
    sums += llvm::formatv(sum.c_str(), i, i + 1).str() + "\n";
  std::string inits = series("%a{0} = %i{0}", kAccumulators, ", ");
  std::string types = vector;
  for (int64_t i = 1; i < kAccumulators; ++i)
    types += ", " + vector;
  return llvm::formatv(
             R"(func.func @main(%rounds: index, %threads: index, %start: {0}) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = arith.constant dense<0.5> : {1}
  %s = vector.broadcast %start : {0} to {2}
  %out = memref.alloc(%threads) : memref<?x{0}>
  scf.forall (%t) in (%threads) {{
    {3}
    %r:{4} = scf.for %k = %zero to %rounds step %one iter_args({5}) -> ({6}) {{
      {7}
      scf.yield {8} : {6}
    }
    {9}
    %total = vector.reduction <add>, %z{4} : {2} into {0}
    memref.store %total, %out[%t] : memref<?x{0}>
  }
  %result = memref.load %out[%zero] : memref<?x{0}>
  memref.dealloc %out : memref<?x{0}>
  %finite = arith.cmpf ord, %result, %result : {0}
  cf.assert %finite, "not a number"
  return
})",
             element, factor, vector,
             series(start.c_str(), kAccumulators, "\n    "), kAccumulators,
             inits, types, series(step.c_str(), kAccumulators, "\n      "),
             series("%n{0}", kAccumulators, ", "), sums)
      .str();
}

/// Products of tiles into four tiles of sums, which hide their latency.
static std::string tilePeakText() {
  std::string sum = "!amx.tile<16x16xf32>", factor = "!amx.tile<16x32xbf16>";
  std::string zeros = "%z{0} = amx.tile_zero : " + sum;
  std::string step = "%n{0} = amx.tile_mulf %x, %y, %a{0} : " + factor + ", " +
                     factor + ", " + sum;
  std::string store = "amx.tile_store %out[%t, %o], %r#{0} : "
                      "memref<?x16xf32>, " +
                      sum;
  std::string types = sum + ", " + sum + ", " + sum + ", " + sum;
  return llvm::formatv(
             R"(func.func @main(%rounds: index, %threads: index, %start: f32) {{
  %none = arith.constant 0.0 : bf16
  %in = memref.alloc() {{alignment = 64 : i64} : memref<16x32xbf16>
  linalg.fill ins(%none : bf16) outs(%in : memref<16x32xbf16>)
  %rows = arith.constant 16 : index
  %all = arith.muli %threads, %rows : index
  %out = memref.alloc(%all) {{alignment = 64 : i64} : memref<?x16xf32>
  scf.forall (%t) in (%threads) {{
    func.call @loop(%rounds, %in, %out, %t) : (index, memref<16x32xbf16>, memref<?x16xf32>, index) -> ()
  }
  memref.dealloc %in : memref<16x32xbf16>
  memref.dealloc %out : memref<?x16xf32>
  return
}
func.func private @loop(%rounds: index, %in: memref<16x32xbf16>, %out: memref<?x16xf32>, %thread: index) attributes {{llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]} {{
  %o = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rows = arith.constant 16 : index
  %t = arith.muli %thread, %rows : index
  {0}
  %x = amx.tile_load %in[%o, %o] : memref<16x32xbf16> into {1}
  %y = amx.tile_load %in[%o, %o] : memref<16x32xbf16> into {1}
  %r:{2} = scf.for %k = %o to %rounds step %one iter_args({3}) -> ({4}) {{
    {5}
    scf.yield {6} : {4}
  }
  {7}
  return
})",
             series(zeros.c_str(), kTileSums, "\n  "), factor, kTileSums,
             series("%a{0} = %z{0}", kTileSums, ", "), types,
             series(step.c_str(), kTileSums, "\n    "),
             series("%n{0}", kTileSums, ", "),
             series(store.c_str(), kTileSums, "\n  "))
      .str();
}

llvm::Expected<std::unique_ptr<Peak>>
Peak::create(Unit unit, const ::attn::Target &target) {
  auto peak = std::make_unique<Peak>();
  peak->unit = unit;
  bool tiles = unit == Unit::BF16Tiles;
  auto module = compileLoops(
      tiles ? tilePeakText() : peakText(unit, target.vectorBits), target.name);
  if (!module)
    return module.takeError();
  peak->module = std::move(*module);
  auto function = peak->module->lookup("main");
  if (!function)
    return function.takeError();
  peak->function = *function;
  int64_t bits = unit == Unit::F64 ? 64 : 32;
  peak->flopsPerRound = double(kAccumulators) * (target.vectorBits / bits) *
                        (unit == Unit::BF16Dot ? 4 : 2);
  if (tiles)
    peak->flopsPerRound = double(kTileSums) * 2 * 16 * 16 * 32;
  return peak;
}

llvm::Expected<double> Peak::measure(unsigned threads, double milliseconds) {
  llvm::Error error = llvm::Error::success();
  setNumThreads(threads);
  auto seconds = [&](int64_t rounds) {
    int64_t count = threads;
    double start64 = 0;
    float start32 = 0;
    void *start = unit == Unit::F64 ? static_cast<void *>(&start64) : &start32;
    void *args[] = {&rounds, &count, start};
    return secondsOf([&] { error = callCompiled(function, args); });
  };
  if (secondsPerRound == 0) {
    seconds(1000);
    if (error)
      return error;
    constexpr int64_t probe = 100000;
    secondsPerRound = seconds(probe) / probe;
  }
  int64_t rounds = std::max(1000.0, milliseconds * 1e-3 / secondsPerRound);
  double taken = seconds(rounds);
  if (error)
    return error;
  return flopsPerRound * rounds * threads / taken;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Each thread sums its part; parts are whole steps.
static std::string readText(int64_t vectorBits) {
  std::string vector = llvm::formatv("vector<{0}xf32>", vectorBits / 32);
  int64_t lanes = vectorBits / 32;
  std::string types = vector, body, sums;
  for (int64_t i = 0; i < kStreams; ++i) {
    if (i)
      types += ", " + vector;
    body += llvm::formatv("%o{0} = arith.constant {1} : index\n"
                          "%p{0} = arith.addi %k, %o{0} : index\n"
                          "%v{0} = vector.load %buffer[%p{0}] : memref<?xf32>, "
                          "{2}\n%n{0} = arith.addf %a{0}, %v{0} : {2}\n",
                          i, i * lanes, vector);
    sums += llvm::formatv("%z{1} = arith.addf %z{0}, %r#{0} : {2}\n", i, i + 1,
                          vector);
  }
  return llvm::formatv(
             R"(func.func @main(%buffer: memref<?xf32>, %threads: index) {{
  %zero = arith.constant 0 : index
  %step = arith.constant {0} : index
  %z0 = arith.constant dense<0.0> : {1}
  %size = memref.dim %buffer, %zero : memref<?xf32>
  %share = arith.divui %size, %threads : index
  %steps = arith.divui %share, %step : index
  %part = arith.muli %steps, %step : index
  %out = memref.alloc(%threads) : memref<?xf32>
  scf.forall (%t) in (%threads) {{
    %from = arith.muli %t, %part : index
    %to = arith.addi %from, %part : index
    %r:{2} = scf.for %k = %from to %to step %step iter_args({3}) -> ({4}) {{
      {5}
      scf.yield {6} : {4}
    }
    {7}
    %total = vector.reduction <add>, %z{2} : {1} into f32
    memref.store %total, %out[%t] : memref<?xf32>
  }
  %result = memref.load %out[%zero] : memref<?xf32>
  memref.dealloc %out : memref<?xf32>
  %finite = arith.cmpf ord, %result, %result : f32
  cf.assert %finite, "not a number"
  return
})",
             kStreams * lanes, vector, kStreams,
             series("%a{0} = %z0", kStreams, ", "), types, body,
             series("%n{0}", kStreams, ", "), sums)
      .str();
}

llvm::Expected<std::unique_ptr<ReadBandwidth>>
ReadBandwidth::create(const ::attn::Target &target, int64_t bytes) {
  auto result = std::make_unique<ReadBandwidth>();
  auto module = compileLoops(readText(target.vectorBits), target.name);
  if (!module)
    return module.takeError();
  result->module = std::move(*module);
  auto function = result->module->lookup("main");
  if (!function)
    return function.takeError();
  result->function = *function;
  bytes = llvm::alignTo(bytes, 4096);
  result->elements = bytes / 4;
  result->buffer = static_cast<float *>(std::aligned_alloc(4096, bytes));
  if (!result->buffer)
    return llvm::createStringError(
        "cannot allocate %lld bytes to measure the read bandwidth with",
        static_cast<long long>(bytes));
  std::fill_n(result->buffer, result->elements, 1.0f);
  return result;
}

ReadBandwidth::~ReadBandwidth() { std::free(buffer); }

llvm::Expected<double> ReadBandwidth::measure(unsigned threads) {
  setNumThreads(threads);
  int64_t offset = 0, stride = 1, count = threads;
  void *args[] = {&buffer, &buffer, &offset, &elements, &stride, &count};
  llvm::Error error = llvm::Error::success();
  double taken = secondsOf([&] { error = callCompiled(function, args); });
  if (error)
    return error;
  return elements * 4.0 / taken;
}
