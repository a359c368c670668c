//===- DeviceCode.cpp - a function whose kernels run on a device ----------===//
#include "DeviceCode.h"
#include <mutex>

using namespace mlir;
using namespace mlir::attn;
using ::attn::Array;

/// Held wherever compiled code may call the launch ABI.
static std::mutex &launchMutex() {
  static std::mutex mutex;
  return mutex;
}

llvm::Expected<std::unique_ptr<DeviceCode>>
DeviceCode::create(ModuleOp module, const EntryPoint &entry,
                   std::unique_ptr<LaunchDevice> device) {
  std::unique_ptr<DeviceCode> code(new DeviceCode);
  code->device = std::move(device);
  llvm::StringMap<void *> symbols;
  addLaunchSymbols(symbols);
  {
    std::lock_guard<std::mutex> turn(launchMutex());
    LaunchScope scope(*code->device);
    auto compiled =
        CompiledModule::create(module, Unrolling::AsWritten, symbols);
    if (!compiled)
      return compiled.takeError();
    code->compiled = std::move(*compiled);
    // Its constructors loaded the kernels.
    if (llvm::Error error = scope.takeError())
      return std::move(error);
  }
  auto function = code->compiled->lookup(entry.name);
  if (!function)
    return function.takeError();
  code->function = *function;
  return code;
}

DeviceCode::~DeviceCode() {
  std::lock_guard<std::mutex> turn(launchMutex());
  LaunchScope scope(*device);
  compiled.reset(); // its destructors unload the kernels
}

static Array makeArray(const StridedBuffer &buffer) {
  Array array(buffer.type, buffer.shape);
  if (buffer.isDense())
    std::copy_n(static_cast<const uint8_t *>(buffer.data), array.bytes.size(),
                array.bytes.begin());
  else
    packElements(buffer, array.bytes.data());
  return array;
}

llvm::Error DeviceCode::call(const EntryPoint &entry,
                             ArrayRef<StridedBuffer> arguments,
                             ArrayRef<StridedBuffer> results) const {
  std::vector<Array> given;
  for (const StridedBuffer &buffer : arguments)
    given.push_back(makeArray(buffer));
  PreparedCall prepared(entry, given);
  std::lock_guard<std::mutex> turn(launchMutex());
  LaunchScope scope(*device);
  auto got = prepared.run(function);
  device->clearLaunches();
  if (llvm::Error error = scope.takeError()) {
    if (!got)
      llvm::consumeError(got.takeError());
    return error;
  }
  if (!got)
    return got.takeError();
  for (auto [array, buffer] : llvm::zip(*got, results))
    if (buffer.isDense())
      llvm::copy(array.bytes, static_cast<uint8_t *>(buffer.data));
    else
      unpackElements(array.bytes.data(), buffer);
  return llvm::Error::success();
}
