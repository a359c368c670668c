//===- Ptxas.h - from PTX to machine code -----------------------*- C++ -*-===//
//
// NVIDIA's assembler, as a program: found where toolkits and Python packages
// put it, run with -v, and what it says about each kernel read from its output.
// It decides on registers, so only it knows whether a kernel spills.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_PTXAS_H
#define ATTN_RUNTIME_PTXAS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace mlir::attn {

/// What a kernel takes of a multiprocessor, for each thread or (shared memory:
/// static alone) each thread array.
struct KernelResources {
  std::string kernel;
  unsigned registers = 0;
  unsigned stackBytes = 0, spillStoreBytes = 0, spillLoadBytes = 0;
  unsigned sharedBytes = 0, barriers = 0;

  bool spills() const { return spillStoreBytes || spillLoadBytes; }
  llvm::json::Object toJson() const;
};

struct Assembly {
  std::string cubin;
  std::vector<KernelResources> kernels;
};

/// The program: `named` where given ("none": no program at all), else in PATH,
/// under CUDA_HOME, CUDA_PATH or CUDA_ROOT, in /usr/local/cuda, in the virtual
/// environment that is active, or in the one that setup.sh made for the build
/// this tool belongs to. The error lists where it was looked for.
llvm::Expected<std::string> findPtxas(llvm::StringRef named);

/// Assembles for `chip` (sm_80). Errors carry the assembler's own words.
llvm::Expected<Assembly> assemble(llvm::StringRef ptx, llvm::StringRef chip,
                                  llvm::StringRef ptxas);

/// Reads what -v prints.
std::vector<KernelResources> parseResources(llvm::StringRef log);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_PTXAS_H
