//===- CudaDevice.cpp - launches on a GPU ---------------------------------===//
#include "attn/Runtime/CudaDevice.h"
#include "CudaDriver.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

using namespace mlir::attn;

/// What a kernel may use of shared memory without asking.
static constexpr uint32_t plainSharedBytes = 48 * 1024;

namespace {
struct Function {
  void *handle;
  std::string name;
  uint32_t sharedBytes = plainSharedBytes; ///< what it may use now
};

struct LoadedModule {
  void *handle;
  llvm::StringMap<Function> functions;
};

class CudaDevice : public LaunchDevice {
public:
  explicit CudaDevice(const CudaDriver &driver) : driver(driver) {}

  llvm::Error open(int number);

  std::string name() const override { return deviceName; }
  std::string chip() const override { return chipName; }
  llvm::Expected<void *> loadModule(const void *image,
                                    std::optional<size_t> size) override;
  llvm::Error unloadModule(void *module) override;
  llvm::Expected<void *> getFunction(void *module,
                                     llvm::StringRef kernel) override;
  llvm::Error launch(void *function, const LaunchShape &shape, void *stream,
                     void **params, size_t numParams) override;

  llvm::Expected<void *> createStream() override {
    void *stream = nullptr;
    if (auto error =
            driver.check(driver.StreamCreate(&stream, cudaStreamNonBlocking),
                         "StreamCreate"))
      return error;
    return stream;
  }
  llvm::Error destroyStream(void *stream) override {
    return driver.check(driver.StreamDestroy_v2(stream), "StreamDestroy");
  }
  llvm::Error synchronize(void *stream) override {
    return driver.check(driver.StreamSynchronize(stream), "StreamSynchronize");
  }
  llvm::Error waitEvent(void *stream, void *event) override {
    return driver.check(driver.StreamWaitEvent(stream, event, 0),
                        "StreamWaitEvent");
  }
  llvm::Expected<void *> createEvent() override {
    void *event = nullptr;
    if (auto error = driver.check(driver.EventCreate(&event, 0), "EventCreate"))
      return error;
    return event;
  }
  llvm::Error destroyEvent(void *event) override {
    return driver.check(driver.EventDestroy_v2(event), "EventDestroy");
  }
  llvm::Error synchronizeEvent(void *event) override {
    return driver.check(driver.EventSynchronize(event), "EventSynchronize");
  }
  llvm::Error recordEvent(void *event, void *stream) override {
    return driver.check(driver.EventRecord(event, stream), "EventRecord");
  }
  llvm::Expected<double> elapsed(void *start, void *end) override {
    float milliseconds = 0;
    if (auto error =
            driver.check(driver.EventElapsedTime(&milliseconds, start, end),
                         "EventElapsedTime"))
      return error;
    return milliseconds;
  }

  llvm::Expected<void *> allocate(uint64_t bytes, bool hostShared,
                                  llvm::StringRef name) override;
  llvm::Error free(void *pointer) override {
    return driver.check(driver.MemFree_v2(toAddress(pointer)), "MemFree");
  }
  llvm::Error copy(void *destination, const void *source, size_t bytes,
                   void *stream) override {
    return driver.check(driver.MemcpyAsync(toAddress(destination),
                                           toAddress(source), bytes, stream),
                        "MemcpyAsync");
  }
  llvm::Error fill(void *destination, uint32_t value, unsigned elementBytes,
                   size_t count, void *stream) override;
  llvm::Error registerHost(void *pointer, uint64_t bytes) override {
    return driver.check(driver.MemHostRegister_v2(pointer, bytes, 0),
                        "MemHostRegister");
  }
  llvm::Error unregisterHost(void *pointer) override {
    return driver.check(driver.MemHostUnregister(pointer), "MemHostUnregister");
  }
  llvm::Error setDefaultDevice(int32_t number) override { return open(number); }

private:
  static CudaPointer toAddress(const void *pointer) {
    return reinterpret_cast<CudaPointer>(pointer);
  }

  CudaDriver driver;
  std::string deviceName, chipName;
};
} // namespace

llvm::Expected<std::unique_ptr<LaunchDevice>>
mlir::attn::createCudaDevice(llvm::StringRef library) {
  llvm::Expected<CudaDriver> driver = CudaDriver::open(library);
  if (!driver)
    return driver.takeError();
  if (auto error = driver->check(driver->Init(0), "Init"))
    return error;
  auto device = std::make_unique<CudaDevice>(*driver);
  if (llvm::Error error = device->open(0))
    return std::move(error);
  return device;
}

llvm::Error CudaDevice::open(int number) {
  int count = 0;
  if (auto error =
          driver.check(driver.DeviceGetCount(&count), "DeviceGetCount"))
    return error;
  if (number < 0 || number >= count)
    return llvm::createStringError("expected GPU " + llvm::Twine(number) +
                                   ", this machine has " + llvm::Twine(count));
  CudaDeviceId device;
  if (auto error = driver.check(driver.DeviceGet(&device, number), "DeviceGet"))
    return error;
  char text[256] = "";
  int major = 0, minor = 0;
  if (auto error = driver.check(
          driver.DeviceGetName(text, sizeof(text), device), "DeviceGetName"))
    return error;
  for (auto [attribute, value] : {std::pair{cudaComputeCapabilityMajor, &major},
                                  {cudaComputeCapabilityMinor, &minor}})
    if (auto error =
            driver.check(driver.DeviceGetAttribute(value, attribute, device),
                         "DeviceGetAttribute"))
      return error;
  chipName = ("sm_" + llvm::Twine(major) + llvm::Twine(minor)).str();
  deviceName = text + (" (" + chipName + ")");
  void *context = nullptr;
  if (auto error = driver.check(driver.DevicePrimaryCtxRetain(&context, device),
                                "DevicePrimaryCtxRetain"))
    return error;
  return driver.check(driver.CtxSetCurrent(context), "CtxSetCurrent");
}

llvm::Expected<void *> CudaDevice::loadModule(const void *image,
                                              std::optional<size_t>) {
  // The driver's compiler says here what it does not like about PTX.
  char log[4096] = "";
  int options[] = {cudaErrorLogBuffer, cudaErrorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
  auto module = std::make_unique<LoadedModule>();
  CudaResult result =
      driver.ModuleLoadDataEx(&module->handle, image, 2, options, values);
  if (auto error = driver.check(result, "ModuleLoadData"))
    return llvm::createStringError(llvm::toString(std::move(error)) + " on " +
                                   deviceName + "\n" + log);
  return module.release();
}

llvm::Error CudaDevice::unloadModule(void *handle) {
  std::unique_ptr<LoadedModule> module(static_cast<LoadedModule *>(handle));
  return driver.check(driver.ModuleUnload(module->handle), "ModuleUnload");
}

llvm::Expected<void *> CudaDevice::getFunction(void *handle,
                                               llvm::StringRef kernel) {
  auto &module = *static_cast<LoadedModule *>(handle);
  auto known = module.functions.find(kernel);
  if (known != module.functions.end())
    return &known->second;
  Function function{nullptr, kernel.str()};
  if (auto error =
          driver.check(driver.ModuleGetFunction(&function.handle, module.handle,
                                                function.name.c_str()),
                       "ModuleGetFunction"))
    return llvm::createStringError("kernel '" + kernel +
                                   "': " + llvm::toString(std::move(error)));
  return &module.functions.try_emplace(kernel, function).first->second;
}

llvm::Error CudaDevice::launch(void *handle, const LaunchShape &shape,
                               void *stream, void **params, size_t) {
  auto &function = *static_cast<Function *>(handle);
  auto name = [&](llvm::Error error) {
    return llvm::createStringError("kernel '" + function.name +
                                   "': " + llvm::toString(std::move(error)));
  };
  if (shape.sharedBytes > function.sharedBytes) {
    CudaResult result =
        driver.FuncSetAttribute(function.handle, cudaMaxDynamicShared,
                                static_cast<int>(shape.sharedBytes));
    if (auto error = driver.check(result, "FuncSetAttribute"))
      return name(std::move(error));
    function.sharedBytes = shape.sharedBytes;
  }
  CudaResult result = driver.LaunchKernel(
      function.handle, shape.grid.x, shape.grid.y, shape.grid.z, shape.block.x,
      shape.block.y, shape.block.z, shape.sharedBytes, stream, params, nullptr);
  if (auto error = driver.check(result, "LaunchKernel"))
    return name(std::move(error));
  records.push_back({function.name, shape, std::nullopt});
  return llvm::Error::success();
}

llvm::Expected<void *> CudaDevice::allocate(uint64_t bytes, bool hostShared,
                                            llvm::StringRef) {
  if (bytes == 0)
    return nullptr;
  CudaPointer pointer = 0;
  CudaResult result =
      hostShared ? driver.MemAllocManaged(&pointer, bytes, cudaAttachGlobal)
                 : driver.MemAlloc_v2(&pointer, bytes);
  if (auto error = driver.check(result, "MemAlloc"))
    return llvm::createStringError(
        llvm::Twine(bytes) + " bytes: " + llvm::toString(std::move(error)));
  return reinterpret_cast<void *>(pointer);
}

llvm::Error CudaDevice::fill(void *destination, uint32_t value,
                             unsigned elementBytes, size_t count,
                             void *stream) {
  CudaPointer address = toAddress(destination);
  CudaResult result;
  switch (elementBytes) {
  case 1:
    result = driver.MemsetD8Async(address, static_cast<unsigned char>(value),
                                  count, stream);
    break;
  case 2:
    result = driver.MemsetD16Async(address, static_cast<unsigned short>(value),
                                   count, stream);
    break;
  default:
    result = driver.MemsetD32Async(address, value, count, stream);
  }
  return driver.check(result, "Memset");
}
