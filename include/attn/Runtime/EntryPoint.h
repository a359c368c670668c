//===- EntryPoint.h - a function's signature, and calling it ----*- C++ -*-===//
//
// The signature is read from the input module, before any lowering: ranked
// tensors of supported element types and scalars, static or dynamic, any number
// of results. After lowering, a tensor argument is the fields of a strided
// buffer descriptor, a tensor result a descriptor that the caller owns.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_ENTRYPOINT_H
#define ATTN_RUNTIME_ENTRYPOINT_H

#include "attn/Runtime/Jit.h"
#include "attn/Support/Npy.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::attn {

/// One argument or result; a scalar is not a tensor and has rank 0. An index is
/// an i64.
struct EntryType {
  ::attn::DType type;
  bool isTensor;
  SmallVector<int64_t> shape; ///< ShapedType::kDynamic where not known

  std::string typeString() const; ///< "2x4x?x32xf32"
};

struct EntryPoint {
  std::string name;
  SmallVector<EntryType> arguments, results;
};

/// The function called `name`; with an empty name @main, else the only public
/// function. Emits an error that names the candidates if there is none.
FailureOr<func::FuncOp> findEntry(ModuleOp module, StringRef name);

/// Emits an error at the function if a type cannot cross the boundary.
FailureOr<EntryPoint> getEntryPoint(func::FuncOp function);

/// Checks number, element types and shapes of `args` against the signature.
llvm::Error checkArguments(const EntryPoint &entry,
                           ArrayRef<::attn::Array> args);

/// Arguments made ready for repeated calls: aligned copies, which compiled code
/// does not write to, and their descriptors. The arguments are ones that
/// checkArguments accepted.
class PreparedCall {
public:
  PreparedCall(const EntryPoint &entry, ArrayRef<::attn::Array> args);
  ~PreparedCall();

  struct Measurement {
    double milliseconds = 0;
    /// Peak of what lived on the heap beside operands and results.
    size_t peakHeapBytes = 0;
    /// Depth of this thread's stack.
    size_t stackBytes = 0;
  };
  /// Calls `function`. Results are copied out and their buffers freed.
  /// `measurement`, where given, receives the figures of the call alone; memory
  /// is measured only if `measureMemory`, which takes time.
  llvm::Expected<std::vector<::attn::Array>>
  run(CompiledModule::PackedFunction function,
      Measurement *measurement = nullptr, bool measureMemory = false);

  /// Pointers to the flattened arguments, without one to the result.
  ArrayRef<void *> getFields() const;

private:
  struct Fields;
  const EntryPoint &entry;
  std::unique_ptr<Fields> fields;
};

} // namespace mlir::attn

#endif // ATTN_RUNTIME_ENTRYPOINT_H
