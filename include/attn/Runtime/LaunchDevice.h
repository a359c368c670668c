//===- LaunchDevice.h - what stands behind the launch ABI -------*- C++ -*-===//
//
// Compiled host code calls the functions of LaunchABI.h. They hand each call to
// the *current device*: the PTX emulator (EmulatorDevice.h) or a GPU through
// the CUDA driver (CudaDevice.h). Tools that launch kernels themselves, from a
// manifest, use the same interface.
//
// Handles (modules, functions, streams, events) and device addresses are
// whatever the device likes; callers only pass them back. Everything that goes
// wrong is an Error that names the kernel or the call.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_LAUNCHDEVICE_H
#define ATTN_RUNTIME_LAUNCHDEVICE_H

#include "attn/Emulator/Launch.h"
#include "llvm/ADT/StringMap.h"
#include <memory>
#include <optional>

namespace mlir::attn {

/// The shape of one launch: grid in CTAs, block in threads, dynamic shared
/// memory in bytes.
struct LaunchShape {
  ::attn::emulator::Dim3 grid, block;
  uint32_t sharedBytes = 0;
};

/// A launch that ended well.
struct LaunchRecord {
  std::string kernel;
  LaunchShape shape;
  /// What the kernel did, where the device counts it.
  std::optional<::attn::emulator::LaunchResult> counts;

  /// {name, grid, block, shared_bytes} and the counts' fields.
  llvm::json::Object toJson() const;
};

class LaunchDevice {
public:
  virtual ~LaunchDevice();

  /// "emulator", "NVIDIA A100-SXM4-80GB", ...
  virtual std::string name() const = 0;
  /// The chip that it is (sm_80), or that code is made for by default.
  virtual std::string chip() const = 0;

  /// Loads PTX text or, where `size` is given, any image of that many bytes.
  virtual llvm::Expected<void *> loadModule(const void *image,
                                            std::optional<size_t> size) = 0;
  virtual llvm::Error unloadModule(void *module) = 0;
  virtual llvm::Expected<void *> getFunction(void *module,
                                             llvm::StringRef kernel) = 0;
  /// `params` points to the values of the kernel's parameters.
  virtual llvm::Error launch(void *function, const LaunchShape &shape,
                             void *stream, void **params, size_t numParams) = 0;

  virtual llvm::Expected<void *> createStream() = 0;
  virtual llvm::Error destroyStream(void *stream) = 0;
  /// The null stream: the device's default one.
  virtual llvm::Error synchronize(void *stream) = 0;
  virtual llvm::Error waitEvent(void *stream, void *event) = 0;
  virtual llvm::Expected<void *> createEvent() = 0;
  virtual llvm::Error destroyEvent(void *event) = 0;
  virtual llvm::Error synchronizeEvent(void *event) = 0;
  virtual llvm::Error recordEvent(void *event, void *stream) = 0;
  /// Milliseconds between two recorded events that have happened.
  virtual llvm::Expected<double> elapsed(void *start, void *end) = 0;

  /// Uninitialised memory; null for 0 bytes. With `hostShared` the host may
  /// touch it too. `name` is for messages.
  virtual llvm::Expected<void *> allocate(uint64_t bytes, bool hostShared,
                                          llvm::StringRef name) = 0;
  virtual llvm::Error free(void *pointer) = 0;
  /// Host or device on either side.
  virtual llvm::Error copy(void *destination, const void *source, size_t bytes,
                           void *stream) = 0;
  /// Fills `count` elements of `elementBytes` (1, 2 or 4).
  virtual llvm::Error fill(void *destination, uint32_t value,
                           unsigned elementBytes, size_t count,
                           void *stream) = 0;
  /// Lets kernels reach a range of host memory.
  virtual llvm::Error registerHost(void *pointer, uint64_t bytes) = 0;
  virtual llvm::Error unregisterHost(void *pointer) = 0;
  virtual llvm::Error setDefaultDevice(int32_t number) = 0;

  /// The launches so far, in order.
  const std::vector<LaunchRecord> &launches() const { return records; }
  void clearLaunches() { records.clear(); }

protected:
  std::vector<LaunchRecord> records;
};

/// The names of --executor: cpu, emulator, cuda.
llvm::ArrayRef<llvm::StringRef> executorNames();
/// The device behind one of them; null for `cpu`. The options are the
/// emulator's.
llvm::Expected<std::unique_ptr<LaunchDevice>>
createExecutor(llvm::StringRef name,
               const ::attn::emulator::LaunchOptions &options);

/// Makes a device the one that mgpu* functions reach, until the end of the
/// scope's life. One at a time. After a failure the functions do nothing more:
/// the code that calls them cannot be told.
class LaunchScope {
public:
  explicit LaunchScope(LaunchDevice &device);
  ~LaunchScope();
  LaunchScope(const LaunchScope &) = delete;
  LaunchScope &operator=(const LaunchScope &) = delete;

  /// What failed first since the last call; success if nothing did.
  llvm::Error takeError();
};

/// The mgpu* functions by the names that compiled code calls them by.
void addLaunchSymbols(llvm::StringMap<void *> &symbols);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_LAUNCHDEVICE_H
