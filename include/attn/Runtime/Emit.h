//===- Emit.h - what compiling a module can yield ---------------*- C++ -*-===//
//
// The kinds that attn-compile's --emit names, as a function, so that the C API
// and the Python package offer the same ones: how far to compile, and what to
// write then.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_EMIT_H
#define ATTN_RUNTIME_EMIT_H

#include "attn/Pipelines/Pipelines.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace mlir::attn {

enum class OutputKind { IR, Object, SharedLibrary, Ledger, Ptx, Cubin };

/// One kind: its name, the phase it stops after on a CPU and on a GPU, what is
/// written. Without a phase there is no such thing for that kind of machine.
struct Emission {
  llvm::StringRef name;
  std::optional<Phase> cpuPhase, gpuPhase;
  OutputKind kind;

  /// Bytes and not text.
  bool isBinary() const {
    return kind == OutputKind::Object || kind == OutputKind::SharedLibrary ||
           kind == OutputKind::Cubin;
  }
  /// Written with a launch manifest beside it.
  bool hasManifest() const {
    return kind == OutputKind::Ptx || kind == OutputKind::Cubin;
  }
};

/// What is written to OUT and, as text, to OUT.json.
struct Emitted {
  std::string contents;
  std::optional<std::string> manifest;
};

/// The kind of that name; an error lists the known ones.
llvm::Expected<Emission> findEmission(llvm::StringRef name);

/// The names of all kinds with `separator` between them.
std::string getEmissionNames(llvm::StringRef separator);

/// Lowers `module`, which is consumed, and renders it. Where `entry` is not
/// empty, it is the only function that stays public. Whatever goes wrong is a
/// diagnostic.
FailureOr<Emitted> emit(ModuleOp module, const Emission &emission,
                        llvm::StringRef entry, const PipelineOptions &options);

/// The cost model's account of each attention that carries a tiling, with its
/// place in the file: {"attentions": [...]}.
llvm::Expected<llvm::json::Value> getLedgers(ModuleOp module);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_EMIT_H
