//===- Passes.td - from tiles to vector code ----------------*- tablegen -*-===//
#ifndef ATTN_CPU_PASSES_TD
#define ATTN_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttnLowerToVector : Pass<"attn-lower-to-vector", "::mlir::ModuleOp"> {
  let summary = "Lower attention on memrefs to vectors and loops";
  let description = [{
    After bufferization, `attn.online_attention`, `attn.online_backward`,
    `attn.merge` and `attn.finish` on memrefs become calls of a few internal functions and loops around them,
    written in vector, memref, scf and arith. Two block products share one
    emitter: scores S^T = K Q^T, with Q packed transposed once per query block, so
    that the lanes of a vector are rows and the softmax never reduces across a
    vector; and acc = diag(correction) acc + P V, with V read in place where its
    rows are contiguous.

    `attn.online_backward` has the keys in the lanes: K and V are transposed once per
    key block, S and dO V^T become P z and dS in one pass that recomputes P from
    the log-sum-exp, and dV, dK and dQ read these with their strides exchanged.

    What is no larger than the op's `#attn.tiling` (or a default block) is one
    tile; what is larger, or of unknown size, is cut by loops.

    ```mlir
    attn.online_attention ins(%q, %k, %v : memref<96x64xf32>, memref<256x64xf32>,
      memref<256x64xf32>) outs(%acc, %max, %sum : ...)
    // becomes
    call @attn_transpose_0(%q, %packed_q, ...)
    call @attn_scores_1(%k, %packed_q, %s, %raw, ...)      // S^T and its maxima
    call @attn_softmax_2(%s, %p, %raw, %max, %sum, %correction, ...)
    call @attn_accumulate_3(%p, %v, %acc, %correction, ...)
    ```

    The target is the module's `attn.target`: its vector width, its number of
    vector registers, whether it has dot products of bf16.

    Numerics: products and the softmax are in the accumulate type, fused
    multiply-add throughout; exp, exp2, log and tanh of whole vectors are
    polynomials (below 2.5 ulp; tanh 4; the softmax's own exponential of x, the
    score less the row's reference, 2.5 + 1.25 |x| ulp, what a change of x by an
    ulp would make). P is rounded to V's type once. f16, and bf16 without dot products, are widened when packed. Memory: one block of
    scores, the packed query block and, for narrow types, packed key and value
    blocks, per parallel iteration.
  }];
  let dependentDialects = [
    "::mlir::amx::AMXDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect", "::mlir::x86vector::X86VectorDialect"];
  let statistics = [
    Statistic<"numLowered", "num-lowered", "Number of attn ops lowered">];
}

#endif // ATTN_CPU_PASSES_TD
