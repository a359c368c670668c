//===- EmulatorDevice.cpp - launches on the PTX emulator ------------------===//
#include "attn/Runtime/EmulatorDevice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <cstdlib>
#include <map>

using namespace mlir::attn;
namespace emulator = ::attn::emulator;

namespace {
/// A kernel of a loaded module, which getFunction hands out.
struct Function {
  emulator::Module *module;
  std::string name;
  std::vector<emulator::Parameter> parameters;
};

struct LoadedModule {
  std::unique_ptr<emulator::Module> ptx;
  llvm::StringMap<std::unique_ptr<Function>> functions;
};

/// Host memory that kernels may reach, and its copy on the device.
struct Mirror {
  uint64_t bytes;
  uint64_t address;
  bool owned; ///< allocated here, as shared memory
};

class EmulatorDevice : public LaunchDevice {
public:
  explicit EmulatorDevice(const emulator::LaunchOptions &options)
      : options(options) {}
  ~EmulatorDevice() override {
    for (auto &[host, mirror] : mirrors)
      if (mirror.owned)
        std::free(host);
  }

  std::string name() const override { return "emulator"; }
  std::string chip() const override { return "sm_80"; }

  llvm::Expected<void *> loadModule(const void *image,
                                    std::optional<size_t> size) override;
  llvm::Error unloadModule(void *module) override;
  llvm::Expected<void *> getFunction(void *module,
                                     llvm::StringRef kernel) override;
  llvm::Error launch(void *function, const LaunchShape &shape, void *stream,
                     void **params, size_t numParams) override;

  // Everything has happened when its call returns: one handle serves all.
  llvm::Expected<void *> createStream() override { return &options; }
  llvm::Error destroyStream(void *) override { return done(); }
  llvm::Error synchronize(void *) override { return done(); }
  llvm::Error waitEvent(void *, void *) override { return done(); }
  llvm::Expected<void *> createEvent() override { return &options; }
  llvm::Error destroyEvent(void *) override { return done(); }
  llvm::Error synchronizeEvent(void *) override { return done(); }
  llvm::Error recordEvent(void *, void *) override { return done(); }
  llvm::Expected<double> elapsed(void *, void *) override {
    return llvm::createStringError(
        "the emulator has no clock: its time says nothing about a device's");
  }

  llvm::Expected<void *> allocate(uint64_t bytes, bool hostShared,
                                  llvm::StringRef name) override;
  llvm::Error free(void *pointer) override;
  llvm::Error copy(void *destination, const void *source, size_t bytes,
                   void *stream) override;
  llvm::Error fill(void *destination, uint32_t value, unsigned elementBytes,
                   size_t count, void *stream) override;
  llvm::Error registerHost(void *pointer, uint64_t bytes) override;
  llvm::Error unregisterHost(void *pointer) override;
  llvm::Error setDefaultDevice(int32_t) override { return done(); }

private:
  static llvm::Error done() { return llvm::Error::success(); }
  static uint64_t toAddress(const void *pointer) {
    return reinterpret_cast<uint64_t>(pointer);
  }
  bool isDevice(const void *pointer) const {
    return memory.find(toAddress(pointer)) != nullptr;
  }
  using MirrorEntry = std::map<char *, Mirror>::value_type;
  MirrorEntry *findMirror(uint64_t hostAddress);
  llvm::Expected<uint64_t> allocateBytes(uint64_t bytes,
                                         llvm::StringRef name = "");

  emulator::LaunchOptions options;
  emulator::Memory memory;
  std::vector<std::unique_ptr<LoadedModule>> modules;
  std::map<char *, Mirror> mirrors;
};
} // namespace

std::unique_ptr<LaunchDevice>
mlir::attn::createEmulatorDevice(const emulator::LaunchOptions &options) {
  return std::make_unique<EmulatorDevice>(options);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Cubins are ELF files; fat binaries begin with a magic number of their own.
static bool isBinary(llvm::StringRef image) {
  return image.starts_with("\x7f"
                           "ELF") ||
         image.starts_with("\x50\xed\x55\xba");
}

llvm::Expected<void *> EmulatorDevice::loadModule(const void *image,
                                                  std::optional<size_t> size) {
  auto *text = static_cast<const char *>(image);
  llvm::StringRef ptx =
      size ? llvm::StringRef(text, *size) : llvm::StringRef(text);
  if (isBinary(ptx))
    return llvm::createStringError(
        "the emulator runs PTX, got machine code of a GPU; emit PTX instead");
  auto parsed =
      emulator::Module::parse(ptx.take_until([](char c) { return c == '\0'; }));
  if (!parsed)
    return parsed.takeError();
  modules.push_back(std::make_unique<LoadedModule>());
  modules.back()->ptx = std::move(*parsed);
  return modules.back().get();
}

llvm::Error EmulatorDevice::unloadModule(void *module) {
  llvm::erase_if(modules,
                 [&](const auto &loaded) { return loaded.get() == module; });
  return done();
}

llvm::Expected<void *> EmulatorDevice::getFunction(void *handle,
                                                   llvm::StringRef kernel) {
  auto &loaded = *static_cast<LoadedModule *>(handle);
  std::unique_ptr<Function> &function = loaded.functions[kernel];
  if (!function) {
    auto parameters = loaded.ptx->parameters(kernel);
    if (!parameters)
      return parameters.takeError();
    function = std::make_unique<Function>(
        Function{loaded.ptx.get(), kernel.str(), std::move(*parameters)});
  }
  return function.get();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

EmulatorDevice::MirrorEntry *EmulatorDevice::findMirror(uint64_t address) {
  auto after = mirrors.upper_bound(reinterpret_cast<char *>(address));
  if (after == mirrors.begin())
    return nullptr;
  MirrorEntry &entry = *std::prev(after);
  return address - toAddress(entry.first) < entry.second.bytes ? &entry
                                                               : nullptr;
}

llvm::Error EmulatorDevice::launch(void *handle, const LaunchShape &shape,
                                   void *, void **params, size_t numParams) {
  auto &function = *static_cast<Function *>(handle);
  if (numParams != function.parameters.size())
    return llvm::createStringError("kernel '" + function.name + "': expected " +
                                   llvm::Twine(function.parameters.size()) +
                                   " parameters, got " +
                                   llvm::Twine(numParams));
  std::vector<emulator::Argument> arguments(numParams);
  std::vector<MirrorEntry *> reached;
  for (size_t k = 0; k < numParams; ++k) {
    auto *bytes = static_cast<const uint8_t *>(params[k]);
    arguments[k].bytes.assign(bytes, bytes + function.parameters[k].bytes);
    if (function.parameters[k].bytes != sizeof(uint64_t))
      continue;
    uint64_t word;
    std::memcpy(&word, bytes, sizeof(word));
    MirrorEntry *entry = findMirror(word);
    if (!entry)
      continue;
    arguments[k] = emulator::Argument::pointer(entry->second.address + word -
                                               toAddress(entry->first));
    if (!llvm::is_contained(reached, entry))
      reached.push_back(entry);
  }
  for (MirrorEntry *entry : reached)
    if (auto error = memory.write(entry->second.address, entry->first,
                                  entry->second.bytes))
      return error;
  auto counts =
      emulator::launch(*function.module, function.name, shape.grid, shape.block,
                       shape.sharedBytes, arguments, memory, options);
  if (!counts)
    return counts.takeError();
  records.push_back({function.name, shape, std::move(*counts)});
  for (MirrorEntry *entry : reached)
    if (auto error = memory.read(entry->first, entry->second.address,
                                 entry->second.bytes))
      return error;
  return done();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

llvm::Expected<uint64_t> EmulatorDevice::allocateBytes(uint64_t bytes,
                                                       llvm::StringRef name) {
  if (uint64_t address = memory.allocate(bytes, name))
    return address;
  return llvm::createStringError("the emulator cannot allocate " +
                                 llvm::Twine(bytes) + " bytes");
}

llvm::Expected<void *> EmulatorDevice::allocate(uint64_t bytes, bool hostShared,
                                                llvm::StringRef name) {
  if (bytes == 0)
    return nullptr;
  if (!hostShared) {
    llvm::Expected<uint64_t> address = allocateBytes(bytes, name);
    if (!address)
      return address.takeError();
    return reinterpret_cast<void *>(*address);
  }
  void *host = std::malloc(bytes);
  if (!host)
    return llvm::createStringError("cannot allocate " + llvm::Twine(bytes) +
                                   " bytes");
  if (llvm::Error error = registerHost(host, bytes))
    return std::move(error);
  mirrors[static_cast<char *>(host)].owned = true;
  return host;
}

llvm::Error EmulatorDevice::free(void *pointer) {
  if (isDevice(pointer))
    return memory.free(toAddress(pointer));
  auto entry = mirrors.find(static_cast<char *>(pointer));
  if (entry == mirrors.end() || !entry->second.owned)
    return llvm::createStringError("free: expected the address of device "
                                   "memory, got 0x" +
                                   llvm::Twine::utohexstr(toAddress(pointer)));
  std::free(pointer);
  return unregisterHost(pointer);
}

llvm::Error EmulatorDevice::copy(void *destination, const void *source,
                                 size_t bytes, void *) {
  if (isDevice(destination))
    return isDevice(source)
               ? memory.copy(toAddress(destination), toAddress(source), bytes)
               : memory.write(toAddress(destination), source, bytes);
  if (isDevice(source))
    return memory.read(destination, toAddress(source), bytes);
  std::memcpy(destination, source, bytes);
  return done();
}

llvm::Error EmulatorDevice::fill(void *destination, uint32_t value,
                                 unsigned elementBytes, size_t count,
                                 void *stream) {
  std::vector<char> bytes(count * elementBytes);
  for (size_t i = 0; i < count; ++i)
    std::memcpy(bytes.data() + i * elementBytes, &value, elementBytes);
  return copy(destination, bytes.data(), bytes.size(), stream);
}

llvm::Error EmulatorDevice::registerHost(void *pointer, uint64_t bytes) {
  if (bytes == 0)
    return done();
  if (findMirror(toAddress(pointer)))
    return llvm::createStringError("host memory at 0x" +
                                   llvm::Twine::utohexstr(toAddress(pointer)) +
                                   " is registered already");
  llvm::Expected<uint64_t> address = allocateBytes(bytes);
  if (!address)
    return address.takeError();
  mirrors[static_cast<char *>(pointer)] = {bytes, *address, /*owned=*/false};
  return done();
}

llvm::Error EmulatorDevice::unregisterHost(void *pointer) {
  auto entry = mirrors.find(static_cast<char *>(pointer));
  if (entry == mirrors.end())
    return done();
  uint64_t address = entry->second.address;
  mirrors.erase(entry);
  return memory.free(address);
}
