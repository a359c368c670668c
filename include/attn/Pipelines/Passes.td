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

def AttnVectorizableLoops
    : InterfacePass<"attn-vectorizable-loops", "::mlir::FunctionOpInterface"> {
  let summary = "Sums of neighbours become loops over neighbours in loops of sums";
  let description = [{
    For what a model computes around its attentions, and upstream lowers to plain
    loops. Of a buffer op that sums, the parallel dim along which all operands
    are contiguous or constant goes innermost:

    ```mlir
    linalg.matmul ins(%a, %b : ...) outs(%c : ...)  // loops m, n, k
    // becomes
    linalg.generic ... iterator_types = ["parallel", "reduction", "parallel"]  // m, k, n
    ```

    Numerics: none, every element is summed in the same order. Memory: none.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
  let statistics = [
    Statistic<"numMoved", "num-moved", "Number of ops whose loops changed">];
}

def AttnNearZero : Pass<"attn-near-zero", "::mlir::ModuleOp"> {
  let summary = "Call libm for e^x - 1 and log(1 + x)";
  let description = [{
    Upstream lowers `math.expm1` and `math.log1p` to exactly `exp(x) - 1` and
    `log(1 + x)`, which lose every digit of a small x. They exist not to.

    ```mlir
    %y = math.log1p %x : f32
    // becomes
    %y = call @log1pf(%x) : (f32) -> f32
    ```

    Numerics: libm's, below 2 ulp in f32 and f64; narrower types are computed in
    f32 and rounded once. Memory: none.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::vector::VectorDialect"];
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

def AttnStageOperands : Pass<"attn-stage-operands", "::mlir::func::FuncOp"> {
  let summary = "Copy the buffers of kernel launches to the device and back";
  let description = [{
    Replaces `attn_gpu.address`: a launch whose arguments are addresses of the
    host's buffers gets buffers of the device, of the same size: allocated before
    it, filled from the host's, copied back if the kernel writes them, and freed.
    Addresses of views of one buffer become addresses in its one copy. Nothing is
    copied in where the kernel overwrites all of a buffer or nothing has written
    to it yet, so that the emulator sees a kernel that reads it. A `memref.alloc`
    that only kernels touch (scratch) becomes a `gpu.alloc`: it stays on the
    device.

    ```mlir
    %p = attn_gpu.address read %a : memref<64xf32>
    %q = attn_gpu.address write %out : memref<64xf32>
    gpu.launch_func @kernels::@f blocks in (...) threads in (...) args(%p : !llvm.ptr, %q : !llvm.ptr)
    // becomes
    %t0 = gpu.wait async
    %d, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.memcpy async [%t1] %d, %a : memref<64xf32>, memref<64xf32>
    %e, %t3 = gpu.alloc async [%t2] () : memref<64xf32>
    ... // the addresses of %d and %e
    %t4 = gpu.launch_func async [%t3] @kernels::@f ... args(%dp : !llvm.ptr, %ep : !llvm.ptr)
    %t5 = gpu.dealloc async [%t4] %d : memref<64xf32>
    %t6 = gpu.memcpy async [%t5] %out, %e : memref<64xf32>, memref<64xf32>
    %t7 = gpu.dealloc async [%t6] %e : memref<64xf32>
    gpu.wait [%t7]
    ```

    Numerics: none. Memory: a device copy of each buffer while its kernel runs.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect"];
  let statistics = [
    Statistic<"numStaged", "num-staged", "Number of launches given copies">,
    Statistic<"numOnDevice", "num-on-device",
              "Number of buffers that never leave the device">];
}

#endif // ATTN_PIPELINES_PASSES_TD
