//===- ObjectCode.cpp - objects and libraries for CPUs --------------------===//
#include "attn/Runtime/ObjectCode.h"
#include "attn/Runtime/Optimize.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const CpuSpec &spec) {
  initializeTargets();
  std::string error;
  llvm::Triple triple(spec.triple);
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError(error);
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, spec.cpu, spec.features, llvm::TargetOptions(), llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

/// Only what the exported functions are called remains visible.
static void internalizeOthers(llvm::Module &module,
                              ArrayRef<std::string> exported) {
  for (llvm::Function &function : module) {
    StringRef name = function.getName();
    name.consume_front("_mlir_ciface_");
    if (!function.isDeclaration() && !llvm::is_contained(exported, name))
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

/// What an assertion says is on stdout before it ends the process: abort does
/// not write what a pipe or a file has in its buffer.
static void flushBeforeAborts(llvm::Module &module) {
  llvm::Function *abort = module.getFunction("abort");
  if (!abort)
    return;
  llvm::IRBuilder<> b(module.getContext());
  llvm::FunctionCallee flush =
      module.getOrInsertFunction("fflush", b.getInt32Ty(), b.getPtrTy());
  for (llvm::User *user : abort->users())
    if (auto *call = dyn_cast<llvm::CallInst>(user)) {
      b.SetInsertPoint(call);
      b.CreateCall(flush, llvm::ConstantPointerNull::get(b.getPtrTy()));
    }
}

llvm::Expected<std::string>
mlir::attn::compileToObject(ModuleOp module, ArrayRef<std::string> exported,
                            const CpuSpec &spec) {
  auto machine = createMachine(spec);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(module, context);
  if (!llvmModule)
    return llvm::createStringError("cannot translate the module to LLVM IR");
  llvmModule->setTargetTriple((*machine)->getTargetTriple());
  llvmModule->setDataLayout((*machine)->createDataLayout());
  internalizeOthers(*llvmModule, exported);
  flushBeforeAborts(*llvmModule);
  optimize(*llvmModule, **machine, Unrolling::AsWritten);

  SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::legacy::PassManager codegen;
  if ((*machine)->addPassesToEmitFile(codegen, os, nullptr,
                                      llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("no object files for " + spec.triple);
  codegen.run(*llvmModule);
  return std::string(bytes.data(), bytes.size());
}

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

static llvm::Expected<std::string> findLinker() {
  for (StringRef name : {"clang-22", "clang", "cc", "gcc"})
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return llvm::createStringError(
      "expected clang-22, clang, cc or gcc on PATH to link a shared library");
}

/// Runs the linker; its own words are in the error.
static llvm::Error link(StringRef linker, StringRef object, StringRef library,
                        const CpuSpec &spec) {
  SmallString<128> log;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("attn-link", "log", log))
    return llvm::createStringError(code.message());
  llvm::FileRemover removeLog(log);
  StringRef openmp = ATTN_OPENMP_LIBRARY;
  std::string rpath =
      ("-Wl,-rpath," + llvm::sys::path::parent_path(openmp)).str();
  std::string target = "--target=" + spec.triple;
  SmallVector<StringRef> arguments{linker,  "-shared", "-o",
                                   library, object,    "-Wl,--as-needed",
                                   openmp,  rpath,     "-lm"};
  if (spec.triple != llvm::sys::getProcessTriple())
    arguments.push_back(target);
  std::optional<StringRef> redirects[] = {std::nullopt, StringRef(log),
                                          StringRef(log)};
  if (llvm::sys::ExecuteAndWait(linker, arguments, std::nullopt, redirects) ==
      0)
    return llvm::Error::success();
  auto text = llvm::MemoryBuffer::getFile(log);
  return llvm::createStringError("the linker " + linker + " failed: " +
                                 (text ? (*text)->getBuffer() : ""));
}

llvm::Expected<std::string> mlir::attn::compileToSharedLibrary(
    ModuleOp module, ArrayRef<std::string> exported, const CpuSpec &spec) {
  auto linker = findLinker();
  if (!linker)
    return linker.takeError();
  auto object = compileToObject(module, exported, spec);
  if (!object)
    return object.takeError();
  SmallString<128> objectPath, libraryPath;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("attn", "o", objectPath))
    return llvm::createStringError(code.message());
  llvm::FileRemover removeObject(objectPath);
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("attn", "so", libraryPath))
    return llvm::createStringError(code.message());
  llvm::FileRemover removeLibrary(libraryPath);
  std::error_code code;
  {
    llvm::raw_fd_ostream os(objectPath, code);
    if (code)
      return llvm::createStringError(objectPath + ": " + code.message());
    os << *object;
  }
  if (llvm::Error error = link(*linker, objectPath, libraryPath, spec))
    return error;
  auto library = llvm::MemoryBuffer::getFile(libraryPath, /*IsText=*/false,
                                             /*RequiresNullTerminator=*/false);
  if (!library)
    return llvm::createStringError(libraryPath + ": " +
                                   library.getError().message());
  return (*library)->getBuffer().str();
}
