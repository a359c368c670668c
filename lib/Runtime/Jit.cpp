//===- Jit.cpp - compile an LLVM-dialect module and call into it ----------===//
#include "attn/Runtime/Jit.h"
#include "attn/CostModel/Target.h"
#include "attn/IR/AttnDialect.h"
#include "attn/Runtime/AllocationLog.h"
#include "attn/Runtime/CpuSpec.h"
#include "attn/Runtime/Diagnostics.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <omp.h>

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Failed assertions
//===----------------------------------------------------------------------===//

namespace {
/// Where a failed assertion of compiled code returns to. Only C frames and
/// compiled code lie between, neither of which has anything to unwind.
struct Trap {
  std::jmp_buf target;
  std::string message;
};
} // namespace

static thread_local Trap *currentTrap = nullptr;

/// cf.assert prints its message with puts and then calls abort.
static int trapPuts(const char *message) {
  if (currentTrap)
    currentTrap->message = message;
  return 0;
}

[[noreturn]] static void trapAbort() {
  if (currentTrap)
    std::longjmp(currentTrap->target, 1);
  // On a thread of a parallel loop there is no way back.
  std::fputs("error: the program stopped itself on a worker thread\n", stderr);
  std::_Exit(2);
}

/// The error of a null pointer that compiled code would not check.
static void *checkAllocated(void *block, size_t bytes) {
  if (!block) {
    trapPuts(("cannot allocate " + std::to_string(bytes) + " bytes").c_str());
    trapAbort();
  }
  return block;
}

static void *trapMalloc(size_t bytes) {
  return checkAllocated(AllocationLog::allocate(bytes), bytes);
}

static void *trapAlignedAlloc(size_t alignment, size_t bytes) {
  return checkAllocated(AllocationLog::allocate(bytes, alignment), bytes);
}

llvm::Error mlir::attn::callCompiled(CompiledModule::PackedFunction function,
                                     void **args) {
  Trap trap;
  currentTrap = &trap;
  if (setjmp(trap.target) == 0) {
    function(args);
    currentTrap = nullptr;
    return llvm::Error::success();
  }
  currentTrap = nullptr;
  return llvm::createStringError("the program stopped itself: " + trap.message);
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// Leaves only the engine's wrappers visible, so that each function is compiled
/// once, inlined into its wrapper or not, and never a second time by itself.
static void internalizeBehindWrappers(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || function.getName().starts_with("_mlir_"))
      continue;
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

/// What compiled code finds here and not in a library.
static llvm::StringMap<void *>
getRuntimeFunctions(const llvm::StringMap<void *> &extra) {
  llvm::StringMap<void *> functions = extra;
  functions["malloc"] = reinterpret_cast<void *>(&trapMalloc);
  functions["aligned_alloc"] = reinterpret_cast<void *>(&trapAlignedAlloc);
  functions["free"] = reinterpret_cast<void *>(&AllocationLog::release);
  functions["puts"] = reinterpret_cast<void *>(&trapPuts);
  functions["abort"] = reinterpret_cast<void *>(&trapAbort);
  return functions;
}

static llvm::orc::SymbolMap
toSymbolMap(llvm::orc::MangleAndInterner interner,
            const llvm::StringMap<void *> &functions) {
  llvm::orc::SymbolMap map;
  for (const auto &entry : functions)
    map[interner(entry.getKey())] = {
        llvm::orc::ExecutorAddr::fromPtr(entry.getValue()),
        llvm::JITSymbolFlags::Exported};
  return map;
}

/// The runtime of parallel loops; any function that other OpenMP runtimes do
/// not have as well.
extern "C" int32_t __kmpc_global_thread_num(void *);

/// The libraries that compiled code calls into, by path: where this library was
/// opened for its opener alone, as Python does it, a lookup by name in the
/// process finds nothing, or another OpenMP's functions.
static SmallVector<StringRef, 2> getRuntimeLibraries() {
  SmallVector<StringRef, 2> paths;
  for (void *address :
       {reinterpret_cast<void *>(&__kmpc_global_thread_num),
        reinterpret_cast<void *>(static_cast<double (*)(double)>(&std::erf))}) {
    Dl_info info;
    if (dladdr(address, &info) && info.dli_fname)
      paths.push_back(info.dli_fname);
  }
  return paths;
}

/// Whether a symbol can be found in a library by a path, or in the process.
static bool isInLibraries(const std::string &name,
                          ArrayRef<StringRef> libraries) {
  if (dlsym(RTLD_DEFAULT, name.c_str()))
    return true;
  return llvm::any_of(libraries, [&](StringRef path) {
    void *handle = dlopen(path.str().c_str(), RTLD_LAZY | RTLD_NOLOAD);
    bool found = handle && dlsym(handle, name.c_str());
    if (handle)
      dlclose(handle);
    return found;
  });
}

/// What the module declares and uses but nobody defines, as diagnostics. The
/// engine would find it as well, too late to say where it is.
static llvm::Error checkSymbols(ModuleOp module,
                                const llvm::StringMap<void *> &functions,
                                ArrayRef<StringRef> libraries) {
  std::vector<DiagnosticRecord> missing;
  auto check = [&](Operation &op, StringRef name) {
    if (!functions.contains(name) && !isInLibraries(name.str(), libraries) &&
        !SymbolTable::symbolKnownUseEmpty(&op, module))
      missing.push_back(errorAt(
          op.getLoc(), ("'@" + name +
                        "' is declared here and defined nowhere: expected a "
                        "body, or a library of this process that has it")
                           .str()));
  };
  for (Operation &op : *module.getBody()) {
    if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op)) {
      if (function.isExternal() && !function.getName().starts_with("llvm."))
        check(op, function.getName());
    } else if (auto global = dyn_cast<LLVM::GlobalOp>(op)) {
      if (global.getLinkage() == LLVM::Linkage::External &&
          !global.getValueAttr() && !global.getInitializerBlock())
        check(op, global.getName());
    }
  }
  if (missing.empty())
    return llvm::Error::success();
  return llvm::make_error<LocatedError>(std::move(missing));
}

/// The machine that the module is for; host code around GPU kernels is for
/// this one.
static llvm::Expected<llvm::orc::JITTargetMachineBuilder>
getMachineBuilder(ModuleOp module) {
  auto attr = module->getAttrOfType<TargetAttr>("attn.target");
  if (!attr)
    return llvm::orc::JITTargetMachineBuilder::detectHost();
  auto target = ::attn::findTarget(attr.getName());
  if (!target)
    return target.takeError();
  if (target->isGpu())
    return llvm::orc::JITTargetMachineBuilder::detectHost();
  llvm::Expected<CpuSpec> cpu = getCpuSpec(attr.getName());
  if (!cpu)
    return cpu.takeError();
  if (llvm::Error error = checkRunsHere(*cpu, attr.getName()))
    return std::move(error);
  llvm::orc::JITTargetMachineBuilder builder{llvm::Triple(cpu->triple)};
  builder.setCPU(cpu->cpu);
  builder.addFeatures(llvm::SubtargetFeatures(cpu->features).getFeatures());
  return builder;
}

CompiledModule::CompiledModule(std::unique_ptr<ExecutionEngine> engine)
    : engine(std::move(engine)) {}
CompiledModule::~CompiledModule() = default;

llvm::Expected<std::unique_ptr<CompiledModule>>
CompiledModule::create(ModuleOp module, Unrolling unrolling,
                       const llvm::StringMap<void *> &symbols) {
  initializeTargets();
  auto builder = getMachineBuilder(module);
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  // One machine for the optimiser's cost model; the engine keeps the other.
  auto costMachine = builder->createTargetMachine();
  if (!costMachine)
    return costMachine.takeError();
  auto engineMachine = builder->createTargetMachine();
  if (!engineMachine)
    return engineMachine.takeError();

  auto transformer = [&](llvm::Module *llvmModule) {
    internalizeBehindWrappers(*llvmModule);
    optimize(*llvmModule, **costMachine, unrolling);
    return llvm::Error::success();
  };
  ExecutionEngineOptions options;
  options.transformer = transformer;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  SmallVector<StringRef, 2> libraries = getRuntimeLibraries();
  options.sharedLibPaths = libraries;
  llvm::StringMap<void *> functions = getRuntimeFunctions(symbols);
  if (llvm::Error error = checkSymbols(module, functions, libraries))
    return std::move(error);
  auto engine =
      ExecutionEngine::create(module, options, std::move(*engineMachine));
  if (!engine)
    return engine.takeError();
  // Before initialize: global constructors may already call them.
  (*engine)->registerSymbols([&](llvm::orc::MangleAndInterner interner) {
    return toSymbolMap(std::move(interner), functions);
  });
  (*engine)->initialize();
  return std::unique_ptr<CompiledModule>(
      new CompiledModule(std::move(*engine)));
}

llvm::Expected<CompiledModule::PackedFunction>
CompiledModule::lookup(StringRef name) const {
  return engine->lookupPacked(name);
}

unsigned mlir::attn::setNumThreads(unsigned threads) {
  if (threads != 0)
    omp_set_num_threads(static_cast<int>(threads));
  // Threads that wait by spinning are welcome on a core of their own; where
  // there are more threads than cores they keep the others from working.
  bool crowded = omp_get_max_threads() > omp_get_num_procs();
  kmp_set_blocktime(crowded ? 0 : 200);
  return static_cast<unsigned>(omp_get_max_threads());
}
