//===- Passes.td - from attention to GPU kernels ------------*- tablegen -*-===//
#ifndef ATTN_GPU_PASSES_TD
#define ATTN_GPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttnLowerToGPU : Pass<"attn-lower-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Lower attention and its gradients on memrefs to tile programs and their launches";
  let description = [{
    After bufferization, an `attn.attention` on memrefs becomes a kernel in the
    gpu.module `attention_kernels`, written in `attn_gpu` for one warp, and its
    launch. A thread array computes one query block of one batch element; the
    kernel walks the key blocks that the mask lets it see.

    ```mlir
    attn.attention {scale = 0.125, tiling = #attn.tiling<query_block = [128], key_block = [64],
      kernel = #attn.gpu<warps = 4, rows_per_warp = 32, stages = 1>>} ...
      ins(%q, %k, %v : memref<8x512x64xf16>, ...) outs(%o : memref<8x512x64xf16>)
    // becomes
    %0 = attn_gpu.address read %q : memref<8x512x64xf16>
    ...
    gpu.launch_func @attention_kernels::@main_attention blocks in (%c32, %c1, %c1)
      threads in (%c128, %c1, %c1) dynamic_shared_memory_size %bytes
      args(%0 : !llvm.ptr, ...)
    ```

    An `attn.attention_backward` becomes several kernels: one that computes D and
    the exponent's shift of each row, one for dQ whose thread arrays own rows and
    walk keys, one for dK and dV whose thread arrays own keys and walk rows (two
    where registers do not hold both), and one for the gradient of a sink and of
    each extra asked for. Every gradient is written by one kernel, and every sum has
    one order: no atomics, results the same to the last bit. Where the tiling says
    `atomics`, the kernel of dK adds dQ up in f32 sums in memory, in the order in
    which thread arrays come, between a kernel that sets them to 0 and one that
    rounds them.

    What a launch's arguments are is told in `attn/GPU/KernelABI.h`. The target is
    the module's `attn.target`.

    Numerics: scores, exponentials and sums are f32; scale and log2(e) are one
    factor of an exponential in base 2, taken by `ex2.approx` (2 ulp). P is rounded
    to V's type once. The state's reference follows the running maximum only when
    that has grown by more than 8 in log2 units. Memory: shared memory for the Q
    tile and one K and one V tile per stage; nothing of rows x keys. In the
    backward P and dS are rounded to the operands' type for their products, and dO
    to V's where that is another; scratch memory of two f32 per row (and of dO, if
    it is rounded; and of dQ in f32 with atomics).
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::attn_gpu::AttnGPUDialect",
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Number of kernels written">];
}

def AttnDistributeToNVVM : Pass<"attn-distribute-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Spread tile programs over the lanes of warps";
  let description = [{
    In the kernels of a gpu.module, fragments become the registers of one lane and
    `attn_gpu` ops become nvvm: `ldmatrix`, `mma.sync`, `cp.async`, shuffles.
    Values of fragment type are converted 1:N, through scf.

    ```mlir
    %s = attn_gpu.mma %q, %k, %zero {transposed} : ...
    // becomes
    %0 = nvvm.ldmatrix %p {num = 4 : i32, ...} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
    %1 = nvvm.mma.sync A[...] B[...] C[...] ...
    ```

    Numerics: products of 16-bit operands are exact and summed in f32. Functions of
    a score region: exponentials and logarithms by `ex2` and `lg2`, others by
    polynomials of f32 accuracy.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

#endif // ATTN_GPU_PASSES_TD
