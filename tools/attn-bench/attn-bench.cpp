//===- attn-bench.cpp - how fast, of what the machine can do --------------===//
#include "Runner.h"
#include "Tables.h"
#include "attn/Runtime/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/TargetParser/Host.h"
#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace mlir::attn;
using namespace mlir::attn::bench;

namespace {
struct Options {
  std::string shape, dtype = "f32", mask = "none", score = "none";
  std::string target, tiling;
  unsigned kvHeads = 0, kvLength = 0, threads = 1, milliseconds = 400;
  bool backward = false, json = false;
};
} // namespace

static void addOptions(CommandLine &line, Options &options) {
  line.text("shape", options.shape, "B,H,N,D",
            "batch, query heads, queries, depth (default: all tables)");
  line.number("kv-heads", options.kvHeads, "H", "heads of K and V");
  line.number("kv-len", options.kvLength, "N", "keys");
  line.text("dtype", options.dtype, "f32|f64|f16|bf16", "type of the operands");
  line.text("mask", options.mask, "none|causal|window=W",
            "which keys are seen");
  line.text("score", options.score, "none|bias|softcap", "what scores become");
  line.flag("backward", options.backward, "the gradients of Q, K and V");
  line.number("threads", options.threads, "N", "threads (default: 1)");
  line.text("target", options.target, "NAME|FILE",
            "CPU to compile for (default: this one)");
  line.text("tiling", options.tiling, "TILING", "instead of the chosen one");
  line.number("budget", options.milliseconds, "MS",
              "milliseconds of measuring per case (default: 400)");
  line.flag("json", options.json, "print JSON");
}

static llvm::Expected<Case> caseOf(const Options &options) {
  Case item;
  if (llvm::Error error = parseShape(options.shape, item))
    return std::move(error);
  if (llvm::Error error = parseType(options.dtype, item))
    return std::move(error);
  if (llvm::Error error = parseMask(options.mask, item))
    return std::move(error);
  if (llvm::Error error = parseScore(options.score, item))
    return std::move(error);
  item.kvHeads = options.kvHeads;
  item.keys = options.kvLength;
  item.backward = options.backward;
  item.target = options.target;
  item.threads = options.threads;
  if (item.kvHeads && item.heads % item.kvHeads)
    return llvm::createStringError(
        "--kv-heads: expected a divisor of the %lld query heads, got %u",
        static_cast<long long>(item.heads), options.kvHeads);
  constexpr unsigned most = 1024;
  if (item.threads == 0 || item.threads > most)
    return llvm::createStringError("--threads: expected 1 to %u, got %u", most,
                                   item.threads);
  return item;
}

/// All tables, for the target that was asked for.
static llvm::Expected<std::vector<Table>> tablesFor(const Options &options) {
  Options none;
  if (options.dtype != none.dtype || options.mask != none.mask ||
      options.score != none.score || options.kvHeads || options.kvLength ||
      options.backward || options.threads != none.threads)
    return llvm::createStringError(
        "expected --shape=B,H,N,D beside options that describe one attention, "
        "got none: the tables have their own");
  std::vector<Table> tables = allTables();
  for (Table &table : tables)
    for (Case &item : table.cases)
      if (item.target.empty())
        item.target = options.target;
  return tables;
}

/// What Linux calls the CPU; LLVM's name is that of a scheduling model.
static std::string machineName() {
  auto file = llvm::MemoryBuffer::getFileAsStream("/proc/cpuinfo");
  llvm::StringRef rest = file ? (*file)->getBuffer() : "";
  size_t at = rest.find("model name");
  std::string llvmName = llvm::sys::getHostCPUName().str();
  if (at == llvm::StringRef::npos)
    return llvmName;
  llvm::StringRef line = rest.substr(at).split('\n').first;
  return (line.split(':').second.trim() + " (LLVM: " + llvmName + ")").str();
}

static void printHeader() {
  llvm::outs() << llvm::formatv("{0,-44}{1,10}{2,9}{3,9}{4,8}{5,11}{6,9}\n",
                                "case", "ms", "GFLOP/s", "peak", "share",
                                "extra KiB", "compile");
}

static void print(const Result &result) {
  llvm::outs() << llvm::formatv(
      "{0,-44}{1,10:f3}{2,9:f1}{3,9:f1}{4,8:f3}{5,11:f0}{6,9:f0}",
      result.item.name(), result.milliseconds, result.rate * 1e-9,
      result.peak * 1e-9, result.rate / result.peak, result.extraBytes / 1024,
      result.compileMilliseconds);
  if (result.isDecode())
    llvm::outs() << llvm::formatv("  {0:f1} of {1:f1} GB/s = {2:f3}",
                                  result.read * 1e-9, result.readPeak * 1e-9,
                                  result.share());
  llvm::outs() << '\n';
  llvm::outs().flush();
}

/// Each call allocates its results. Were their pages given back to the system
/// in between, to zero them again would be part of every time.
static void keepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

int main(int argc, char **argv) {
  keepFreedMemory();
  CommandLine line("attn-bench [options]",
                   "Times attentions against the machine's peak, measured in "
                   "the same run; without options, all tables.");
  Options options;
  addOptions(line, options);
  std::vector<std::string> positional;
  auto usageError = [](llvm::Error error) {
    llvm::WithColor::error() << llvm::toString(std::move(error)) << '\n';
    return 2;
  };
  if (llvm::Error error = line.parse(argc, argv, positional))
    return usageError(std::move(error));
  if (line.helpRequested()) {
    line.printHelp(llvm::outs());
    return 0;
  }
  if (!positional.empty())
    return usageError(llvm::createStringError("expected options only, got '" +
                                              positional.front() + "'"));

  std::vector<Table> tables;
  if (options.shape.empty()) {
    llvm::Expected<std::vector<Table>> all = tablesFor(options);
    if (!all)
      return usageError(all.takeError());
    tables = std::move(*all);
  } else {
    llvm::Expected<Case> item = caseOf(options);
    if (!item)
      return usageError(item.takeError());
    tables.push_back({"", {*item}});
  }
  Runner runner(options.milliseconds, options.tiling);
  llvm::json::Array jsonTables;
  if (!options.json)
    llvm::outs() << "machine: " << machineName() << '\n';
  for (const Table &table : tables) {
    llvm::json::Array rows;
    if (!options.json) {
      if (!table.title.empty())
        llvm::outs() << '\n' << table.title << '\n';
      printHeader();
    }
    for (const Case &item : table.cases) {
      llvm::Expected<Result> result = runner.measure(item);
      if (!result)
        return usageError(result.takeError());
      if (options.json)
        rows.push_back(result->toJson());
      else
        print(*result);
    }
    jsonTables.push_back(
        llvm::json::Object{{"title", table.title}, {"rows", std::move(rows)}});
  }
  if (options.json)
    llvm::outs() << llvm::formatv(
        "{0:2}\n",
        llvm::json::Value(llvm::json::Object{
            {"machine", machineName()}, {"tables", std::move(jsonTables)}}));
  return 0;
}
