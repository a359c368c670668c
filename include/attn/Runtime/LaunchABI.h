//===- LaunchABI.h - What compiled host code calls --------------*- C++ -*-===//
//
// Upstream's gpu-to-llvm turns gpu.launch_func and gpu.binary into calls of
// these functions. We implement them twice, on the PTX emulator and on the CUDA
// driver, so that a whole module runs with its kernels on either. The
// signatures are upstream's (mlir/lib/ExecutionEngine/CudaRuntimeWrappers.cpp)
// and must not change; the compiled code has no header.
//
// A launch, in the order in which the code calls:
//
//   constructor       ModuleLoadJIT (PTX text) or ModuleLoad (cubin)
//   each launch       ModuleGetFunction, StreamCreate, LaunchKernel,
//                     StreamSynchronize, StreamDestroy
//   destructor        ModuleUnload
//
// Ownership: modules and streams belong to the generated code, which passes
// them back to be freed. Functions live as long as their module; memory from
// MemAlloc until MemFree. Everything else that is passed in is the caller's,
// and valid during the call only.
//
// Sizes: `params` are pointers to the values of the kernel's parameters,
// without sizes or types; the kernel's own signature has them. A memref of rank
// r is 3 + 2r parameters: allocated and aligned pointer, offset, sizes,
// strides; with bare pointers, one. The extents that an access is checked
// against are those of the allocation the pointer lies in.
//
// Errors: nothing is returned, so the first failure is kept for the tool that
// owns the run (LaunchScope in LaunchDevice.h), and what is called after it
// does nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_LAUNCHABI_H
#define ATTN_RUNTIME_LAUNCHABI_H

#include <cstddef>
#include <cstdint>

extern "C" {

/// A ranked memref descriptor of bytes, as StridedMemRefType<char, 1>. For
/// mgpuMemHostRegisterMemRef, `rank` sizes and then `rank` strides follow.
struct MgpuMemRefDescriptor {
  char *allocated;
  char *aligned;
  int64_t offset;
  int64_t sizesAndStrides[1];
};

/// Loads NUL-terminated PTX text; there is no size. From a constructor, thus
/// before main or in ExecutionEngine::initialize.
void *mgpuModuleLoadJIT(void *ptx, int optLevel);
/// Loads a cubin or fatbin of `size` bytes.
void *mgpuModuleLoad(void *binary, size_t size);
void mgpuModuleUnload(void *module);
/// The kernel called `name`. Called at every launch, so worth a cache.
void *mgpuModuleGetFunction(void *module, const char *name);

/// Launches on `stream`, asynchronously. `extra` is null. Grid and block are in
/// CTAs and threads, `sharedBytes` of dynamic shared memory.
void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, void *stream,
                      void **params, void **extra, size_t numParams);
void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t sharedBytes, void *stream, void **params,
                             void **extra, size_t numParams);

/// One stream per chain of asynchronous ops.
void *mgpuStreamCreate();
void mgpuStreamDestroy(void *stream);
void mgpuStreamSynchronize(void *stream);
void mgpuStreamWaitEvent(void *stream, void *event);

void *mgpuEventCreate();
void mgpuEventDestroy(void *event);
void mgpuEventSynchronize(void *event);
void mgpuEventRecord(void *event, void *stream);

/// `bytes` of device memory, uninitialised; of managed memory, which the host
/// may touch too, if `hostShared`. Null for 0 bytes.
void *mgpuMemAlloc(uint64_t bytes, void *stream, bool hostShared);
void mgpuMemFree(void *pointer, void *stream);
/// Between any two kinds of memory; the direction follows from the pointers.
void mgpuMemcpy(void *destination, void *source, size_t bytes, void *stream);
/// Fills `count` elements.
void mgpuMemset32(void *destination, unsigned value, size_t count,
                  void *stream);
void mgpuMemset16(void *destination, unsigned short value, size_t count,
                  void *stream);

/// Lets kernels access host memory: a memref of `rank` dims, dense, with
/// elements of `elementBytes`.
void mgpuMemHostRegister(void *pointer, uint64_t bytes);
void mgpuMemHostRegisterMemRef(int64_t rank, MgpuMemRefDescriptor *descriptor,
                               int64_t elementBytes);
void mgpuMemHostUnregister(void *pointer);
void mgpuMemHostUnregisterMemRef(int64_t rank, MgpuMemRefDescriptor *descriptor,
                                 int64_t elementBytes);

/// Later calls of this thread use that device.
void mgpuSetDefaultDevice(int32_t device);

} // extern "C"

#endif // ATTN_RUNTIME_LAUNCHABI_H
