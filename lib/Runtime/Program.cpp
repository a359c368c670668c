//===- Program.cpp - a compiled file --------------------------------------===//
//
// Compilation; ProgramCall.cpp holds the calls.
//
//===----------------------------------------------------------------------===//
#include "attn/Runtime/Program.h"
#include "DeviceCode.h"
#include "attn/Pipelines/Parse.h"
#include "attn/Pipelines/Registration.h"
#include "attn/Runtime/CpuSpec.h"
#include "attn/Tile/CostQuery.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
/// A context for one piece of work, which keeps what is said about it.
class Workspace {
public:
  explicit Workspace(std::shared_ptr<RemarkLog> remarks)
      : handler(&context, records) {
    DialectRegistry registry;
    registerEveryDialect(registry);
    context.appendDialectRegistry(registry);
    context.printOpOnDiagnostic(false);
    if (failed(recordRemarks(context, std::move(remarks))))
      emitError(UnknownLoc::get(&context), "cannot record remarks");
  }

  OwningOpRef<ModuleOp> parse(StringRef text, StringRef name) {
    return parseModule(text, name, &context);
  }

  /// What was said, as an error.
  llvm::Error takeError() {
    if (records.empty())
      records.push_back({"error", "", 0, 0, "compilation failed"});
    return llvm::make_error<LocatedError>(std::move(records));
  }

private:
  MLIRContext context{MLIRContext::Threading::DISABLED};
  std::vector<DiagnosticRecord> records;
  DiagnosticLog handler;
};
} // namespace

Program::Program() = default;
Program::~Program() = default;

llvm::Expected<std::unique_ptr<Program>>
Program::compile(StringRef text, StringRef name,
                 const ProgramOptions &options) {
  std::unique_ptr<Program> program(new Program);
  program->text = text.str();
  program->name = name.str();
  program->options = options;
  program->options.pipeline.destinations = true;
  Workspace workspace(program->remarks);
  OwningOpRef<ModuleOp> module = workspace.parse(text, name);
  if (!module || failed(program->build(*module)))
    return workspace.takeError();
  return program;
}

llvm::Expected<std::unique_ptr<Program>>
Program::compileFile(StringRef path, const ProgramOptions &options) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path +
                                   "': " + buffer.getError().message());
  return compile((*buffer)->getBuffer(), path, options);
}

/// Why code for the module's target cannot be called from here; empty if it
/// can.
static std::string findObstacle(ModuleOp module,
                                const ::attn::Target &machine) {
  if (machine.isGpu())
    return "it was compiled for '" + machine.name +
           "'; compile it for a CPU, with an executor (emulator or cuda), or "
           "emit it";
  // By the name that the user gave it, which may be a file's.
  auto target = module->getAttrOfType<TargetAttr>("attn.target");
  StringRef name = target ? target.getName() : "host";
  llvm::Expected<CpuSpec> spec = getCpuSpec(name);
  if (!spec)
    return llvm::toString(spec.takeError());
  return llvm::toString(checkRunsHere(*spec, name));
}

/// The device that is asked for; null for none. Its chip is the target where no
/// other is named.
LogicalResult Program::openDevice(ModuleOp module,
                                  std::unique_ptr<LaunchDevice> &device) {
  if (options.executor.empty())
    return success();
  auto created = createExecutor(options.executor, {});
  if (!created)
    return emitTo(module.getLoc(), created.takeError());
  device = std::move(*created);
  if (device && options.pipeline.target.empty() &&
      !module->hasAttr("attn.target"))
    options.pipeline.target = device->chip();
  return success();
}

LogicalResult Program::checkDevice(ModuleOp module,
                                   const ::attn::Target &machine,
                                   const LaunchDevice *device) const {
  if (!device || machine.isGpu())
    return success();
  return module.emitError("executor '" + options.executor +
                          "' runs kernels of GPUs, but the target '" +
                          machine.name + "' is a CPU; leave one of them out");
}

LogicalResult Program::build(ModuleOp module) {
  FailureOr<func::FuncOp> found = findEntry(module, options.entry);
  if (failed(found))
    return failure();
  FailureOr<EntryPoint> signature = getEntryPoint(*found);
  if (failed(signature))
    return failure();
  entry = std::move(*signature);
  for (auto other : module.getOps<func::FuncOp>())
    if (other != *found)
      other.setPrivate();

  std::unique_ptr<LaunchDevice> device;
  if (failed(openDevice(module, device)))
    return failure();
  OwningOpRef<ModuleOp> original;
  if (needsShapeGuard(entry))
    original = OwningOpRef<ModuleOp>(module.clone());
  if (failed(runCompilerPipeline(module, std::nullopt, Phase::Attn,
                                 options.pipeline)))
    return failure();
  FailureOr<::attn::Target> machine = attn::getTarget(module);
  if (failed(machine) || failed(checkDevice(module, *machine, device.get())))
    return failure();
  target = machine->name;
  attentions = findAttentions(module);
  obstacle = device ? "" : findObstacle(module, *machine);
  if (!obstacle.empty())
    return success();
  if (original) {
    auto made = ShapeGuard::create(
        *original, attentions.empty() ? ModuleOp() : module, entry);
    if (!made)
      return emitTo(module.getLoc(), made.takeError());
    guard = std::move(*made);
  }
  return makeCallable(module, std::move(device));
}

LogicalResult Program::makeCallable(ModuleOp module,
                                    std::unique_ptr<LaunchDevice> device) {
  if (failed(runCompilerPipeline(module, Phase::Attn, Phase::LLVM,
                                 options.pipeline)))
    return failure();
  if (device) {
    auto code = DeviceCode::create(module, entry, std::move(device));
    if (!code)
      return emitTo(module.getLoc(), code.takeError());
    onDevice = std::move(*code);
    return success();
  }
  auto jit = CompiledModule::create(module);
  if (!jit)
    return emitTo(module.getLoc(), jit.takeError());
  compiled = std::move(*jit);
  auto address = compiled->lookup(entry.name);
  if (!address)
    return emitTo(module.getLoc(), address.takeError());
  function = *address;
  return success();
}

llvm::Expected<Emitted> Program::emit(StringRef kind) const {
  llvm::Expected<Emission> emission = findEmission(kind);
  if (!emission)
    return emission.takeError();
  Workspace workspace(std::make_shared<RemarkLog>());
  OwningOpRef<ModuleOp> module = workspace.parse(text, name);
  if (!module)
    return workspace.takeError();
  PipelineOptions pipeline = options.pipeline;
  pipeline.destinations = false;
  FailureOr<Emitted> emitted =
      attn::emit(*module, *emission, entry.name, pipeline);
  if (failed(emitted))
    return workspace.takeError();
  return std::move(*emitted);
}
