//===- Ptxas.cpp - from PTX to machine code -------------------------------===//
#include "attn/Runtime/Ptxas.h"
#include "attn/Support/AtomicFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include <cstdlib>

using namespace mlir::attn;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

llvm::json::Object KernelResources::toJson() const {
  return llvm::json::Object{{"name", kernel},
                            {"registers", registers},
                            {"spill_store_bytes", spillStoreBytes},
                            {"spill_load_bytes", spillLoadBytes},
                            {"stack_bytes", stackBytes},
                            {"static_shared_bytes", sharedBytes},
                            {"barriers", barriers}};
}

//===----------------------------------------------------------------------===//
// Finding it
//===----------------------------------------------------------------------===//

static std::string join(llvm::StringRef folder, const llvm::Twine &file) {
  llvm::SmallString<128> result(folder);
  path::append(result, file);
  return result.str().str();
}

/// bin/ptxas of a virtual environment, or of NVIDIA's packages in it:
/// lib/pythonX.Y/site-packages/nvidia/*/bin/ptxas.
static void addEnvironment(llvm::StringRef root,
                           std::vector<std::string> &candidates) {
  candidates.push_back(join(root, "bin/ptxas"));
  std::error_code error;
  for (fs::directory_iterator python(join(root, "lib"), error), end;
       python != end && !error; python.increment(error)) {
    std::string packages = join(python->path(), "site-packages/nvidia");
    std::error_code inner;
    for (fs::directory_iterator package(packages, inner);
         package != end && !inner; package.increment(inner))
      candidates.push_back(join(package->path(), "bin/ptxas"));
  }
}

static std::vector<std::string> listCandidates() {
  std::vector<std::string> candidates;
  if (auto found = llvm::sys::findProgramByName("ptxas"))
    candidates.push_back(*found);
  for (const char *name : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
    if (const char *root = std::getenv(name))
      candidates.push_back(join(root, "bin/ptxas"));
  candidates.push_back("/usr/local/cuda/bin/ptxas");
  if (const char *root = std::getenv("VIRTUAL_ENV"))
    addEnvironment(root, candidates);
  // The build's own: this program is in BUILD/bin.
  std::string self =
      fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&listCandidates));
  addEnvironment(join(path::parent_path(path::parent_path(self)), "venv"),
                 candidates);
  return candidates;
}

llvm::Expected<std::string> mlir::attn::findPtxas(llvm::StringRef named) {
  if (named == "none")
    return llvm::createStringError("not asked for (--ptxas=none)");
  if (!named.empty()) {
    if (fs::can_execute(named))
      return named.str();
    return llvm::createStringError("--ptxas: expected an assembler, got '" +
                                   named + "'");
  }
  std::vector<std::string> candidates = listCandidates();
  for (const std::string &candidate : candidates)
    if (fs::can_execute(candidate))
      return candidate;
  return llvm::createStringError(
      "found no ptxas in PATH nor as " + llvm::join(candidates, ", ") +
      "; it comes with the CUDA toolkit and with PyPI's nvidia-cuda-nvcc");
}

//===----------------------------------------------------------------------===//
// Running it
//===----------------------------------------------------------------------===//

/// The number before or after `pattern`'s words; 0 where they do not stand.
static unsigned findNumber(llvm::StringRef line, llvm::StringRef pattern) {
  llvm::SmallVector<llvm::StringRef> groups;
  unsigned number = 0;
  if (llvm::Regex(pattern).match(line, &groups))
    groups[1].getAsInteger(10, number);
  return number;
}

std::vector<KernelResources> mlir::attn::parseResources(llvm::StringRef log) {
  std::vector<KernelResources> kernels;
  llvm::SmallVector<llvm::StringRef> lines, groups;
  log.split(lines, '\n');
  llvm::Regex entry("Compiling entry function '([^']+)'");
  for (llvm::StringRef line : lines) {
    if (entry.match(line, &groups)) {
      kernels.emplace_back().kernel = groups[1].str();
      continue;
    }
    if (kernels.empty())
      continue;
    KernelResources &kernel = kernels.back();
    if (line.contains("bytes stack frame")) {
      kernel.stackBytes = findNumber(line, "([0-9]+) bytes stack frame");
      kernel.spillStoreBytes = findNumber(line, "([0-9]+) bytes spill stores");
      kernel.spillLoadBytes = findNumber(line, "([0-9]+) bytes spill loads");
    } else if (line.contains("Used ")) {
      kernel.registers = findNumber(line, "Used ([0-9]+) registers");
      kernel.barriers = findNumber(line, "used ([0-9]+) barriers");
      kernel.sharedBytes = findNumber(line, "([0-9]+) bytes smem");
    }
  }
  return kernels;
}

/// Machine code is an ELF file, and -v has a word on every kernel.
static llvm::Error checkAssembly(const Assembly &assembly, llvm::StringRef ptx,
                                 llvm::StringRef ptxas, llvm::StringRef log) {
  llvm::StringRef cubin = assembly.cubin;
  std::string missing;
  if (!cubin.starts_with("\x7f"
                         "ELF"))
    missing = "machine code";
  llvm::Regex entry("\\.entry +([a-zA-Z0-9_$]+)");
  llvm::SmallVector<llvm::StringRef> groups;
  for (; missing.empty() && entry.match(ptx, &groups);
       ptx = ptx.drop_front(groups[1].end() - ptx.begin())) {
    bool known = llvm::any_of(assembly.kernels, [&](const KernelResources &k) {
      return k.kernel == groups[1] && k.registers > 0;
    });
    if (!known)
      missing = ("the registers of kernel '" + groups[1] + "'").str();
  }
  if (missing.empty())
    return llvm::Error::success();
  return llvm::createStringError("expected " + missing +
                                 " from NVIDIA's assembler, got none from " +
                                 ptxas + ", which printed:\n" + log);
}

static llvm::Error makeTemporary(llvm::StringRef suffix,
                                 llvm::SmallString<128> &file) {
  if (std::error_code error = fs::createTemporaryFile("attn", suffix, file))
    return llvm::createStringError(error.message());
  return llvm::Error::success();
}

llvm::Expected<Assembly> mlir::attn::assemble(llvm::StringRef ptx,
                                              llvm::StringRef chip,
                                              llvm::StringRef ptxas) {
  llvm::SmallString<128> input, output, log;
  if (llvm::Error error = makeTemporary("ptx", input))
    return std::move(error);
  llvm::FileRemover removeInput(input);
  if (llvm::Error error = makeTemporary("cubin", output))
    return std::move(error);
  llvm::FileRemover removeOutput(output);
  if (llvm::Error error = makeTemporary("log", log))
    return std::move(error);
  llvm::FileRemover removeLog(log);
  if (llvm::Error error = ::attn::writeFileAtomically(input, ptx))
    return std::move(error);

  std::string arch = ("-arch=" + chip).str();
  llvm::StringRef arguments[] = {ptxas, "-v", arch, "-o", output, input};
  std::optional<llvm::StringRef> redirects[] = {
      std::nullopt, llvm::StringRef(log), llvm::StringRef(log)};
  std::string launchError;
  int code = llvm::sys::ExecuteAndWait(ptxas, arguments, std::nullopt,
                                       redirects, 0, 0, &launchError);
  auto words = llvm::MemoryBuffer::getFile(log);
  llvm::StringRef text = words ? (*words)->getBuffer() : launchError;
  if (code != 0)
    return llvm::createStringError(ptxas + " failed for " + chip + ":\n" +
                                   text + launchError);
  auto cubin = llvm::MemoryBuffer::getFile(output, /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false);
  if (!cubin)
    return llvm::createStringError(output + ": " + cubin.getError().message());
  Assembly assembly{(*cubin)->getBuffer().str(), parseResources(text)};
  if (llvm::Error error = checkAssembly(assembly, ptx, ptxas, text))
    return std::move(error);
  return assembly;
}
