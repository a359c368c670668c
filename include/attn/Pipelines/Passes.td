//===- Passes.td - small passes that only pipelines need --*- tablegen -*-===//
#ifndef ATTN_PIPELINES_PASSES_TD
#define ATTN_PIPELINES_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttnDecomposeAggregates
    : InterfacePass<"attn-decompose-aggregates", "::mlir::FunctionOpInterface"> {
  let summary = "Decompose linalg.softmax and its like into plain linalg ops";
  let description = [{
    Upstream can take an aggregated op apart but has no pass for it, and its
    loop lowering does not know the op.

    ```mlir
    %0 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%i : ...)
    // becomes: row maximum, exponential of the difference, row sum, division
    ```

    Numerics: upstream's definition of the op. Memory: a tensor of the op's
    shape for the exponentials, one row vector each for maximum and sum.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numDecomposed", "num-decomposed", "Number of ops decomposed">];
}

def AttnStridedCopies
    : InterfacePass<"attn-strided-copies", "::mlir::FunctionOpInterface"> {
  let summary = "Turn copies of strided buffers into linalg, hence into loops";
  let description = [{
    Upstream lowers a `memref.copy` between strided buffers to a call into its
    runner library; compiled code should need no library for a copy.

    ```mlir
    memref.copy %a, %b : memref<4x8xf32, strided<[16, 1]>> to memref<4x8xf32>
    // becomes
    linalg.generic ... ins(%a) outs(%b) { linalg.yield %in : f32 }
    ```

    Contiguous copies stay: they become one memcpy.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
  let statistics = [
    Statistic<"numCopies", "num-copies", "Number of copies rewritten">];
}

def AttnReadOnlyArguments : Pass<"attn-read-only-arguments", "::mlir::ModuleOp"> {
  let summary = "Keep bufferization from writing to the caller's arrays";
  let description = [{
    Bufferization takes a function's tensor arguments for its own and may compute
    in place there. The arguments of public functions are the caller's: they are
    marked, and a copy is made where one would be written to.

    ```mlir
    func.func @main(%a: tensor<4xf32>)
    // becomes
    func.func @main(%a: tensor<4xf32> {bufferization.writable = false})
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def AttnInlineAllocaScopes
    : InterfacePass<"attn-inline-alloca-scopes", "::mlir::FunctionOpInterface"> {
  let summary = "Replace memref.alloca_scope by saving the stack around its body";
  let description = [{
    Parallel loops wrap their bodies in `memref.alloca_scope`, whose region may
    hold one block only, so that loops inside cannot become branches.

    ```mlir
    memref.alloca_scope { BODY }
    // becomes
    %0 = llvm.intr.stacksave : !llvm.ptr
    BODY
    llvm.intr.stackrestore %0 : !llvm.ptr
    ```

    A body without `memref.alloca` needs no saving and gets none.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // ATTN_PIPELINES_PASSES_TD
