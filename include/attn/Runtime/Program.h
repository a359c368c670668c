//===- Program.h - a compiled file, to be called many times -----*- C++ -*-===//
//
// What other people's programs embed: a module's text becomes a function on
// their arrays, with what the compiler found on the way. Nothing is printed and
// no MLIR context stays behind; whatever goes wrong is an llvm::Error, a
// LocatedError where it has a place in the text.
//
// A call reads dense arrays where they lie and writes results where the caller
// wants them. Arrays that are not dense go through a copy.
//
// A Program may be called from many threads at a time.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_PROGRAM_H
#define ATTN_RUNTIME_PROGRAM_H

#include "attn/CostModel/Target.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Runtime/Diagnostics.h"
#include "attn/Runtime/Emit.h"
#include "attn/Runtime/EntryPoint.h"
#include "attn/Runtime/Findings.h"
#include "attn/Runtime/ShapeGuard.h"
#include "attn/Runtime/Strided.h"

namespace mlir::attn {

class DeviceCode;
class LaunchDevice;

struct ProgramOptions {
  std::string entry; ///< empty: main, else the only public function
  /// What runs the kernels of a GPU target: "emulator" or "cuda". Empty or
  /// "cpu": none, such a program can be emitted only.
  std::string executor;
  PipelineOptions pipeline;
};

class Program {
public:
  static constexpr unsigned kMostThreads = 1024;

  /// Compiles `text`, which diagnostics call `name`. For this machine, or a CPU
  /// whose code runs here, it is then ready to be called; for others it knows
  /// what it found and can be emitted.
  static llvm::Expected<std::unique_ptr<Program>>
  compile(llvm::StringRef text, llvm::StringRef name,
          const ProgramOptions &options);

  /// The same for a file; "-" is no special name.
  static llvm::Expected<std::unique_ptr<Program>>
  compileFile(llvm::StringRef path, const ProgramOptions &options);

  ~Program();

  const EntryPoint &getEntry() const { return entry; }
  llvm::StringRef getTarget() const { return target; }
  const RemarkLog &getRemarks() const { return *remarks; }
  llvm::ArrayRef<AttentionRecord> getAttentions() const { return attentions; }
  std::vector<DeclinedRecord> getDeclined() const {
    return findDeclined(*remarks);
  }

  /// Why it cannot be called with so many arguments, or at all.
  llvm::Error checkCallable(size_t numArguments,
                            std::optional<size_t> numResults) const;

  /// The shapes of the results for arguments of these shapes. An error says
  /// which arguments do not fit the signature or each other.
  llvm::Expected<std::vector<SmallVector<int64_t, 4>>>
  getResultShapes(ArrayRef<StridedBuffer> arguments) const;

  /// Calls the function; `results` are written. `threads`: how many it may use,
  /// up to kMostThreads; 0 for all cores.
  llvm::Error call(ArrayRef<StridedBuffer> arguments,
                   ArrayRef<StridedBuffer> results, unsigned threads = 0) const;

  /// Compiles the text again, to one of attn-compile's kinds of output.
  llvm::Expected<Emitted> emit(llvm::StringRef kind) const;

private:
  Program();
  LogicalResult build(ModuleOp module);
  LogicalResult makeCallable(ModuleOp module,
                             std::unique_ptr<LaunchDevice> device);
  LogicalResult openDevice(ModuleOp module,
                           std::unique_ptr<LaunchDevice> &device);
  LogicalResult checkDevice(ModuleOp module, const ::attn::Target &machine,
                            const LaunchDevice *device) const;
  llvm::Error checkTypes(ArrayRef<StridedBuffer> arguments) const;
  llvm::Error checkResults(ArrayRef<StridedBuffer> arguments,
                           ArrayRef<StridedBuffer> results,
                           ArrayRef<int64_t> dynamicExtents) const;

  std::string text, name, target;
  ProgramOptions options;
  EntryPoint entry;
  std::shared_ptr<RemarkLog> remarks = std::make_shared<RemarkLog>();
  std::vector<AttentionRecord> attentions;
  /// Checks arguments of dynamic shape and computes the results' extents; null
  /// where all is static.
  std::unique_ptr<ShapeGuard> guard;
  std::unique_ptr<CompiledModule> compiled;
  CompiledModule::PackedFunction function = nullptr;
  std::unique_ptr<DeviceCode> onDevice; ///< in its place, for a GPU target
  std::string obstacle;                 ///< why there is no function to call
};

} // namespace mlir::attn

#endif // ATTN_RUNTIME_PROGRAM_H
