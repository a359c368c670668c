//===- Gradient.h - attn-run --grad -----------------------------*- C++ -*-===//
//
// Differentiates a file's function (attn-differentiate), runs its forward and
// its vector-Jacobian product, and compares the gradients of all arguments that
// are arrays of floats.
//
// The oracle of `check` shares no derivative with the compiler: the input as it
// was read, unfused and lowered by upstream passes with every float widened to
// f64, is moved along its arguments, and the gradients must be the central
// differences of
//
//     L = sum over results of <dout, out>
//
// element by element where the arguments are small, else along random
// directions.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_GRADIENT_H
#define ATTN_RUNTIME_GRADIENT_H

#include "attn/Runtime/EntryPoint.h"
#include "attn/Runtime/Results.h"
#include "attn/Runtime/Run.h"

namespace mlir::attn {

/// Does what `request` says with the gradients in the place of the results:
/// reads arg0.., dout0.., dlse0.. and, to compare with, grad0.. (by number of
/// the argument); saves grad0... Errors go to stderr.
RunStatus runGradient(const RunRequest &request, RunReport &report);

/// The gradients of some arguments beside central differences of the unfused
/// `module`, which is consumed.
llvm::Expected<CheckRecord> checkByDifferences(
    ModuleOp module, StringRef entry, ArrayRef<::attn::Array> arguments,
    ArrayRef<::attn::Array> outputGrads, ArrayRef<unsigned> differentiated,
    ArrayRef<::attn::Array> grads, double tolerance);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_GRADIENT_H
