//===- LaunchABI.cpp - from compiled code to the current device -----------===//
#include "attn/Runtime/LaunchABI.h"
#include "attn/Runtime/LaunchDevice.h"
#include "llvm/Support/WithColor.h"
#include <mutex>

using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// The current device
//===----------------------------------------------------------------------===//

namespace {
struct Current {
  std::mutex mutex;
  LaunchDevice *device = nullptr;
  std::optional<llvm::Error> failure;
};
} // namespace

static Current &current() {
  static Current state;
  return state;
}

LaunchScope::LaunchScope(LaunchDevice &device) {
  std::lock_guard<std::mutex> lock(current().mutex);
  current().device = &device;
}

LaunchScope::~LaunchScope() {
  llvm::consumeError(takeError());
  std::lock_guard<std::mutex> lock(current().mutex);
  current().device = nullptr;
}

llvm::Error LaunchScope::takeError() {
  std::lock_guard<std::mutex> lock(current().mutex);
  if (!current().failure)
    return llvm::Error::success();
  llvm::Error failure = std::move(*current().failure);
  current().failure.reset();
  return failure;
}

/// Calls `action` with the current device, one thread at a time, unless an
/// earlier call has failed.
template <typename Action>
static void onDevice(const char *function, Action action) {
  Current &state = current();
  std::lock_guard<std::mutex> lock(state.mutex);
  if (state.failure)
    return;
  if (!state.device) {
    llvm::WithColor::error() << function << ": no device to launch on\n";
    return;
  }
  if (llvm::Error error = action(*state.device))
    state.failure = std::move(error);
}

/// The same for calls that return a handle; null where they fail.
template <typename Action>
static void *getOnDevice(const char *function, Action action) {
  void *handle = nullptr;
  onDevice(function, [&](LaunchDevice &device) -> llvm::Error {
    llvm::Expected<void *> result = action(device);
    if (!result)
      return result.takeError();
    handle = *result;
    return llvm::Error::success();
  });
  return handle;
}

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

void *mgpuModuleLoadJIT(void *ptx, int) {
  return getOnDevice(__func__, [&](LaunchDevice &device) {
    return device.loadModule(ptx, std::nullopt);
  });
}

void *mgpuModuleLoad(void *binary, size_t size) {
  return getOnDevice(__func__, [&](LaunchDevice &device) {
    return device.loadModule(binary, size);
  });
}

void mgpuModuleUnload(void *module) {
  // Null: it was never loaded.
  if (module)
    onDevice(__func__,
             [&](LaunchDevice &device) { return device.unloadModule(module); });
}

void *mgpuModuleGetFunction(void *module, const char *name) {
  return getOnDevice(__func__, [&](LaunchDevice &device) {
    return device.getFunction(module, name);
  });
}

static llvm::Expected<uint32_t> toExtent(intptr_t value) {
  if (value < 0 || value > INT32_MAX)
    return llvm::createStringError(
        "launch: expected extents of grid and block below 2^31, got " +
        llvm::Twine(value));
  return static_cast<uint32_t>(value);
}

static llvm::Error setExtents(::attn::emulator::Dim3 &dims, intptr_t x,
                              intptr_t y, intptr_t z) {
  for (auto [value, extent] :
       {std::pair{x, &dims.x}, {y, &dims.y}, {z, &dims.z}}) {
    llvm::Expected<uint32_t> checked = toExtent(value);
    if (!checked)
      return checked.takeError();
    *extent = *checked;
  }
  return llvm::Error::success();
}

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, void *stream,
                      void **params, void **, size_t numParams) {
  onDevice(__func__, [&](LaunchDevice &device) -> llvm::Error {
    LaunchShape shape;
    shape.sharedBytes = static_cast<uint32_t>(sharedBytes);
    if (auto error = setExtents(shape.grid, gridX, gridY, gridZ))
      return error;
    if (auto error = setExtents(shape.block, blockX, blockY, blockZ))
      return error;
    // Nothing to do is legal here, not for a device.
    if (shape.grid.count() == 0)
      return llvm::Error::success();
    return device.launch(function, shape, stream, params, numParams);
  });
}

void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t sharedBytes, void *stream, void **params,
                             void **extra, size_t numParams) {
  if (clusterX == 1 && clusterY == 1 && clusterZ == 1)
    return mgpuLaunchKernel(function, gridX, gridY, gridZ, blockX, blockY,
                            blockZ, sharedBytes, stream, params, extra,
                            numParams);
  onDevice(__func__, [](LaunchDevice &) {
    return llvm::createStringError(
        "launch: expected clusters of one CTA, got a larger one");
  });
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

void *mgpuStreamCreate() {
  return getOnDevice(
      __func__, [](LaunchDevice &device) { return device.createStream(); });
}

void mgpuStreamDestroy(void *stream) {
  onDevice(__func__,
           [&](LaunchDevice &device) { return device.destroyStream(stream); });
}

void mgpuStreamSynchronize(void *stream) {
  onDevice(__func__,
           [&](LaunchDevice &device) { return device.synchronize(stream); });
}

void mgpuStreamWaitEvent(void *stream, void *event) {
  onDevice(__func__, [&](LaunchDevice &device) {
    return device.waitEvent(stream, event);
  });
}

void *mgpuEventCreate() {
  return getOnDevice(__func__,
                     [](LaunchDevice &device) { return device.createEvent(); });
}

void mgpuEventDestroy(void *event) {
  onDevice(__func__,
           [&](LaunchDevice &device) { return device.destroyEvent(event); });
}

void mgpuEventSynchronize(void *event) {
  onDevice(__func__, [&](LaunchDevice &device) {
    return device.synchronizeEvent(event);
  });
}

void mgpuEventRecord(void *event, void *stream) {
  onDevice(__func__, [&](LaunchDevice &device) {
    return device.recordEvent(event, stream);
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void *mgpuMemAlloc(uint64_t bytes, void *, bool hostShared) {
  return getOnDevice(__func__, [&](LaunchDevice &device) {
    return device.allocate(bytes, hostShared, "");
  });
}

void mgpuMemFree(void *pointer, void *) {
  if (pointer)
    onDevice(__func__,
             [&](LaunchDevice &device) { return device.free(pointer); });
}

void mgpuMemcpy(void *destination, void *source, size_t bytes, void *stream) {
  if (bytes)
    onDevice(__func__, [&](LaunchDevice &device) {
      return device.copy(destination, source, bytes, stream);
    });
}

void mgpuMemset32(void *destination, unsigned value, size_t count,
                  void *stream) {
  onDevice(__func__, [&](LaunchDevice &device) {
    return device.fill(destination, value, 4, count, stream);
  });
}

void mgpuMemset16(void *destination, unsigned short value, size_t count,
                  void *stream) {
  onDevice(__func__, [&](LaunchDevice &device) {
    return device.fill(destination, value, 2, count, stream);
  });
}

void mgpuMemHostRegister(void *pointer, uint64_t bytes) {
  onDevice(__func__, [&](LaunchDevice &device) {
    return device.registerHost(pointer, bytes);
  });
}

void mgpuMemHostUnregister(void *pointer) {
  onDevice(__func__, [&](LaunchDevice &device) {
    return device.unregisterHost(pointer);
  });
}

static void *firstByte(const MgpuMemRefDescriptor &memref,
                       int64_t elementBytes) {
  return memref.aligned + memref.offset * elementBytes;
}

void mgpuMemHostRegisterMemRef(int64_t rank, MgpuMemRefDescriptor *descriptor,
                               int64_t elementBytes) {
  uint64_t bytes = static_cast<uint64_t>(elementBytes);
  const int64_t *sizes = descriptor->sizesAndStrides;
  for (int64_t dim = 0; dim < rank; ++dim)
    bytes *= static_cast<uint64_t>(sizes[dim]);
  mgpuMemHostRegister(firstByte(*descriptor, elementBytes), bytes);
}

void mgpuMemHostUnregisterMemRef(int64_t, MgpuMemRefDescriptor *descriptor,
                                 int64_t elementBytes) {
  mgpuMemHostUnregister(firstByte(*descriptor, elementBytes));
}

void mgpuSetDefaultDevice(int32_t number) {
  onDevice(__func__, [&](LaunchDevice &device) {
    return device.setDefaultDevice(number);
  });
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

void mlir::attn::addLaunchSymbols(llvm::StringMap<void *> &symbols) {
#define ADD(function) symbols[#function] = reinterpret_cast<void *>(&function)
  ADD(mgpuModuleLoadJIT);
  ADD(mgpuModuleLoad);
  ADD(mgpuModuleUnload);
  ADD(mgpuModuleGetFunction);
  ADD(mgpuLaunchKernel);
  ADD(mgpuLaunchClusterKernel);
  ADD(mgpuStreamCreate);
  ADD(mgpuStreamDestroy);
  ADD(mgpuStreamSynchronize);
  ADD(mgpuStreamWaitEvent);
  ADD(mgpuEventCreate);
  ADD(mgpuEventDestroy);
  ADD(mgpuEventSynchronize);
  ADD(mgpuEventRecord);
  ADD(mgpuMemAlloc);
  ADD(mgpuMemFree);
  ADD(mgpuMemcpy);
  ADD(mgpuMemset32);
  ADD(mgpuMemset16);
  ADD(mgpuMemHostRegister);
  ADD(mgpuMemHostUnregister);
  ADD(mgpuMemHostRegisterMemRef);
  ADD(mgpuMemHostUnregisterMemRef);
  ADD(mgpuSetDefaultDevice);
#undef ADD
}
