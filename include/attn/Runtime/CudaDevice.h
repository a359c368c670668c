//===- CudaDevice.h - launches on a GPU -------------------------*- C++ -*-===//
//
// The launch ABI on the CUDA driver, which is opened when asked for: the build
// needs no CUDA and runs where there is none.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_CUDADEVICE_H
#define ATTN_RUNTIME_CUDADEVICE_H

#include "attn/Runtime/LaunchDevice.h"

namespace mlir::attn {

/// The first GPU. Fails where the driver's library is not found, is too old or
/// knows no GPU, and says which. `library` is for tests.
llvm::Expected<std::unique_ptr<LaunchDevice>>
createCudaDevice(llvm::StringRef library = "libcuda.so.1");

} // namespace mlir::attn

#endif // ATTN_RUNTIME_CUDADEVICE_H
