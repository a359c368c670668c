//===- ShapeGuard.h - do arrays of dynamic shape fit together? --*- C++ -*-===//
//
// Where a file leaves extents open, its ops still demand that some of them be
// equal, and compiled code, fused or not, does not look. The guard is the input
// program reduced to upstream's run-time verification of its structured ops:
// the relations between the extents of the arguments, and nothing that
// computes. Attentions that were recognised demand more: gathers that would
// read the beginning of a longer operand are whole dims there. The guard of
// what the recogniser made of the input asks for that.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_SHAPEGUARD_H
#define ATTN_RUNTIME_SHAPEGUARD_H

#include "attn/Runtime/EntryPoint.h"

namespace mlir::attn {

/// True if an argument has a dynamic extent, so that there is something to
/// guard.
bool needsShapeGuard(const EntryPoint &entry);

/// The compiled guard of a function, for many calls.
class ShapeGuard {
public:
  /// Compiles the guard of `module` (an input file, consumed), and of
  /// `recognised`, the same with its attentions as ops, if it is not null. It
  /// also computes the dynamic extents of the results, which follow from those
  /// of the arguments.
  static llvm::Expected<std::unique_ptr<ShapeGuard>>
  create(ModuleOp module, ModuleOp recognised, const EntryPoint &entry);

  /// Runs it on flattened arguments (pointers to the fields of descriptors).
  /// Returns the dynamic extents of the results in order. An error names the op
  /// and the dimension that do not fit.
  llvm::Expected<SmallVector<int64_t>> run(ArrayRef<void *> fields) const;

private:
  /// Adds the reduced form of a module; the first one gives extents.
  llvm::Error add(ModuleOp module, const EntryPoint &entry, bool resultExtents);
  friend llvm::Error checkShapes(ModuleOp, const EntryPoint &,
                                 ArrayRef<::attn::Array>);

  struct Part {
    std::unique_ptr<CompiledModule> compiled;
    CompiledModule::PackedFunction function;
  };
  std::vector<Part> parts;
  size_t numExtents = 0;
};

/// Compiles and runs the guard of `module` on `arguments`: of an input file, or
/// of what the recogniser made of it. An error names the op and the dimension
/// that do not fit. Nothing is done, and no module changed, where all extents
/// are known.
llvm::Error checkShapes(ModuleOp module, const EntryPoint &entry,
                        ArrayRef<::attn::Array> arguments);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_SHAPEGUARD_H
