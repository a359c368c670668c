//===- CudaDriver.h - the CUDA driver's functions ---------------*- C++ -*-===//
//
// The few functions of libcuda that launching needs, with prototypes of our
// own (source: the CUDA driver API reference, version 13), looked up when the
// library is opened. Names carry the suffix of the version whose prototype
// this is.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_RUNTIME_CUDADRIVER_H
#define ATTN_LIB_RUNTIME_CUDADRIVER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <cstdint>

namespace mlir::attn {

using CudaResult = int;       ///< 0 is success
using CudaDeviceId = int;     ///< a GPU's number
using CudaPointer = uint64_t; ///< a device address

/// X(name without "cu", parameters)
#define ATTN_CUDA_FUNCTIONS(X)                                                 \
  X(Init, (unsigned flags))                                                    \
  X(DriverGetVersion, (int *version))                                          \
  X(GetErrorString, (CudaResult error, const char **text))                     \
  X(DeviceGetCount, (int *count))                                              \
  X(DeviceGet, (CudaDeviceId * device, int number))                            \
  X(DeviceGetName, (char *name, int length, CudaDeviceId device))              \
  X(DeviceGetAttribute, (int *value, int attribute, CudaDeviceId device))      \
  X(DevicePrimaryCtxRetain, (void **context, CudaDeviceId device))             \
  X(CtxSetCurrent, (void *context))                                            \
  X(ModuleLoadDataEx, (void **module, const void *image, unsigned numOptions,  \
                       int *options, void **values))                           \
  X(ModuleUnload, (void *module))                                              \
  X(ModuleGetFunction, (void **function, void *module, const char *name))      \
  X(FuncSetAttribute, (void *function, int attribute, int value))              \
  X(LaunchKernel,                                                              \
    (void *function, unsigned gridX, unsigned gridY, unsigned gridZ,           \
     unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,  \
     void *stream, void **params, void **extra))                               \
  X(StreamCreate, (void **stream, unsigned flags))                             \
  X(StreamDestroy_v2, (void *stream))                                          \
  X(StreamSynchronize, (void *stream))                                         \
  X(StreamWaitEvent, (void *stream, void *event, unsigned flags))              \
  X(EventCreate, (void **event, unsigned flags))                               \
  X(EventDestroy_v2, (void *event))                                            \
  X(EventRecord, (void *event, void *stream))                                  \
  X(EventSynchronize, (void *event))                                           \
  X(EventElapsedTime, (float *milliseconds, void *start, void *end))           \
  X(MemAlloc_v2, (CudaPointer * pointer, size_t bytes))                        \
  X(MemAllocManaged, (CudaPointer * pointer, size_t bytes, unsigned flags))    \
  X(MemFree_v2, (CudaPointer pointer))                                         \
  X(MemcpyAsync,                                                               \
    (CudaPointer destination, CudaPointer source, size_t bytes, void *stream)) \
  X(MemsetD8Async,                                                             \
    (CudaPointer pointer, unsigned char value, size_t count, void *stream))    \
  X(MemsetD16Async,                                                            \
    (CudaPointer pointer, unsigned short value, size_t count, void *stream))   \
  X(MemsetD32Async,                                                            \
    (CudaPointer pointer, unsigned value, size_t count, void *stream))         \
  X(MemHostRegister_v2, (void *pointer, size_t bytes, unsigned flags))         \
  X(MemHostUnregister, (void *pointer))

struct CudaDriver {
#define ATTN_CUDA_MEMBER(name, parameters) CudaResult(*name) parameters;
  ATTN_CUDA_FUNCTIONS(ATTN_CUDA_MEMBER)
#undef ATTN_CUDA_MEMBER

  /// Opens `library` and looks everything up.
  static llvm::Expected<CudaDriver> open(llvm::StringRef library);

  /// "cuMemAlloc: out of memory (2)"; success for 0.
  llvm::Error check(CudaResult result, const char *function) const;
};

/// Numbers of enumerators (cuda.h) that are passed on.
enum : int {
  cudaComputeCapabilityMajor = 75, ///< device attributes
  cudaComputeCapabilityMinor = 76,
  cudaMaxDynamicShared = 8, ///< function attribute
  cudaErrorLogBuffer = 5,   ///< options of a module's loading
  cudaErrorLogBytes = 6,
  cudaStreamNonBlocking = 1, ///< flags
  cudaAttachGlobal = 1,
};

} // namespace mlir::attn

#endif // ATTN_LIB_RUNTIME_CUDADRIVER_H
