//===- attn-compile.cpp - a file to IR, an object or a library ------------===//
#include "attn/Pipelines/Registration.h"
#include "attn/Runtime/EntryPoint.h"
#include "attn/Runtime/ObjectCode.h"
#include "attn/Runtime/RemarkLog.h"
#include "attn/Runtime/ToolOptions.h"
#include "attn/Support/AtomicFile.h"
#include "attn/Tile/CostQuery.h"
#include "attn/Tile/Ledger.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
enum class OutputKind { IR, Object, SharedLibrary, Ledger };

/// What --emit may say: how far to compile, and what to write then.
struct Emission {
  StringRef name;
  Phase phase;
  OutputKind kind;
};

struct Options {
  std::string input, entry, output, emit = "llvm", remarks;
  PipelineOptions pipeline;
};
} // namespace

static constexpr Emission emissions[] = {
    {"attn", Phase::Attn, OutputKind::IR},
    {"tiled", Phase::Tiled, OutputKind::IR},
    {"vector", Phase::Vector, OutputKind::IR},
    {"llvm", Phase::LLVM, OutputKind::IR},
    {"obj", Phase::LLVM, OutputKind::Object},
    {"shared", Phase::LLVM, OutputKind::SharedLibrary},
    {"ledger", Phase::Attn, OutputKind::Ledger},
};

static LogicalResult fail(const Twine &message) {
  llvm::WithColor::error() << message << '\n';
  return failure();
}

static LogicalResult fail(llvm::Error error) {
  return fail(llvm::toString(std::move(error)));
}

static FailureOr<Emission> findEmission(StringRef name) {
  std::string names;
  for (const Emission &emission : emissions) {
    if (emission.name == name)
      return emission;
    names += (names.empty() ? "" : ", ") + emission.name.str();
  }
  return fail("--emit: expected one of " + names + ", got '" + name + "'");
}

/// Makes `entry`, where one is named, the only public function. Returns the
/// names of the public ones; with `cInterface` they are callable from C.
static FailureOr<std::vector<std::string>>
exportFunctions(ModuleOp module, StringRef entry, bool cInterface) {
  if (!entry.empty()) {
    FailureOr<func::FuncOp> kept = findEntry(module, entry);
    if (failed(kept))
      return failure();
    for (auto function : module.getOps<func::FuncOp>())
      if (function != *kept)
        function.setPrivate();
  }
  std::vector<std::string> names;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    names.push_back(function.getName().str());
    if (cInterface)
      function->setAttr("llvm.emit_c_interface",
                        UnitAttr::get(module.getContext()));
  }
  return names;
}

/// The cost model's account of each attention, with its place in the file.
static llvm::Expected<std::string> renderLedger(ModuleOp module) {
  llvm::json::Array entries;
  WalkResult walked = module.walk([&](ScoreOpInterface op) {
    if (!choosesTiling(op))
      return WalkResult::advance();
    FailureOr<llvm::json::Object> ledger = getLedger(op);
    if (failed(ledger))
      return WalkResult::interrupt();
    (*ledger)["loc"] = formatLocation(op.getLoc());
    entries.push_back(std::move(*ledger));
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return llvm::createStringError("expected every attention to have a ledger");
  llvm::json::Value report =
      llvm::json::Object{{"attentions", std::move(entries)}};
  return llvm::formatv("{0:2}\n", report).str();
}

static llvm::Expected<std::string> render(ModuleOp module, OutputKind kind,
                                          ArrayRef<std::string> exported,
                                          const CpuSpec &spec) {
  switch (kind) {
  case OutputKind::Object:
    return compileToObject(module, exported, spec);
  case OutputKind::SharedLibrary:
    return compileToSharedLibrary(module, exported, spec);
  case OutputKind::Ledger:
    return renderLedger(module);
  case OutputKind::IR:
    break;
  }
  std::string text;
  llvm::raw_string_ostream(text) << module << '\n';
  return text;
}

static LogicalResult write(StringRef path, StringRef contents) {
  if (path.empty() || path == "-") {
    llvm::outs() << contents;
    return success();
  }
  if (llvm::Error error = ::attn::writeFileAtomically(path, contents))
    return fail(std::move(error));
  return success();
}

static LogicalResult compile(const Options &options) {
  FailureOr<Emission> emission = findEmission(options.emit);
  if (failed(emission))
    return failure();
  bool isBinary = emission->kind == OutputKind::Object ||
                  emission->kind == OutputKind::SharedLibrary;
  if (isBinary && (options.output.empty() || options.output == "-"))
    return fail("--emit=" + options.emit + " expects -o=FILE");
  if (llvm::Error error = checkRemarksPattern(options.remarks))
    return fail(std::move(error));
  CpuSpec spec;
  if (isBinary) {
    auto found = getCpuSpec(options.pipeline.target);
    if (!found)
      return fail(found.takeError());
    spec = *found;
  }

  DialectRegistry registry;
  registerEveryDialect(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  auto remarks = std::make_shared<RemarkLog>();
  if (failed(recordRemarks(context, remarks)))
    return failure();
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(options.input, sources, &context);
  if (!module)
    return failure();
  auto exported = exportFunctions(*module, options.entry, isBinary);
  if (failed(exported))
    return failure();
  LogicalResult lowered = runCompilerPipeline(
      *module, std::nullopt, emission->phase, options.pipeline);
  printRemarks(*remarks, options.remarks, llvm::errs());
  if (failed(lowered))
    return failure();
  auto contents = render(*module, emission->kind, *exported, spec);
  if (!contents)
    return fail(contents.takeError());
  return write(options.output, *contents);
}

int main(int argc, char **argv) {
  constexpr int failureCode = 2;
  Options options;
  CommandLine line("attn-compile IN.mlir --emit=KIND -o=OUT [options]",
                   "Compiles a file and writes the IR of a phase, an object "
                   "file or a shared library.");
  line.text("entry", options.entry, "NAME",
            "keep this function public and no other");
  line.text("emit", options.emit, "attn|tiled|vector|llvm|obj|shared|ledger",
            "what to write (default: llvm)");
  line.text("o", options.output, "OUT", "where to (default: stdout, for IR)");
  addPipelineOptions(line, options.pipeline);
  addRemarksOption(line, options.remarks);
  std::vector<std::string> inputs;
  if (llvm::Error error = line.parse(argc, argv, inputs)) {
    (void)fail(std::move(error));
    return failureCode;
  }
  if (line.helpRequested()) {
    line.printHelp(llvm::outs());
    return 0;
  }
  if (inputs.size() != 1) {
    (void)fail("expected one input file, got " + Twine(inputs.size()) +
               "; usage: attn-compile IN.mlir --emit=KIND -o=OUT");
    return failureCode;
  }
  options.input = inputs.front();
  return succeeded(compile(options)) ? 0 : failureCode;
}
